"""What happened becomes numbers, a turn becomes spans, and a stay that gets dear is told of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import cast, get_args

import pytest

from actors.costs import CostSettings, Price, unpriced, with_usage
from actors.meter.core import LOOK_SECONDS, MOST_ACCOUNTS
from actors.meter.counting import numbers
from actors.meter.decisions import Count
from actors.meter.metrics import Counter, Gauge, Histogram
from actors.meter.turning import MOST_TURNS
from messages.evidence import (
    CaptainUsage,
    EvidenceOpened,
    FloorDecision,
    HeardWords,
    Left,
    ModelResponse,
    Playback,
    RealtimeTool,
    Receipt,
    Response,
    Usage,
    Volition,
    Watch,
)
from messages.gateway import CostPassed
from messages.ids import CallId, HandoffId, StayId, Token, TurnId
from messages.lifecycle import DescribeTree, Ending, LifeState, Scalar, TreeNode
from messages.meter import LookDue
from tests.actors.meter.desk import ANNA, LINE, OTHER, SPEECH, STAY, TURN, Desk
from tests.probe import Probe

NUMBERED = {"int": 40, "int | None": 40, "bool": True, "float": 1.0}


def any_receipt(kind: type[Receipt]) -> Receipt:
    """One of that kind, every field filled."""
    make = cast("Callable[..., Receipt]", kind)
    return make(**{one.name: NUMBERED.get(str(one.type), f"<{one.name}>") for one in fields(kind)})


def asked(turn: TurnId = TURN, stay: StayId = STAY) -> ModelResponse:
    return ModelResponse(stay_id=stay, turn_id=turn, phase="requested", trigger="address")


def ended(outcome: str, turn: TurnId = TURN) -> ModelResponse:
    return ModelResponse(
        stay_id=STAY,
        turn_id=turn,
        phase="completed",
        trigger="address",
        outcome=outcome,
        latency_ms=400,
        first_text_ms=150,
    )


def playing(phase: str) -> Playback:
    return Playback(stay_id=STAY, utterance_id=SPEECH, turn_id=TURN, phase=phase, at_ms=0)


HEARD = Response(
    stay_id=STAY,
    turn_id=TURN,
    utterance_id=SPEECH,
    trigger="address",
    whole=True,
    decision_to_first_audio_ms=300,
    speech_end_to_first_audio_ms=1000,
)
JUDGED = FloorDecision(
    stay_id=STAY,
    person_id=ANNA,
    line_id=LINE,
    heard_as="addressed",
    decision="wake",
    rule="addressed",
    turn_id=TURN,
)


@pytest.mark.parametrize("kind", get_args(Receipt), ids=lambda kind: kind.__name__)
def test_every_receipt_is_counted_under_its_kind_and_no_number_has_an_id(kind: type[Receipt]) -> None:
    desk = Desk()
    desk.tell(any_receipt(kind))
    labels = [label for _, label in desk.board.counts]
    assert [count for (counter, _), count in desk.board.counts.items() if counter is Counter.RECEIPTS] == [1]
    assert not [word for label in labels for word in label if "_id" in word]


def test_a_tool_that_the_model_made_up_is_no_series_of_its_own() -> None:
    def answered(name: str) -> RealtimeTool:
        return RealtimeTool(
            stay_id=STAY, turn_id=TURN, call_id=CallId("c"), name=name, phase="answered", outcome="error"
        )

    told = [one for name in ("voice_leave", "rm_rf") for one in numbers(answered(name))]
    labels = [one.labels for one in told if isinstance(one, Count) and one.counter is Counter.TOOLS]
    assert labels == [("voice_leave", "error"), ("unknown", "error")]


def test_a_turn_that_was_heard_is_told_in_its_stages() -> None:
    desk = Desk()
    desk.tell(JUDGED, asked())
    desk.tell(ended("spoke"), playing("started"), after=0.4)
    desk.tell(playing("drained"), after=2.0)
    assert desk.board.spans == []  # whether it was heard in time is not known yet
    desk.tell(HEARD)
    (span,) = desk.board.spans
    assert (span.name, span.ended, span.failed) == ("turn", 1002.4, False)
    assert span.began == pytest.approx(999.3)
    stages = [(one.name, round(one.began, 3), round(one.ended, 3)) for one in span.children]
    assert stages == [
        ("decided", 999.3, 1000.0),
        ("first_text", 1000.0, 1000.15),
        ("first_audio", 1000.15, 1000.3),
        ("drained", 1000.3, 1002.4),
    ]
    assert span.attributes["clankie.outcome"] == "spoke"
    assert ANNA not in span.attributes.values()
    assert (Histogram.ANSWER, 1.0) in desk.board.measured


def test_a_silent_turn_is_over_at_once_and_its_stages_lie_within_it() -> None:
    desk = Desk()
    desk.tell(asked())
    desk.tell(ended("silent"), after=0.2)
    (span,) = desk.board.spans
    assert [one.name for one in span.children] == ["decided", "first_text", "answered"]
    assert all(span.began <= one.began <= one.ended <= span.ended for one in span.children)
    desk.tell(playing("drained"), ended("silent"))
    assert len(desk.board.spans) == 1  # what comes after the end is no new turn


def test_a_failed_turn_is_a_failed_span() -> None:
    desk = Desk()
    desk.tell(asked(), ModelResponse(stay_id=STAY, turn_id=TURN, phase="failed", trigger="address"))
    assert [one.failed for one in desk.board.spans] == [True]


def test_a_turn_that_the_stay_did_not_survive_ends_with_it() -> None:
    desk = Desk()
    desk.tell(asked(), asked(TurnId("elsewhere"), OTHER))
    desk.tell(Left(stay_id=STAY, reason="kicked", duration_ms=1), after=3.0)
    assert [(one.attributes["clankie.turn_id"], one.ended) for one in desk.board.spans] == [(TURN, 1003.0)]


def test_what_came_of_an_offer_is_told_after_its_turn_and_begins_none() -> None:
    desk = Desk()
    for came_to in ("taken", "suppressed"):
        offered = Volition(stay_id=STAY, outcome="offered", turn_id=TURN)
        desk.tell(offered, asked(), ended("silent"), replace(offered, outcome=came_to))
        assert desk.meter.describe() == {"turns": 0}


def test_turns_that_never_end_make_room() -> None:
    desk = Desk()
    for number in range(MOST_TURNS + 2):
        desk.tell(asked(TurnId(f"t{number}")))
    assert [one.attributes["clankie.turn_id"] for one in desk.board.spans] == ["t0", "t1"]
    assert desk.meter.describe() == {"turns": MOST_TURNS}


PRICED = CostSettings(tell_at=0.5, prices={"m": Price(input=1.0, cached=0.5, output=2.0, minute=0.6)})


def used(many: int, stay: StayId = STAY, model: str = "m") -> Usage:
    return Usage(
        stay_id=stay, service="conversation", provider="openai", model=model, output_tokens=many * 100_000
    )


def test_he_is_told_each_time_that_a_stay_has_cost_as_much_again() -> None:
    desk = Desk(PRICED)
    desk.tell(used(2), used(1), used(1))
    assert desk.gateway.received() == [CostPassed(stay=STAY, amount=0.5, currency="USD")]
    desk.tell(used(10))
    assert [one.amount for one in desk.gateway.received()] == [0.5, 2.5]
    assert desk.board.counts[Counter.COST, ("USD",)] == pytest.approx(2.8)
    desk.tell(Left(stay_id=STAY, reason="captain", duration_ms=1), used(3))
    assert [one.amount for one in desk.gateway.received()] == [0.5, 2.5, 0.5]


def test_without_an_amount_and_without_a_price_nobody_is_told() -> None:
    desk = Desk(CostSettings(prices=PRICED.prices))
    desk.tell(used(100))
    silent = Desk(PRICED)
    silent.tell(used(100, model="unknown"))
    captain = CaptainUsage(handoff_id=HandoffId("h"), provider="openai", model="m", output_tokens=10**7)
    silent.tell(captain)  # asked in writing: it is of no stay
    assert desk.gateway.received() == silent.gateway.received() == []
    assert silent.board.counts[Counter.COST, ("USD",)] == pytest.approx(20.0)


def test_the_captains_work_for_a_stay_is_on_its_bill() -> None:
    desk = Desk(PRICED)
    desk.tell(
        CaptainUsage(
            handoff_id=HandoffId("h"),
            provider="openai",
            model="m",
            input_tokens=1_000_000,
            cached_tokens=1_000_000,
            stay_id=STAY,
        )
    )
    assert [one.amount for one in desk.gateway.received()] == [0.5]
    assert desk.board.counts[Counter.TOKENS, ("captain", "m", "cached")] == 1_000_000


def test_stays_whose_end_was_missed_make_room() -> None:
    desk = Desk(PRICED)
    for number in range(MOST_ACCOUNTS + 1):
        desk.tell(used(1, StayId(f"s{number}")))
    desk.tell(used(2, StayId("s0")))  # it begins anew
    assert desk.gateway.received() == []


@pytest.mark.parametrize("amount", [-1.0, 1e-320, 1e10, float("inf"), float("nan")])
def test_an_amount_that_nobody_can_mean_is_refused_with_a_remedy(amount: float) -> None:
    with pytest.raises(ValueError, match=r"tell_at must be .*; 0 never tells"):
        CostSettings(tell_at=amount)
    if amount != 1e-320:
        with pytest.raises(ValueError, match=r"minute must be .*; take it out for 0"):
            Price(minute=amount)


def test_what_is_done_here_needs_no_price() -> None:
    here = Usage(stay_id=STAY, service="speech", provider="local", model="hibari", characters=10)
    there = Usage(stay_id=STAY, service="speech", provider="elevenlabs", model="flash", characters=10)
    assert unpriced(with_usage(with_usage((), here), there), {}) == ("flash",)


def test_it_watches_every_life_of_the_record_and_looks_around_again_and_again() -> None:
    desk = Desk()
    desk.meter.opened()
    desk.meter.receive(EvidenceOpened(record=Probe()))
    assert [one.may_see_words for one in desk.record.received()] == [False, False]
    desk.record.expect(Watch)
    desk.house.expect(DescribeTree)
    desk.meter.receive(LookDue(token=Token(0)))
    desk.meter.receive(LookDue(token=Token(0)))  # an old letter
    assert len(desk.house.received()) == 2
    assert desk.clock.next_due() == LOOK_SECONDS
    words = HeardWords(stay_id=STAY, person_id=ANNA, label="Anna", text="secret", typed=False)
    desk.meter.receive(words)
    desk.meter.closed(Ending.SHUTDOWN)
    assert desk.board.life == ["open", "close"]


def a_node(kind: str, state: LifeState, depth: int, *children: TreeNode, **facts: Scalar) -> TreeNode:
    return TreeNode(
        path=kind, kind=kind, state=state, restarts=2, mailbox_depth=depth, facts=facts, children=children
    )


def test_a_look_at_the_tree_shows_levels_by_kind() -> None:
    desk = Desk()
    desk.meter.receive(
        a_node(
            "Supervisor",
            LifeState.OPEN,
            0,
            a_node("Evidence", LifeState.OPEN, 3, lost=4),
            a_node("Gateway", LifeState.OPEN, 0, ready=False, texts_dropped=5),
            a_node("Capture", LifeState.OPENING, 1, frames_dropped=2),
            a_node("Playback", LifeState.OPEN, 0, underruns=6),
            a_node("Capture", LifeState.GONE, 9, frames_dropped=1),
        )
    )
    assert desk.board.shown[Gauge.LOST] == {(): 4}
    assert desk.board.shown[Gauge.ONLINE] == {(): 0.0}
    dropped = {("texts",): 5, ("lines",): 0, ("heard_frames",): 3, ("pipe_frames",): 0}
    assert desk.board.shown[Gauge.DROPPED] == dropped
    assert desk.board.shown[Gauge.UNDERRUNS] == {(): 6}
    assert desk.board.shown[Gauge.ACTORS]["Capture", "not_open"] == 1
    assert desk.board.shown[Gauge.RESTARTS]["Capture",] == 4
    assert desk.board.shown[Gauge.MAILBOX]["Capture",] == 9


def test_he_is_in_as_many_rooms_as_there_are_stays_that_have_joined() -> None:
    desk = Desk()
    stays = (
        (LifeState.OPEN, "active"),
        (LifeState.OPEN, "degraded"),
        (LifeState.OPEN, "joining"),
        (LifeState.OPEN, "ended"),
        (LifeState.GONE, "active"),
    )
    nodes = [a_node("Stay", state, 0, phase=phase) for state, phase in stays]
    desk.meter.receive(a_node("Supervisor", LifeState.OPEN, 0, *nodes))
    assert desk.board.shown[Gauge.STAYS] == {(): 2}
