"""Buttons, files and threads of the loopback Discord, as the library itself uses them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import cast

import pytest

from actors.gateway.live.phrases import NO, YES
from actors.local_room import Posted
from messages.ids import PersonId
from messages.people import Person
from tests.loopback.discord.account import Account, discord, logged_in
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.place import NoVoice
from tests.loopback.discord.scene import Scene
from tests.loopback.discord.server import Discord

pytestmark = pytest.mark.filterwarnings("ignore:'audioop' is deprecated:DeprecationWarning")
ANNA = Person(id=PersonId("anna"), label="Anna")


@pytest.fixture
def server() -> Iterator[Discord]:
    with Discord(place=NoVoice()) as server:
        yield server


async def shown(channel: discord.TextChannel, *names: str) -> discord.Message:
    """A message with these buttons."""
    view = discord.ui.View(timeout=None)
    for name in names:
        button: discord.ui.Button[discord.ui.View] = discord.ui.Button(label=name, custom_id=name)
        button.callback = pressed  # type: ignore[method-assign]
        view.add_item(button)
    return await channel.send("choose", view=view)


async def pressed(interaction: discord.Interaction[discord.Client]) -> None:
    """Answer each button in its own manner."""
    name = cast("dict[str, object]", interaction.data or {}).get("custom_id")
    if name == "say":
        await interaction.response.send_message("said", ephemeral=True)
    elif name == "change":
        await interaction.response.edit_message(content="changed", view=None)
    else:
        await interaction.response.defer()


def channel_of(account: Account, home: Guild) -> discord.TextChannel:
    return account.guild(home.id).text_channels[0]


def test_a_press_can_be_answered_in_words_or_by_a_change_of_its_message(server: Discord) -> None:
    home = server.guild("Home")
    home.text("chat")
    ada = home.member("Ada")
    with logged_in(server) as account:
        message = account.do(shown(channel_of(account, home), "say", "change", "later")).id
        assert not ada.press(message, "later").wait_deferred().deferred
        answer = ada.press(message, "say")
        assert (answer.text, answer.ephemeral) == ("said", True)
        ada.press(message, "change").wait_deferred()
    assert (server.posts[0].content, server.posts[0].buttons) == ("changed", [])
    with pytest.raises(AssertionError, match="no button"):
        ada.press(message, "say")
    assert not server.rest.unknown


def test_files_come_back_with_the_message_and_too_large_ones_do_not_go(server: Discord) -> None:
    home = server.guild("Home")
    home.text("chat")
    server.board.upload_limit = 5
    with logged_in(server) as account:
        channel = channel_of(account, home)
        sent = account.do(channel.send(file=discord.File(io.BytesIO(b"four"), "a.txt")))
        assert [(one.filename, one.size) for one in sent.attachments] == [("a.txt", 4)]
        with pytest.raises(discord.HTTPException) as refused:
            account.do(channel.send(file=discord.File(io.BytesIO(b"sixsix"), "a.txt")))
    assert (refused.value.status, refused.value.code) == (413, 40005)


def test_a_thread_that_somebody_begins_is_seen_and_can_be_joined(server: Discord) -> None:
    home = server.guild("Home")
    chat, ada = home.text("chat"), home.member("Ada")
    with logged_in(server) as account:
        thread = ada.open_thread(chat, "aside")
        account.wait_event("thread_create")
        found = account.guild(home.id).get_thread(thread.id)
        assert found is not None
        assert found.me is None
        account.do(found.join())
        account.wait_event("thread_join")
    assert thread.state.joined == {ada.id, server.user}


def test_in_a_scene_people_write_in_the_lobby_take_it_back_and_press_buttons(server: Discord) -> None:
    scene = Scene(server)
    with logged_in(server) as account:
        posts: list[Posted] = []
        untap = scene.tap_posts(posts.append)
        message = scene.write(ANNA, "come over")
        account.ground.wait(lambda: account.client.messages)
        scene.take_back(message)
        account.wait_event("raw_message_delete")
        channel = account.guild(scene.guild.id).text_channels[0]
        account.do(channel.send("hello"))
        account.do(shown(channel, YES, NO))
        scene.press(ANNA, granted=False)
        account.wait_event("interaction")
        untap()
    [asked] = account.client.messages
    assert (asked.clean_content, asked.author.name) == ("@clankie come over", "Anna")
    assert [bool(post.question) for post in posts] == [False, True]
