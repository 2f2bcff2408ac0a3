"""The shell of playback tells each neighbour its part."""

from dataclasses import dataclass, field

from actors.base import Life
from actors.playback.actor import Playback
from actors.playback.settings import PlaybackSettings
from messages.audio import FRAME_BYTES
from messages.evidence import EvidenceMessage, Failed, SpokenWords
from messages.floor import FloorMessage, SpeechDrained, SpeechFailed
from messages.ids import Connection, StayId, TurnId, UtteranceId
from messages.playback import (
    AlignText,
    AskForMore,
    BreakSpeech,
    EndSpeech,
    LinkRestarted,
    QueueSound,
    QueueSpeech,
)
from messages.realtime import RealtimeMessage, SpeechWasHeard
from messages.stay import SayInChat, StayMessage
from messages.tts import MoreWanted, TtsMessage
from messages.voice import EndSound, PlaySound, SoundDrained, SoundStarted, VoiceMessage
from tests.clock import ManualClock
from tests.probe import Probe

U, T, C = UtteranceId("u1"), TurnId("t1"), Connection(1)


@dataclass
class House:
    voice: Probe[VoiceMessage] = field(default_factory=Probe)
    tts: Probe[TtsMessage] = field(default_factory=Probe)
    floor: Probe[FloorMessage] = field(default_factory=Probe)
    realtime: Probe[RealtimeMessage] = field(default_factory=Probe)
    stay: Probe[StayMessage] = field(default_factory=Probe)
    evidence: Probe[EvidenceMessage] = field(default_factory=Probe)
    clock: ManualClock = field(default_factory=ManualClock)

    def __post_init__(self) -> None:
        self.playback = Playback(
            Life.alone("playback"),
            stay_id=StayId("s1"),
            voice=self.voice,
            tts=self.tts,
            floor=self.floor,
            realtime=self.realtime,
            stay=self.stay,
            evidence=self.evidence,
            clock=self.clock,
            settings=PlaybackSettings(),
        )


def test_an_utterance_goes_through_and_everybody_hears_of_it() -> None:
    house = House()
    house.playback.on_receive(QueueSpeech(utterance=U, turn=T))
    house.playback.on_receive(QueueSound(utterance=U, pcm=bytes(10 * FRAME_BYTES)))
    house.playback.on_receive(AlignText(utterance=U, text="Hello."))
    house.playback.on_receive(AskForMore(utterance=U))
    house.playback.on_receive(EndSpeech(utterance=U))
    assert house.playback.describe()["speaking"] == U
    house.playback.on_receive(SoundStarted(connection=C, utterance=U, at=0.1))
    house.playback.on_receive(SoundDrained(connection=C, utterance=U, frames=10))
    house.voice.expect(PlaySound)
    house.voice.expect(EndSound)
    house.tts.expect(MoreWanted)
    assert house.floor.expect(SpeechDrained).text == "Hello."
    assert house.realtime.expect(SpeechWasHeard).whole
    assert house.evidence.expect(SpokenWords).text == "Hello."
    assert house.playback.describe()["speaking"] is None


def test_a_failed_utterance_is_posted_and_on_record() -> None:
    house = House()
    house.playback.on_receive(QueueSpeech(utterance=U, turn=T))
    house.playback.on_receive(BreakSpeech(utterance=U, turn=T, reason="quota", unheard="Hello."))
    assert house.stay.expect(SayInChat).text == "Hello."
    house.playback.on_receive(QueueSpeech(utterance=UtteranceId("u2"), turn=T))
    house.playback.on_receive(QueueSound(utterance=UtteranceId("u2"), pcm=bytes(10 * FRAME_BYTES)))
    house.playback.on_receive(LinkRestarted())
    house.floor.expect(SpeechFailed)
    assert house.evidence.expect(Failed).reason == "voice_restarted"


def test_speech_that_gets_no_sound_fails_when_its_time_is_up() -> None:
    house = House()
    house.playback.on_receive(QueueSpeech(utterance=U, turn=T))
    house.clock.advance(15.0)
    # An unstarted actor has a mailbox that nobody reads, so the test carries the letter.
    house.playback.on_receive(house.playback.actor_inbox.get().message)
    assert house.floor.expect(SpeechFailed).reason == "overdue"
