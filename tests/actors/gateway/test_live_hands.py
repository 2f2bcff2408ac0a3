"""What the captain wants done in a chat is done there once, and what Discord refuses has a code."""

from __future__ import annotations

import itertools

import aiohttp
import pytest

from messages.gateway import DeedDone, MessageGone, MessageSeen, RolesKnown
from messages.ids import DeedId, GuildId, MessageId, PersonId, RoleId, RoomId
from messages.tools import CreateThread, Deed, JoinThread, React, SendUpdate, Unreact
from tests.actors.gateway.living import AUDIOOP, SECONDS, Living, room_of
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.rooms import Channel, TextRoom

pytestmark = pytest.mark.filterwarnings(AUDIOOP)
THUMB, PARTY = React(emoji="👍"), React(emoji=":party:")
_names = itertools.count(1)


@pytest.fixture
def chat(life: Living, home: Guild) -> TextRoom:
    chat = home.text("chat")
    life.open()
    return chat


def done(life: Living, deed: Deed, room: Channel | RoomId, message: int | None) -> str:
    """Have something done; the code of what went wrong."""
    name = DeedId(f"deed-{next(_names)}")
    where = room_of(room) if isinstance(room, Channel) else room
    life.account.do(name, deed, where, None if message is None else MessageId(str(message)))
    return life.expect(DeedDone, lambda event: event.deed == name).failed


def requests(life: Living, method: str, ending: str) -> int:
    """How often something was asked of Discord."""
    asked = life.discord.rest.requests
    return sum(one.method == method and one.path.endswith(ending) for one in asked)


# --- emojis ---------------------------------------------------------------------------------------


def test_an_emoji_is_put_under_the_message_and_taken_back(life: Living, home: Guild, chat: TextRoom) -> None:
    party = home.emoji("Party")
    message = home.member("Ada").write(chat, "we won")
    assert done(life, THUMB, chat, message) == ""
    assert done(life, PARTY, chat, message) == ""
    assert done(life, Unreact(emoji="👍"), chat, message) == ""
    put = [(one.message, one.emoji, one.removed) for one in life.discord.reactions]
    assert put == [(message, "👍", False), (message, f"Party:{party}", False), (message, "👍", True)]


def test_an_emoji_that_there_is_not_is_unknown(life: Living, home: Guild, chat: TextRoom) -> None:
    ada = home.member("Ada")
    message, private = ada.write(chat, "hm"), ada.write_privately("psst")
    party = life.discord.guild("Away").emoji("party")
    elsewhere = life.expect(MessageSeen, lambda seen: seen.guild is None)
    for emoji in (":party:", "smile", f"party:{party}", f"<:party:{party}>", ":"):
        assert done(life, React(emoji=emoji), chat, message) == "unknown_emoji"
    assert done(life, PARTY, elsewhere.room, private) == "unknown_emoji"
    life.discord.rest.refuse("PUT", "/reactions/", 400, 10014)
    assert done(life, React(emoji="é"), chat, message) == "unknown_emoji"
    assert life.discord.reactions == []


# --- threads --------------------------------------------------------------------------------------


def test_a_thread_is_begun_on_the_message_and_one_that_is_there_is_joined(
    life: Living, home: Guild, chat: TextRoom
) -> None:
    ada = home.member("Ada")
    ours, hers = ada.write(chat, "plan"), ada.write(chat, "other plan")
    assert done(life, CreateThread(name="the plan"), chat, ours) == ""
    assert (home.channel(ours).name, home.channel(ours).state.parent) == ("the plan", chat.id)
    thread = ada.open_thread(chat, "already", below=hers)
    assert done(life, CreateThread(name="the plan"), chat, hers) == ""
    assert thread.name == "already"
    assert life.discord.user in thread.state.joined


def test_a_thread_that_he_reads_in_is_joined_and_a_channel_is_none(
    life: Living, home: Guild, chat: TextRoom
) -> None:
    ada = home.member("Ada")
    thread = ada.open_thread(chat, "aside")
    message = ada.write(thread, "come in")
    assert life.expect(MessageSeen).parent == room_of(chat)
    assert done(life, JoinThread(), thread, message) == ""
    assert life.discord.user in thread.state.joined
    assert done(life, JoinThread(), chat, message) == "no_thread"
    assert done(life, CreateThread(name="deeper"), thread, message) == "unsupported"
    assert done(life, CreateThread(name="?"), home.voice("General"), message) == "unsupported"


# --- updates --------------------------------------------------------------------------------------


def test_an_update_answers_its_message_or_stands_in_the_room_and_notifies_nobody(
    life: Living, home: Guild, chat: TextRoom
) -> None:
    ada = home.member("Ada")
    message = ada.write(chat, "how long?")
    assert done(life, SendUpdate(text=f"{ada.mention} a minute"), chat, message) == ""
    assert done(life, SendUpdate(text="half of it"), chat, None) == ""
    first, second = life.discord.posts
    assert (first.reply_to, second.reply_to) == (message, None)
    assert not first.pings


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deed", "permission"),
    [
        (THUMB, "add_reactions"),
        (THUMB, "view_channel"),
        (CreateThread(name="aside"), "create_public_threads"),
        (SendUpdate(text="soon"), "send_messages"),
    ],
)
def test_a_missing_permission_is_forbidden(
    life: Living, home: Guild, chat: TextRoom, deed: Deed, permission: str
) -> None:
    message = home.member("Ada").write(chat, "hm")
    chat.deny(permission)
    assert done(life, deed, chat, message) == "forbidden"


def test_a_message_or_a_channel_that_is_gone_is_gone(life: Living, home: Guild, chat: TextRoom) -> None:
    ada = home.member("Ada")
    message = ada.write(chat, "never mind")
    ada.delete(message)
    assert done(life, THUMB, chat, message) == "gone"
    assert done(life, JoinThread(), RoomId("1"), message) == "gone"
    assert done(life, THUMB, chat, None) == "unsupported"
    assert done(life, CreateThread(name="aside"), chat, None) == "unsupported"


def test_what_discord_does_not_like_is_refused_and_what_it_limits_is_done_once(
    life: Living, home: Guild, chat: TextRoom
) -> None:
    message = home.member("Ada").write(chat, "hm")
    life.discord.rest.refuse("PUT", "/reactions/", 400, 30010)
    assert done(life, THUMB, chat, message) == "refused"
    life.discord.rest.refuse("POST", "/threads$", 400, 50068)
    assert done(life, CreateThread(name="aside"), chat, message) == "unsupported"
    life.discord.rest.limit("POST", "/messages$")
    assert done(life, SendUpdate(text="soon"), chat, message) == ""
    assert [post.content for post in life.discord.posts] == ["soon"]
    assert requests(life, "POST", "/messages") == 2


def test_what_takes_too_long_or_breaks_is_answered_all_the_same(
    life: Living, home: Guild, chat: TextRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = home.member("Ada").write(chat, "hm")

    async def breaks(*_: object, **__: object) -> None:
        raise aiohttp.ServerDisconnectedError

    with monkeypatch.context() as patch:
        patch.setattr("discord.PartialMessage.add_reaction", breaks)
        assert done(life, THUMB, chat, message) == "gateway_lost"
    monkeypatch.setattr("actors.gateway.live.hands.DEED_SECONDS", 0.05)
    life.discord.rest.limit("PUT", "/reactions/", retry_after=30.0)
    assert done(life, THUMB, chat, message) == "timeout"


def test_without_a_client_or_with_too_much_to_do_the_answer_comes_at_once(
    life: Living, home: Guild, chat: TextRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("actors.gateway.live.hands.MOST_AT_WORK", 0)
        assert done(life, THUMB, chat, 1) == "busy"
        life.account.look_up(GuildId(str(home.id)), PersonId("1"))
        assert life.expect(RolesKnown).roles is None
    life.account.close()
    life.account = life.new_account()
    life.discord.network.cut()
    life.account.open(life.told.tell)
    assert done(life, THUMB, chat, 1) == "gateway_lost"


def test_a_deed_that_is_under_way_when_the_line_is_given_up_is_answered(
    life: Living, home: Guild, chat: TextRoom
) -> None:
    message = home.member("Ada").write(chat, "hm")
    life.discord.rest.limit("PUT", "/reactions/", retry_after=30.0)
    life.account.do(DeedId("late"), THUMB, room_of(chat), MessageId(str(message)))
    life.discord.wait(lambda: requests(life, "PUT", "/@me"), SECONDS, "a request")
    life.discord.gateway.refuse(4000, times=1)
    life.discord.gateway.drop(4004)
    assert life.expect(DeedDone).failed == "gateway_lost"


def test_what_two_lives_write_under_one_name_is_written_once(life: Living, chat: TextRoom) -> None:
    for name, text in (("lost-1", "I crashed."), ("lost-1", "I crashed."), ("deed-x-1", "I crashed.")):
        life.account.do(DeedId(name), SendUpdate(text=text), room_of(chat), None)
        assert life.expect(DeedDone).failed == ""
    assert len(life.discord.posts) == 2


# --- roles and messages that are gone -------------------------------------------------------------


def test_roles_are_those_of_this_moment_and_a_stranger_has_none_that_are_known(
    life: Living, home: Guild, chat: TextRoom
) -> None:
    guild, crew = GuildId(str(home.id)), home.role("Crew")
    ada = home.member("Ada")
    ada.write(chat, "hm")
    home.give(ada, crew)
    life.account.look_up(guild, PersonId(str(ada.id)))
    assert life.expect(RolesKnown).roles == frozenset({RoleId(str(crew.id))})
    for where, who in ((guild, "1"), (GuildId("1"), str(ada.id))):
        life.account.look_up(where, PersonId(who))
        assert life.expect(RolesKnown) == RolesKnown(guild=where, person=PersonId(who), roles=None)


def test_messages_that_are_taken_back_one_by_one_or_all_at_once_are_told(
    life: Living, home: Guild, chat: TextRoom
) -> None:
    ada = home.member("Ada")
    first, second, third = (ada.write(chat, text) for text in ("one", "two", "three"))
    ada.delete(first)
    ada.tidy(second, third)
    gone = [life.expect(MessageGone) for _ in range(3)]
    assert [event.message for event in gone] == [MessageId(str(one)) for one in (first, second, third)]
    assert {event.room for event in gone} == {room_of(chat)}
