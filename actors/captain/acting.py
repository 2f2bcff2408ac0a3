"""A call is ruled on before anything else; what may be done is written down, and then ordered once."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

from actors.captain import answering, confirming, noting, telling, tools
from actors.captain.decisions import TellGateway, Use
from actors.captain.journal import Entry, HeardAsked, SaidAnswer, ToolBegun, ToolEnded
from actors.captain.journalling import write
from actors.captain.state import NEVER, Call, CallStage, Stage, State, Turn
from messages import gateway
from messages.authority import Need, Ruling, Surface
from messages.captain import Answering, ToolCall
from messages.gateway import AskedBy, Asker, DeedAsked, JoinVoice, RoomAsked, WatchAsked
from messages.ids import HandoffId
from messages.tools import (
    ComeToVoice,
    CreateThread,
    Deed,
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

MOST_CALLS = 16
"""In one step; what goes beyond is refused."""
LONGEST_HOLD = 5.0
"""How long he stays for the rest of a step, in seconds; what comes later is told in writing anyway."""
_READING: Final = (UseMachine, ObserveRoom, Recall)
"""What gives the mind words of others to read."""
_READING_TOOLS: Final = frozenset(name for name, (kind, _) in tools.HOUSE_TOOLS.items() if kind in _READING)


def begin(state: State, turn: Turn, calls: tuple[ToolCall, ...]) -> State:
    """Start what a step wants done, side by side; what has been done under a name is not done again."""
    named = {call.call: call for call in calls}
    fresh = [call for name, call in named.items() if turn.call(name) is None]
    turn = replace(turn, stage=Stage.ACTING, due=NEVER, called=tuple(named), news_at=state.now)
    for call in fresh:
        begun = Call(
            id=call.call,
            request=call.request,
            name=tools.name_of(call.request),
            began=state.now,
            stage=CallStage.HELD,
        )
        turn = turn.with_call(begun)
    state = state.with_turn(turn)
    for place, call in enumerate(fresh):
        state = _begin(state, turn.id, call, too_many=place >= MOST_CALLS)
    return state


def go_on(state: State, name: HandoffId) -> State:
    """Whether what was held back can be done now: going away comes last, if it need not wait for long."""
    turn = state.turn(name)
    if turn is None:
        return state
    waiting = [call for call in turn.calls if call.stage is not CallStage.ANSWERED]
    if all(call.stage is CallStage.HELD for call in waiting):
        for call in waiting:
            state = order(state, name, call)
    return state


def order(state: State, name: HandoffId, call: Call) -> State:
    """Have it done."""
    turn = state.turn(name)
    if turn is None:
        return state
    call = replace(call, stage=CallStage.ORDERED, due=state.now + state.settings.tool_seconds)
    turn = turn.with_call(call)
    state = state.with_turn(turn)
    if tools.is_effect(call.request):
        begun = ToolBegun(at=state.wall, handoff=name, call=call.id, tool=call.name)
        state = write(state, turn.lane, begun)
    return _order(state, turn, call)


def _begin(state: State, name: HandoffId, asked: ToolCall, *, too_many: bool) -> State:
    turn = state.turn(name)
    call = None if turn is None else turn.call(asked.call)
    if turn is None or call is None:
        return state
    if isinstance(call.request, Mistaken):
        return answering.answer(state, turn, call, telling.mistaken(call.request), failed=True)
    need = tools.need_of(call.request, state.all_machines(), state.settings.mcp)
    if need is None:
        return answering.answer(state, turn, call, telling.refused("no_such_tool"))
    refusal = "busy" if too_many else _refusal(state, turn, need, call.request)
    if refusal:
        return answering.answer(state, turn, call, telling.refused(refusal))
    standing = replace(turn.standing, swayed=_is_swayed(state, turn))
    if state.authority.rule(need, standing) is Ruling.CONFIRM:
        return confirming.ask(state, turn, call, need)
    if isinstance(call.request, LeaveVoice):
        return state.with_turn(turn.with_call(replace(call, due=state.now + LONGEST_HOLD)))
    return order(state, name, call)


def _is_swayed(state: State, turn: Turn) -> bool:
    """Whether the mind has read what others said, or was answered: in the lane, or from a tool."""
    mine = {one.person.id for one in turn.askers}
    lane = state.lanes.get(turn.lane, ())
    own = {one.handoff for one in lane if isinstance(one, HeardAsked) and mine.issuperset(one.people)}
    retold = {one.handoff for one in lane if _has_read(one)}
    return any(
        (isinstance(one, HeardAsked | SaidAnswer) and one.handoff not in own)
        or (isinstance(one, SaidAnswer) and one.handoff in retold)
        for one in turn.history
    ) or any(call.stage is CallStage.ANSWERED and isinstance(call.request, _READING) for call in turn.calls)


def _has_read(entry: Entry) -> bool:
    """Whether this says that a turn read words of others in a tool: its answer may repeat them."""
    if isinstance(entry, ToolBegun):
        return entry.tool not in tools.HOUSE_TOOLS
    return isinstance(entry, ToolEnded) and entry.tool in _READING_TOOLS


def _refusal(state: State, turn: Turn, need: Need, request: ToolRequest) -> str:
    if state.authority.rule(need, turn.standing) is Ruling.REFUSED:
        return "authority"
    offered = isinstance(request, UseMachine) or tools.name_of(request) in turn.tools
    return "" if offered else "not_offered"


def _order(state: State, turn: Turn, call: Call) -> State:
    match call.request:
        case ComeToVoice() | LeaveVoice() | StartWatching() | StopWatching():
            return _move(state, turn, call, start=isinstance(call.request, StartWatching))
        case React() | Unreact() | CreateThread() | JoinThread() | SendUpdate():
            return _deed(state, turn, call, call.request)
        case ObserveRoom():
            guild = next((one.guild for one in turn.askers if one.guild), None)
            to_room: Answering[gateway.RoomDescribed] = Answering(
                handoff=turn.id, call=call.id, captain=state.here
            )
            return state.do(TellGateway(message=RoomAsked(room=turn.room, guild=guild, reply_to=to_room)))
        case Remember():
            return noting.remember(state, turn, call, call.request)
        case Recall():
            return answering.answer(state, turn, call, noting.recall(state, turn))
        case UseMachine():
            request = call.request
            use = Use(turn=turn.id, call=call.id, tool=request.tool, arguments=request.arguments)
            return state.do(use)
        case Mistaken():
            return state
        case _:
            assert_never(call.request)


def _move(state: State, turn: Turn, call: Call, *, start: bool) -> State:
    """Where to is the account's to find out: from the asker, or (the operator's) the owner."""
    asker = _least(state, turn)
    by = AskedBy.OPERATOR if turn.surface is Surface.OPERATOR else AskedBy.CAPTAIN
    if isinstance(call.request, ComeToVoice):
        came: Answering[gateway.JoinAnswer] = Answering(handoff=turn.id, call=call.id, captain=state.here)
        return state.do(TellGateway(message=JoinVoice(asked_by=by, reply_to=came, asker=asker)))
    if isinstance(call.request, LeaveVoice):
        left: Answering[gateway.LeaveAnswered] = Answering(handoff=turn.id, call=call.id, captain=state.here)
        message = gateway.LeaveVoice(asked_by=by, reply_to=left, asker=asker)
        return state.do(TellGateway(message=message))
    if asker is None:
        return answering.answer(state, turn, call, telling.refused("no_speaker"))
    seen: Answering[gateway.WatchAnswered] = Answering(handoff=turn.id, call=call.id, captain=state.here)
    return state.do(TellGateway(message=WatchAsked(asker=asker, start=start, reply_to=seen)))


def _deed(state: State, turn: Turn, call: Call, deed: Deed) -> State:
    if turn.room is None:
        return answering.answer(state, turn, call, telling.refused("unsupported"))
    asked = DeedAsked(
        deed=deed,
        room=turn.room,
        message=turn.message,
        askers=turn.askers,
        surface=turn.surface,
        reply_to=Answering(handoff=turn.id, call=call.id, captain=state.here),
    )
    return state.do(TellGateway(message=asked))


def _least(state: State, turn: Turn) -> Asker | None:
    """The first of those of several askers who may do least."""
    return min(turn.askers, key=lambda one: state.authority.least((one,)), default=None)
