"""A provider says how much it wrote down, or it was as much as it was sent."""

from __future__ import annotations

import pytest

from messages.capture import ListenerSpent
from messages.usage import Spending
from tests.actors.capture.live.ear import FIRST, ONE, Ear, heard

_DONE = "conversation.item.input_audio_transcription.completed"


def written(ear: Ear, item: str = "i1", **more: object) -> None:
    ear.line.come(type=_DONE, item_id=item, transcript="Hello.", **more)


def spent(audio_ms: int, **tokens: int) -> ListenerSpent:
    spending = Spending(provider="openai", model="gpt-live-transcribe", audio_ms=audio_ms, **tokens)
    return ListenerSpent(connection=ONE, spent=spending)


def committed() -> Ear:
    """Half a second is being written down."""
    ear = heard()
    ear.final()
    ear.committed("i1")
    return ear


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"type": "duration", "seconds": 0.4}, spent(400)),
        (
            {"type": "tokens", "input_tokens": 7, "output_tokens": 2},
            spent(500, input_tokens=7, output_tokens=2),
        ),
        (None, spent(500)),
        ({"type": "duration", "seconds": -3}, spent(500)),
        ({"type": "tokens", "input_tokens": "many", "output_tokens": 2}, spent(500)),
        ("much", spent(500)),
    ],
)
def test_what_is_told_is_believed_where_it_can_be(usage: object, expected: ListenerSpent) -> None:
    ear = committed()
    written(ear, usage=usage)
    assert ear.spent == [expected]
    assert ear.news() == [("final", "Hello.")]


def test_each_pause_is_paid_for_once() -> None:
    ear = heard(tenths=3)
    ear.guess()
    ear.committed("i1")
    ear.hear(2)
    ear.final()
    ear.committed("i2")
    written(ear, "i1")
    written(ear, "i1")
    written(ear, "i2")
    assert ear.spent == [spent(300), spent(200)]


def test_words_that_nobody_waits_for_are_paid_for() -> None:
    ear = committed()
    ear.port.drop(FIRST)
    written(ear)
    assert (ear.news(), ear.spent) == ([], [spent(500)])


def test_what_could_not_be_written_down_costs_nothing() -> None:
    ear = committed()
    ear.failed("i1")
    assert ear.spent == []
