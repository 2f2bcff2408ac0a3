"""The I/O thread as an actor on the stage: whether an order or a frame comes next is chance."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Final, ParamSpec, Protocol, TypeVar

from actors.base import Worker
from actors.net.line import Ended, EndedBy, Line, Listener, Target, Timer
from tests.actors.net.by_hand import Due, HandLine
from tests.stage import Stage

E = TypeVar("E")
P = ParamSpec("P")

HANDSHAKE_SECONDS: Final = 5.0
"""So long the guard of a real line waits until it stands."""
CLOSE_SECONDS: Final = 1.0
"""So long it lets the peer take part in the end."""


class Thread(Worker[Callable[[], object]]):
    """Does what it is told, in order."""

    def receive(self, message: Callable[[], object]) -> None:
        message()


class StagedLoop:
    """The thread of all sockets; `call` is a letter to it, and so is a timer that is due."""

    def __init__(self, stage: Stage, name: str = "io") -> None:
        self._stage = stage
        self._thread = stage.add(name, Thread)

    def call(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        self._thread.here.tell(partial(callback, *args, **kwargs))
        return True

    def after(self, seconds: float, callback: Callable[[], object]) -> Timer:
        due = Due(callback)
        self._stage.clock.after(seconds, self._thread.here, due)
        return due

    def now(self) -> float:
        return self._stage.clock.now()


class Peer(Protocol):
    """The other end of one line; told of everything between whatever else happens."""

    def dialled(self, line: StagedLine) -> None:
        """Somebody dials."""
        ...

    def took(self, frame: dict[str, object]) -> None:
        """A frame has arrived; the line stood before."""
        ...

    def hung_up(self) -> None:
        """The owner has closed the line."""
        ...


class StagedLine(HandLine[object]):
    """One line, whose peer writes letters of its own: they come in order, but when is chance."""

    stage: Stage
    thread: Thread
    peer: Peer

    def begin(self, stage: Stage, name: str, peer: Peer) -> None:
        """Have it dialled; a handshake that takes too long ends it."""
        self.stage, self.thread, self.peer = stage, stage.add(name, Thread), peer
        self.stands = False
        self.after(HANDSHAKE_SECONDS, self._overdue)
        peer.dialled(self)

    def later(self, *happens: Callable[[], object]) -> None:
        """These things happen on this line, one after the other, between whatever else happens."""
        for one in happens:
            self.thread.here.tell(one)

    def after(self, seconds: float, happens: Callable[[], object]) -> None:
        """This happens once so many seconds have passed."""
        self.stage.clock.after(seconds, self.thread.here, happens)

    def open(self) -> None:
        self.stands = True
        for frame in self.sent:
            self._arrive(frame)
        super().open()

    def send(self, frame: str) -> None:
        super().send(frame)
        if self.stands and not self.over:
            self._arrive(json.loads(frame))

    def close(self, farewell: str | None = None) -> None:
        """The end comes within a second, whether the peer takes part in it or not."""
        if not self.closed:
            super().close(farewell)
            self.later(self.peer.hung_up)
            self.after(CLOSE_SECONDS, self.end)

    def _arrive(self, frame: dict[str, object]) -> None:
        self.later(partial(self.peer.took, frame))

    def _overdue(self) -> None:
        if not self.stands:
            self.end("timeout", by=EndedBy.FAULT)


class LeakyLine(StagedLine):
    """A line without a guard: what is said after it was closed is heard, and each end that it has."""

    def say(self, text: str) -> None:
        if not self.closed:
            super().say(text)
            return
        try:
            frame = self.decode(text)
        except ValueError:
            self.end("bad_frame", by=EndedBy.FAULT)
        else:
            self.listener.came(frame)

    def end(self, reason: str = "closed", code: int | None = None, by: EndedBy = EndedBy.PEER) -> None:
        if not self.closed:
            super().end(reason, code, by)
            return
        self.over = True
        self.listener.ended(Ended(by=by, reason=reason, code=code))


class StagedDial:
    """Dials lines at whose other end is a peer of `peers`, one for each."""

    def __init__(
        self, stage: Stage, peers: Callable[[], Peer], *, kind: type[StagedLine] = StagedLine
    ) -> None:
        self.lines: list[StagedLine] = []
        self._stage, self._peers, self._kind, self._count = stage, peers, kind, count(1)

    def __call__(self, target: Target, listener: Listener[E], decode: Callable[[str], E]) -> Line:
        line = self._kind(target, listener, decode)  # type: ignore[arg-type]  # it heeds no type of frame
        self.lines.append(line)
        line.begin(self._stage, f"peer-{next(self._count)}", self._peers())
        return line
