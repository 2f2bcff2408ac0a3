"""Every turn is answered once, and of his own words he remembers those that the room will have heard."""

from __future__ import annotations

from dataclasses import replace

from actors.realtime import handoffs, memory, tools
from actors.realtime.decisions import Add, Cancel, Decision, Disconnect, Record, Step, TellFloor, TellTts
from actors.realtime.items import Said
from actors.realtime.state import InFlight, Open, State
from messages.evidence import ModelResponse
from messages.floor import Outcome, TurnAnswered, TurnLost
from messages.tts import SayEnd


def stop_model(state: State, flight: InFlight, *, running: bool = True) -> tuple[Decision, ...]:
    """Stop the model: nothing comes of its calls, and nobody hears what it may have said meanwhile."""
    if state.connection is None:
        return ()
    outputs = tuple(tools.output(state.connection, call.call, "cancelled", "") for call in flight.calls)
    if not running:
        return outputs
    cancel = Cancel(connection=state.connection, response=flight.response)
    if flight.said:
        return (cancel, *outputs)
    unheard = Said(utterance=flight.utterance, text="", interrupted=True)
    return (cancel, *outputs, Add(connection=state.connection, item=unheard))


def end_turn(state: State, flight: InFlight, outcome: Outcome, detail: str, now: float) -> Step:
    """Tell the floor and the record what came of the turn in flight; results it did not tell wait on."""
    state = replace(state, flight=None, used_at=now)
    decisions: tuple[Decision, ...] = ()
    utterance = flight.utterance if flight.said else None
    if flight.said:
        state, decisions = _said(state, flight, outcome)
    answered = TurnAnswered(turn=flight.turn, outcome=outcome, utterance=utterance, detail=detail)
    receipt = _on_record(state, flight, outcome, detail, now)
    told = bool(flight.said) or outcome not in (Outcome.FAILED, Outcome.CUT)
    state, results = (
        _results_told(state, flight.results) if told else handoffs.given_back(state, flight.results)
    )
    return state, (*decisions, TellFloor(message=answered), Record(receipt=receipt), *results)


def stopped(state: State, reason: str, now: float) -> tuple[Decision, ...]:
    """What is owed of the turn in flight when this life ends; without a `reason` it is an orderly end."""
    flight = state.flight
    if flight is None:
        return ()
    outcome = Outcome.FAILED if reason else Outcome.CUT
    lost = TurnLost(turn=flight.turn)
    return TellFloor(message=lost), Record(receipt=_on_record(state, flight, outcome, reason, now))


def _on_record(state: State, flight: InFlight, outcome: Outcome, detail: str, now: float) -> ModelResponse:
    return ModelResponse(
        stay_id=state.stay,
        turn_id=flight.turn,
        phase="failed" if outcome is Outcome.FAILED else "completed",
        trigger=flight.trigger.value,
        outcome=outcome.value,
        reason=detail or None,
        latency_ms=round(1000 * (now - flight.asked_at)),
        first_text_ms=_milliseconds_to_text(flight),
    )


def _milliseconds_to_text(flight: InFlight) -> int | None:
    first = flight.first_text_at
    return None if first is None else round(1000 * (first - flight.asked_at))


def _said(state: State, flight: InFlight, outcome: Outcome) -> Step:
    """Remember his own words; whoever cut them has silenced the synthesizer already."""
    own = Said(utterance=flight.utterance, text=flight.said, interrupted=outcome is Outcome.CUT)
    ending: tuple[Decision, ...] = ()
    if outcome is not Outcome.CUT:
        ending = (TellTts(message=SayEnd(utterance=flight.utterance)),)
    if flight.heard is not None:
        own = replace(own, text=flight.heard, interrupted=True)
        if state.connection is not None:
            ending = (*ending, Add(connection=state.connection, item=own))
    return (memory.remember(state, own) if own.text.strip() else state), ending


def _results_told(state: State, told: tuple[Open, ...]) -> Step:
    gone = {one.handoff for one in told}
    return replace(state, handoffs=tuple(one for one in state.handoffs if one.handoff not in gone)), ()


def released(state: State, decisions: tuple[Decision, ...]) -> Step:
    """These decisions, and then the conversation is let go."""
    if state.connection is None:
        return state, decisions
    return replace(state, connection=None), (*decisions, Disconnect(connection=state.connection))
