"""Whoever closed a line hears nothing of what its socket still complains about."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from typing import Final, Generic, TypeVar

from loguru import logger
from websockets.exceptions import ConnectionClosed

from actors.net.cable import Cable, Limits, Refused, connected, parted
from actors.net.line import Ended, EndedBy, Line, Listener, Target, Timer
from actors.net.loop import IoLoop

E = TypeVar("E")

CLOSED: Final = Ended(by=EndedBy.OWNER, reason="closed")


class GuardedDial:
    """Opens lines over real sockets; one for the house, to be called on the thread of `loop` only."""

    def __init__(self, loop: IoLoop, limits: Limits | None = None) -> None:
        self._loop = loop
        self._limits = limits or Limits()
        # The event loop itself does not keep a task alive.
        self._running: set[asyncio.Task[Ended]] = set()

    def __call__(self, target: Target, listener: Listener[E], decode: Callable[[str], E]) -> Line:
        """Connect; nothing is said before the caller has returned to the loop."""
        line = GuardedLine(self._loop, self._limits, listener, decode)
        task = line.begin(target)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return line


class _Stage(Enum):
    DIALLING = auto()
    LIVE = auto()
    OVER = auto()


class GuardedLine(Generic[E]):
    """One connection and the one task that reads it, which is the only one to say how it ended.

    Its stage is OVER before any call that ends the socket, and nothing that comes later is passed on.
    """

    def __init__(
        self, loop: IoLoop, limits: Limits, listener: Listener[E], decode: Callable[[str], E]
    ) -> None:
        self._loop, self._limits = loop, limits
        self._listener, self._decode = listener, decode
        self._stage = _Stage.DIALLING
        self._waiting: deque[str] = deque()
        self._waiting_size = 0
        self._patience: Timer | None = None
        self._cable: Cable | None = None
        self._task: asyncio.Task[Ended] | None = None
        # What was decided here; it outweighs what the socket says.
        self._verdict: Ended | None = None

    def begin(self, target: Target) -> asyncio.Task[Ended]:
        """Connect, once; when the task is done, even if it never ran, the end is told."""
        self._task = asyncio.get_running_loop().create_task(self._run(target))
        self._task.add_done_callback(self._tell_end)
        return self._task

    # --- actors.net.line.Line

    def send(self, frame: str) -> None:
        """Send it at once if the socket has room, else keep it in order."""
        if self._stage is _Stage.OVER:
            return
        if self._cable is not None and not self._cable.paused:
            self._cable.put(frame)
            return
        self._waiting.append(frame)
        self._waiting_size += len(frame)
        if self._waiting_size > self._limits.waiting_bytes:
            self._fail("send_backlog")

    def close(self, farewell: str | None = None) -> None:
        """End it; a peer that takes nothing gets no farewell and no time."""
        self._verdict = CLOSED
        if self._stage is _Stage.OVER:
            return
        self._stage = _Stage.OVER
        if self._cable is not None and not self._cable.paused:
            self._cable.hang_up(farewell)
        else:
            self._break()

    # --- inside

    def _fail(self, reason: str) -> None:
        if self._stage is not _Stage.OVER:
            self._stage = _Stage.OVER
            self._verdict = Ended(by=EndedBy.FAULT, reason=reason)
            self._break()

    def _break(self) -> None:
        if self._cable is not None:
            self._cable.transport.abort()
        elif self._task is not None:
            self._task.cancel()

    async def _run(self, target: Target) -> Ended:
        try:
            self._cable = await connected(target, self._limits)
            return await self._live(self._cable)
        except Refused as refused:
            return refused.ended
        finally:
            self._stage = _Stage.OVER
            self._ease()
            await self._gone()

    async def _live(self, cable: Cable) -> Ended:
        """Read until the end. Whatever is wrong with the port is not the peer's to hear, nor anybody's."""
        try:
            self._stage = _Stage.LIVE
            cable.pressure = self._press
            self._pump(cable)
            self._listener.opened()
            while True:
                self._hear(await cable.recv(decode=False))
        except ConnectionClosed as closed:
            return parted(closed)
        except Exception as bug:
            logger.error("a port failed at what its line told it: {}", type(bug).__name__)
            return Ended(by=EndedBy.FAULT, reason="port_failed")

    def _hear(self, message: bytes) -> None:
        if self._stage is not _Stage.LIVE:
            return
        try:
            frame = self._decode(message.decode())
        except ValueError:
            self._fail("bad_frame")
            return
        self._listener.came(frame)

    async def _gone(self) -> None:
        """See the socket closed, which an abort does in the next turn of the loop."""
        if self._cable is not None:
            self._cable.transport.abort()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._limits.close):
                    await self._cable.wait_closed()

    def _tell_end(self, task: asyncio.Task[Ended]) -> None:
        self._stage = _Stage.OVER
        # Cancelled is who was closed before it stood, and who still stands when the loop stops.
        ended = CLOSED if task.cancelled() else task.result()
        try:
            self._listener.ended(self._verdict or ended)
        except Exception as bug:
            logger.error("a port failed at the end of its line: {}", type(bug).__name__)

    # --- a peer that takes nothing

    def _press(self, is_pressed: bool) -> None:
        self._ease()
        if self._stage is _Stage.OVER:
            return
        if is_pressed:
            self._patience = self._loop.after(self._limits.send, partial(self._fail, "send_stalled"))
        elif self._cable is not None:
            self._pump(self._cable)

    def _ease(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _pump(self, cable: Cable) -> None:
        while self._waiting and not cable.paused:
            frame = self._waiting.popleft()
            self._waiting_size -= len(frame)
            cable.put(frame)
