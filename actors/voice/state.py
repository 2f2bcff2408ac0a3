"""What a voice link remembers from one letter to the next, and what it can decide to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from actors.voice.settings import VoiceSettings
from messages.evidence import Receipt
from messages.ids import Connection, RoomId, StayId, UtteranceId
from messages.playback import PlaybackMessage
from messages.stay import StayMessage
from messages.voice import MicrophoneCount, OpenMicrophone, SoundOrder, VoiceTimer

_NOWHERE = RoomId("")
_NONE = Connection(0)


class Phase(StrEnum):
    """How the link stands."""

    IDLE = "idle"
    CONNECTING = "connecting"
    UP = "up"
    WAITING = "waiting"
    GONE = "gone"
    CLOSING = "closing"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One link over all its connections; `token` is the timer that counts, `give_up_at` monotonic seconds."""

    settings: VoiceSettings
    stay: StayId
    phase: Phase = Phase.IDLE
    room: RoomId = _NOWHERE
    connection: Connection = _NONE
    token: int = 0
    tries: int = 0
    was_up: bool = False
    give_up_at: float = 0.0
    microphones: tuple[OpenMicrophone, ...] = ()
    counts: tuple[MicrophoneCount, ...] = ()
    speaking: UtteranceId | None = None
    """Whose sound the port holds."""
    refused: UtteranceId | None = None
    """Whose failure playback has been told, so that it is told once."""
    old_letters: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Connect:
    """Have the port connect to a room."""

    connection: Connection
    room: RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnect:
    """Have the port let go of a connection."""

    connection: Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """Have the port decode a person (`open`), or no longer."""

    microphone: OpenMicrophone
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """Pass an order about his own sound on to the port."""

    connection: Connection
    order: SoundOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStay:
    """Tell the stay."""

    message: StayMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class TellPlayback:
    """Tell playback."""

    message: PlaybackMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: VoiceTimer


Decision: TypeAlias = Connect | Disconnect | Listen | Sound | TellStay | TellPlayback | Record | Wake
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
