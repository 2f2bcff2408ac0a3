"""Every socket of the house hangs on this one thread, so that no actor ever waits for a peer."""

from __future__ import annotations

import asyncio
import errno
import re
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Final, ParamSpec, TypeVar

from loguru import logger

from actors.life import blame
from actors.net.line import Timer

SCARCE_SECONDS: Final = 60.0
"""A shortage of file descriptors or memory is worth a line so often; it comes a hundred times a second."""
GRAIN_SECONDS: Final = 0.002
"""The fast loop counts whole milliseconds; a timer that is so much later is never early."""
LEAVING_ROUNDS: Final = 8
"""What is cancelled may begin something as it goes: so often that is cancelled as well."""
CLOSING: Final = "closing"
"""The name of a task that lets go of connections: broken off half-way it would leave some of them open."""
CLOSING_SECONDS: Final = 0.5
"""How long such tasks have at the end, before everything is cancelled."""

T = TypeVar("T")
P = ParamSpec("P")

_GIVEN: Final = re.compile(r"\((?!\)).*", re.DOTALL)
"""From the bracket on in which stands what a callback was given, which may be somebody's words."""
_SHORTAGES: Final = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))


def fastest_loop() -> asyncio.AbstractEventLoop:
    """Return a new event loop: uvloop's where it is installed, else the one that Python has."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


class IoLoop:
    """One event loop in a thread of its own; any thread may call any method but `start` and `after`."""

    def __init__(self, new_loop: Callable[[], asyncio.AbstractEventLoop] = fastest_loop) -> None:
        self._new_loop = new_loop
        self._lock = threading.Lock()
        # None before the start and from the stop on.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to run, once; before it nothing is accepted."""
        loop = self._new_loop()
        logger.debug("the I/O thread runs on {}", type(loop).__module__.partition(".")[0])
        self._thread = threading.Thread(target=_turn, args=(loop,), name="io-loop", daemon=True)
        self._thread.start()
        with self._lock:
            self._loop = loop

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        """Run `work` on the loop; its result, or what it raised, is in the future.

        Never raises and never blocks. Where the loop does not run, the future is cancelled already.
        """
        with self._lock:
            if self._loop is not None:
                return asyncio.run_coroutine_threadsafe(work, self._loop)
        work.close()
        refused: Future[T] = Future()
        refused.cancel()
        return refused

    def call(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Run a short function on the loop soon, in order; false where the loop does not run."""
        with self._lock:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(lambda: callback(*args, **kwargs))
            return self._loop is not None

    def after(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Run a short function later, never early; only to be called on the thread itself."""
        return asyncio.get_running_loop().call_later(seconds + GRAIN_SECONDS, callback)

    def now(self) -> float:
        """Monotonic seconds, by which no timer is early."""
        return time.monotonic()

    def stop(self, deadline: float) -> bool:
        """Cancel what still runs and end the thread within `deadline` seconds; false if it has not ended.

        Work that does not give in is left behind, on a thread that cannot keep the program up.
        """
        with self._lock:
            loop, self._loop = self._loop, None
            if loop is not None:
                loop.call_soon_threadsafe(loop.stop)
        if self._thread is None:
            return True
        self._thread.join(deadline)
        return not self._thread.is_alive()


def _turn(loop: asyncio.AbstractEventLoop) -> None:
    """Run until stopped, then let every task clean up."""
    asyncio.set_event_loop(loop)
    loop.set_exception_handler(Complaints())
    try:
        loop.run_forever()
        loop.run_until_complete(_wind_down())
    finally:
        asyncio.set_event_loop(None)
        loop.close()


class Complaints:
    """What the loop does about an exception that nobody awaits: log it, a shortage once a minute."""

    def __init__(self) -> None:
        self._quiet_until = float("-inf")

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        failure = context.get("exception")
        if isinstance(failure, OSError) and failure.errno in _SHORTAGES:
            if loop.time() < self._quiet_until:
                return
            self._quiet_until = loop.time() + SCARCE_SECONDS
        what = _GIVEN.sub("", str(context.get("message", "")))
        why = f": {blame(failure)}" if isinstance(failure, BaseException) else ""
        logger.error("the I/O thread complains: {}{}", what, why)


async def _wind_down() -> None:
    loop = asyncio.get_running_loop()
    for _ in range(LEAVING_ROUNDS):
        others = asyncio.all_tasks() - {asyncio.current_task()}
        closing = {task for task in others if task.get_name() == CLOSING}
        if closing:
            await asyncio.wait(closing, timeout=CLOSING_SECONDS)
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0)  # a connection that was broken off is closed in the next turn
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()
