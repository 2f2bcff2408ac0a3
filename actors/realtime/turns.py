"""A turn begins with a question and ends exactly once: spoken, silent, with a tool, failed or cut."""

from __future__ import annotations

from dataclasses import replace

from actors.realtime import memory, tools
from actors.realtime.decisions import (
    Connect,
    Decision,
    Disconnect,
    Record,
    Respond,
    Step,
    TellFloor,
    TellStay,
    TellTts,
)
from actors.realtime.ending import end_turn, released, stop_model
from actors.realtime.items import TurnBrief
from actors.realtime.state import InFlight, State
from messages.evidence import Failed
from messages.floor import Outcome, Trigger, TurnOrphaned
from messages.ids import Connection, PersonId, ResponseId, TurnId
from messages.realtime import ResponseEnded, ResponseEnding, ResponseText, ToolCalled, TurnAsked
from messages.reasons import REFUSALS, in_words
from messages.stay import SayInChat
from messages.tts import SayText

SESSION_EXPIRED = "session_expired"
"""The reason of a loss that is a renewal and no failure."""
BAD_TOOL_CALL = "bad_tool_call"
"""The detail of a turn of which nothing came but calls that no tool could make anything of, twice."""


def asked(state: State, event: TurnAsked, now: float) -> Step:
    """Ask the model, unless there is nothing to ask or nobody to be asked."""
    state, before = dropped(state, "replaced", now)
    state, renewing = renewed(state, now)
    state, heard = memory.hear(state, event.lines)
    before = (*before, *renewing, *heard)
    results = tuple(one for one in state.handoffs if one.result is not None)
    if event.trigger is not Trigger.HANDOFF_RESULT:
        results = ()
    flight = InFlight(
        response=ResponseId(f"{event.turn}-1"),
        turn=event.turn,
        trigger=event.trigger,
        lines=event.lines,
        results=results,
        asked_at=now,
        progress_at=now,
    )
    state = replace(state, flight=flight)
    if _pointless(state, flight):
        state, ending = end_turn(state, flight, Outcome.SILENT, "nothing_to_tell", now)
    elif now < state.retry_at:
        state, ending = end_turn(state, flight, Outcome.FAILED, state.trouble, now)
        state, notice = _told(state)
        ending = (*ending, *notice)
    else:
        state, ending = _ask(state, flight, now)
    return state, (*before, *ending)


def more_text(state: State, event: ResponseText, now: float) -> Step:
    """Text goes to the synthesizer as it comes, from the first word on."""
    flight = state.flight
    if flight is None or flight.response != event.response:
        return state, ()
    text = event.text if flight.said else event.text.lstrip()
    first = flight.first_text_at if flight.said or not text else now
    heard = replace(flight, said=flight.said + text, first_text_at=first, progress_at=now)
    state = replace(state, flight=heard)
    if not text:
        return state, ()
    return state, (TellTts(message=SayText(utterance=flight.utterance, turn=flight.turn, text=text)),)


def called(state: State, event: ToolCalled, now: float) -> Step:
    """A call is only noted: it is acted on when its response has completed."""
    flight = state.flight
    if flight is None or flight.response != event.response:
        return state, ()
    known = event.call in state.acted or any(call.call == event.call for call in flight.calls)
    calls = flight.calls if known else (*flight.calls, event)
    return replace(state, flight=replace(flight, calls=calls, progress_at=now)), ()


def ended(state: State, event: ResponseEnded, now: float) -> Step:
    """The model is done with the turn; after nothing but a mistaken call it gets a second try."""
    flight = state.flight
    if flight is None or flight.response != event.response:
        return state, ()
    if event.ending is not ResponseEnding.COMPLETED:
        reason = event.reason or event.ending.value
        expired = reason == SESSION_EXPIRED
        return lost(state, reason, now) if expired else failed(state, reason, now, running=False)
    state = replace(state, trouble="", told=False, retry_after=0.0)
    only_mistakes = not flight.said and tools.are_mistakes(flight)
    if only_mistakes and flight.tries == 1:
        state, acting = tools.act(state, flight, now)
        state, asking = _again(state, replace(flight, calls=()), now)
        return state, (*acting, *asking)
    outcome = Outcome.SPOKE if flight.said else Outcome.TOOL if flight.calls else Outcome.SILENT
    state, ending = end_turn(state, flight, outcome, BAD_TOOL_CALL if only_mistakes else "", now)
    state, acting = tools.act(state, flight, now)
    return state, (*ending, *acting)


def cancelled(state: State, turn: TurnId, now: float) -> Step:
    """The floor wants nothing more of this turn."""
    flight = state.flight
    if flight is None or flight.turn != turn:
        return state, ()
    state, ending = end_turn(state, flight, Outcome.CUT, "", now)
    return state, (*stop_model(state, flight), *ending)


def orphaned(flight: InFlight) -> tuple[TellFloor, ...]:
    """An address to which nothing has been said may be asked again by a floor that knows nothing of it."""
    address = flight.trigger in (Trigger.ADDRESS, Trigger.TYPED)
    if not address or not flight.lines or flight.said or flight.calls:
        return ()
    return (TellFloor(message=TurnOrphaned(trigger=flight.trigger, lines=flight.lines)),)


def dropped(state: State, reason: str, now: float, *, running: bool = True) -> Step:
    """Whatever is being answered is given up, which is nobody's fault; `running`: the model is at it."""
    flight = state.flight
    if flight is None:
        return state, ()
    state, ending = end_turn(state, flight, Outcome.FAILED, reason, now)
    return state, (*stop_model(state, flight, running=running), *ending)


def failed(state: State, reason: str, now: float, *, running: bool = True) -> Step:
    """The response in flight failed: the room is told once, and the model is left alone for a while."""
    settings, flight = state.settings, state.flight
    pause = min(settings.retry_longest_seconds, 2 * state.retry_after or settings.retry_seconds)
    state = replace(state, trouble=reason, retry_after=pause, retry_at=now + pause)
    turn = None if flight is None else flight.turn
    receipt = Failed(stay_id=state.stay, stage="conversation_session", reason=reason, turn_id=turn)
    state, ending = dropped(state, reason, now, running=running)
    state, notice = (state, ()) if flight is None else _told(state)
    return state, (*ending, Record(receipt=receipt), *notice)


def lost(state: State, reason: str, now: float) -> Step:
    """The conversation is gone; one that merely expired, or that nobody needs, is renewed without a word."""
    state, flight = replace(state, connection=None), state.flight
    if flight is None:
        return _lost_unused(state, reason, now)
    if reason != SESSION_EXPIRED:
        return failed(state, reason, now)
    if flight.said or flight.calls or flight.tries > 1:
        return dropped(state, reason, now)
    return _again(state, flight, now)


def renewed(state: State, now: float) -> Step:
    """A conversation near its limit makes way for one that knows as much: nobody has to wait for it later."""
    old, due = state.connection, renewal_due(state)
    if old is None or due is None or now < due:
        return state, ()
    state, connecting = _connected(state, now)
    return state, (Disconnect(connection=old), *connecting)


def renewal_due(state: State) -> float | None:
    """When the open conversation is to make way for another: as soon as nobody is being answered."""
    if state.connection is None or state.flight is not None:
        return None
    return state.connected_at + state.settings.session_seconds - state.settings.renew_seconds


def forgotten(state: State, person: PersonId, now: float) -> Step:
    """The conversation has heard this person: it ends, and what others asked last is asked in a new one."""
    flight, ending = state.flight, tuple[Decision, ...]()
    if flight is None:
        return released(state, ())
    lines = tuple(line for line in flight.lines if line.person.id != person)
    if flight.said or flight.calls or (flight.lines and not lines):
        state, ending = dropped(state, "context_dropped", now)
        return released(state, ending)
    state, ending = released(state, stop_model(state, flight))
    state, asking = _again(state, replace(flight, lines=lines), now)
    return state, (*ending, *asking)


# --- asking -----------------------------------------------------------------------------------------


def _pointless(state: State, flight: InFlight) -> bool:
    """Whether the result, or the wait, that this turn is about has gone meanwhile."""
    if flight.trigger is Trigger.HANDOFF_RESULT:
        return not flight.results
    return flight.trigger is Trigger.HANDOFF_WAIT and not memory.open_requests(state)


def _told(state: State) -> Step:
    """Why he cannot answer is said in the room once, until he can."""
    if state.told:
        return state, ()
    notice = SayInChat(text=f"I cannot answer at the moment: {in_words(state.trouble)}.")
    return replace(state, told=True), (TellStay(message=notice),)


def _lost_unused(state: State, reason: str, now: float) -> Step:
    """The next turn opens another, which is there already where the old one came to its natural end."""
    if reason in REFUSALS:
        return failed(state, reason, now)
    if reason == SESSION_EXPIRED and now - state.connected_at >= state.settings.renew_seconds:
        return _connected(state, now)
    return state, ()


def _again(state: State, flight: InFlight, now: float) -> Step:
    tries = flight.tries + 1
    again = replace(flight, response=ResponseId(f"{flight.turn}-{tries}"), tries=tries, progress_at=now)
    return _ask(replace(state, flight=again), again, now)


def _ask(state: State, flight: InFlight, now: float) -> Step:
    state, connecting = _connected(state, now) if state.connection is None else (state, ())
    brief = TurnBrief(
        turn=flight.turn,
        utterance=flight.utterance,
        trigger=flight.trigger,
        lines=flight.lines,
        people=state.people,
        results=tuple(one.result for one in flight.results if one.result is not None),
        open_requests=memory.open_requests(state),
    )
    state = replace(state, used_at=now)
    asking = Respond(connection=Connection(state.connections), response=flight.response, brief=brief)
    return state, (*connecting, asking)


def _connected(state: State, now: float) -> Step:
    connection = Connection(state.connections + 1)
    connecting = Connect(connection=connection, seed=memory.seed(state))
    return replace(state, connection=connection, connections=connection, connected_at=now), (connecting,)
