"""Real Opus through the local room, on the real clock: on time, silent when told, deaf to whom it must be."""

import math
import threading
from array import array
from collections.abc import Iterator
from itertools import pairwise

import pytest

from actors.audio.opus import OpusDecoder, OpusEncoder
from actors.audio.pcm import peak_dbfs
from actors.local_room import LocalRoom
from actors.voice.local import LocalVoiceLink
from actors.voice.settings import VoiceSettings
from messages.audio import FRAME_BYTES, FRAME_SAMPLES
from messages.ids import CaptureId, Connection, PersonId, RoomId, UtteranceId
from messages.voice import (
    LinkDown,
    LinkShut,
    LinkUp,
    MicrophoneCount,
    SoundCut,
    SoundDrained,
    SoundSent,
    SoundStarted,
    VoicePortEvent,
)
from tests.actors.voice.fake import FrameList
from tests.probe import Probe

DEN = RoomId("den")
ONE = Connection(1)
U = UtteranceId("u1")
ANNA, BERT = PersonId("anna"), PersonId("bert")
TONE = array("h", [round(8_000 * math.sin(i / 8)) for i in range(FRAME_SAMPLES)]).tobytes()


class Sink(FrameList):
    def __init__(self, enough: int) -> None:
        super().__init__()
        self.enough, self.came = enough, threading.Event()

    def put(self, frame: object, /) -> None:
        super().put(frame)  # type: ignore[arg-type]
        if len(self.frames) >= self.enough:
            self.came.set()


class Bench:
    def __init__(self) -> None:
        self.room, self.news = LocalRoom(DEN), Probe[VoicePortEvent]()
        self.sent: list[tuple[bytes, float]] = []
        self.untap = self.room.tap_speech(lambda packet, at: self.sent.append((packet, at)))
        self.link = LocalVoiceLink(self.room, VoiceSettings())
        self.link.open(self.news.tell)

    def up(self) -> None:
        self.link.connect(ONE, DEN)
        assert self.news.expect(LinkUp) == LinkUp(connection=ONE, encryption="local")


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.link.close()


def audible(packets: list[bytes]) -> list[bool]:
    decoder = OpusDecoder()
    try:
        return [peak_dbfs(decoder.decode(packet)) > -40 for packet in packets]
    finally:
        decoder.close()


def test_a_second_of_speech_is_sent_in_a_second_and_drained_with_silence(bench: Bench) -> None:
    bench.up()
    for _ in range(5):
        bench.link.play(ONE, U, TONE * 10)
    bench.link.end(ONE, U)
    started = bench.news.expect(SoundStarted)
    drained = bench.news.expect(SoundDrained, timeout=5.0)
    assert drained.frames == 50
    times = [at for _, at in bench.sent]
    assert len(times) == 55
    assert started.at == times[0]
    assert all(later - earlier > 0.0 for earlier, later in pairwise(times))
    # A busy machine may miss slots, which makes it longer, but nothing ever makes it shorter.
    assert times[-1] - times[0] >= 0.02 * 54 - 0.01
    heard = audible([packet for packet, _ in bench.sent])
    assert all(heard[:50])
    assert not any(heard[52:])


def test_after_a_cut_is_acknowledged_there_is_only_silence(bench: Bench) -> None:
    bench.up()
    bench.link.play(ONE, U, TONE * 50)
    bench.news.expect(SoundSent)
    bench.link.cut(ONE, U)
    cut = bench.news.expect(SoundCut)
    assert cut.frames + cut.dropped == 50
    before = [packet for packet, at in bench.sent if at <= cut.at]
    assert len(before) == cut.frames
    bench.link.play(ONE, UtteranceId("u2"), bytes(FRAME_BYTES))
    bench.link.end(ONE, UtteranceId("u2"))
    bench.news.expect(SoundDrained)
    heard = audible([packet for packet, _ in bench.sent])
    assert all(heard[: cut.frames])
    assert not any(heard[cut.frames + 2 :])


def test_a_pause_and_a_whisper_are_understood(bench: Bench) -> None:
    bench.up()
    bench.link.hold(ONE, U, True)
    bench.link.play(ONE, U, TONE * 5)
    bench.link.gain(ONE, U, -60.0, 0.0)
    bench.link.end(ONE, U)
    assert bench.news.expect(SoundDrained).frames == 5
    assert not any(audible([packet for packet, _ in bench.sent])[2:])


def test_only_the_consented_are_heard_and_the_others_are_counted(bench: Bench) -> None:
    bench.up()
    sink = Sink(enough=10)
    bench.link.microphone(ANNA, CaptureId("c1"), sink)
    encoder = OpusEncoder()
    for _ in range(10):
        packet = encoder.encode(TONE)
        bench.room.send(ANNA, packet)
        bench.room.send(BERT, packet)
    encoder.close()
    assert sink.came.wait(2.0)
    assert {frame.person for frame in sink.frames} == {ANNA}
    bench.link.disconnect(ONE)
    counts = bench.news.expect(LinkShut).counts
    assert set(counts) == {
        MicrophoneCount(person=ANNA, decoded=10, unread=0),
        MicrophoneCount(person=BERT, decoded=0, unread=10),
    }


def test_counts_are_not_lost_when_it_closes_before_anybody_has_read_them(bench: Bench) -> None:
    bench.up()
    for _ in range(3):
        bench.room.send(BERT, b"unread")
    bench.link.disconnect(ONE)
    assert bench.link.close() == (MicrophoneCount(person=BERT, decoded=0, unread=3),)


def test_a_link_that_ends_late_leaves_the_next_one_its_ears(bench: Bench) -> None:
    bench.up()
    second, news, sink = LocalVoiceLink(bench.room, VoiceSettings()), Probe[VoicePortEvent](), Sink(enough=1)
    second.open(news.tell)
    second.connect(ONE, DEN)
    news.expect(LinkUp)
    second.microphone(ANNA, CaptureId("c1"), sink)
    bench.link.close()
    encoder = OpusEncoder()
    bench.room.send(ANNA, encoder.encode(TONE))
    encoder.close()
    assert sink.came.wait(2.0)
    second.close()


def test_floods_and_garbage_cost_neither_his_own_time_nor_anybody_elses_words(bench: Bench) -> None:
    bench.up()
    anna, bert = Sink(enough=20), FrameList()
    bench.link.microphone(ANNA, CaptureId("c1"), anna)
    bench.link.microphone(BERT, CaptureId("c2"), bert)
    encoder = OpusEncoder()
    packet = encoder.encode(TONE)
    encoder.close()
    bench.link.play(ONE, U, TONE * 50)
    bench.link.end(ONE, U)
    bench.news.expect(SoundStarted)
    for _ in range(20):
        for _ in range(100):
            bench.room.send(BERT, packet)
            bench.room.send(BERT, b"\x00\x01\x02\x03\xff" * 300)
        bench.room.send(ANNA, packet)
    assert anna.came.wait(2.0)
    assert bench.news.expect(SoundDrained, timeout=5.0).frames == 50
    times = [at for _, at in bench.sent]
    assert max(later - earlier for earlier, later in pairwise(times)) < 1.0


def test_orders_of_another_connection_are_not_carried_out(bench: Bench) -> None:
    bench.up()
    bench.link.play(Connection(9), U, TONE)
    bench.link.disconnect(Connection(9))
    assert bench.news.expect(LinkShut).connection == 9
    assert bench.sent == []


def test_a_room_that_is_not_this_one_cannot_be_connected_to(bench: Bench) -> None:
    bench.link.connect(ONE, RoomId("attic"))
    assert bench.news.expect(LinkDown) == LinkDown(connection=ONE, reason="no_such_room", terminal=True)


def test_a_failure_inside_breaks_the_connection_and_not_the_thread(bench: Bench) -> None:
    bench.up()

    def fail(_packet: bytes, _at: float) -> None:
        raise RuntimeError

    untap = bench.room.tap_speech(fail)
    bench.link.play(ONE, U, TONE)
    assert bench.news.expect(LinkDown) == LinkDown(connection=ONE, reason="RuntimeError", terminal=False)
    untap()
    bench.link.connect(Connection(2), DEN)
    assert bench.news.expect(LinkUp).connection == 2


def test_without_opus_there_is_no_point_in_trying_again(bench: Bench) -> None:
    link = LocalVoiceLink(bench.room, VoiceSettings(), opus_library="/nowhere/libopus.so")
    link.open(bench.news.tell)
    link.connect(ONE, DEN)
    assert bench.news.expect(LinkDown) == LinkDown(connection=ONE, reason="opus_missing", terminal=True)
    link.close()


def test_a_link_that_was_never_opened_can_be_closed() -> None:
    LocalVoiceLink(LocalRoom(DEN), VoiceSettings()).close()


def test_a_port_says_what_came_to_nothing(bench: Bench) -> None:
    assert bench.link.describe() == {"packets_broken": 0, "packets_overflowed": 0}
