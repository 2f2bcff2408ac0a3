"""What fails, fails once, and what nobody waits for fails without a word."""

from __future__ import annotations

import pytest

from actors.capture.live.pieces import REMEMBERED
from messages.audio import FRAME_BYTES
from messages.ids import SegmentId
from tests.actors.capture.live.ear import FIRST, SECOND, TENTH, Ear, heard


def test_words_that_will_not_come_fail_the_final_once() -> None:
    ear = heard()
    ear.guess()
    ear.hear()
    ear.final()
    ear.committed("a")
    ear.committed("b")
    ear.failed("b", "rate_limit_exceeded")
    ear.failed("a")
    ear.written("a", "Hello.")
    assert ear.news() == [("failed", "rate_limited")]


def test_a_piece_that_failed_before_is_told_at_the_final() -> None:
    ear = heard()
    ear.guess()
    ear.committed("a")
    ear.failed("a")
    assert ear.news() == []
    ear.hear()
    ear.final()
    assert ear.news() == [("failed", "provider_down")]


@pytest.mark.parametrize("named", [True, False])
def test_a_commit_that_was_refused_as_empty_is_no_words(named: bool) -> None:
    ear = heard()
    ear.final()
    order = ear.orders()[0]
    ear.refused("input_audio_buffer_commit_empty", order if named else None)
    assert ear.news() == [("final", "")]
    ear.say(SECOND)
    ear.committed("b")
    ear.written("b", "second")
    assert ear.news() == [("final", "second")]


def test_a_refusal_without_a_name_is_of_a_commit_and_not_of_the_clear_before_it() -> None:
    ear = heard()
    ear.guess()
    ear.committed("a")
    ear.written("a", "Hello.")
    ear.hear()
    ear.final(settled=True)
    ear.say(SECOND)
    ear.news()
    ear.refused("input_audio_buffer_commit_empty")
    assert ear.news() == [("final", "")]


def test_a_commit_that_was_refused_for_another_reason_is_a_failure() -> None:
    ear = heard()
    ear.final()
    ear.refused("rate_limit_exceeded", ear.orders()[0])
    assert ear.news() == [("failed", "rate_limited")]
    ear.begin(SECOND)
    assert [line.closed for line in ear.dial.lines] == [True, False]


def test_refusals_of_nothing_in_particular_are_survived() -> None:
    ear = heard()
    ear.refused("something_odd")
    ear.refused("input_audio_buffer_commit_empty")
    ear.refused("rate_limit_exceeded", "commit_77")
    ear.final()
    ear.refused("something_odd")
    ear.committed("a")
    ear.written("a", "Hello.")
    assert ear.news() == [("final", "Hello.")]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("invalid_api_key", "unauthorized"),
        ("insufficient_quota", "quota"),
        ("model_not_found", "not_found"),
        ("session_expired", "session_expired"),
    ],
)
def test_a_refusal_that_is_the_end_of_the_session_is_one_loss(code: str, reason: str) -> None:
    ear = heard()
    ear.final()
    ear.begin(SECOND)
    ear.refused(code)
    assert ear.news() == [("lost", reason)]
    assert ear.line.closed
    ear.line.end("closed_1008", 1008)
    ear.hear(2, SECOND)
    ear.final(SECOND)
    ear.begin(SegmentId("ear.3"))
    assert ear.news() == []
    assert len(ear.dial.lines) == 1


@pytest.mark.parametrize("order", ["hello", None])
def test_a_session_that_cannot_be_set_up_as_asked_is_lost_with_the_reason(order: str | None) -> None:
    ear = Ear()
    ear.begin()
    ear.line.open()
    ear.refused("invalid_value", order)
    assert ear.news() == [("lost", "invalid_value")]


def test_a_session_that_is_set_up_is_lost_by_a_refusal_of_its_set_up_alone() -> None:
    ear = heard()
    ear.refused("invalid_value", "hello")
    assert ear.news() == [("lost", "invalid_value")]


def test_a_dropped_segment_is_cleared_and_not_spoken_of_again() -> None:
    ear = heard()
    ear.port.drop(FIRST)
    assert ear.sent() == ["clear"]
    ear.port.drop(FIRST)
    ear.final()
    ear.more("a", "Hello")
    assert ear.sent() == []
    assert ear.news() == []


def test_a_dropped_segment_takes_its_pauses_with_it() -> None:
    ear = heard()
    ear.guess()
    ear.port.drop(FIRST)
    assert ear.sent() == ["commit"]
    ear.say(SECOND)
    ear.committed("a")
    ear.committed("b")
    ear.written("a", "dropped")
    ear.written("b", "kept")
    assert ear.news() == [("final", "kept")]


def test_a_final_given_up_is_not_spoken_of_though_it_come_late() -> None:
    ear = heard()
    ear.final()
    ear.committed("a")
    ear.port.drop(FIRST)
    ear.written("a", "too late")
    assert ear.news() == []
    ear.say(SECOND)
    assert len(ear.dial.lines) == 1


def test_a_final_given_up_costs_whoever_speaks_meanwhile_no_sound() -> None:
    ear = heard()
    ear.final()
    ear.committed("a")
    ear.begin(SECOND)
    ear.hear(2, SECOND)
    ear.port.append(SECOND, bytes(FRAME_BYTES))
    ear.line.take()
    ear.port.drop(FIRST)
    ear.final(SECOND)
    assert ear.sound() == bytes(FRAME_BYTES)


def test_sound_of_a_dropped_segment_does_not_get_into_the_next() -> None:
    ear = heard()
    ear.port.append(FIRST, b"\x07" * FRAME_BYTES)
    ear.port.drop(FIRST)
    ear.begin(SECOND)
    ear.line.take()
    ear.hear(2, SECOND)
    ear.final(SECOND)
    assert ear.sound() == TENTH * 2


def test_a_line_that_left_a_commit_unanswered_is_replaced_before_the_next_segment() -> None:
    ear = heard()
    ear.final()
    ear.begin(SECOND)
    ear.port.drop(FIRST)
    ear.hear(3, SECOND)
    assert len(ear.dial.lines) == 1
    ear.port.drop(SECOND)
    ear.begin(SegmentId("ear.3"))
    assert [line.closed for line in ear.dial.lines] == [True, False]
    assert ear.news() == []


def test_nothing_that_was_heard_is_kept_for_ever() -> None:
    ear = Ear()
    ear.begin(FIRST)
    ear.stand()
    ear.port.drop(FIRST)
    for number in range(2 * REMEMBERED):
        segment = SegmentId(f"more.{number}")
        ear.say(segment)
        ear.committed(f"item{number}")
        if number % 2:
            ear.written(f"item{number}", "Hello.")
        else:
            ear.port.drop(segment)
    session = ear.port._session
    assert session is not None
    assert len(session._ledger._items) == REMEMBERED
    assert not session._ledger._orders
    assert not session.busy
    assert len(ear.news()) == REMEMBERED
