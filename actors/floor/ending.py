"""What becomes of his turns: each that was asked is over exactly once."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.floor.cutting import cancel, cut_turn, find_speech
from actors.floor.decisions import Record, TurnOver
from actors.floor.lines import engage, mint, wait_for_turn
from actors.floor.state import State
from actors.floor.turns import Saying, Turn, Wish, joined
from messages import evidence
from messages.floor import ConversationRestarted, Outcome, Trigger, TurnAnswered, TurnLost, TurnOrphaned
from messages.ids import PersonId
from messages.lifecycle import Ending
from messages.people import Line, LineSource

_TAKEN = (Outcome.SPOKE, Outcome.TOOL)


def take(state: State, event: TurnAnswered | TurnLost | TurnOrphaned | ConversationRestarted) -> State:
    """What the conversation says of a turn, or of itself."""
    match event:
        case TurnAnswered():
            return turn_answered(state, event)
        case TurnLost():
            return turn_lost(state, event)
        case TurnOrphaned():
            return orphaned(state, event)
        case ConversationRestarted():
            return conversation_restarted(replace(state, conversation=event.life))
        case _:
            assert_never(event)


def turn_answered(state: State, event: TurnAnswered) -> State:
    """The model is done with the turn in flight; answers to any other are old letters."""
    turn = state.flight
    if turn is None or turn.id != event.turn:
        return state
    if event.utterance is not None and turn.spoken is None and find_speech(state, event.utterance) is None:
        give_up_at = state.now + state.settings.start_limit
        turn = replace(turn, utterance=event.utterance, give_up_at=give_up_at)
    return settle_turn(replace(state, flight=replace(turn, answered=event.outcome)))


def settle_turn(state: State) -> State:
    """End the turn in flight if it is over."""
    turn = state.flight
    outcome = turn.outcome() if turn is not None else None
    return state if turn is None or outcome is None else turn_over(state, turn, outcome)


def turn_over(state: State, turn: Turn, outcome: Outcome) -> State:
    """The turn in flight has this outcome, and the floor is free for the next one."""
    state = replace(state, flight=None).do(TurnOver(turn=turn.id, trigger=turn.trigger, outcome=outcome))
    if turn.trigger is Trigger.VOLITION:
        came_to = "taken" if outcome in _TAKEN else "suppressed"
        state = state.do(
            Record(receipt=evidence.Volition(stay_id=state.stay, outcome=came_to, turn_id=turn.id))
        )
    if outcome not in _TAKEN:
        return state
    partner = _partner(state, turn)
    if state.engagement.holder is None and partner is not None:
        return engage(state, partner, "taken")
    return replace(state, engagement=state.engagement.refreshed(state.now))


def _partner(state: State, turn: Turn) -> PersonId | None:
    """With whom he is in conversation after a turn that he took while he was in none."""
    if not turn.lines:
        return None
    last = turn.lines[-1].person.id
    return last if state.roster is None or last in state.humans() else None


def turn_lost(state: State, event: TurnLost) -> State:
    """Whoever was to answer it is gone; what becomes of it is decided when somebody else is there."""
    turn = state.flight
    if turn is None or turn.id != event.turn:
        return state
    return replace(state, flight=replace(turn, lost=True))


def conversation_restarted(state: State) -> State:
    """Whatever was not answered is lost; an address, or an order to say something, is asked again, once."""
    state = replace(state, results=())
    turn = state.flight
    if turn is None or turn.answered is not None:
        return state
    state = cut_turn(state, turn.id)
    # The new life may have been asked already, and speak before it hears that it is asked again.
    state = state if turn.id in state.cancelled else cancel(state, turn.id)
    state = turn_over(_on_record(state, turn), turn, Outcome.FAILED)
    if turn.again or turn.started is not None or state.leaving:
        return state
    if turn.saying:
        saying = Saying(text=turn.saying, since=state.now, again=True)
        return replace(state, sayings=(saying, *state.sayings))
    address = turn.trigger in (Trigger.ADDRESS, Trigger.TYPED)
    if not address or not turn.lines:
        return state
    return _asked_again(state, turn.trigger, turn.lines)


def orphaned(state: State, event: TurnOrphaned) -> State:
    """A life before this one asked, and nobody has answered: this asks, once, for who may be heard."""
    lines = tuple(
        line for line in event.lines if line.source is LineSource.TYPED or state.may_be_heard(line.person.id)
    )
    return state if state.leaving or not lines else _asked_again(state, event.trigger, lines)


def _asked_again(state: State, trigger: Trigger, lines: tuple[Line, ...]) -> State:
    state, fresh = mint(state)
    again = Wish(turn=fresh, trigger=trigger, lines=lines, since=state.now, again=True)
    return wait_for_turn(state, again if state.wish is None else joined(again, state.wish))


def _on_record(state: State, turn: Turn) -> State:
    """The conversation never had it if it did not say that it was lost."""
    if turn.lost:
        return state
    receipt = evidence.ModelResponse(
        stay_id=state.stay,
        turn_id=turn.id,
        phase="failed",
        trigger=turn.trigger.value,
        outcome=Outcome.FAILED.value,
        reason=Ending.CRASHED.value,
    )
    return state.do(Record(receipt=receipt))
