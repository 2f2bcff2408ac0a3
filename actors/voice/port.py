"""What a voice link needs from whatever carries sound: connect, listen to some, speak, be silent at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from messages.audio import SoundSink
from messages.ids import CaptureId, Connection, PersonId, RoomId, UtteranceId
from messages.lifecycle import Scalar
from messages.voice import MicrophoneCount, VoicePortEvent


class VoicePort(Protocol):
    """The owner of the wire, who also paces what goes out. Nothing here blocks or raises.

    Events come from any thread and name the connection they are about. One utterance is played at a time.
    """

    def open(self, events: Callable[[VoicePortEvent], None], /) -> None:
        """Begin to exist; `events` never raises."""

    def connect(self, connection: Connection, room: RoomId) -> None:
        """Connect to this room's sound; answered with LinkUp or LinkDown. His sound goes to the newest."""

    def disconnect(self, connection: Connection) -> None:
        """Let go of a connection; answered with LinkShut, also when it is down already."""

    def microphone(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> None:
        """Decode this person into `sink` from now on, or with None not at all; holds over connections.

        Whoever was never named, or last with None, is never decoded: his packets are counted unread.
        """

    def play(self, connection: Connection, utterance: UtteranceId, pcm: bytes) -> None:
        """Send this sound (24 kHz mono) after what came before; news of it follow."""

    def end(self, connection: Connection, utterance: UtteranceId) -> None:
        """No more sound is coming; answered with SoundDrained after the trailing silence."""

    def cut(self, connection: Connection, utterance: UtteranceId) -> None:
        """Drop all that waits; answered with SoundCut, after which no frame of it is sent."""

    def gain(self, connection: Connection, utterance: UtteranceId, decibels: float, seconds: float) -> None:
        """Ramp the loudness to `decibels` over `seconds`, beginning with the next frame sent."""

    def hold(self, connection: Connection, utterance: UtteranceId, held: bool) -> None:
        """Stop sending, or go on at the very same sample."""

    def describe(self) -> Mapping[str, Scalar]:
        """How the port itself is, for whoever asks how things are."""
        ...

    def close(self) -> tuple[MicrophoneCount, ...]:
        """Let go of everything, within a second; no event is told afterwards.

        Returns what came of everybody's packets since it was opened, whatever LinkShut has told of them.
        """
        ...
