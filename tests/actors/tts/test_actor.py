"""The shell of the synthesizer passes text on and sound back."""

import pytest

from actors.base import Life
from actors.tts.actor import Tts
from actors.tts.settings import TtsSettings
from messages.evidence import EvidenceMessage, Failed, Usage
from messages.ids import Connection, StayId, TurnId, UtteranceId
from messages.lifecycle import Ending
from messages.playback import BreakSpeech, EndSpeech, PlaybackMessage, QueueSound
from messages.tts import SayEnd, SayText, SoundMade, UnitSpoken, VoiceSpent
from messages.usage import Spending
from tests.actors.tts.fake import FakeSynthesizer
from tests.clock import ManualClock
from tests.probe import Probe

U, T, ONE = UtteranceId("u1"), TurnId("t1"), Connection(1)


class House:
    def __init__(self) -> None:
        self.playback, self.evidence = Probe[PlaybackMessage](), Probe[EvidenceMessage]()
        self.clock, self.port = ManualClock(), FakeSynthesizer()
        self.tts = Tts(
            Life.alone("tts"),
            stay_id=StayId("s1"),
            playback=self.playback,
            evidence=self.evidence,
            clock=self.clock,
            port=self.port,
            settings=TtsSettings(),
        )
        self.tts.opened()

    def read(self) -> None:
        """An unstarted actor has a mailbox that nobody reads."""
        while not self.tts.actor_inbox.empty():
            self.tts.on_receive(self.tts.actor_inbox.get().message)


def test_text_goes_to_the_port_and_its_sound_to_playback() -> None:
    house = House()
    house.tts.on_receive(SayText(utterance=U, turn=T, text="Hello."))
    house.tts.on_receive(SayEnd(utterance=U))
    assert house.tts.describe()["in_flight"] == 1
    house.port.events(SoundMade(connection=ONE, utterance=U, unit=0, pcm=b"12"))
    house.port.events(UnitSpoken(connection=ONE, utterance=U, unit=0))
    house.read()
    house.tts.closed(Ending.SHUTDOWN)
    assert house.playback.expect(QueueSound).pcm == b"12"
    house.playback.expect(EndSpeech)
    assert house.port.asked == [
        ("open",),
        ("prepare", ONE),
        ("speak", ONE, U, 0, "Hello.", True),
        ("forget", ONE, U),
        ("close",),
    ]


@pytest.mark.parametrize("ending", [Ending.SHUTDOWN, Ending.CRASHED])
def test_what_was_spent_on_the_last_utterance_is_on_record_whatever_ends(ending: Ending) -> None:
    house = House()
    spent = Spending(provider="elevenlabs", model="m", characters=6)
    house.tts.on_receive(SayText(utterance=U, turn=T, text="Hello."))
    house.tts.on_receive(VoiceSpent(connection=ONE, utterance=U, spent=spent))
    house.tts.closed(ending)
    assert house.evidence.expect(Usage).characters == 6


def test_a_synthesizer_that_never_answers_fails_the_utterance_on_record() -> None:
    house = House()
    house.tts.on_receive(SayText(utterance=U, turn=T, text="Hello."))
    house.tts.on_receive(SayEnd(utterance=U))
    for _ in range(2):
        house.clock.advance(15.0)
        house.read()
    assert house.playback.expect(BreakSpeech).unheard == "Hello."
    assert house.evidence.expect(Failed).stage == "speech_synthesis"
