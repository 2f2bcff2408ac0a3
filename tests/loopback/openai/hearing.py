"""One ear for all listeners: a thread in which sound becomes words, one piece of it at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeAlias

from tests.loopback.providers import Ground

Hear: TypeAlias = Callable[[bytes], str]
"""The words in 24 kHz mono 16-bit samples; raises Deaf where the transcription fails."""


class Deaf(Exception):
    """A transcription that fails; its text is OpenAI's code for why."""


class Hearing:
    """Whatever is heard is told on the loop, while those who wait are held still."""

    def __init__(self, ground: Ground, hear: Hear) -> None:
        self.hear = hear
        """May be replaced."""
        self._ground = ground
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="loopback-openai-ear")
        self._waiting = 0
        self._closing = False

    @property
    def idle(self) -> bool:
        """Whether nobody waits for words."""
        return self._waiting == 0

    def ask(self, sound: bytes, told: Callable[[str | Deaf], None]) -> None:
        """Have sound written down; `told` gets the words, or why there are none."""
        if self._closing:
            return
        self._waiting += 1
        loop = asyncio.get_running_loop()

        def done(result: Future[str | Deaf]) -> None:
            if not result.cancelled():
                loop.call_soon_threadsafe(self._tell, told, result)

        self._thread.submit(self._written, sound).add_done_callback(done)

    def close(self) -> None:
        """Finish what is being heard, forget what waits, and end the thread."""
        self._ground.run(self._stop)
        self._thread.shutdown(cancel_futures=True)

    def _stop(self) -> None:
        self._closing = True

    def _written(self, sound: bytes) -> str | Deaf:
        try:
            return self.hear(sound)
        except Deaf as deaf:
            return deaf

    def _tell(self, told: Callable[[str | Deaf], None], result: Future[str | Deaf]) -> None:
        self._waiting -= 1
        with self._ground.changing():
            told(result.result())


def in_turn(texts: Iterable[str]) -> Hear:
    """Hear these texts one after the other, whatever the sound is; then nothing."""
    left = list(texts)
    return lambda _: left.pop(0) if left else ""
