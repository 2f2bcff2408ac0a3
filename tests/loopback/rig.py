"""A real port on a real socket, and all that a fault may leave behind: tasks, timers, threads, sockets."""

from __future__ import annotations

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from actors.net.cable import Limits
from actors.net.guarded import GuardedDial
from actors.net.line import Timer
from actors.net.loop import IoLoop
from tests.loopback.providers import Ground, Parting, Socket
from tests.probe import Probe

T = TypeVar("T")

PROSE: Final = "prose which the provider wrote about what was said"
"""Must not surface anywhere."""
SOON: Final = 10.0
"""How long we are willing to fail; it takes some ten milliseconds, or what the limits of a line say."""
PATIENCE: Final = 15.0
"""The same for what may itself wait for something that is to come soon."""
FOR_EVER: Final = 60.0
"""Longer than anybody here waits."""
WAKEFUL: Final = Limits(ping=0.15, pong=0.15, close=0.2)
HASTY: Final = Limits(send=0.3, close=0.2, waiting_bytes=64 << 20)
MUCH: Final = 6 << 20
"""More bytes than all the buffers between two sockets on this machine hold."""
MUCH_TEXT: Final = "\N{MUSICAL SYMBOL G CLEF}" * (MUCH // 12)
"""The same as text: each of these is twelve bytes in JSON."""
LATE: Final = "words which nobody waits for"
OURS: Final = "loopback-"
"""How the names of the servers' own threads begin."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What of us there is in this process, the servers' ends of the sockets included."""

    tasks: Mapping[str, int]
    timers: int
    threads: tuple[str, ...]
    descriptors: int


class NotingLoop(IoLoop):
    """Knows the timers that are still due."""

    def __init__(self) -> None:
        super().__init__()
        self.due: set[NotedTimer] = set()
        """To be looked at on the thread itself."""

    def after(self, seconds: float, callback: Callable[[], object]) -> Timer:
        noted = NotedTimer(self.due, callback)
        noted.timer = super().after(seconds, noted.ring)
        return noted


class NotedTimer:
    """Is among those that are due until it rings or is cancelled."""

    timer: Timer

    def __init__(self, due: set[NotedTimer], callback: Callable[[], object]) -> None:
        self._due, self._callback = due, callback
        due.add(self)

    def ring(self) -> None:
        self._due.discard(self)
        self._callback()

    def cancel(self) -> None:
        self._due.discard(self)
        self.timer.cancel()


class Traces(ABC):
    """The I/O thread of a house, a server, and a look at what both have left behind."""

    def __init__(self) -> None:
        self.io = NotingLoop()

    @property
    @abstractmethod
    def ground(self) -> Ground:
        """What the server stands on."""

    def on_thread(self, look: Callable[[], T]) -> T:
        """Look at something on the I/O thread, after everything that was ordered before."""

        async def turn() -> T:
            return look()

        return self.io.submit(turn()).result(PATIENCE)

    def tasks(self) -> Counter[str]:
        """What runs on the I/O thread."""

        async def look() -> Counter[str]:
            return Counter(map(_name, asyncio.all_tasks() - {asyncio.current_task()}))

        return self.io.submit(look()).result(PATIENCE)

    def rests(self) -> None:
        """Wait until nothing runs on the I/O thread any more; AssertionError if it does not come to that."""

        async def look() -> list[str]:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            _, left = await asyncio.wait(others, timeout=SOON) if others else ((), ())
            return sorted(map(_name, left))

        assert self.io.submit(look()).result(PATIENCE) == []

    def footprint(self) -> Footprint:
        """What of us there is now."""
        names = (one.name for one in threading.enumerate())
        return Footprint(
            tasks=self.tasks(),
            timers=self.on_thread(lambda: len(self.io.due)),
            threads=tuple(sorted(name for name in names if not name.startswith(OURS))),
            descriptors=descriptors(),
        )

    def settles(self, wanted: Callable[[], object], equal: object, seconds: float = PATIENCE) -> None:
        """Let both threads have their turns until this is so."""
        deadline = time.monotonic() + seconds
        while (found := wanted()) != equal:
            assert time.monotonic() < deadline, f"{found} instead of {equal}"
            self.io.submit(asyncio.sleep(0)).result(PATIENCE)
            self.ground.finish(asyncio.sleep(0))


class Rig(Traces):
    """A port, the server that it talks to, and everything that came out of its door; a context manager.

    `say` begins something of which the server then makes no end, until it is dropped.
    """

    fine: tuple[type, ...]
    """The kinds of events that are no bad news."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__()
        self.dial = GuardedDial(self.io, limits)
        self.told: Probe[object] = Probe()
        self._numbers = count(1)
        self.number = 0
        """Of what was said last."""
        self.connection = 0
        """The core's number for what it is connected to; 0 before the first time."""
        self.lines = 0
        """How many lines must have been dialled by now."""

    # --- what kinds of sockets differ in

    @abstractmethod
    def serve(self) -> None:
        """Let the server begin, make the port, and open it."""

    @abstractmethod
    def stop_serving(self) -> None:
        """End the server."""

    @abstractmethod
    def connect(self) -> None:
        """Do as the core does where it has no connection; `connection` is a new number already."""

    @abstractmethod
    def say(self) -> None:
        """Begin something of which there is no end."""

    @abstractmethod
    def reached(self) -> None:
        """Wait until the server has what was said."""

    @abstractmethod
    def sounding(self) -> None:
        """Wait until something of what was said has come out of the door, where that is usual."""

    @abstractmethod
    def drop(self) -> None:
        """Let nobody want what was said."""

    @abstractmethod
    def dropped(self) -> None:
        """Wait until the server knows that nobody does."""

    @abstractmethod
    def whole(self) -> None:
        """Have something done from its beginning to its end, and check that nothing else came of it."""

    @abstractmethod
    def pour(self) -> None:
        """Say very much at once."""

    @abstractmethod
    def go_on(self) -> None:
        """Let the server go on about what was dropped."""

    @abstractmethod
    def refuse(self) -> None:
        """Have the server say in a frame, with prose, that the quota is used up, and hang up with 1008."""

    @abstractmethod
    def complaint(self) -> str:
        """Such a frame."""

    @abstractmethod
    def idle(self) -> None:
        """Have the server close because nothing was said for long."""

    @abstractmethod
    def when_left(self, parting: Parting) -> None:
        """What the server is to do when the port leaves, beginning with what the port says as it goes."""

    @abstractmethod
    def lost(self, reason: str) -> object:
        """The one event that tells of the loss of this connection."""

    @abstractmethod
    def held_by_server(self) -> list[str]:
        """What the server still has to do for us."""

    @abstractmethod
    def held_by_port(self) -> list[str]:
        """What the port still waits for; looked at on the I/O thread."""

    @abstractmethod
    def close(self) -> None:
        """Close the port."""

    def idle_news(self) -> list[object]:
        """What is told of a line that ends while nothing is going on: nothing, it is dialled again."""
        return []

    def dawdle(self) -> None:
        """Let the server not be done with what is dropped before `go_on`, if it ever is."""

    def reopen(self) -> None:
        """What a core does about `idle_news`: nothing, for what is said next dials."""
        self.lines += 1

    # --- what they have in common

    def __enter__(self) -> Self:
        self.io.start()
        self.serve()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        try:
            assert self.io.stop(PATIENCE)
        finally:
            self.stop_serving()

    @property
    def socket(self) -> Socket:
        """The server's end of the line that was opened last."""
        self.ground.until(lambda: len(self.ground.sockets) >= self.lines, PATIENCE, "one more line")
        return self.ground.sockets[-1]

    def begin(self) -> Socket:
        """Say something and wait until the server has it."""
        self.say()
        self.reached()
        return self.socket

    def next_number(self) -> int:
        """A number for something new, and a connection for it."""
        if not self.connection:
            self.connect_anew()
        self.number = next(self._numbers)
        return self.number

    def connect_anew(self) -> None:
        """What follows belongs to a new connection."""
        self.connection += 1
        self.lines += 1
        self.connect()

    def bad_news(self) -> list[object]:
        """What was told of failures, in order."""
        return [one for one in self.told.received() if not isinstance(one, self.fine)]

    def failed_once(self, reason: str) -> None:
        """Wait for the loss of the connection, then see that all is over and nothing else was told."""
        told, due = self.told.expect(type(self.lost(reason)), SOON), self.lost(reason)
        assert told == due, f"{told} instead of {due}"
        self.rests()
        self.close()
        self.rests()
        assert self.bad_news() == [self.lost(reason)]


def descriptors() -> int:
    """How many descriptors of this process are no files: sockets, pipes, polls; 0 where there is no /proc."""
    number = 0
    for descriptor in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):  # closed meanwhile
            number += not descriptor.readlink().is_absolute()
    return number


def _name(task: asyncio.Task[object]) -> str:
    return getattr(task.get_coro(), "__qualname__", "?")
