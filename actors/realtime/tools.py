"""What he may do besides talking: leave, ask his captain, and take it back; each call is answered once."""

from __future__ import annotations

from dataclasses import replace

from actors.realtime import handoffs, memory
from actors.realtime.decisions import Add, Decision, HandOff, Record, Step, TellStay
from actors.realtime.items import CallAnswered, Heard
from actors.realtime.state import InFlight, State
from messages.evidence import RealtimeTool
from messages.ids import CallId, Connection, HandoffId
from messages.people import Line
from messages.realtime import ToolCalled
from messages.stay import EndStay, LeftReason

VOICE_LEAVE = "voice_leave"
ASK_CLANKIE = "ask_clankie"
TAKE_BACK = "take_back"
NAMES = frozenset((VOICE_LEAVE, ASK_CLANKIE, TAKE_BACK))
UNKNOWN = "unknown"
"""What goes on record for a tool that there is not: its name is the model's own words."""
REMEMBERED_CALLS = 64


def act(state: State, flight: InFlight, now: float) -> Step:
    """Do what a completed response asked for."""
    decisions: tuple[Decision, ...] = ()
    # "Forget that, and look for the key instead": what is asked along with it is not taken back.
    for call in sorted(flight.calls, key=lambda call: call.name != TAKE_BACK):
        acted = (*state.acted, call.call)[-REMEMBERED_CALLS:]
        state, more = _act(replace(state, acted=acted), flight, call, now)
        decisions = (*decisions, _record(state, flight, call, "called"), *more)
    return state, decisions


def output(connection: Connection, call: CallId, outcome: str, text: str) -> Decision:
    """The one output of a call."""
    return Add(connection=connection, item=CallAnswered(call=call, outcome=outcome, text=text))


def are_mistakes(flight: InFlight) -> bool:
    """Whether it called something, but nothing that any tool could make anything of."""
    return bool(flight.calls) and all(_mistake(flight, call) for call in flight.calls)


def _mistake(flight: InFlight, call: ToolCalled) -> str:
    """What is wrong with a call, for the model to read; empty where nothing is."""
    if call.name not in NAMES:
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
    if call.name == TAKE_BACK:
        return _take_back(state, flight, call)
    return _hand_off(state, flight, call, now)


def _take_back(state: State, flight: InFlight, call: ToolCalled) -> Step:
    """What the speakers of this turn have open, and nobody else's."""
    state, ended = handoffs.take_back(state, frozenset(line.person.id for line in flight.lines))
    if not ended:
        return state, _answer(state, flight, call, "refused", "Nothing of theirs is open.")
    text = "It is taken back; what had been done of it by then stays done."
    return state, (*_answer(state, flight, call, "taken_back", text), *ended)


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
    state, begun = handoffs.begun(state, ask)
    answer = _answer(
        state, flight, call, "handed_off", "It is being looked into; the result comes later.", handoff
    )
    return state, (*answer, *begun)


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
        name=call.name if call.name in NAMES else UNKNOWN,
        phase=phase,
        outcome=outcome,
        handoff_id=handoff,
    )
    return Record(receipt=receipt)
