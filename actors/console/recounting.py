"""What the record says, folded into what explains it: the stays, the reasons, every line and every turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.chronicle.why import after, line_of, turn_of
from actors.console.reasons import sentence
from actors.console.report import Reason
from actors.console.state import State
from actors.console.stays import charged, told
from messages.evidence import CaptainUsage, HouseReceipt, Joined, Left, Recorded, StayReceipt, Usage
from messages.ids import PersonId, StayId

MAX_REASONS: Final = 30
MAX_LINES: Final = 200
MAX_TURNS: Final = 200
MAX_LEFT: Final = 32


def recorded(state: State, event: Recorded) -> State:
    """What is known after one more receipt."""
    receipt = event.receipt
    state = replace(state, receipts=state.receipts + 1)
    stay: StayId | None = None
    if isinstance(receipt, Usage | CaptainUsage):
        return replace(state, stays=charged(state.stays, receipt))
    if not isinstance(receipt, HouseReceipt):
        stay = receipt.stay_id
        state = _of_stay(state, receipt, event.at)
    text = sentence(receipt)
    if text is None:
        return state
    reason = Reason(at=event.at, stay_id=stay, text=text)
    return replace(state, reasons=(*state.reasons, reason)[-MAX_REASONS:])


def forgotten(state: State, person: PersonId) -> State:
    """What is known without what this person said, and was told of this person."""
    lines = tuple(line for line in state.lines if line.person_id != person)
    reasons = tuple(reason for reason in state.reasons if person not in reason.text)
    return replace(state, lines=lines, reasons=reasons)


def _of_stay(state: State, receipt: StayReceipt, at: float) -> State:
    if receipt.stay_id in state.left:
        return state
    if isinstance(receipt, Joined):
        state = replace(state, joined=state.joined + 1)
    if isinstance(receipt, Left):
        state = replace(state, left=(*state.left, receipt.stay_id)[-MAX_LEFT:])
    state = replace(state, stays=told(state.stays, receipt, at))
    if (line := line_of(receipt, at)) is not None:
        state = replace(state, lines=(*state.lines, line)[-MAX_LINES:])
    return _of_turn(state, receipt, at)


def _of_turn(state: State, receipt: StayReceipt, at: float) -> State:
    name = turn_of(receipt)
    if name is None:
        return state
    known = next((turn for turn in reversed(state.turns) if turn.turn_id == name), None)
    turn = after(known, receipt, at)
    if turn is None or turn is known:
        return state
    if known is None:
        return replace(state, turns=(*state.turns, turn)[-MAX_TURNS:])
    return replace(state, turns=tuple(turn if each is known else each for each in state.turns))
