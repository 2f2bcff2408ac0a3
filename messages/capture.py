"""What may be said to one listener: sound is waiting, listen closely, here is a transcript."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.ids import Connection, SegmentId, Token
from messages.usage import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundWaiting:
    """Frames lie in the pipe (at most one of these is in the mailbox at a time)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenClosely:
    """He is speaking (`on`): transcribe the open segment as it grows, a "stop" must not wait for its end.

    It is said of one segment: the next one is listened to closely only if it is said again.
    """

    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptReady:
    """The transcriber's text of one segment: what it is so far, or all of it (`final`)."""

    connection: Connection
    segment: SegmentId
    text: str
    final: bool
    speechless: bool
    """The transcriber itself doubts that there were words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFailed:
    """The transcriber has no text for this segment, and why (a bounded code)."""

    connection: Connection
    segment: SegmentId
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerLost:
    """The transcriber's connection died; reopened on demand."""

    connection: Connection
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerSpent:
    """Sound was written down, whoever still wants the words: spent on an old connection is spent as well."""

    connection: Connection
    spent: Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureTick:
    """Timer of the listener."""

    token: Token


CapturePortEvent: TypeAlias = TranscriptReady | TranscriptFailed | ListenerLost | ListenerSpent
CaptureMessage: TypeAlias = SoundWaiting | ListenClosely | CapturePortEvent | CaptureTick
