"""The mouth sends what is due, holds what has no key yet, and never says a word after it was cut."""

from array import array

import pytest

from actors.voice.media.group import SILENCE
from actors.voice.media.mouth import Mouth
from actors.voice.settings import VoiceSettings
from messages.audio import FRAME_BYTES
from messages.ids import Connection, UtteranceId
from messages.voice import SoundCut, SoundDrained, SoundEvent, SoundFailed, SoundSent, SoundStarted

C = Connection(3)
U, V = UtteranceId("u"), UtteranceId("v")


def loud(frames: int, first: int = 8_000) -> bytes:
    return b"".join(array("h", [first + frame] * 480).tobytes() for frame in range(frames))


class Letters:
    """An encoder whose packets tell what was encoded."""

    def __init__(self) -> None:
        self.encoded = 0
        self.closed = False

    def encode(self, pcm: bytes) -> bytes:
        self.encoded += 1
        return pcm[:2]

    def close(self) -> None:
        self.closed = True


class Line:
    def __init__(self) -> None:
        self.why: str | None = None
        self.broken = False
        self.frames: list[bytes] = []
        self.slots: list[int] = []
        self.said: list[bool] = []

    def obstacle(self) -> str | None:
        return self.why

    def send(self, frame: bytes, slots: int) -> bool:
        if self.broken:
            return False
        self.frames.append(frame)
        self.slots.append(slots)
        return True

    def speaking(self, on: bool) -> None:
        self.said.append(on)


class Room:
    def __init__(self) -> None:
        self.encoder = Letters()
        self.line: Line | None = Line()
        self.news: list[SoundEvent] = []
        self.mouth = Mouth(C, VoiceSettings(), self.encoder, lambda: self.line, self.news.append)
        self.now = 50.0

    @property
    def wire(self) -> list[bytes]:
        assert self.line is not None
        return self.line.frames

    def run(self, slots: int) -> None:
        for _ in range(slots):
            if self.mouth.due is not None:
                self.now = max(self.now, self.mouth.due)
                self.mouth.turn(self.now)
                self.mouth.prepare()


@pytest.fixture
def room() -> Room:
    return Room()


def sample(number: int) -> bytes:
    return array("h", [8_000 + number]).tobytes()


def test_speech_is_announced_sent_in_its_slots_and_followed_by_five_of_silence(room: Room) -> None:
    room.mouth.play(U, loud(3), room.now)
    room.mouth.end(U, room.now)
    room.run(20)
    assert room.wire == [sample(0), sample(1), sample(2)] + [SILENCE] * 5
    assert room.line is not None
    assert (room.line.said, room.line.slots) == ([True, False], [1] * 8)
    assert room.news == [
        SoundStarted(connection=C, utterance=U, at=50.0),
        SoundDrained(connection=C, utterance=U, frames=3),
    ]
    assert room.mouth.due is None
    assert room.mouth.sent == 3


def test_a_frame_is_encoded_once_and_early(room: Room) -> None:
    room.mouth.play(U, loud(4), room.now)
    assert room.encoder.encoded == 0
    room.mouth.turn(room.now)
    assert (room.encoder.encoded, len(room.wire)) == (1, 1)
    room.mouth.prepare()
    room.mouth.prepare()
    assert room.encoder.encoded == 2
    room.run(3)
    assert room.encoder.encoded == 4


def test_nothing_of_an_utterance_leaves_after_it_was_cut_the_frame_that_was_ready_included(
    room: Room,
) -> None:
    room.mouth.play(U, loud(9), room.now)
    room.run(3)
    room.mouth.cut(U, room.now)
    cut = room.news[-1]
    assert isinstance(cut, SoundCut)
    assert (cut.frames, cut.dropped) == (3, 6)
    assert cut.at == pytest.approx(50.06)
    room.run(20)
    assert room.wire[3:] == [SILENCE] * 5


def test_a_hold_goes_on_at_the_very_same_sample(room: Room) -> None:
    room.mouth.play(U, loud(4), room.now)
    room.run(2)
    room.mouth.hold(U, True, room.now)
    assert room.mouth.waiting == 0
    room.run(10)
    assert room.mouth.due is None
    room.now += 1.0
    room.mouth.hold(U, False, room.now)
    assert room.mouth.waiting == 2
    room.run(2)
    assert room.wire == [sample(0), sample(1)] + [SILENCE] * 5 + [sample(2), sample(3)]
    assert room.line is not None
    assert room.line.said == [True, False, True]
    assert room.line.slots[7] == 50


def test_a_gain_is_heard_from_the_first_frame_that_was_not_ready(room: Room) -> None:
    room.mouth.play(U, loud(4), room.now)
    room.run(1)
    room.mouth.gain(U, -20.0, 0.0)
    room.run(3)
    levels = [array("h", frame)[0] for frame in room.wire]
    assert levels[:2] == [8_000, 8_001]
    assert levels[3] == pytest.approx(800, abs=2)


def test_frames_are_held_while_there_is_no_key_and_go_on_when_there_is(room: Room) -> None:
    assert room.line is not None
    room.line.why = "dave_not_ready"
    room.mouth.play(U, loud(3), room.now)
    assert room.mouth.waiting == 3
    room.run(100)
    assert (room.wire, room.news, room.mouth.waiting) == ([], [], 0)
    assert not room.mouth.paces
    room.line.why = None
    room.run(1)
    assert room.wire == [sample(0)]
    assert room.mouth.paces
    assert room.mouth.missed == (0, 0)


def test_frames_that_are_held_for_five_seconds_have_failed(room: Room) -> None:
    assert room.line is not None
    room.line.why = "dave_not_ready"
    room.mouth.play(U, loud(3), room.now)
    room.run(252)
    assert room.news == [SoundFailed(connection=C, utterance=U, frames=0, reason="dave_not_ready")]
    room.line.why = None
    room.run(20)
    assert sample(0) not in room.wire


def test_what_nobody_is_there_to_hear_fails_at_once(room: Room) -> None:
    assert room.line is not None
    room.line.why = "nobody_there"
    room.mouth.play(U, loud(3), room.now)
    room.run(1)
    assert room.news == [SoundFailed(connection=C, utterance=U, frames=0, reason="nobody_there")]


def test_what_is_cut_while_it_is_held_does_not_shorten_the_patience_with_the_next(room: Room) -> None:
    assert room.line is not None
    room.line.why = "dave_not_ready"
    room.mouth.play(U, loud(3), room.now)
    room.run(200)
    room.mouth.cut(U, room.now)
    room.run(20)
    room.mouth.play(V, loud(3), room.now)
    room.run(100)
    assert not any(isinstance(one, SoundFailed) for one in room.news)


def test_without_a_line_sound_waits_for_the_next_one_which_is_told_that_he_speaks(room: Room) -> None:
    room.mouth.play(U, loud(6), room.now)
    room.run(2)
    first, room.line = room.line, None
    room.run(3)
    assert room.mouth.waiting == 0
    room.line = Line()
    room.run(4)
    assert room.wire == [sample(2), sample(3), sample(4), sample(5)]
    assert first is not None
    assert (first.said, room.line.said) == ([True], [True])
    assert SoundSent(connection=C, utterance=U, frames=5) in room.news


def test_a_frame_that_did_not_leave_is_counted_and_tried_again(room: Room) -> None:
    assert room.line is not None
    room.line.broken = True
    room.mouth.play(U, loud(2), room.now)
    room.run(3)
    assert (room.mouth.lost, room.mouth.sent, room.mouth.waiting) == (3, 0, 2)
    assert room.news == []
    room.line.broken = False
    room.run(1)
    assert room.wire == [sample(0)]


def test_a_slot_that_was_missed_is_skipped_also_on_the_clock_of_the_listeners(room: Room) -> None:
    room.mouth.play(U, loud(6), room.now)
    room.run(2)
    room.now += 0.11
    room.run(2)
    assert room.line is not None
    assert room.line.slots == [1, 1, 5, 1]
    assert room.mouth.missed == (4, 0)


def test_a_mouth_that_is_closed_says_that_it_speaks_no_more(room: Room) -> None:
    room.mouth.play(U, bytes(FRAME_BYTES), room.now)
    room.run(1)
    room.mouth.close()
    assert room.line is not None
    assert (room.line.said, room.encoder.closed) == ([True, False], True)
    assert not room.mouth.turn(room.now)
