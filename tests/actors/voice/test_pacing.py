"""The speaker sends one frame a slot, and never two because one was late."""

from array import array

import pytest

from actors.audio.pcm import FRAME_BYTES, SILENCE, peak_dbfs
from actors.voice.pacing import Speaker
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, UtteranceId
from messages.voice import (
    SoundCut,
    SoundDrained,
    SoundEvent,
    SoundFailed,
    SoundSent,
    SoundStarted,
    SoundUnderrun,
)

U, V = UtteranceId("u"), UtteranceId("v")
C = Connection(7)


def loud(frames: int, first: int = 8_000) -> bytes:
    return b"".join(array("h", [first + frame] * 480).tobytes() for frame in range(frames))


def frame_number(pcm: bytes | None, first: int = 8_000) -> int | None:
    return None if pcm is None else array("h", pcm)[0] - first


class Line:
    """A speaker whose owner is always on time unless `now` is moved."""

    def __init__(self, settings: VoiceSettings | None = None) -> None:
        self.speaker = Speaker(C, settings or VoiceSettings())
        self.now = 100.0
        self.wire: list[bytes] = []
        self.at: list[float] = []
        self.news: list[SoundEvent] = []

    def run(self, slots: int) -> None:
        for _ in range(slots):
            if self.speaker.due is None:
                return
            self.now = max(self.now, self.speaker.due)
            self.turn()

    def turn(self) -> None:
        pcm = self.speaker.take(self.now)
        if pcm is not None:
            self.wire.append(pcm)
            self.at.append(self.now)
            self.news += self.speaker.sent(self.now)


def test_frames_go_out_at_fixed_times_and_the_last_is_followed_by_five_of_silence() -> None:
    line = Line()
    assert line.speaker.due is None
    assert line.speaker.take(line.now) is None
    line.speaker.play(U, loud(6), line.now)
    assert line.speaker.take(line.now - 0.001) is None
    line.speaker.end(U, line.now)
    line.speaker.end(U, line.now)
    line.run(20)
    assert line.wire == [loud(1, 8_000 + number) for number in range(6)] + [SILENCE] * 5
    assert line.at == pytest.approx([100.0 + 0.02 * slot for slot in range(11)])
    assert line.news == [
        SoundStarted(connection=C, utterance=U, at=100.0),
        SoundSent(connection=C, utterance=U, frames=5),
        SoundDrained(connection=C, utterance=U, frames=6),
    ]
    assert line.speaker.due is None


def test_started_waits_for_a_frame_that_can_be_heard() -> None:
    line = Line()
    line.speaker.play(U, SILENCE * 3 + loud(1), line.now)
    line.run(4)
    [started] = line.news
    assert isinstance(started, SoundStarted)
    assert started.at == pytest.approx(100.06)


def test_silence_drains_without_ever_having_started() -> None:
    line = Line()
    line.speaker.play(U, SILENCE * 2, line.now)
    line.speaker.end(U, line.now)
    line.run(20)
    assert line.news == [SoundDrained(connection=C, utterance=U, frames=2)]


def test_after_a_stall_the_missed_slots_are_skipped_and_nothing_bursts() -> None:
    line = Line()
    line.speaker.play(U, loud(10), line.now)
    line.run(2)
    line.now += 0.105
    line.turn()
    line.turn()
    assert len(line.wire) == 3
    assert line.speaker.skipped == 4
    line.run(2)
    assert [frame_number(pcm) for pcm in line.wire] == [0, 1, 2, 3, 4]
    assert line.speaker.due == pytest.approx(100.0 + 0.02 * 9)


def test_an_underrun_is_silence_that_is_counted_once_and_speech_goes_on_in_its_slot() -> None:
    line = Line()
    line.speaker.play(U, loud(2), line.now)
    line.run(5)
    line.speaker.play(U, loud(1, 9_000), line.now)
    line.run(1)
    assert line.wire[2:5] == [SILENCE] * 3
    assert frame_number(line.wire[5], 9_000) == 0
    assert line.news[1:] == [
        SoundUnderrun(connection=C, utterance=U, frames=2),
        SoundSent(connection=C, utterance=U, frames=2),
    ]


def test_speech_that_gets_no_more_sound_is_given_up() -> None:
    line = Line(VoiceSettings(starved_seconds=0.1))
    line.speaker.play(U, loud(1), line.now)
    line.run(50)
    failed = SoundFailed(connection=C, utterance=U, frames=1, reason="starved")
    assert line.news[-1] == failed
    assert len(line.wire) == 1 + 5 + 5
    assert line.speaker.due is None


def test_a_cut_leaves_only_silence_and_says_what_was_sent() -> None:
    line = Line()
    line.speaker.play(U, loud(10) + b"\1\0", line.now)
    line.run(3)
    news = line.speaker.cut(U, 100.05)
    (cut,) = news
    assert isinstance(cut, SoundCut)
    assert (cut.frames, cut.dropped) == (3, 8)
    assert cut.at == pytest.approx(100.06)  # when the frame that was sent last has sounded
    assert line.speaker.cut(U, 100.06) == ()
    line.run(20)
    assert line.wire[3:] == [SILENCE] * 5


def test_a_cut_without_trailing_silence_is_the_end() -> None:
    line = Line(VoiceSettings(trailing_silence_frames=0))
    line.speaker.play(U, loud(10), line.now)
    line.speaker.cut(U, line.now)
    assert line.speaker.due is None
    assert line.speaker.sent(line.now) == ()


def test_the_next_utterance_follows_a_cut_at_once() -> None:
    line = Line()
    line.speaker.play(U, loud(10), line.now)
    line.run(1)
    line.speaker.cut(U, line.now)
    line.run(1)
    line.speaker.play(V, loud(2, 9_000), line.now)
    line.run(1)
    assert line.wire[1] == SILENCE
    assert frame_number(line.wire[2], 9_000) == 0
    assert line.at == pytest.approx([100.0, 100.02, 100.04])


def test_a_new_utterance_ends_one_whose_giver_has_died() -> None:
    line = Line()
    line.speaker.play(U, loud(3), line.now)
    line.run(1)
    news = line.speaker.play(V, loud(2, 9_000), 100.01)
    (cut,) = news
    assert isinstance(cut, SoundCut)
    assert (cut.utterance, cut.frames, cut.dropped) == (U, 1, 2)
    line.run(1)
    assert frame_number(line.wire[1], 9_000) == 0


def test_loudness_falls_over_three_frames_and_comes_back() -> None:
    line = Line()
    line.speaker.play(U, loud(20), line.now)
    line.speaker.gain(U, -12.0, 0.06)
    line.speaker.gain(V, -60.0, 0.06)
    line.run(5)
    levels = [peak_dbfs(pcm) for pcm in line.wire]
    assert levels[0] > levels[1] > levels[2] > levels[3] == pytest.approx(levels[4], abs=0.01)
    assert levels[4] - peak_dbfs(loud(1)) == pytest.approx(-12.0, abs=0.1)
    line.speaker.gain(U, 0.0, 0.15)
    line.run(10)
    assert line.wire[-1] == loud(1, 8_000 + 14)


def test_a_held_utterance_goes_on_at_the_same_sample() -> None:
    line = Line()
    line.speaker.play(U, loud(10), line.now)
    line.run(2)
    line.speaker.hold(U, True, line.now)
    line.speaker.hold(U, True, line.now)
    line.run(20)
    assert line.wire[2:] == [SILENCE] * 5
    assert line.speaker.due is None
    line.speaker.hold(U, False, 200.0)
    line.now = 200.0
    line.run(1)
    assert frame_number(line.wire[-1]) == 2
    line.speaker.hold(V, True, line.now)
    line.run(1)
    assert frame_number(line.wire[-1]) == 3


def test_an_ended_utterance_drains_after_a_hold_like_any_other() -> None:
    line = Line()
    line.speaker.play(U, loud(2), line.now)
    line.speaker.end(U, line.now)
    line.speaker.hold(U, True, line.now)
    line.run(20)
    line.speaker.hold(U, False, line.now)
    line.run(20)
    assert line.news[-1] == SoundDrained(connection=C, utterance=U, frames=2)
    assert line.wire[-5:] == [SILENCE] * 5


def test_the_end_of_an_utterance_fills_its_last_frame_up() -> None:
    line = Line()
    line.speaker.play(U, b"\0\x20" * 10, line.now)
    assert line.speaker.due is None
    line.speaker.end(V, line.now)
    line.speaker.end(U, line.now)
    line.run(1)
    assert line.wire == [(b"\0\x20" * 10).ljust(FRAME_BYTES, b"\0")]


def test_more_than_may_wait_is_dropped_and_counted() -> None:
    line = Line(VoiceSettings(queue_seconds=0.1))
    line.speaker.play(U, loud(8), line.now)
    assert line.speaker.overflowed == 3


def test_to_go_on_although_nothing_was_held_does_not_prolong_the_silence_at_the_end() -> None:
    line = Line()
    line.speaker.play(U, loud(1), line.now)
    line.speaker.end(U, line.now)
    line.run(4)
    line.speaker.hold(U, False, line.now)
    line.run(20)
    assert len(line.wire) == 1 + 5


def test_a_cut_in_a_silent_slot_is_silent_at_once() -> None:
    line = Line()
    line.speaker.play(U, loud(1), line.now)
    line.run(3)
    (news,) = line.speaker.cut(U, 100.05)
    assert isinstance(news, SoundCut)
    assert news.at == 100.05
