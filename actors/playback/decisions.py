"""What playback may decide to do: a letter to one neighbour, a receipt, a timer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.playback.state import State
from messages.evidence import PrivateWords, Receipt
from messages.floor import FloorMessage
from messages.playback import PlaybackTick
from messages.realtime import RealtimeMessage
from messages.stay import StayMessage
from messages.tts import TtsMessage
from messages.voice import SoundOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class TellVoice:
    """Tell the voice link."""

    message: SoundOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class TellTts:
    """Tell the synthesizer."""

    message: TtsMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class TellFloor:
    """Tell the floor."""

    message: FloorMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class TellRealtime:
    """Tell the conversation."""

    message: RealtimeMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStay:
    """Tell the stay."""

    message: StayMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Receipt | PrivateWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: PlaybackTick


Decision: TypeAlias = TellVoice | TellTts | TellFloor | TellRealtime | TellStay | Record | Wake
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
