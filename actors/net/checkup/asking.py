"""One question after the other, each with a deadline, a stopwatch, and a code for what went wrong."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from types import TracebackType
from typing import Final, Self, TypeVar

from actors.net.checkup.answers import Answer, Got, Refusal, Sound
from actors.net.checkup.knock import Door, knock, reason_of
from actors.net.loop import IoLoop
from actors.net.reasons import TIMEOUT
from actors.net.sdk import BAD_FRAME

STEP_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 1.0
LONGEST_SOUND: Final = 24_000 * 2 * 60
"""More bytes than this are no short sentence."""

T = TypeVar("T")


class Asking:
    """The same I/O thread that he will use, for as long as the asking lasts; inside its `with` statement."""

    def __init__(self, seconds: float = STEP_SECONDS, tell: Callable[[str], object] = lambda _: None) -> None:
        self.seconds = seconds
        """The deadline of each question."""
        self.tell = tell
        """Told what is asked, before each question that may take as long as that."""
        self.loop = IoLoop()
        self._closers: list[Callable[[], Coroutine[None, None, None]]] = []

    def __enter__(self) -> Self:
        self.loop.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for close in self._closers:
            self.ask(close, lambda _: "")
        self.loop.stop(CLOSE_SECONDS)

    def at_the_end(self, close: Callable[[], Coroutine[None, None, None]]) -> None:
        """Have a client closed when the asking is over."""
        self._closers.append(close)

    def ask(
        self, question: Callable[[], Coroutine[None, None, T]], reason_of: Callable[[Exception], str]
    ) -> Answer[T]:
        """Ask, and never raise for what a provider or a network does."""
        began = time.monotonic()
        try:
            value = self.loop.submit(self._in_time(question)).result()
        except TimeoutError:
            return Refusal(reason=TIMEOUT, seconds=time.monotonic() - began)
        except (AttributeError, TypeError):  # a library read something into the shape of its answers
            return Refusal(reason=BAD_FRAME, seconds=time.monotonic() - began)
        except Exception as error:
            return Refusal(reason=reason_of(error), seconds=time.monotonic() - began)
        return Got(value=value, seconds=time.monotonic() - began)

    def knock(self, door: Door) -> Answer[float]:
        """Try a socket, over the guarded line that he will use; the answer is when he was welcome."""
        from actors.net.guarded import GuardedDial

        return self.ask(partial(knock, GuardedDial(self.loop), door), reason_of)

    async def _in_time(self, question: Callable[[], Coroutine[None, None, T]]) -> T:
        async with asyncio.timeout(self.seconds):
            return await question()


async def collected(pieces: AsyncIterator[bytes]) -> Sound:
    """All of a short sound as it comes; raises ValueError for one that does not end."""
    began, first, pcm = time.monotonic(), 0.0, bytearray()
    async for piece in pieces:
        if piece and not pcm:
            first = time.monotonic() - began
        pcm += piece
        if len(pcm) > LONGEST_SOUND:
            raise ValueError("the sound does not end")
    return Sound(pcm=bytes(pcm[: len(pcm) // 2 * 2]), first_seconds=first)
