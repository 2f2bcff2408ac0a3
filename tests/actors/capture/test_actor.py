"""The listener as an actor: frames in at the sink, letters out at the neighbours."""

import pytest

from actors.base import Life
from actors.capture.actor import Capture
from actors.capture.decisions import Ask
from actors.capture.settings import CaptureSettings
from messages.audio import FRAME_SECONDS, Frame
from messages.capture import (
    CaptureTick,
    ListenClosely,
    ListenerLost,
    SoundWaiting,
    TranscriptFailed,
    TranscriptReady,
)
from messages.evidence import EvidenceMessage, Transcription, Utterance
from messages.floor import FloorMessage, VoiceBegan, VoiceEnded, WordsFailed, WordsHeard
from messages.ids import CaptureId, Connection, PersonId, SegmentId, StayId, Token
from messages.lifecycle import Ending
from messages.people import Person
from messages.stay import EarClosed, EarOpened, EarWorks, StayMessage
from tests.actors.capture.fake import LOUD, QUIET, FakeActivity, FakeTranscriber, letters
from tests.clock import ManualClock
from tests.probe import Probe

ANNA = Person(id=PersonId("anna"), label="Anna")
EAR, FIRST, ONE = CaptureId("ear"), SegmentId("ear.1"), Connection(1)


class Room:
    """An unstarted Capture among probes."""

    def __init__(self) -> None:
        self.stay, self.floor = Probe[StayMessage](), Probe[FloorMessage]()
        self.evidence, self.clock = Probe[EvidenceMessage](), ManualClock(50.0)
        self.activity, self.port = FakeActivity(), FakeTranscriber()
        self.actor = Capture(
            Life.alone(),
            stay_id=StayId("stay"),
            person=ANNA,
            capture_id=EAR,
            stay=self.stay,
            floor=self.floor,
            evidence=self.evidence,
            clock=self.clock,
            activity=self.activity,
            port=self.port,
            settings=CaptureSettings(window_seconds=FRAME_SECONDS),
        )
        self.actor.opened()
        self.sink = self.stay.expect(EarOpened).sink

    def hear(self, *frames: bytes) -> None:
        for pcm in frames:
            self.clock.advance(FRAME_SECONDS)
            self.sink.put(Frame(person=ANNA.id, capture=EAR, pcm=pcm, at=self.clock.now()))
            self.read()

    def read(self) -> None:
        while not letters(self.actor).empty():
            self.actor.receive(letters(self.actor).get().message)


@pytest.fixture
def room() -> Room:
    return Room()


def test_an_ear_that_opens_offers_its_sink(room: Room) -> None:
    assert room.activity.calls == ["open"]
    assert room.port.calls == [("open",)]
    assert room.stay.received() == [EarOpened(person=ANNA.id, capture=EAR, sink=room.sink)]


def test_a_segment_is_transcribed_with_its_pre_roll(room: Room) -> None:
    room.hear(*[QUIET] * 40, *[LOUD] * 20)
    assert room.port.sound[FIRST] == QUIET * 15 + LOUD * 20
    room.hear(*[QUIET] * 30)
    assert ("ask", FIRST, Ask.FINAL, True) in room.port.calls
    room.port.events(
        TranscriptReady(connection=ONE, segment=FIRST, text="Hello.", final=True, speechless=False)
    )
    room.read()
    assert room.floor.expect(VoiceBegan).ear is room.actor.here
    assert room.floor.expect(VoiceEnded).segment == FIRST
    assert room.floor.expect(WordsHeard).text == "Hello."
    assert room.evidence.expect(Utterance).duration_ms == 400
    assert room.evidence.expect(Transcription).outcome == "words"
    assert room.stay.expect(EarWorks).person == ANNA.id


def test_the_end_of_what_was_said_before_a_pause_without_packets_is_not_said_again(room: Room) -> None:
    room.hear(*[LOUD] * 20, *[QUIET] * 5)
    room.clock.advance(3.0)
    room.read()
    room.hear(*[QUIET] * 2, *[LOUD] * 20)
    assert room.port.sound[SegmentId("ear.2")] == QUIET * 2 + LOUD * 20


def test_frames_that_wait_are_heard_before_the_letter_that_overtook_them(room: Room) -> None:
    for _ in range(10):
        room.clock.advance(FRAME_SECONDS)
        room.sink.put(Frame(person=ANNA.id, capture=EAR, pcm=LOUD, at=room.clock.now()))
    room.actor.receive(ListenClosely(on=True))
    assert room.actor.describe()["hearing"] is True
    assert room.actor.describe()["listening_closely"] is True


def test_no_more_packets_close_a_segment_by_timer(room: Room) -> None:
    room.hear(*[LOUD] * 20, *[QUIET] * 5)
    room.clock.advance(0.09)
    room.read()
    assert room.actor.describe()["hearing"] is True
    room.clock.advance(0.02)
    room.read()
    assert room.floor.expect(VoiceEnded).segment == FIRST


def test_near_silence_is_dropped_at_the_port(room: Room) -> None:
    room.hear(*[LOUD] * 6, *[QUIET] * 30)
    assert ("drop", FIRST) in room.port.calls
    assert room.floor.expect(WordsHeard).text == ""


def test_an_unused_port_is_disconnected(room: Room) -> None:
    room.hear(*[LOUD] * 6, *[QUIET] * 30)
    room.clock.advance(121)
    room.read()
    assert ("disconnect", ONE) in room.port.calls


def test_a_lost_port_fails_the_final(room: Room) -> None:
    room.hear(*[LOUD] * 20, *[QUIET] * 30)
    room.port.events(ListenerLost(connection=ONE, reason="reset"))
    room.read()
    assert room.floor.expect(WordsFailed).reason == "reset"
    room.actor.receive(TranscriptFailed(connection=ONE, segment=FIRST, reason="late"))
    room.actor.receive(CaptureTick(token=Token(0)))


def test_closing_in_mid_speech_fails_the_open_segment_and_everything_is_closed(room: Room) -> None:
    room.hear(*[LOUD] * 20)
    room.actor.closed(Ending.REMOVED)
    assert room.floor.expect(WordsFailed).reason == "ear_closed"
    assert room.stay.expect(EarClosed).ending is Ending.REMOVED
    assert room.activity.calls == ["open", "close"]
    assert room.port.calls[-1] == ("close",)


def test_a_sink_that_overflows_loses_the_oldest_and_counts(room: Room) -> None:
    for _ in range(120):
        room.sink.put(Frame(person=ANNA.id, capture=EAR, pcm=QUIET, at=room.clock.now()))
    assert room.actor.describe()["frames_dropped"] == 20
    assert letters(room.actor).qsize() == 1
    room.actor.receive(SoundWaiting())
