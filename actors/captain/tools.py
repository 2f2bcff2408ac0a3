"""What he can do, by name, and what each thing asks of whoever wants it done: no name, no hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from actors.authority import Authority
from actors.captain.settings import McpServer
from messages.authority import Need, Ruling, Sort, Standing, Surface, Tier
from messages.captain import MachineTool
from messages.tools import (
    ComeToVoice,
    CreateThread,
    JoinThread,
    LeaveVoice,
    Mistaken,
    ObserveRoom,
    React,
    Recall,
    Remember,
    SendUpdate,
    StartWatching,
    StopWatching,
    ToolRequest,
    Unreact,
    UseMachine,
)

LONGEST_NAME = 64
MOST_MACHINES = 100
"""Of other people's tools in one turn; models take 128 in all."""
HouseRequest: TypeAlias = (
    ComeToVoice
    | LeaveVoice
    | React
    | Unreact
    | CreateThread
    | JoinThread
    | SendUpdate
    | StartWatching
    | StopWatching
    | ObserveRoom
    | Remember
    | Recall
)
HOUSE_TOOLS: Mapping[str, tuple[type[HouseRequest], Sort]] = {
    "voice_join": (ComeToVoice, Sort.MOVE),
    "voice_leave": (LeaveVoice, Sort.MOVE),
    "watch_start": (StartWatching, Sort.MOVE),
    "watch_stop": (StopWatching, Sort.MOVE),
    "react": (React, Sort.SOCIAL),
    "unreact": (Unreact, Sort.SOCIAL),
    "create_thread": (CreateThread, Sort.SOCIAL),
    "join_thread": (JoinThread, Sort.SOCIAL),
    "send_text_update": (SendUpdate, Sort.SOCIAL),
    "observe_room": (ObserveRoom, Sort.LOOK),
    "recall": (Recall, Sort.LOOK),
    "remember": (Remember, Sort.KEEP),
}
"""Every tool of the house, in the order in which a mind is told of them."""
_BY_REQUEST = {request: (name, sort) for name, (request, sort) in HOUSE_TOOLS.items()}
_ON_A_MESSAGE = frozenset({"react", "unreact", "create_thread", "join_thread"})
_WATCHING = frozenset({"watch_start", "watch_stop"})
_IN_A_PLACE = frozenset({"voice_join", "voice_leave"}) | _WATCHING


def name_of(request: ToolRequest) -> str:
    """What the mind calls this tool; a name that it made up is cut."""
    if isinstance(request, UseMachine | Mistaken):
        return request.tool[:LONGEST_NAME]
    return _BY_REQUEST[type(request)][0]


def is_effect(request: ToolRequest) -> bool:
    """Whether anything is different afterwards, so that it is written down before it is done."""
    return not isinstance(request, ObserveRoom | Recall | Mistaken)


def need_of(
    request: ToolRequest, machines: tuple[MachineTool, ...], servers: Mapping[str, McpServer]
) -> Need | None:
    """What this asks for; None if there is no such tool (now), or nothing can be made of the call."""
    if isinstance(request, Mistaken):
        return None
    if isinstance(request, UseMachine):
        tool = next((one for one in machines if one.name == request.tool), None)
        return None if tool is None else _need_of_machine(tool, servers)
    return Need(sort=_BY_REQUEST[type(request)][1])


def offered(
    authority: Authority,
    standing: Standing,
    *,
    message: bool,
    placed: bool,
    machines: tuple[MachineTool, ...],
    servers: Mapping[str, McpServer],
) -> tuple[tuple[str, ...], tuple[MachineTool, ...]]:
    """The tools of the house, by name, and those of servers, that this turn may use.

    `message`: a text message asked; `placed`: it is known in which guild, or that it was written in
    private. What has to be confirmed is offered as well.
    """
    house = tuple(
        name
        for name, (_, sort) in HOUSE_TOOLS.items()
        if _fits(name, standing.surface, message=message, placed=placed)
        and authority.rule(Need(sort=sort), standing) is not Ruling.REFUSED
    )
    return house, tuple(islice(_allowed_machines(authority, standing, machines, servers), MOST_MACHINES))


def _fits(name: str, surface: Surface, *, message: bool, placed: bool) -> bool:
    """Whether there is anything here that the tool could be about."""
    if name in _ON_A_MESSAGE:
        return message
    if name in _WATCHING and surface is Surface.OPERATOR:
        return False
    return placed or surface is Surface.OPERATOR or name not in _IN_A_PLACE


def _allowed_machines(
    authority: Authority,
    standing: Standing,
    machines: tuple[MachineTool, ...],
    servers: Mapping[str, McpServer],
) -> Iterator[MachineTool]:
    for tool in machines:
        need = _need_of_machine(tool, servers)
        if need is not None and authority.rule(need, standing) is not Ruling.REFUSED:
            yield tool


def _need_of_machine(tool: MachineTool, servers: Mapping[str, McpServer]) -> Need | None:
    server = servers.get(tool.server)
    if server is None:
        return None
    tier = Tier[server.tier.upper()]
    weighty = server.confirm == "always" or (
        server.confirm != "never" and (tool.destructive or tier >= Tier.SYSTEM)
    )
    return Need(sort=Sort.MACHINE, tier=tier, weighty=weighty, wary=server.confirm != "aloud")
