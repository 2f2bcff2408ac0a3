"""What the room needs of a synthesizer: the sound of one unit of text, and to be left alone with the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from messages.ids import Connection, UtteranceId
from messages.tts import TtsPortEvent


class TtsPort(Protocol):
    """A synthesizer somewhere. Nothing here blocks or raises; events come from any thread."""

    def open(self, events: Callable[[TtsPortEvent], None], /) -> None:
        """Begin to exist; no connection is made before there is something to say."""

    def prepare(self, connection: Connection) -> None:
        """Something will be said soon: connect now, if that takes time."""

    def speak(self, connection: Connection, utterance: UtteranceId, unit: int, text: str, last: bool) -> None:
        """Synthesize: SoundMade as it comes, then UnitSpoken, or SynthesisFailed, or SynthesizerLost.

        What of it has to be paid for is told with VoiceSpent, once the synthesizer is given it.

        `last`: no further unit of this utterance will follow. The last unit need not be known as such.
        A connection of a higher number than before is a fresh one; older ones end with what they still do.
        Of one utterance there is one unit at a time; units of different utterances may overlap.
        """

    def forget(self, connection: Connection, utterance: UtteranceId) -> None:
        """Nothing more is wanted of this utterance: it is whole, or it was dropped."""

    def close(self) -> None:
        """Let go of everything, within a second; no event is told afterwards."""
