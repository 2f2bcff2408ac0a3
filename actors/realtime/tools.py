"""What he may do besides talking: leave, and ask his captain; each call once, each answered once."""

from __future__ import annotations

from dataclasses import replace

from actors.realtime import memory
from actors.realtime.decisions import Add, Decision, HandOff, Record, Step, TellFloor, TellStay
from actors.realtime.items import CallAnswered, Heard, Result
from actors.realtime.state import InFlight, Open, State
from messages.captain import ResultUnsaid
from messages.evidence import RealtimeTool
from messages.floor import ResultWaiting, WorkBegan, WorkEnded
from messages.ids import CallId, Connection, HandoffId
from messages.people import Line
from messages.realtime import HandoffFailed, HandoffReturned, ToolCalled
from messages.stay import EndStay, LeftReason, SayInChat

VOICE_LEAVE = "voice_leave"
ASK_CLANKIE = "ask_clankie"
UNKNOWN = "unknown"
"""What goes on record for a tool that there is not: its name is the model's own words."""
REMEMBERED_CALLS = 64
LONGEST_POST = 1_900


def act(state: State, flight: InFlight, now: float) -> Step:
    """Do what a completed response asked for."""
    decisions: tuple[Decision, ...] = ()
    for call in flight.calls:
        acted = (*state.acted, call.call)[-REMEMBERED_CALLS:]
        state, more = _act(replace(state, acted=acted), flight, call, now)
        decisions = (*decisions, _record(state, flight, call, "called"), *more)
    return state, decisions


def returned(state: State, event: HandoffReturned | HandoffFailed) -> Step:
    """The captain is done: the result wants a turn of its own."""
    mine = next((one for one in state.handoffs if one.handoff == event.handoff), None)
    if mine is None:  # asked by an earlier life of this room
        mine = Open(handoff=event.handoff, request=event.request)
        state = replace(state, handoffs=(*state.handoffs, mine))
    if mine.result is not None:
        return state, ()
    text, failure = (event.text, "") if isinstance(event, HandoffReturned) else ("", event.reason)
    result = Result(handoff=mine.handoff, request=mine.request, text=text, failed=failure)
    state = _changed(state, replace(mine, result=result))
    return state, (
        TellFloor(message=WorkEnded(handoff=mine.handoff)),
        TellFloor(message=ResultWaiting(handoff=mine.handoff)),
    )


def given_back(state: State, results: tuple[Open, ...]) -> Step:
    """Results that could not be said wait for another turn; after enough tries they are written instead."""
    decisions: tuple[Decision, ...] = ()
    for one in results:
        tried = replace(one, tries=one.tries + 1)
        if tried.tries < state.settings.result_tries:
            state = _changed(state, tried)
            decisions = (*decisions, TellFloor(message=ResultWaiting(handoff=one.handoff)))
            continue
        state = replace(state, handoffs=tuple(o for o in state.handoffs if o.handoff != one.handoff))
        text = one.result.text if one.result is not None else ""
        if text:
            decisions = (*decisions, TellStay(message=SayInChat(text=text[:LONGEST_POST])))
    return state, decisions


def unsaid(state: State) -> tuple[ResultUnsaid, ...]:
    """Return what this life will not come to say, for the captain to write instead."""
    results = (one.result for one in state.handoffs)
    return tuple(
        ResultUnsaid(
            handoff=one.handoff, stay=state.stay, room=state.room, request=one.request, text=one.text
        )
        for one in results
        if one is not None and one.text
    )


def announced(state: State) -> tuple[Decision, ...]:
    """What a new floor must know of hand-offs."""
    return tuple(
        TellFloor(
            message=WorkBegan(handoff=one.handoff)
            if one.result is None
            else ResultWaiting(handoff=one.handoff)
        )
        for one in state.handoffs
    )


def output(connection: Connection, call: CallId, outcome: str, text: str) -> Decision:
    """The one output of a call."""
    return Add(connection=connection, item=CallAnswered(call=call, outcome=outcome, text=text))


def are_mistakes(flight: InFlight) -> bool:
    """Whether it called something, but nothing that any tool could make anything of."""
    return bool(flight.calls) and all(_mistake(flight, call) for call in flight.calls)


def _mistake(flight: InFlight, call: ToolCalled) -> str:
    """What is wrong with a call, for the model to read; empty where nothing is."""
    if call.name not in (VOICE_LEAVE, ASK_CLANKIE):
        return "There is no such tool."
    if call.name == ASK_CLANKIE and flight.lines and not call.request.strip():
        return "It needs a request: what is wanted, in words."
    return ""


def _act(state: State, flight: InFlight, call: ToolCalled, now: float) -> Step:
    if mistake := _mistake(flight, call):
        return state, _answer(state, flight, call, "error", mistake)
    if call.name == VOICE_LEAVE:
        leave = TellStay(message=EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True))
        return state, (*_answer(state, flight, call, "accepted", "You leave once you have finished."), leave)
    if not flight.lines:
        return state, _answer(state, flight, call, "refused", "Nobody asked.")
    return _hand_off(state, flight, call, now)


def _hand_off(state: State, flight: InFlight, call: ToolCalled, now: float) -> Step:
    settings = state.settings
    handoff = HandoffId(f"{call.call}-handoff")
    asking = {line.id for line in flight.lines}
    recent = [one.line for one in state.ring if isinstance(one, Heard) and one.line.id not in asking]
    ask = HandOff(
        handoff=handoff,
        askers=tuple({line.person.id: line.person for line in flight.lines}.values()),
        request=call.request[: settings.original_characters],
        original=_at_most(flight.lines, settings.original_characters),
        recent=tuple(recent[-settings.recent_lines :]),
        observations=memory.recall(state, now),
    )
    state = replace(state, handoffs=(*state.handoffs, Open(handoff=handoff, request=ask.request)))
    answer = _answer(
        state, flight, call, "handed_off", "It is being looked into; the result comes later.", handoff
    )
    return state, (*answer, ask, TellFloor(message=WorkBegan(handoff=handoff)))


def _at_most(lines: tuple[Line, ...], characters: int) -> tuple[Line, ...]:
    """The first so many characters of these lines."""
    kept: list[Line] = []
    for line in lines:
        text = line.text[:characters]
        characters -= len(text)
        if text:
            kept.append(replace(line, text=text))
    return tuple(kept)


def _answer(
    state: State,
    flight: InFlight,
    call: ToolCalled,
    outcome: str,
    text: str,
    handoff: HandoffId | None = None,
) -> tuple[Decision, ...]:
    recorded = _record(state, flight, call, "answered", outcome, handoff)
    return (output(call.connection, call.call, outcome, text), recorded)


def _record(
    state: State,
    flight: InFlight,
    call: ToolCalled,
    phase: str,
    outcome: str | None = None,
    handoff: HandoffId | None = None,
) -> Decision:
    receipt = RealtimeTool(
        stay_id=state.stay,
        turn_id=flight.turn,
        call_id=call.call,
        name=call.name if call.name in {VOICE_LEAVE, ASK_CLANKIE} else UNKNOWN,
        phase=phase,
        outcome=outcome,
        handoff_id=handoff,
    )
    return Record(receipt=receipt)


def _changed(state: State, changed: Open) -> State:
    handoffs = tuple(changed if one.handoff == changed.handoff else one for one in state.handoffs)
    return replace(state, handoffs=handoffs)
