"""The thread and the event loop on which whoever is played on loopback stands."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

DEADLINE_SECONDS = 15.0
"""How long anybody waits for anything here unless he says otherwise; a wait that ends thus is a failure."""


class Ground:
    """One asyncio loop in one thread: every change is made on it, and whoever waits for a change is woken."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._changed = threading.Condition()
        self._spawned: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._turn, name="loopback-discord", daemon=True)

    def start(self) -> None:
        """Let the loop turn."""
        self._thread.start()

    def stop(self) -> None:
        """End every task, then the loop and its thread; the sockets are their owners' business."""
        self.finish(self._end_tasks())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(DEADLINE_SECONDS)
        self.loop.close()

    def finish(self, work: Coroutine[object, object, T], seconds: float = DEADLINE_SECONDS) -> T:
        """Run a coroutine on the loop from another thread and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start a task that ends with the loop at the latest; only on the loop's own thread."""
        task = self.loop.create_task(work)
        self._spawned.add(task)
        task.add_done_callback(self._spawned.discard)
        return task

    def run(self, change: Callable[[], T]) -> T:
        """Make a change on the loop's thread, from any thread, and return what it returned."""
        if not self._thread.is_alive():
            raise RuntimeError(f"{self._thread.name} is not up: use it inside its with statement")
        if threading.current_thread() is self._thread:
            with self.changing():
                return change()
        done: Future[T] = Future()

        def make() -> None:
            try:
                with self.changing():
                    done.set_result(change())
            except Exception as error:  # whoever asked for the change hears of it
                done.set_exception(error)

        self.loop.call_soon_threadsafe(make)
        return done.result(DEADLINE_SECONDS)

    @contextmanager
    def changing(self) -> Generator[None]:
        """Hold the world still for the others while it changes, then wake those who wait."""
        with self._changed:
            yield
            self._changed.notify_all()

    def wait(self, until: Callable[[], T], seconds: float = DEADLINE_SECONDS, what: str = "that") -> T:
        """Wait until something is true and return it; AssertionError after `seconds`.

        It is looked at after every change and never in between. Not for the thread of a client's own loop,
        which could not answer meanwhile.
        """
        with self._changed:
            found = self._changed.wait_for(until, seconds)
        if not found:
            raise AssertionError(f"{what} did not come true within {seconds} s")
        return found

    async def _end_tasks(self) -> None:
        others = asyncio.all_tasks(self.loop) - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self.loop.shutdown_asyncgens()

    def _turn(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
