"""The end of the log for whoever watches: taken line by line, and left alone while nobody wants to see it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from loguru import logger

from actors.console.wire_views import log_view
from actors.net.loop import IoLoop

if TYPE_CHECKING:
    from loguru import Message

MOST_A_SECOND: Final = 200
LONGEST_LINE: Final = 2_000
LEVEL: Final = "INFO"


class LogTail:
    """A sink that is there only while somebody wants it; `show` is called on the thread of all sockets."""

    def __init__(self, loop: IoLoop, show: Callable[[str], None]) -> None:
        self._loop, self._show = loop, show
        self._sink: int | None = None
        self._second, self._taken, self.excess = 0, 0, 0

    def keep(self, wanted: bool) -> None:
        """Begin or stop, if that is not so already."""
        if wanted and self._sink is None:
            self._sink = logger.add(self._take, level=LEVEL, format="{message}", catch=True)
        elif not wanted and self._sink is not None:
            with suppress(ValueError):
                logger.remove(self._sink)
            self._sink = None

    def _take(self, message: Message) -> None:
        """On whatever thread it was said, which waits for nothing; of too many lines, the rest is counted."""
        second = int(time.monotonic())
        if second != self._second:
            left_out, self._second, self._taken, self.excess = self.excess, second, 0, 0
            if left_out:
                self._pass_on(time.time(), "WARNING", f"{left_out} lines more are in the log only")
        if self._taken >= MOST_A_SECOND:
            self.excess += 1
            return
        self._taken += 1
        record = message.record
        self._pass_on(record["time"].timestamp(), record["level"].name, record["message"][:LONGEST_LINE])

    def _pass_on(self, at: float, level: str, text: str) -> None:
        self._loop.call(lambda: self._show(log_view(at, level, text)))
