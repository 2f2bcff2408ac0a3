"""What a turn may use depends on who asks, how, and whether there is anything that it could be about."""

from __future__ import annotations

from typing import Literal, get_args

import pytest

from actors.authority import Authority
from actors.captain.settings import McpServer
from actors.captain.tools import HOUSE_TOOLS, MOST_MACHINES, is_effect, name_of, need_of, offered
from messages.authority import Need, Ruling, Sort, Standing, Surface, Tier
from messages.captain import MachineTool
from messages.ids import GuildId
from messages.tools import (
    ComeToVoice,
    Deed,
    Mistaken,
    NoteAbout,
    ObserveRoom,
    React,
    Recall,
    Remember,
    SendUpdate,
    ToolRequest,
    UseMachine,
)

LAW = Authority(home=GuildId("g1"))
ANYWHERE = ("observe_room", "recall", "remember")
ON_A_MESSAGE = ("react", "unreact", "create_thread", "join_thread")
MOVES = ("voice_join", "voice_leave", "watch_start", "watch_stop")
Confirm = Literal["auto", "aloud", "always", "never"]


def machine(name: str = "music__play", server: str = "music", destructive: bool = False) -> MachineTool:
    return MachineTool(name=name, server=server, description="", schema="{}", destructive=destructive)


def house(tier: Tier, surface: Surface, *, message: bool = False, placed: bool = True) -> tuple[str, ...]:
    standing = Standing(tier=tier, surface=surface)
    return offered(LAW, standing, message=message, placed=placed, machines=(), servers={})[0]


def test_every_request_of_the_house_has_one_name() -> None:
    others: set[object] = {UseMachine, Mistaken}
    requests = set(get_args(ToolRequest)) - others
    assert requests == {request for request, _ in HOUSE_TOOLS.values()}
    assert len(requests) == len(HOUSE_TOOLS)
    assert set(get_args(Deed)) == {one for one, sort in HOUSE_TOOLS.values() if sort is Sort.SOCIAL}


def test_a_tool_is_called_what_the_mind_called_it() -> None:
    assert name_of(ComeToVoice()) == "voice_join"
    assert name_of(SendUpdate(text="one moment")) == "send_text_update"
    assert name_of(UseMachine(tool="music__play", arguments="{}")) == "music__play"
    assert name_of(Mistaken(tool="x" * 500, problem="no such tool")) == "x" * 64


def test_what_only_looks_is_no_effect() -> None:
    looks = (ObserveRoom(), Recall(), Mistaken(tool="fly", problem=""))
    assert not any(is_effect(one) for one in looks)
    effects = (ComeToVoice(), React(emoji="👍"), Remember(note="tea", about=NoteAbout.ROOM))
    assert all(is_effect(one) for one in effects)
    assert is_effect(UseMachine(tool="music__play", arguments="{}"))


def test_a_written_message_can_be_reacted_to_and_a_spoken_one_cannot() -> None:
    text = house(Tier.EVERYONE, Surface.TEXT, message=True)
    assert set(text) == {*ON_A_MESSAGE, "send_text_update", *ANYWHERE}
    for surface in (Surface.VOICE, Surface.MIXED_VOICE):
        assert set(house(Tier.EVERYONE, surface)) == {"send_text_update", *ANYWHERE}


def test_only_who_may_move_him_is_offered_to_and_only_in_a_guild() -> None:
    assert {*MOVES} <= set(house(Tier.AMBIENT, Surface.VOICE))
    assert not {*MOVES} & set(house(Tier.EVERYONE, Surface.VOICE))
    assert not {*MOVES} & set(house(Tier.OWNER, Surface.TEXT, message=True, placed=False))


def test_an_operator_has_him_come_and_go_without_a_guild_but_opens_no_play_surface() -> None:
    found = house(Tier.OWNER, Surface.OPERATOR, placed=False)
    assert set(found) == {"voice_join", "voice_leave", *ANYWHERE}


def test_of_others_tools_only_so_many_are_offered_as_a_model_takes() -> None:
    standing = Standing(tier=Tier.OWNER, surface=Surface.TEXT)
    servers = {"music": McpServer(command="play")}
    tools = tuple(machine(f"music__{number}") for number in range(MOST_MACHINES + 1))
    found = offered(LAW, standing, message=True, placed=True, machines=tools, servers=servers)
    assert found[1] == tools[:-1]


def test_nobody_is_offered_nothing() -> None:
    standing = Standing(tier=Tier.OWNER, surface=Surface.MEMBERSHIP)
    servers = {"music": McpServer(command="play", tier="everyone")}
    found = offered(LAW, standing, message=True, placed=True, machines=(machine(),), servers=servers)
    assert found == ((), ())


@pytest.mark.parametrize(
    ("confirm", "tier", "destructive", "weighty"),
    [
        ("auto", "everyone", False, False),
        ("auto", "ambient", True, True),
        ("auto", "system", False, True),
        ("auto", "owner", False, True),
        ("always", "everyone", False, True),
        ("never", "owner", True, False),
    ],
)
def test_a_machine_asks_for_what_its_server_says(
    confirm: Confirm,
    tier: Literal["everyone", "ambient", "system", "owner"],
    destructive: bool,
    weighty: bool,
) -> None:
    servers = {"music": McpServer(command="play", tier=tier, confirm=confirm)}
    need = need_of(
        UseMachine(tool="music__play", arguments="{}"), (machine(destructive=destructive),), servers
    )
    assert need == Need(sort=Sort.MACHINE, tier=Tier[tier.upper()], weighty=weighty)


def test_a_tool_that_is_not_there_asks_for_nothing_and_cannot_be_had() -> None:
    servers = {"music": McpServer(command="play")}
    assert need_of(UseMachine(tool="music__stop", arguments="{}"), (machine(),), servers) is None
    assert need_of(UseMachine(tool="music__play", arguments="{}"), (machine(),), {}) is None
    assert need_of(Mistaken(tool="voice_join", problem="it takes nothing"), (), servers) is None
    assert need_of(ComeToVoice(), (), {}) == Need(sort=Sort.MOVE)


def test_machines_are_offered_to_their_tier_also_where_they_have_to_be_confirmed() -> None:
    servers = {"music": McpServer(command="play", tier="ambient"), "home": McpServer(command="home")}
    tools = (machine(), machine("home__open", "home", destructive=True), machine("gone__x", "gone"))

    def found(tier: Tier, surface: Surface = Surface.VOICE) -> tuple[MachineTool, ...]:
        standing = Standing(tier=tier, surface=surface)
        return offered(LAW, standing, message=False, placed=True, machines=tools, servers=servers)[1]

    assert found(Tier.EVERYONE) == ()
    assert found(Tier.AMBIENT) == tools[:1]
    assert found(Tier.OWNER) == tools[:2]
    standing = Standing(tier=Tier.OWNER, surface=Surface.VOICE)
    need = need_of(UseMachine(tool="home__open", arguments="{}"), tools, servers)
    assert need is not None
    assert LAW.rule(need, standing) is Ruling.CONFIRM
