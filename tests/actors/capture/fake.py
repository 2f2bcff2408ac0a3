"""An ear that knows two frames, and a transcriber that only remembers what it was asked."""

from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, cast

from actors.base import Worker
from actors.capture.decisions import Ask
from messages.audio import FRAME_BYTES
from messages.capture import CapturePortEvent
from messages.ids import Connection, SegmentId

LOUD = b"\x01" * FRAME_BYTES
QUIET = bytes(FRAME_BYTES)


def letters(actor: Worker[Any]) -> "SimpleQueue[Any]":
    """What lies in the mailbox of an unstarted actor, in Pykka's envelopes."""
    return cast("SimpleQueue[Any]", actor.actor_inbox)


class FakeActivity:
    """One window a frame: voice for LOUD, silence for QUIET."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def open(self) -> None:
        self.calls.append("open")

    def hear(self, pcm: bytes) -> tuple[float, ...]:
        return (1.0 if pcm == LOUD else 0.0,)

    def close(self) -> None:
        self.calls.append("close")


class FakeTranscriber:
    """Remembers every call; `events` is the door that it was given."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.events: Callable[[CapturePortEvent], None] = self.nobody
        self.sound: dict[SegmentId, bytes] = {}

    def nobody(self, event: CapturePortEvent) -> None:
        raise AssertionError("not open")

    def open(self, events: Callable[[CapturePortEvent], None]) -> None:
        self.events = events
        self.calls.append(("open",))

    def connect(self, connection: Connection) -> None:
        self.calls.append(("connect", connection))

    def disconnect(self, connection: Connection) -> None:
        self.calls.append(("disconnect", connection))

    def begin(self, connection: Connection, segment: SegmentId) -> None:
        self.calls.append(("begin", connection, segment))
        self.sound[segment] = b""

    def append(self, segment: SegmentId, pcm: bytes) -> None:
        self.sound[segment] += pcm

    def ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        self.calls.append(("ask", segment, ask, settled))

    def drop(self, segment: SegmentId) -> None:
        self.calls.append(("drop", segment))

    def close(self) -> None:
        self.calls.append(("close",))
