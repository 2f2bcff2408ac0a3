"""The I/O thread as an actor on the stage: whether an order or a frame comes next is chance."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import ParamSpec, TypeVar

from actors.base import Worker
from actors.net.line import Line, Listener, Target, Timer
from tests.actors.net.by_hand import HandLine
from tests.stage import Stage

E = TypeVar("E")
P = ParamSpec("P")


class _Due:
    def __init__(self, callback: Callable[[], object]) -> None:
        self._callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self._callback = None

    def __call__(self) -> None:
        callback, self._callback = self._callback, None
        if callback is not None:
            callback()


class _Thread(Worker[Callable[[], object]]):
    """Does what it is told, in order."""

    def receive(self, message: Callable[[], object]) -> None:
        message()


class StagedLoop:
    """The thread of all sockets; `call` is a letter to it, and so is a timer that is due."""

    def __init__(self, stage: Stage, name: str = "io") -> None:
        self._stage = stage
        self._thread = stage.add(name, _Thread)

    def call(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        self._thread.actor_ref.tell(partial(callback, *args, **kwargs))
        return True

    def after(self, seconds: float, callback: Callable[[], object]) -> Timer:
        due = _Due(callback)
        self._stage.clock.after(seconds, self._thread.here, due)
        return due

    def now(self) -> float:
        return self._stage.clock.now()


class StagedLine(HandLine[E]):
    """One line, whose peer writes letters of its own: they come in order, but when is chance."""

    peer: Callable[[Callable[[], object]], object]

    def later(self, *happens: Callable[[], object]) -> None:
        """These things happen on this line, one after the other, between whatever else happens."""
        for one in happens:
            self.peer(one)


class StagedDial:
    """Dials lines whose peer is `answer`, called with each new line as soon as it was dialled."""

    def __init__(
        self, stage: Stage, answer: Callable[[StagedLine[object]], None], name: str = "peer"
    ) -> None:
        self.lines: list[StagedLine[object]] = []
        self._stage, self._answer, self._name, self._count = stage, answer, name, count(1)

    def __call__(self, target: Target, listener: Listener[E], decode: Callable[[str], E]) -> Line:
        line = StagedLine(target, listener, decode)
        line.peer = self._stage.add(f"{self._name}-{next(self._count)}", _Thread).actor_ref.tell
        self.lines.append(line)  # type: ignore[arg-type]
        self._answer(line)  # type: ignore[arg-type]
        return line
