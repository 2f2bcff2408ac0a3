"""What a listener may decide to do; the shell does it and asks no questions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from actors.capture.state import State
from messages.capture import CaptureTick
from messages.evidence import Receipt
from messages.floor import VoiceEnded, VoiceHeld, WordsFailed, WordsHeard
from messages.ids import Connection, SegmentId
from messages.stay import EarTroubled, EarWorks


class Ask(StrEnum):
    """For what words are asked."""

    PARTIAL = "partial"
    """To know early what is being said."""
    GUESS = "guess"
    """They may turn out to be all."""
    FINAL = "final"
    """The segment is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TellVoiceBegan:
    """Tell the floor that a segment began at `at`, and which ear hears it."""

    segment: SegmentId
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TellFloor:
    """Tell the floor."""

    message: VoiceHeld | VoiceEnded | WordsHeard | WordsFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStay:
    """Tell the stay."""

    message: EarTroubled | EarWorks


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Connect:
    """Open the transcriber."""

    connection: Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnect:
    """Close the transcriber until it is needed."""

    connection: Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginSound:
    """Give the transcriber the sound of a segment from now on, and `before` seconds of what came before."""

    connection: Connection
    segment: SegmentId
    before: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AskWords:
    """Ask the transcriber."""

    segment: SegmentId
    ask: Ask
    settled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DropSound:
    """Let the transcriber forget a segment."""

    segment: SegmentId


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: CaptureTick


Decision: TypeAlias = (
    TellVoiceBegan
    | TellFloor
    | TellStay
    | Record
    | Connect
    | Disconnect
    | BeginSound
    | AskWords
    | DropSound
    | Wake
)


Step: TypeAlias = tuple[State, tuple[Decision, ...]]
