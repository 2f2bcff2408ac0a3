"""What a voice link may decide to do; the shell does it and asks no questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.voice.state import State
from messages.evidence import Receipt
from messages.ids import Connection, RoomId
from messages.playback import PlaybackMessage
from messages.stay import StayMessage
from messages.voice import OpenMicrophone, SoundOrder, VoiceTimer


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
