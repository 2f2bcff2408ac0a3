"""What people write reaches him whole, and what he writes notifies nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from loguru import logger

from messages.attachment import Attachment
from messages.gateway import GatewayReady, MessageSeen, RoomSeen, WatchOpened
from messages.ids import GuildId, MessageId, RoleId, RoomId
from tests.actors.gateway.living import AUDIOOP, SECONDS, Living, room_of
from tests.loopback.discord.board import Post
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.rooms import Channel
from tests.probe import Probe

pytestmark = pytest.mark.filterwarnings(AUDIOOP)


@pytest.fixture
def complaints() -> Iterator[Probe[str]]:
    """The lines of the log about what he could not write."""
    lines: Probe[str] = Probe()
    sink = logger.add(
        lambda line: lines.tell(str(line)),
        format="{message}",
        filter=lambda line: "could not" in line["message"],
    )
    yield lines
    logger.remove(sink)


def nothing_under_way(life: Living) -> None:
    """Wait until he has written what he was to write, and types no longer."""

    async def wait() -> None:
        session = life.account._session
        assert session is not None
        assert session._writing is not None
        if len(session._writing._errands):
            await asyncio.wait(session._writing._errands._running)

    life.loop.submit(wait()).result(SECONDS)


# --- reading --------------------------------------------------------------------------------------


def test_a_message_comes_with_its_author_his_roles_and_its_channel(life: Living, home: Guild) -> None:
    chat, crew = home.text("chat"), home.role("Crew")
    ada = home.member("Ada", [crew])
    life.open()
    message = ada.write(chat, "hello there")
    seen = life.expect(MessageSeen)
    assert seen.message == MessageId(str(message))
    assert (seen.room, seen.guild) == (room_of(chat), GuildId(str(home.id)))
    assert (seen.person.label, seen.person.bot, seen.text) == ("Ada", False, "hello there")
    assert seen.roles == {RoleId(str(crew.id))}
    assert not seen.mentions_him


def test_a_mention_and_a_reply_name_him_but_a_role_does_not(life: Living, home: Guild) -> None:
    chat, crew = home.text("chat"), home.role("Crew")
    ada = home.member("Ada")
    life.open()
    life.account.post(room_of(chat), "I said something", None)
    life.discord.wait(lambda: life.discord.posts, SECONDS, "a post")
    ada.write(chat, f"{home.bot.mention} are you there?")
    mention = life.expect(MessageSeen)
    assert mention.mentions_him
    assert mention.text == "@clankie are you there?"
    ada.write(chat, "what?", reply_to=life.discord.posts[0].id)
    assert life.expect(MessageSeen).mentions_him
    ada.write(chat, f"{crew.mention} everybody")
    assert not life.expect(MessageSeen).mentions_him


def test_his_own_words_are_not_told_to_him_and_a_private_one_has_no_guild(life: Living, home: Guild) -> None:
    chat = home.text("chat")
    life.open()
    life.account.post(room_of(chat), "me", None)
    life.discord.wait(lambda: life.discord.posts, SECONDS, "a post")
    home.member("Ada").write_privately("psst")
    seen = life.expect(MessageSeen)
    assert (seen.text, seen.guild, seen.roles) == ("psst", None, frozenset())
    assert len(life.received(MessageSeen)) == 1
    life.account.post(seen.room, "psst yourself", seen.message)
    life.discord.wait(lambda: len(life.discord.posts) == 2, SECONDS, "an answer")


def test_what_comes_from_a_guild_that_he_does_not_know_is_no_private_message(
    life: Living, home: Guild
) -> None:
    life.open()
    ada, gateway = home.member("Ada"), life.discord.gateway
    stray: dict[str, object] = {
        "id": "900",
        "channel_id": "901",
        "guild_id": "902",
        "type": 0,
        "content": "psst, it is me",
    }
    stray |= {"author": {"id": str(ada.id), "username": "Ada", "discriminator": "0", "avatar": None}}
    stray |= {"timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "tts": False}
    stray |= {key: [] for key in ("mentions", "mention_roles", "attachments", "embeds")}
    stray |= {"mention_everyone": False, "pinned": False}
    gateway._ground.run(lambda: gateway.tell("MESSAGE_CREATE", stray))
    ada.write(home.text("chat"), "hello")
    assert life.expect(MessageSeen).text == "hello"


def test_bots_and_webhooks_are_told_as_bots(life: Living, home: Guild) -> None:
    chat = home.text("chat")
    life.open()
    home.member("Radio", bot=True).write(chat, "beep")
    chat.webhook("News", "extra")
    assert life.expect(MessageSeen).person.bot
    assert life.expect(MessageSeen).person.bot


# --- writing --------------------------------------------------------------------------------------


def test_what_he_writes_is_in_order_short_enough_and_mentions_nobody(life: Living, home: Guild) -> None:
    general = home.voice("General")
    ada = home.member("Ada")
    life.open()
    for text in ("first", f"{ada.mention} second", "x" * 2_100):
        life.account.post(room_of(general), text, None)
    life.discord.wait(lambda: len(life.discord.posts) == 3, SECONDS, "three posts")
    posts = life.discord.posts
    assert [post.content[:5] for post in posts] == ["first", ada.mention[:5], "xxxxx"]
    assert len(posts[2].content) == 2_000
    assert not any(post.pings or post.everyone for post in posts)


def test_an_answer_names_its_message_and_survives_its_end(life: Living, home: Guild) -> None:
    chat = home.text("chat")
    ada = home.member("Ada")
    life.open()
    message = ada.write(chat, "a question")
    life.account.post(room_of(chat), "an answer", MessageId(str(message)))
    life.discord.wait(lambda: life.discord.posts, SECONDS, "an answer")
    assert life.discord.posts[0].reply_to == message
    ada.delete(message)
    life.account.post(room_of(chat), "another answer", MessageId(str(message)))
    life.discord.wait(lambda: len(life.discord.posts) == 2, SECONDS, "another answer")


def test_a_missing_permission_is_named_once(life: Living, home: Guild, complaints: Probe[str]) -> None:
    chat, open_to_all = home.text("chat"), home.text("open")
    chat.deny("send_messages")
    life.open()
    life.account.post(room_of(chat), "one", None)
    life.account.post(room_of(chat), "two", None)
    life.account.post(RoomId("1"), "three", None)
    said = [complaints.expect(str, SECONDS), complaints.expect(str, SECONDS)]
    life.account.post(room_of(open_to_all), "three", None)
    life.discord.wait(lambda: life.discord.posts, SECONDS, "a post")
    assert any("Send Messages" in line for line in said)
    assert any("channel is gone" in line for line in said)
    assert len(complaints.received()) == 2


def test_what_discord_does_not_take_in_time_is_dropped_and_counted(
    life: Living, home: Guild, complaints: Probe[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = home.text("chat")
    life.open()
    monkeypatch.setattr("actors.gateway.live.writing.MOST_WAITING", 0)
    for _ in range(3):
        life.account.post(room_of(chat), "too much", None)
        life.account.typing(room_of(chat), on=True)
    assert "takes nothing" in complaints.expect(str, SECONDS)
    nothing_under_way(life)
    assert life.account._session is not None
    assert life.account._session._writing is not None
    assert life.account._session._writing.dropped == 3
    assert life.discord.posts == []


def test_a_line_that_breaks_under_a_post_costs_that_post_alone(
    life: Living, home: Guild, complaints: Probe[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import aiohttp

    chat = home.text("chat")
    life.open()

    async def breaks(*_: object, **__: object) -> None:
        raise aiohttp.ServerDisconnectedError

    with monkeypatch.context() as patch:
        patch.setattr("discord.PartialMessageable.send", breaks)
        life.account.post(room_of(chat), "lost", None)
        assert "does not answer" in complaints.expect(str, SECONDS)
    life.account.post(room_of(chat), "there", None)
    life.discord.wait(lambda: [post.content for post in life.discord.posts] == ["there"], SECONDS, "a post")


def test_he_is_seen_typing_until_he_is_told_to_stop_for_others_may_still_wait(
    life: Living, home: Guild
) -> None:
    chat = home.text("chat")
    life.open()
    life.account.typing(room_of(chat), on=True)
    typed = f"/channels/{chat.id}/typing"
    life.discord.wait(
        lambda: any(request.path == typed for request in life.discord.rest.requests), SECONDS, "typing"
    )
    life.account.post(room_of(chat), "there", None)
    life.discord.wait(lambda: life.discord.posts, SECONDS, "a post")
    session = life.account._session
    assert session is not None
    assert session._writing is not None
    assert set(session._writing._typing) == {room_of(chat)}
    life.account.typing(room_of(chat), on=False)
    nothing_under_way(life)


# --- files ----------------------------------------------------------------------------------------

PICTURE = Attachment(name="plan.png", kind="image/png", data=b"\x89PNG and so on")


def posted(life: Living, room: Channel, text: str, *files: Attachment) -> Post:
    """Have something written with files."""
    before = len(life.discord.posts)
    life.account.post(room_of(room), text, None, files)
    return life.discord.wait(lambda: life.discord.posts[before:], SECONDS, "a post")[0]


def test_files_go_along_with_the_words_and_without_any(life: Living, home: Guild) -> None:
    chat = home.text("chat")
    ada = home.member("Ada")
    life.open()
    notes = Attachment(name="notes.txt", kind="text/plain", data=b"first, second")
    post = posted(life, chat, f"{ada.mention} here", PICTURE, notes)
    assert [(one.name, one.data) for one in post.files] == [(one.name, one.data) for one in (PICTURE, notes)]
    assert (post.content, post.pings) == (f"{ada.mention} here", frozenset())
    assert [one.name for one in posted(life, chat, "", PICTURE).files] == ["plan.png"]


def test_files_that_are_too_large_are_left_out_and_the_words_say_so(life: Living, home: Guild) -> None:
    chat = home.text("chat")
    life.open()
    life.discord.board.upload_limit = 10
    for post in (
        posted(life, chat, "here", PICTURE),
        posted(life, chat, "x" * 2_000, *[PICTURE] * 5),
        posted(life, chat, "", Attachment(name="a", kind="b", data=bytes(8 * 2**20 + 1))),
    ):
        assert post.files == ()
        assert post.content.endswith("too large for this server.)")
        assert len(post.content) <= 2_000
    life.discord.rest.refuse("POST", "/messages$", 413)
    assert posted(life, chat, "here", PICTURE).content.startswith("here\n")


def test_where_he_may_not_attach_files_the_words_go_without(
    life: Living, home: Guild, complaints: Probe[str]
) -> None:
    chat = home.text("chat")
    chat.deny("attach_files")
    life.open()
    assert "Attach Files" in posted(life, chat, "here", PICTURE).content
    life.discord.rest.refuse("POST", "/messages$", 400, 50035)
    life.account.post(room_of(chat), "lost", None, (PICTURE,))
    assert "could not write" in complaints.expect(str, SECONDS)


# --- the play surface -----------------------------------------------------------------------------


def test_the_play_surface_is_an_invitation_that_can_be_taken_back(life: Living, home: Guild) -> None:
    general = home.voice("General")
    life.open()
    life.account.watch(room_of(general), start=True)
    opened = life.expect(WatchOpened)
    assert (opened.room, opened.failed) == (room_of(general), "")
    assert life.discord.invites[0].application == 4242
    assert opened.url
    life.account.watch(room_of(general), start=True)
    life.expect(WatchOpened)
    life.account.watch(room_of(general), start=False)
    life.account.watch(room_of(general), start=False)
    life.discord.wait(lambda: [one.deleted for one in life.discord.invites] == [True, True], SECONDS, "ends")


def test_an_invitation_that_comes_too_late_is_taken_back_and_not_taken_for_the_next(
    life: Living, home: Guild
) -> None:
    general = room_of(home.voice("General"))
    life.open()
    life.discord.rest.limit("POST", "/invites$", retry_after=0.1)
    for start in (True, False, True):
        life.account.watch(general, start=start)
    opened = life.expect(WatchOpened)
    life.discord.wait(lambda: [one.deleted for one in life.discord.invites] == [True, False], SECONDS, "one")
    assert opened.url.endswith(life.discord.invites[1].code)
    life.account.watch(general, start=False)
    life.discord.wait(lambda: [one.deleted for one in life.discord.invites] == [True, True], SECONDS, "none")
    assert len(life.received(WatchOpened)) == 1


def test_an_invitation_that_is_open_does_not_outlive_him(life: Living, home: Guild) -> None:
    general, other = home.voice("General"), home.voice("Other")
    life.open()
    for room in (general, other):
        life.account.watch(room_of(room), start=True)
        life.expect(WatchOpened)
    life.discord.rest.refuse("DELETE", "/invites/", 403, 50013)
    life.discord.gateway.re_identify()
    life.expect(GatewayReady)
    life.account.close()
    assert sorted(one.deleted for one in life.discord.invites) == [False, True]


def test_a_play_surface_that_may_not_be_opened_says_why(life: Living, home: Guild) -> None:
    general = home.voice("General")
    general.deny("create_invite")
    life.open()
    life.account.watch(room_of(general), start=True)
    assert life.expect(WatchOpened).failed == "forbidden"
    life.account.watch(RoomId("1"), start=True)
    assert life.expect(WatchOpened).failed == "no_such_room"
    theatre = home.stage("Theatre")
    life.expect(RoomSeen)
    life.account.watch(room_of(theatre), start=True)
    assert life.expect(WatchOpened).failed == "unsupported"
    for status, code, failed in ((400, 50035, "unknown_activity"), (400, 30016, "refused")):
        life.discord.rest.refuse("POST", "/invites$", status, code)
        life.account.watch(room_of(general), start=True)
        assert life.expect(WatchOpened).failed == failed


def test_without_a_connection_there_is_no_play_surface(life: Living, home: Guild) -> None:
    general = home.voice("General")
    life.discord.network.cut()
    life.account.open(life.told.tell)
    life.account.watch(room_of(general), start=True)
    assert life.expect(WatchOpened).failed == "gateway_lost"
    life.account.post(room_of(general), "lost", None)
    assert life.received(GatewayReady) == []
