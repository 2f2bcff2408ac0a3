"""An I/O thread and its lines in the test's own hand: nothing comes or ends unless it says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, ParamSpec, TypeVar

from actors.net.line import Ended, EndedBy, Line, Listener, Target, Timer
from tests.clock import ManualClock

E = TypeVar("E")
P = ParamSpec("P")


class Due:
    """A timer: what it was given happens once it is told, unless it was cancelled."""

    def __init__(self, callback: Callable[[], object]) -> None:
        self._callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self._callback = None

    def __call__(self) -> None:
        callback, self._callback = self._callback, None
        if callback is not None:
            callback()


class HandLoop:
    """Runs what it is given at once, on the thread that asks; its timers wait for `clock.advance`."""

    def __init__(self) -> None:
        self.clock = ManualClock()

    def call(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        callback(*args, **kwargs)
        return True

    def after(self, seconds: float, callback: Callable[[], object]) -> Timer:
        due = Due(callback)
        self.clock.after(seconds, self, due)
        return due

    def tell(self, due: Due, /) -> None:
        """A timer is due."""
        due()

    def now(self) -> float:
        return self.clock.now()


@dataclass(slots=True)
class HandLine(Generic[E]):
    """One line: what was sent on it, and the peer's part, which is played by the test."""

    target: Target
    listener: Listener[E]
    decode: Callable[[str], E]
    sent: list[dict[str, object]] = field(default_factory=list)
    farewell: dict[str, object] | None = None
    closed: bool = False
    over: bool = False

    # --- actors.net.line.Line

    def send(self, frame: str) -> None:
        assert not self.closed, f"sent on a closed line: {frame}"
        if not self.over:
            self.sent.append(json.loads(frame))

    def close(self, farewell: str | None = None) -> None:
        if not self.closed and not self.over:
            self.farewell = None if farewell is None else json.loads(farewell)
        self.closed = True

    # --- the peer

    def open(self) -> None:
        """The line stands."""
        if not self.closed and not self.over:
            self.listener.opened()

    def come(self, **frame: object) -> None:
        """A frame of the peer's; not heard on a closed line, as the guard of a real one has it."""
        self.say(json.dumps(frame))

    def say(self, text: str) -> None:
        """The same for what may be no frame at all, which is the end."""
        if self.closed or self.over:
            return
        try:
            frame = self.decode(text)
        except ValueError:
            self.end("bad_frame", by=EndedBy.FAULT)
        else:
            self.listener.came(frame)

    def end(self, reason: str = "closed", code: int | None = None, by: EndedBy = EndedBy.PEER) -> None:
        """It is over; by the owner, whatever the peer did, if the owner closed it first."""
        if self.over:
            return
        self.over = True
        ended = (
            Ended(by=EndedBy.OWNER, reason="closed")
            if self.closed
            else Ended(by=by, reason=reason, code=code)
        )
        self.listener.ended(ended)

    def take(self) -> list[dict[str, object]]:
        """What was sent since the last time."""
        taken, self.sent = self.sent, []
        return taken


class HandDial:
    """Dials lines that the test answers."""

    def __init__(self) -> None:
        self.lines: list[HandLine[object]] = []

    def __call__(self, target: Target, listener: Listener[E], decode: Callable[[str], E]) -> Line:
        line = HandLine(target, listener, decode)
        self.lines.append(line)  # type: ignore[arg-type]  # whatever E is, the test knows
        return line

    @property
    def last(self) -> HandLine[object]:
        """The newest line."""
        return self.lines[-1]
