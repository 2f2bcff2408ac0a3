"""Whoever ends a command politely is heard like Ctrl-C, so that it closes what it opened."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

INTERRUPTED_EXIT: Final = 130


@contextmanager
def signals_interrupt() -> Generator[None]:
    """Let who asks the process to end, or closes its terminal, be heard like Ctrl-C."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        del number, frame
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a terminal that closes may say so twice
        raise KeyboardInterrupt

    names = [one for one in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) is not signal.SIG_IGN]
    before = {name: signal.signal(name, interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
