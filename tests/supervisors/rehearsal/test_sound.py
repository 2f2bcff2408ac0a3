"""People send real Opus in real time, and the recorder keeps each sound where it was heard."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.audio.opus import OpusDecoder, OpusEncoder
from actors.audio.pcm import FRAME_BYTES, read_wav, rms_dbfs, seconds, write_wav
from actors.local_room import LocalRoom
from messages.ids import PersonId, RoomId
from messages.people import Person
from supervisors.rehearsal.people import OPUS_SILENCE, PITCHES, People, Rehearsed, encoded
from supervisors.rehearsal.recorder import Recorder, parts, voiced
from supervisors.rehearsal.seat import Start
from tests.probe import Probe

ANN, BOB = PersonId("ann"), PersonId("bob")


def started_at(second: float) -> Start:
    start = Start()
    start.monotonic = second
    return start


def tone(length: float) -> bytes:
    """A square wave at -18 dBFS."""
    high, low = (4000).to_bytes(2, "little", signed=True), (-4000).to_bytes(2, "little", signed=True)
    return (high * 60 + low * 60) * round(length * 200)


class Voice:
    """Says every text as a short tone, and notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, float]] = []

    def speak(self, text: str, pitch: float) -> Iterator[bytes]:
        self.asked.append((text, pitch))
        yield tone(0.1)
        yield tone(0.1)

    def transcribe(self, pcm: bytes) -> str:
        raise NotImplementedError


def test_a_speech_is_followed_by_an_open_microphone_and_closing_packets() -> None:
    speaking = encoded(tone(0.2) + bytes(FRAME_BYTES), "hello")
    assert speaking.spoken == 10
    assert len(speaking.packets) == len(speaking.sound) == 11 + 35 + 5
    assert speaking.packets[-6:].count(OPUS_SILENCE) == 5
    decoder = OpusDecoder()
    loud = [rms_dbfs(decoder.decode(packet)) > -40 for packet in speaking.packets]
    decoder.close()
    assert all(loud[1:10])
    assert not any(loud[14:])


def test_the_same_words_of_the_same_person_are_made_once(tmp_path: Path) -> None:
    voice = Voice()
    rehearsed = Rehearsed(voice)
    assert rehearsed.words("hello", 0) is rehearsed.words("hello", 6)
    rehearsed.words("hello", 1)
    assert voice.asked == [("hello", PITCHES[0]), ("hello", PITCHES[1])]
    write_wav(tmp_path / "tone.wav", tone(0.1))
    assert rehearsed.recording(tmp_path / "tone.wav") is rehearsed.recording(tmp_path / "tone.wav")


@pytest.fixture
def sent() -> list[tuple[PersonId, bytes, float]]:
    return []


@pytest.fixture
def finished() -> Probe[tuple[PersonId, str, float, float]]:
    return Probe()


@pytest.fixture
def people(
    sent: list[tuple[PersonId, bytes, float]], finished: Probe[tuple[PersonId, str, float, float]]
) -> Iterator[People]:
    room = LocalRoom(RoomId("room"))
    room.attach_sound(lambda person, packet, at: sent.append((person, packet, at)))
    for person in (ANN, BOB):
        room.arrive(Person(id=person, label=person))
    people = People(room, lambda *_: None, lambda *over: finished.tell(over))
    people.start()
    yield people
    assert people.close(10.0)


def test_several_people_speak_at_once_and_in_time(
    people: People,
    sent: list[tuple[PersonId, bytes, float]],
    finished: Probe[tuple[PersonId, str, float, float]],
) -> None:
    speaking = encoded(tone(0.2), "hello")
    people.say(ANN, speaking)
    people.say(BOB, speaking)
    over = {finished.expect(tuple)[0], finished.expect(tuple)[0]}
    assert over == {ANN, BOB}
    for person in (ANN, BOB):
        times = [at for who, _, at in sent if who == person]
        assert [packet for who, packet, _ in sent if who == person] == list(speaking.packets)
        assert times[-1] - times[0] == pytest.approx(0.02 * (len(times) - 1), abs=0.2)


def test_a_second_speech_of_the_same_person_follows_the_first(
    people: People,
    sent: list[tuple[PersonId, bytes, float]],
    finished: Probe[tuple[PersonId, str, float, float]],
) -> None:
    first, second = encoded(tone(0.1), "first"), encoded(tone(0.1), "second")
    people.say(ANN, first)
    people.say(ANN, second)
    one, two = finished.expect(tuple), finished.expect(tuple)
    assert (one[1], two[1]) == ("first", "second")
    assert two[2] >= one[2] + 0.02 * len(first.packets)
    assert one[3] - one[2] == pytest.approx(0.1)
    assert len(sent) == len(first.packets) + len(second.packets)


def test_who_is_hushed_stops_in_the_middle_of_a_word(
    people: People,
    finished: Probe[tuple[PersonId, str, float, float]],
) -> None:
    people.say(ANN, encoded(tone(4.0), "for ever"))
    people.hush(ANN)
    _, text, began, ended = finished.expect(tuple)
    assert text == "for ever"
    assert ended - began < 3.5
    people.hush(ANN)
    assert len(finished.received()) == 1


def test_closing_ends_a_speech_that_is_going_on(people: People) -> None:
    people.say(ANN, encoded(tone(4.0), "for ever"))


def test_both_recordings_have_one_time_base(tmp_path: Path) -> None:
    began = time.monotonic()
    recorder = Recorder(started_at(began))
    encoder = OpusEncoder()
    for number in range(25):
        recorder.people(ANN, tone(0.02), began + 1.0 + 0.02 * number + (0.015 if number % 3 else 0.0))
        recorder.clankie(encoder.encode(tone(0.02)), began + 2.0 + 0.02 * number)
    encoder.close()
    recorder.close()
    recorder.write(tmp_path)
    room, clankie = read_wav(tmp_path / "room.wav"), read_wav(tmp_path / "clankie.wav")
    assert len(room) == len(clankie)
    assert seconds(room) == pytest.approx(2.5, abs=0.01)
    assert heard_at(room) == pytest.approx(1.0, abs=0.03)
    assert heard_at(clankie) == pytest.approx(2.0, abs=0.03)
    assert [seconds(chunk) for chunk in recorder.chunks()] == pytest.approx([0.5])


def test_a_stutter_parts_no_word_and_a_pause_does(tmp_path: Path) -> None:
    recorder, encoder = Recorder(started_at(0.0)), OpusEncoder()
    for began in (1.0, 1.9, 3.0):
        for number in range(25):
            recorder.clankie(encoder.encode(tone(0.02)), began + 0.02 * number)
    encoder.close()
    recorder.close()
    recorder.write(tmp_path)
    assert [seconds(chunk) for chunk in recorder.chunks()] == pytest.approx([1.0, 0.5])
    assert seconds(read_wav(tmp_path / "clankie.wav")) == pytest.approx(3.5, abs=0.01)


def test_who_is_hushed_between_his_last_packet_and_the_word_of_it_is_over_once(
    finished: Probe[tuple[PersonId, str, float, float]],
) -> None:
    people = People(LocalRoom(RoomId("room")), lambda *_: None, lambda *over: finished.tell(over))
    people.say(ANN, encoded(b"", "hello"))
    ready = people._next()
    assert ready is not None
    person, turn = ready
    turn.sent = len(turn.speaking.packets) - 1
    people.hush(ANN)
    people._step(person, turn)
    assert len(finished.received()) == 1


def test_a_sound_from_before_the_beginning_is_at_the_beginning(tmp_path: Path) -> None:
    recorder = Recorder(started_at(10.0))
    recorder.people(ANN, tone(0.1), 9.9)
    recorder.people(BOB, tone(1.0), 10.5)
    recorder.close()
    recorder.write(tmp_path)
    assert heard_at(read_wav(tmp_path / "room.wav")) == 0.0


def test_people_who_speak_at_once_are_mixed_and_not_joined(tmp_path: Path) -> None:
    recorder = Recorder(started_at(0.0))
    recorder.people(ANN, tone(0.02), 0.0)
    recorder.people(BOB, tone(0.02), 0.0)
    recorder.close()
    recorder.write(tmp_path)
    assert rms_dbfs(read_wav(tmp_path / "room.wav")) == pytest.approx(rms_dbfs(tone(0.02)) + 6.0, abs=0.1)
    assert recorder.chunks() == ()


def test_a_rehearsal_without_a_sound_still_has_recordings(tmp_path: Path) -> None:
    recorder = Recorder(started_at(0.0))
    recorder.close()
    recorder.write(tmp_path)
    assert seconds(read_wav(tmp_path / "room.wav")) == 1.0


def test_recordings_last_as_long_as_the_evening(tmp_path: Path) -> None:
    recorder = Recorder(started_at(0.0))
    recorder.people(ANN, tone(0.5), 0.0)
    recorder.close()
    recorder.write(tmp_path, 2.5)
    assert {seconds(read_wav(tmp_path / name)) for name in ("room.wav", "clankie.wav")} == {2.5}


def test_a_chunk_is_what_is_said_without_a_long_silence() -> None:
    speech = tone(0.5) + bytes(FRAME_BYTES * 25) + tone(0.5)
    first, second = voiced(bytes(FRAME_BYTES * 50) + speech + bytes(FRAME_BYTES * 100) + speech)
    assert seconds(first) == pytest.approx(1.9)
    assert seconds(second) == pytest.approx(1.7)
    assert voiced(bytes(FRAME_BYTES * 50)) == ()


def test_a_long_speech_is_cut_for_the_transcriber_where_it_is_quiet() -> None:
    long = tone(20.0) + bytes(FRAME_BYTES * 25) + tone(15.0)
    pieces = parts(long)
    assert b"".join(pieces) == long
    assert seconds(pieces[0]) == pytest.approx(20.25, abs=0.3)
    assert parts(b"") == ()


def heard_at(pcm: bytes) -> float:
    frame = FRAME_BYTES // 2
    return next(at for at in range(0, len(pcm), frame) if rms_dbfs(pcm[at : at + frame]) > -40) / 48_000
