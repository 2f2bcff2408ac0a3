"""A line opens with the first voice, and its end is a loss only to those who were being heard."""

from __future__ import annotations

import pytest

from actors.capture.live.listeners import Listeners
from actors.capture.live.outlet import LARGEST_BYTES, LONGEST_BYTES, SENT_AT_ONCE
from actors.capture.live.wire import MoreText, Transcribed
from actors.net.line import EndedBy
from messages.audio import FRAME_BYTES
from messages.ids import SegmentId
from tests.actors.capture.live.ear import FIRST, ONE, SECOND, TENTH, TWO, Ear, heard
from tests.actors.net.by_hand import HandLoop

THIRD = SegmentId("ear.3")


def spoke(ear: Ear, segment: SegmentId = FIRST, item: str = "a") -> None:
    """A whole segment on a line that stands, words and all."""
    ear.say(segment)
    ear.committed(item)
    ear.written(item, "Hello.")


def at_rest() -> Ear:
    """An ear that has heard somebody, and hears nobody now."""
    ear = Ear()
    ear.begin()
    ear.stand()
    ear.hear()
    ear.final()
    ear.committed("a")
    ear.written("a", "Hello.")
    assert ear.news() == [("final", "Hello.")]
    return ear


def test_the_line_opens_with_the_first_segment_and_with_the_key() -> None:
    ear = Ear()
    assert ear.dial.lines == []
    ear.begin()
    assert ear.line.target.url == "wss://api.example.com/v1/realtime?intent=transcription"
    assert ear.line.target.headers == {"Authorization": "Bearer the-key"}
    assert "the-key" not in repr(ear.line.target)
    ear.stand()
    hello = ear.line.take()
    assert [frame["type"] for frame in hello] == ["session.update"]


def test_sound_from_before_the_line_stood_goes_out_whole_and_in_order() -> None:
    ear = Ear()
    ear.begin()
    for number in range(10):
        ear.port.append(FIRST, bytes([number]) * FRAME_BYTES)
    ear.guess()
    for number in range(10, 20):
        ear.port.append(FIRST, bytes([number]) * FRAME_BYTES)
    ear.final()
    ear.say(SECOND)
    assert ear.line.sent == []
    ear.stand()
    sent = list(ear.line.sent)
    assert ear.sent() == ["session.update", *["append", "commit"] * 3]
    ear.line.sent = sent
    wanted = b"".join(bytes([number]) * FRAME_BYTES for number in range(20)) + TENTH * 5
    assert ear.sound() == wanted


def test_sound_that_waits_for_the_line_is_sent_in_frames_of_a_bearable_size() -> None:
    ear = Ear()
    ear.begin()
    ear.hear(350)
    ear.stand()
    frames = [frame for frame in ear.line.sent if "audio" in frame]
    assert len(frames) == LONGEST_BYTES // LARGEST_BYTES
    assert max(len(str(frame["audio"])) for frame in frames) < 1_000_000
    assert len(ear.sound()) == LONGEST_BYTES


def test_a_line_that_lets_too_much_sound_wait_for_it_is_lost_and_no_word_is_left_out() -> None:
    listeners = Listeners(1)
    ear = Ear(listeners=listeners)
    ear.begin()
    ear.hear(350)
    assert ear.news() == []
    ear.hear(20)
    assert ear.news() == [("lost", "send_backlog")]
    assert ear.line.closed
    assert listeners.open == 0


@pytest.mark.parametrize("stands", [True, False])
def test_of_what_was_heard_nothing_is_sent_or_committed_once_consent_is_withdrawn(stands: bool) -> None:
    ear = Ear()
    ear.begin()
    if stands:
        ear.stand()
    ear.hear(3)
    ear.port.append(FIRST, bytes(FRAME_BYTES))
    ear.line.take()
    ear.port.close()
    ear.line.open()
    ear.guess()
    ear.final()
    assert ear.line.closed
    assert (ear.line.sent, ear.line.farewell) == ([], None)


def test_of_what_waited_to_be_sent_nothing_is_kept_after_the_close() -> None:
    ear = heard()
    ear.port.append(FIRST, bytes(FRAME_BYTES))
    ear.port.close()
    assert ear.port._gathered == b""


def test_on_a_line_that_stands_a_few_frames_of_sound_travel_together() -> None:
    ear = heard()
    for _ in range(9):
        ear.port.append(FIRST, bytes(FRAME_BYTES))
    assert len(ear.line.sent) == 2
    ear.final()
    assert len(ear.sound()) == 9 * FRAME_BYTES
    assert SENT_AT_ONCE == 4 * FRAME_BYTES


def test_silence_that_was_not_sent_when_the_final_settles_is_never_sent() -> None:
    ear = heard()
    ear.guess()
    ear.sent()
    ear.port.append(FIRST, bytes(FRAME_BYTES))
    ear.final(settled=True)
    assert ear.sent() == []


@pytest.mark.parametrize("awaited", [True, False])
def test_a_line_that_ends_under_somebody_who_is_heard_is_one_loss(awaited: bool) -> None:
    ear = heard()
    if awaited:
        ear.final()
    ear.line.end("closed_1011", 1011)
    assert ear.news() == [("lost", "closed_1011")]
    ear.final()
    ear.say(SECOND)
    assert ear.news() == []
    assert len(ear.dial.lines) == 1
    ear.port.connect(TWO)
    ear.begin(THIRD, TWO)
    assert len(ear.dial.lines) == 2


def test_a_line_that_never_stood_is_a_loss_with_its_reason() -> None:
    ear = Ear()
    ear.begin()
    ear.line.end("unauthorized", by=EndedBy.FAULT)
    assert ear.news() == [("lost", "unauthorized")]


@pytest.mark.parametrize(("reason", "code"), [("closed_1001", 1001), ("closed", 1000), ("aborted", 1006)])
def test_a_line_that_ends_with_nobody_to_hear_is_reopened_without_a_word(reason: str, code: int) -> None:
    ear = at_rest()
    ear.line.end(reason, code)
    assert ear.news() == []
    ear.begin(SECOND)
    ear.stand()
    assert len(ear.dial.lines) == 2
    spoke(ear, THIRD, "b")
    assert ear.news() == [("final", "Hello.")]


def test_a_session_that_expires_at_rest_is_closed_and_reopened_without_a_word() -> None:
    ear = at_rest()
    ear.refused("session_expired")
    assert ear.line.closed
    ear.line.end("closed_1001", 1001)
    ear.begin(SECOND)
    assert len(ear.dial.lines) == 2
    assert ear.news() == []


def test_what_an_old_line_says_after_its_replacement_is_not_heard() -> None:
    ear = at_rest()
    old = ear.line
    ear.refused("session_expired")
    ear.begin(SECOND)
    old.end("aborted", 1006)
    assert ear.news() == []
    assert not ear.line.closed


def test_a_line_is_renewed_before_its_hour_is_over_and_never_in_a_segment() -> None:
    ear = at_rest()
    ear.loop.clock.advance(54 * 60)
    ear.begin(SECOND)
    assert len(ear.dial.lines) == 1
    ear.loop.clock.advance(2 * 60)
    ear.hear(2, SECOND)
    ear.final(SECOND)
    ear.begin(THIRD)
    assert len(ear.dial.lines) == 1
    ear.port.drop(SECOND)
    ear.port.drop(THIRD)
    ear.begin(SegmentId("ear.4"))
    assert [line.closed for line in ear.dial.lines] == [True, False]
    assert ear.news() == []


def test_a_connection_that_is_ended_closes_its_line_and_an_old_one_closes_nothing() -> None:
    ear = at_rest()
    ear.port.disconnect(TWO)
    assert not ear.line.closed
    ear.port.disconnect(ONE)
    assert ear.line.closed
    ear.begin(SECOND)
    assert len(ear.dial.lines) == 1


def test_what_comes_for_a_line_that_was_never_needed_changes_nothing() -> None:
    ear = Ear()
    ear.hear()
    ear.guess()
    ear.port.drop(FIRST)
    ear.port.disconnect(ONE)
    ear.begin()
    assert ear.dial.lines == []
    assert ear.news() == []


def test_after_the_close_nothing_is_reported() -> None:
    ear = heard()
    ear.final()
    ear.committed("a")
    ear.port.close()
    assert ear.line.closed
    ear.line.listener.came(Transcribed(item="a", text="late"))
    ear.line.end("closed_1011", 1011)
    ear.port.append(FIRST, TENTH)
    ear.port.drop(FIRST)
    ear.begin(SECOND)
    assert ear.news() == []
    assert len(ear.dial.lines) == 1
    ear.port.connect(TWO)
    ear.begin(THIRD, TWO)
    ear.line.end("aborted", 1006)
    assert ear.news() == []


def test_what_a_line_that_was_closed_still_says_is_not_heard() -> None:
    ear = heard()
    ear.port.disconnect(ONE)
    ear.line.listener.came(MoreText(item="a", text="late"))
    assert ear.news() == []


def test_the_ear_that_was_idle_for_longest_gives_up_its_line_to_another() -> None:
    loop, listeners = HandLoop(), Listeners(2)
    anna, ben, carl = (Ear(loop=loop, listeners=listeners) for _ in range(3))
    for ear in (anna, ben):
        loop.clock.advance(1)
        ear.begin()
        ear.stand()
        ear.hear()
        ear.final()
    loop.clock.advance(1)
    for ear in (ben, anna):
        loop.clock.advance(1)
        ear.committed("a")
        ear.written("a", "Hello.")
        ear.news()
    carl.begin()
    assert (anna.line.closed, ben.line.closed, listeners.open) == (False, True, 2)
    ben.begin(SECOND)
    assert (anna.line.closed, len(ben.dial.lines), listeners.open) == (True, 2, 2)
    assert [ear.news() for ear in (anna, ben, carl)] == [[], [], []]


def test_where_everybody_speaks_one_more_is_one_too_many() -> None:
    loop, listeners = HandLoop(), Listeners(1)
    anna, ben = (Ear(loop=loop, listeners=listeners) for _ in range(2))
    anna.begin()
    ben.begin()
    assert ben.news() == [("lost", "too_many_listeners")]
    assert ben.dial.lines == []
    anna.port.close()
    ben.port.connect(TWO)
    ben.begin(SECOND, TWO)
    assert ben.news() == []
    assert len(ben.dial.lines) == 1
    assert listeners.open == 1


def test_a_line_that_is_lost_leaves_its_place_to_others() -> None:
    listeners = Listeners(1)
    ear = Ear(listeners=listeners)
    ear.begin()
    ear.line.end("unreachable", by=EndedBy.FAULT)
    assert listeners.open == 0
