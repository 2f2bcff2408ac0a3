"""Turn what happened into numbers, turns into spans, and what they cost into a word to him."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

from actors.costs import total, with_usage
from actors.meter.counting import numbers
from actors.meter.decisions import Count, Decision, Export, LookAround, Show, Step, TellCost, Wake, Watch
from actors.meter.looking import levels
from actors.meter.metrics import Counter
from actors.meter.state import Account, State
from actors.meter.turning import told
from messages.evidence import (
    CaptainUsage,
    EvidenceOpened,
    HeardWords,
    HouseReceipt,
    Left,
    Recorded,
    SpokenWords,
    Usage,
)
from messages.gateway import CostPassed
from messages.ids import StayId, Token
from messages.lifecycle import TreeNode
from messages.meter import LookDue, MeterMessage

LOOK_SECONDS: Final = 15.0
"""How often the actors are looked at."""
MOST_ACCOUNTS: Final = 64


def begun(state: State) -> Step:
    """What the meter does first."""
    return state, (Watch(), *_look(state))


def step(state: State, event: MeterMessage) -> Step:
    """What the meter does about one message."""
    match event:
        case EvidenceOpened():
            return state, (Watch(),)
        case Recorded():
            return _recorded(state, event)
        case TreeNode():
            return state, tuple(Show(gauge=gauge, levels=of) for gauge, of in levels(event))
        case LookDue():
            if event.token != state.token:
                return state, ()
            state = replace(state, token=Token(state.token + 1))
            return state, _look(state)
        case HeardWords() | SpokenWords():
            return state, ()
        case _:
            assert_never(event)


def _look(state: State) -> tuple[Decision, ...]:
    return LookAround(), Wake(seconds=LOOK_SECONDS, message=LookDue(token=state.token))


def _recorded(state: State, event: Recorded) -> Step:
    receipt = event.receipt
    decisions: list[Decision] = list(numbers(receipt))
    if not isinstance(receipt, HouseReceipt):
        turns, spans = told(state.turns, receipt, event.at)
        state = replace(state, turns=turns)
        decisions += (Export(span=span) for span in spans)
    if isinstance(receipt, Left):
        accounts = {stay: one for stay, one in state.accounts.items() if stay != receipt.stay_id}
        state = replace(state, accounts=accounts)
    if isinstance(receipt, Usage | CaptainUsage):
        state, billed = _billed(state, receipt)
        decisions += billed
    return state, tuple(decisions)


def _billed(state: State, used: Usage | CaptainUsage) -> Step:
    costs = state.costs
    fresh = total(with_usage((), used), costs.prices)
    spent = (Count(counter=Counter.COST, labels=(costs.currency,), amount=fresh),) if fresh else ()
    if used.stay_id is None:
        return state, spent
    before = state.accounts.get(used.stay_id, Account())
    bill = with_usage(before.bill, used)
    cost = total(bill, costs.prices)
    reached = int(cost / costs.tell_at) if costs.tell_at else 0
    state = _kept(state, used.stay_id, Account(bill=bill, told=max(before.told, reached)))
    if reached <= before.told:
        return state, spent
    amount = reached * costs.tell_at
    passed = CostPassed(stay=used.stay_id, amount=round(amount, 6), currency=costs.currency)
    return state, (*spent, TellCost(passed=passed))


def _kept(state: State, stay: StayId, account: Account) -> State:
    """With this account the latest; a stay whose end was missed makes room for others."""
    others = [(key, one) for key, one in state.accounts.items() if key != stay]
    return replace(state, accounts=dict([*others, (stay, account)][-MOST_ACCOUNTS:]))
