"""Every socket of the house hangs on this one thread, so that no actor ever waits for a peer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


class IoLoop:
    """One asyncio loop in a thread of its own; all methods but `start` may be called from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._open = False
        self._thread = threading.Thread(target=self._turn, name="io-loop", daemon=True)

    def start(self) -> None:
        """Begin to run, once; before it nothing is accepted."""
        with self._lock:
            self._open = True
        self._thread.start()

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        """Run `work` on the loop; its result, or what it raised, is in the future.

        Never raises and never blocks. Where the loop does not run, the future is cancelled already.
        """
        with self._lock:
            if self._open:
                return asyncio.run_coroutine_threadsafe(work, self._loop)
        work.close()
        refused: Future[T] = Future()
        refused.cancel()
        return refused

    def call(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Run a short function on the loop soon, in order; false where the loop does not run."""
        with self._lock:
            if self._open:
                self._loop.call_soon_threadsafe(lambda: callback(*args, **kwargs))
            return self._open

    def stop(self, deadline: float) -> bool:
        """Cancel what still runs and end the thread within `deadline` seconds; false if it has not ended.

        Work that does not give in is left behind, on a thread that cannot keep the program up.
        """
        with self._lock:
            was_open, self._open = self._open, False
            if was_open:
                self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread.ident is None:
            self._loop.close()
            return True
        self._thread.join(deadline)
        return not self._thread.is_alive()

    def _turn(self) -> None:
        """Run until stopped, then let every task clean up."""
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(self._wind_down())
        finally:
            asyncio.set_event_loop(None)
            self._loop.close()

    async def _wind_down(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._loop.shutdown_asyncgens()
        await self._loop.shutdown_default_executor()
