"""What a listener needs from outside: an ear for voice, and somebody who writes down words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from actors.capture.decisions import Ask
from messages.capture import CapturePortEvent
from messages.ids import Connection, SegmentId


class VoiceActivityPort(Protocol):
    """How probably somebody speaks, for the sound of one person; used from one thread."""

    def open(self) -> None:
        """Get ready; the first call, and it needs no network."""
        ...

    def hear(self, pcm: bytes) -> tuple[float, ...]:
        """One frame of 24 kHz mono -> the probability (0..1) of each 32 ms window that it completed."""
        ...

    def close(self) -> None:
        """Let go; nothing is called afterwards."""
        ...


class TranscriberPort(Protocol):
    """Turns segments into words. Nothing blocks; answers come through the door, with their connection.

    Every FINAL is answered exactly once with TranscriptReady(final=True) or TranscriptFailed, unless the
    sound was dropped or the connection lost before; other asks may get a TranscriptReady(final=False).
    What was written down is told with ListenerSpent, also where nobody wants the words any more.
    """

    def open(self, events: Callable[[CapturePortEvent], None]) -> None:
        """Learn where to report; `events` never raises and may be called from any thread."""
        ...

    def connect(self, connection: Connection) -> None:
        """Begin a connection (nothing is awaited); sound of later segments belongs to it."""
        ...

    def disconnect(self, connection: Connection) -> None:
        """End a connection that nobody needs at the moment, silently."""
        ...

    def begin(self, connection: Connection, segment: SegmentId) -> None:
        """A segment begins; its sound follows."""
        ...

    def append(self, segment: SegmentId, pcm: bytes) -> None:
        """More sound of an open segment, 24 kHz mono."""
        ...

    def ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        """Ask for the words so far. After FINAL no sound follows and the segment's sound is let go.

        `settled` (FINAL only): no voice came since the last GUESS, whose words will do.
        """
        ...

    def drop(self, segment: SegmentId) -> None:
        """Let go of a segment's sound; it is not spoken of again."""
        ...

    def close(self) -> None:
        """Let go of everything; after this nothing is reported."""
        ...
