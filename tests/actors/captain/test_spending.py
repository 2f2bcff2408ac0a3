"""Each step of the captain is on the bill of the stay in which it was asked, or of the house."""

from __future__ import annotations

import pytest

from actors.captain.decisions import TellEvidence
from messages.captain import MindSpent, Question
from messages.evidence import CaptainUsage
from messages.ids import HandoffId, StayId
from messages.usage import Spending
from tests.actors.captain.scene import Desk, aloud, known, says, typed, wrote

H = HandoffId("h")
SPENT = MindSpent(
    handoff=H,
    spent=Spending(provider="openai", model="m", input_tokens=9, cached_tokens=4, output_tokens=2),
)


def used(stay: str | None) -> TellEvidence:
    usage = CaptainUsage(
        handoff_id=H,
        provider="openai",
        model="m",
        input_tokens=9,
        cached_tokens=4,
        output_tokens=2,
        stay_id=None if stay is None else StayId(stay),
    )
    return TellEvidence(message=usage)


@pytest.mark.parametrize(
    ("question", "stay"), [(aloud("h", stay="visit"), "visit"), (wrote("h"), None), (typed("h"), None)]
)
def test_what_was_asked_aloud_is_for_its_stay(question: Question, stay: str | None) -> None:
    desk = Desk()
    desk.do(question)
    desk.do(known("h"))
    assert desk.do(SPENT) == [used(stay)]
    assert desk.do(SPENT) == [used(stay)]


def test_a_turn_that_is_over_has_still_to_be_paid_for() -> None:
    desk = Desk()
    desk.do(wrote("h"))
    desk.do(says("h"))
    assert desk.do(SPENT) == [used(None)]
