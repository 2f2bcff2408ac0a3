"""What one seat sends is what the others hear, in time or not at all, and what his ear drops unread."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import cast

import pytest
from aiohttp import web
from loguru import logger

from actors.audio.opus import OpusDecoder, OpusEncoder
from actors.audio.pcm import FRAME_BYTES, FRAME_SECONDS, SILENCE, read_wav
from actors.capture.settings import CaptureSettings
from actors.console.live_room import outbox
from actors.console.live_room.allowance import Allowance
from actors.console.live_room.gate import LINGER_FRAMES, PRE_ROLL_FRAMES, SILENT_FRAMES, Gate
from actors.console.live_room.microphone import Microphone
from actors.console.live_room.names import printable, unique
from actors.console.live_room.outbox import Outbox
from actors.console.live_room.slots import LAST, Slots
from actors.console.live_room.wire import Line
from messages.ids import PersonId
from messages.people import Person
from tests.actors.console.chairs import Chairs, chairs
from tests.actors.console.tones import pitch_of, tone, tone_packets
from tests.models import whisper
from tests.probe import Probe
from tests.speech.clips import HUMAN, errors

CLIP = next(clip for clip in HUMAN if clip.name == "ps_goforward")


@pytest.fixture
def den() -> Iterator[Chairs]:
    with chairs() as opened:
        yield opened


def steady(sound: list[bytes]) -> bytes:
    """A part in the middle, where a codec and a resampler have found in."""
    return b"".join(sound[10:30])


@pytest.mark.parametrize("rate", [48_000, 44_100, 24_000, 8_000])
def test_a_voice_arrives_at_everybody_else_under_its_number_whatever_its_rate(den: Chairs, rate: int) -> None:
    anna, ben, cleo = den.seated("Anna", rate), den.seated("Ben"), den.seated("Cleo")
    anna.speak(tone(500, 0.8, rate))
    for other in (ben, cleo):
        assert pitch_of(steady(other.hear(1, 36))) == pytest.approx(500, rel=0.03)
    for packet in tone_packets(40):
        den.room.transmit(packet, 0.0)
    assert pitch_of(steady(anna.hear(0, 40))) == pytest.approx(440, rel=0.03)
    assert set(anna.sounds) == {0}


def test_two_seats_hear_each_others_words(den: Chairs) -> None:
    anna, ben = den.seated("Anna", 48_000), den.seated("Ben")
    sound = read_wav(CLIP.path)
    ben.speak(sound + bytes(48_000))
    heard = b"".join(anna.hear(2, int(len(sound) / FRAME_BYTES)))
    assert errors(CLIP.words, whisper().transcribe(heard).text) <= 1


def test_of_a_page_that_catches_up_nothing_is_lost(den: Chairs) -> None:
    anna, ben = den.seated("Anna"), den.seated("Ben")
    anna.line.send(tone(500, 1.3))
    anna.line.send(tone(500, 1.3))
    assert len(ben.hear(1, 130)) == 130


def test_what_codecs_hold_is_freed_when_somebody_leaves(den: Chairs, monkeypatch: pytest.MonkeyPatch) -> None:
    freed = Probe[str]()
    monkeypatch.setattr(OpusEncoder, "close", lambda _: freed.tell("encoder"))
    monkeypatch.setattr(OpusDecoder, "close", lambda _: freed.tell("decoder"))
    anna, ben = den.seated("Anna"), den.seated("Ben")
    anna.line.send(tone(440, 0.1))
    ben.hear(1, 5)
    for packet in tone_packets(5, closed=False):
        den.room.transmit(packet, 0.0)
    ben.hear(0, 5)
    anna.close()
    den.wait_for_people(1)
    assert sorted(freed.expect(str) for _ in range(2)) == ["decoder", "encoder"]
    ben.close()
    den.wait_for_people(0)
    assert sorted(freed.expect(str) for _ in range(2)) == ["decoder", "encoder"]


def test_a_packet_is_decoded_once_however_many_listen(den: Chairs, monkeypatch: pytest.MonkeyPatch) -> None:
    decode, decoded = OpusDecoder.decode, list[bytes | None]()

    def noting(decoder: OpusDecoder, packet: bytes | None) -> bytes:
        decoded.append(packet)
        return decode(decoder, packet)

    monkeypatch.setattr(OpusDecoder, "decode", noting)
    guests = [den.seated("One"), den.seated("Two"), den.seated("Three")]
    for packet in tone_packets(10):
        den.room.transmit(packet, 0.0)
    for guest in guests:
        guest.hear(0, 10)
    assert len(decoded) == 10
    guests[0].line.send(tone(440, 0.2))
    guests[1].hear(1, 10)
    guests[2].hear(1, 10)
    assert len(decoded) == 20


def test_the_room_gets_everybodys_packets_and_what_is_no_opus_hurts_nobody(den: Chairs) -> None:
    sent = list[PersonId]()
    den.room.attach_sound(lambda person, _packet, _at: sent.append(person))
    anna, walker = den.seated("Anna"), Person(id=PersonId("walker"), label="Walker")
    den.room.send(walker.id, b"nobody sees him")
    den.room.arrive(walker)
    anna.expect("people")
    den.room.send(walker.id, b"")
    for packet in tone_packets(5):
        den.room.send(walker.id, packet)
    assert len(anna.hear(2, 5)) == 5
    anna.line.send(tone(440, 0.1))
    anna.tell(type="leave")
    assert anna.ended() == (1000, "")
    assert sent == [walker.id] * 7 + [anna.person] * 5


def test_sound_that_is_faster_than_time_is_dropped_and_that_is_said_once(den: Chairs) -> None:
    lines, sent = list[str](), list[bytes]()
    sink = logger.add(lambda line: lines.append(str(line)), format="{message}")
    den.room.attach_sound(lambda _person, packet, _at: sent.append(packet))
    anna = den.seated("Anna")
    for _ in range(20):
        anna.line.send(tone(440, 0.5))
    anna.tell(type="leave")
    anna.ended()
    den.wait_for_people(0)
    logger.remove(sink)
    assert 125 <= len(sent) < 250
    assert [line for line in lines if "faster than time" in line] == [lines[0]]
    assert "missed 0 frames, and sent" in lines[1]


# --- the parts --------------------------------------------------------------------------------------


def test_an_allowance_grows_with_time_and_not_above_its_most() -> None:
    allowance = Allowance(1.5, 3.0)
    assert [allowance.take(1.0, 0.0) for _ in range(4)] == [True, True, True, False]
    assert [allowance.take(1.5, 1.0), allowance.take(0.1, 1.0)] == [True, False]
    assert [allowance.take(3.1, 100.0), allowance.take(3.0, 100.0)] == [False, True]


def test_a_gate_keeps_what_is_around_a_word_and_nothing_else_of_a_silence() -> None:
    gate, word = Gate(), tone(440, FRAME_SECONDS)
    faint = tone(440, FRAME_SECONDS, amplitude=20)
    assert [gate.through(faint) for _ in range(50)] == [()] * 50
    assert gate.through(word) == (*(faint,) * PRE_ROLL_FRAMES, word)
    assert gate.through(word) == (word,)
    after = [gate.through(faint) for _ in range(50)]
    lingering, silence = [(faint,)] * LINGER_FRAMES, [(SILENCE,)] * SILENT_FRAMES
    assert after == lingering + silence + [()] * (50 - LINGER_FRAMES - SILENT_FRAMES)


def test_a_gate_ends_no_segment_sooner_than_the_ear_itself() -> None:
    capture = CaptureSettings()
    silence = (LINGER_FRAMES + SILENT_FRAMES) * FRAME_SECONDS + capture.packets_end_seconds
    assert silence >= capture.end_seconds
    assert capture.packets_end_silence <= SILENT_FRAMES * FRAME_SECONDS


def test_a_microphone_sends_words_and_no_silence() -> None:
    microphone = Microphone(16_000)
    silence = bytes(32_000)
    packets = [list(microphone.packets(silence, second)) for second in range(3)]
    assert packets == [[], [], []]
    assert len(list(microphone.packets(tone(440, 1.0, 16_000), 3.0))) >= 48
    ending = len(list(microphone.packets(silence, 4.0)))
    assert LINGER_FRAMES + SILENT_FRAMES <= ending <= LINGER_FRAMES + SILENT_FRAMES + 3
    microphone.close()


def test_names_can_be_seen_and_told_apart() -> None:
    assert printable(" An\u200bna\n \u202eMarie ") == "An na Marie"
    assert printable("e\u0301") == "\u00e9"
    assert unique("Anna", ["ANNA", "Ben", "anna 2"]) == "Anna 3"
    assert unique("Anna", ["Ann"]) == "Anna"


def test_of_more_people_than_there_are_numbers_some_have_none() -> None:
    slots = Slots(None)
    crowd = [PersonId(f"p{number}") for number in range(300)]
    slots.keep(crowd)
    assert sorted(slot for one in crowd if (slot := slots.of(one)) is not None) == list(range(1, LAST + 1))
    slots.keep(crowd[10:])
    assert [slots.of(crowd[5]), slots.of(crowd[255]), slots.of(crowd[265])] == [None, 1, None]
    slots.close()


class Socket:
    """Keeps what is sent through it."""

    def __init__(self) -> None:
        self.sent: list[bytes | str] = []

    async def send_bytes(self, data: bytes) -> None:
        self.sent.append(data)

    async def send_str(self, data: str) -> None:
        self.sent.append(data)


async def pumped(box: Outbox) -> list[bytes | str]:
    """What goes out at once."""
    peer = Socket()
    pump = asyncio.ensure_future(box.pump(cast(web.WebSocketResponse, peer)))
    await asyncio.wait([pump], timeout=0.05)
    if pump.done():
        pump.result()
    pump.cancel()
    return peer.sent


def test_of_sound_that_waits_the_latest_two_seconds_are_kept_and_words_go_first() -> None:
    box = Outbox()
    for number in range(150):
        box.sound(bytes((0, number)))
    box.say(Line(name="Anna", text="hi", his=False))
    sent = asyncio.run(pumped(box))
    assert sent[0] == '{"type":"line","name":"Anna","text":"hi","his":false}'
    assert sent[1:] == [bytes((0, number)) for number in range(50, 150)]
    assert box.dropped == 50


def test_one_for_whom_too_many_words_wait_reads_none() -> None:
    box = Outbox()
    for _ in range(outbox.MOST_TEXTS + 5):
        box.say(Line(name="Anna", text="hi", his=False))
    with pytest.raises(outbox.Stuck):
        asyncio.run(pumped(box))
