"""What the synthesizer's room may decide to do; the shell does it and asks no questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.tts.state import State
from messages.evidence import Failed, Usage
from messages.ids import Connection, UtteranceId
from messages.playback import PlaybackMessage
from messages.tts import TtsTick


@dataclass(frozen=True, slots=True, kw_only=True)
class Speak:
    """Have the port synthesize a unit."""

    connection: Connection
    utterance: UtteranceId
    unit: int
    text: str
    last: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepare:
    """Have the port connect, if it needs to: text has begun to come."""

    connection: Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """Have the port forget an utterance."""

    connection: Connection
    utterance: UtteranceId


@dataclass(frozen=True, slots=True, kw_only=True)
class TellPlayback:
    """Tell playback."""

    message: PlaybackMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Failed | Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: TtsTick


Decision: TypeAlias = Prepare | Speak | Forget | TellPlayback | Record | Wake
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
