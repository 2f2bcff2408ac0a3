"""Real sockets on loopback: somebody who dials, somebody who listens, and a peer that does as it is told."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, ParamSpec, TypeAlias, TypeVar

from aiohttp import web

from actors.net.cable import Limits
from actors.net.guarded import GuardedDial
from actors.net.line import Ended, Line, Target
from actors.net.loop import IoLoop
from tests.loopback.providers import Ground, Socket
from tests.probe import Probe

T = TypeVar("T")
P = ParamSpec("P")
Frame: TypeAlias = dict[str, object]
NewLoop: TypeAlias = Callable[[], asyncio.AbstractEventLoop]

KEY: Final = "sk-shown-to-nobody"
PROSE: Final = "prose that must not surface"
DEADLINE_SECONDS: Final = 15.0


@dataclass(frozen=True, slots=True)
class Opened:
    """The line stands."""


@dataclass(frozen=True, slots=True)
class Came:
    """A frame, or what it was decoded to."""

    frame: Frame


class Ear:
    """A listener that remembers what it heard, on which thread, and what to do about it."""

    def __init__(self) -> None:
        self.heard = Probe[Opened | Came | Ended]()
        self.threads: set[str] = set()
        self.on_open: Callable[[], object] = lambda: None
        self.on_frame: Callable[[Frame], object] = lambda _: None
        self.on_end: Callable[[], object] = lambda: None

    def opened(self) -> None:
        self._note(Opened())
        self.on_open()

    def came(self, frame: Frame) -> None:
        self._note(Came(frame))
        self.on_frame(frame)

    def ended(self, ended: Ended) -> None:
        self._note(ended)
        self.on_end()

    def waits_open(self) -> None:
        self.heard.expect(Opened, DEADLINE_SECONDS)

    def waits_frame(self) -> Frame:
        return self.heard.expect(Came, DEADLINE_SECONDS).frame

    def waits_end(self) -> Ended:
        """How it ended, which must be the last that was heard."""
        ended = self.heard.expect(Ended, DEADLINE_SECONDS)
        assert self.heard.received()[-1] is ended
        return ended

    @property
    def ends(self) -> list[Ended]:
        return [one for one in self.heard.received() if isinstance(one, Ended)]

    def _note(self, one: Opened | Came | Ended) -> None:
        self.threads.add(threading.current_thread().name)
        self.heard.tell(one)


def decode(text: str) -> Frame:
    """The decoder of these tests; ValueError for what is no object."""
    match json.loads(text):
        case dict() as frame:
            return frame
        case _:
            raise ValueError("no object")


class Peer(Ground):
    """A provider that says what the test says, at /line."""

    def __init__(self) -> None:
        super().__init__("peer")
        self.application.router.add_get("/line", self.answer)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Refuse, or be a websocket that remembers what it hears."""
        if (refusal := await self.refusal(request)) is not None:
            return refusal
        socket = await Socket(self, request).open()
        return await socket.serve(lambda text: socket.keep(json.loads(text)))


class World:
    """The I/O thread with a dial, and a peer on another one."""

    def __init__(self, new_loop: NewLoop, limits: Limits | None = None) -> None:
        self.io = IoLoop(new_loop)
        self.peer = Peer()
        self.dial = GuardedDial(self.io, limits or Limits(close=0.5))

    def open(self) -> None:
        self.io.start()
        self.peer.open()

    def close(self) -> None:
        ended = self.io.stop(DEADLINE_SECONDS)
        self.peer.close()
        assert ended

    @property
    def target(self) -> Target:
        return self.at(f"ws://127.0.0.1:{self.peer.port}/line?model=secret-model")

    def at(self, url: str) -> Target:
        return Target(url=url, headers={"Authorization": f"Bearer {KEY}"})

    def on_thread(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something on the I/O thread and return what it returned."""
        done: Future[T] = Future()

        def turn() -> None:
            try:
                done.set_result(act(*args, **kwargs))
            except BaseException as error:
                done.set_exception(error)

        assert self.io.call(turn)
        return done.result(DEADLINE_SECONDS)

    def dials(self, target: Target | None = None, *first: Callable[[Line], object]) -> tuple[Line, Ear]:
        """Dial, and do these things with the line before anything else can happen."""
        ear = Ear()

        def begin() -> Line:
            line = self.dial(target or self.target, ear, decode)
            for act in first:
                act(line)
            return line

        return self.on_thread(begin), ear

    def stands(self) -> tuple[Line, Ear, Socket]:
        """A line that is open, and its other end."""
        line, ear = self.dials()
        ear.waits_open()
        return line, ear, self.peer.socket()

    def tasks(self) -> set[str]:
        """The names of what runs on the I/O thread, without the numbers."""

        async def look() -> set[str]:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            return {re.sub(r"\d+", "", repr(one.get_coro())) for one in others}

        return self.io.submit(look()).result(DEADLINE_SECONDS)
