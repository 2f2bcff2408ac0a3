"""The voice at ElevenLabs with a line in the test's own hand."""

from __future__ import annotations

from typing import TypeAlias

from actors.net.service import Service
from actors.tts.live.elevenlabs import ElevenLabsVoice
from actors.tts.settings import TtsSettings
from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, SynthesisFailed, SynthesizerLost, TtsPortEvent, UnitSpoken, VoiceSpent
from tests.actors.net.by_hand import HandDial, HandLine, HandLoop
from tests.actors.tts.live.talk import final, is_dialogue, kinds, sound, turn_over

ONE, TWO = Connection(1), Connection(2)
TEXT = "Hello there."

_Told: TypeAlias = SoundMade | UnitSpoken | SynthesisFailed | SynthesizerLost


class Scene:
    """A port, opened; `model` chooses its dialect."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.dialogue = is_dialogue(model)
        self.loop, self.dial = HandLoop(), HandDial()
        self.events: list[_Told] = []
        self.spent: list[VoiceSpent] = []
        service = Service(base_url="https://api.elevenlabs.io", key="secret-key")
        self.port = ElevenLabsVoice(self.loop, self.dial, service, TtsSettings(model=model))
        self.port.open(self.take)

    def take(self, event: TtsPortEvent) -> None:
        if isinstance(event, VoiceSpent):
            self.spent.append(event)
        else:
            self.events.append(event)

    @property
    def line(self) -> HandLine[object]:
        return self.dial.last

    def speak(
        self,
        utterance: str = "u1",
        unit: int = 0,
        text: str = TEXT,
        *,
        last: bool = True,
        connection: Connection = ONE,
    ) -> None:
        self.port.speak(connection, UtteranceId(utterance), unit, text, last)

    def forget(self, utterance: str = "u1", connection: Connection = ONE) -> None:
        self.port.forget(connection, UtteranceId(utterance))

    def sound(self, context: str = "c1", text: str = TEXT, pcm: bytes | None = None) -> None:
        self.line.come(**sound(self.model, context, text, pcm))

    def turn_over(self, context: str = "c1") -> None:
        self.line.come(**turn_over(context))

    def final(self, context: str = "c1") -> None:
        self.line.come(**final(self.model, context))

    def finish(self, context: str = "c1") -> None:
        """The provider's last word on a unit that was known to be the last."""
        if self.dialogue:
            self.turn_over(context)
        else:
            self.final(context)

    def wait(self, seconds: float) -> None:
        self.loop.clock.advance(seconds)

    def sent(self, line: HandLine[object] | None = None) -> list[str]:
        """What was sent since the last time, in short."""
        return kinds((line or self.line).take())

    def heard(self) -> list[str]:
        """What was reported since the last time, in short."""
        told = [_short(event) for event in self.events]
        self.events.clear()
        return told


def _short(event: _Told) -> str:
    match event:
        case SoundMade():
            return f"{event.utterance}.{event.unit} {event.text or len(event.pcm)}"
        case UnitSpoken():
            return f"{event.utterance}.{event.unit} spoken"
        case SynthesizerLost():
            return f"{event.connection} lost: {event.reason}"
        case _:
            return f"{event.utterance} failed: {event.reason}"
