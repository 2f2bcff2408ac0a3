"""A timer rings once, on time, and not at all when it was told so."""

import asyncio
import time

import pytest

from actors.voice.media.timer import Timer


class Bell:
    def __init__(self, fine: bool) -> None:
        self.rang = asyncio.Event()
        self.times: list[float] = []
        self.timer = Timer(asyncio.get_running_loop(), self.ring, fine=fine)

    def ring(self) -> None:
        self.times.append(time.monotonic())
        self.rang.set()


@pytest.mark.parametrize("fine", [True, False])
def test_it_rings_once_for_the_second_that_was_set_last(fine: bool) -> None:
    async def scene() -> None:
        bell = Bell(fine)
        assert bell.timer.fine == fine
        due = time.monotonic() + 0.05
        bell.timer.set(due - 0.04)
        bell.timer.set(due)
        bell.timer.set(due)
        async with asyncio.timeout(2.0):
            await bell.rang.wait()
        assert len(bell.times) == 1
        assert bell.times[0] >= due
        bell.rang.clear()
        bell.timer.set(due)
        async with asyncio.timeout(2.0):
            await bell.rang.wait()
        bell.timer.close()

    asyncio.run(scene())


@pytest.mark.parametrize("fine", [True, False])
def test_it_does_not_ring_when_it_was_told_so(fine: bool) -> None:
    async def scene() -> None:
        silent, other = Bell(fine), Bell(True)
        now = time.monotonic()
        silent.timer.set(now + 0.01)
        silent.timer.set(None)
        other.timer.set(now + 0.05)
        async with asyncio.timeout(2.0):
            await other.rang.wait()
        assert silent.times == []
        silent.timer.close()
        other.timer.close()

    asyncio.run(scene())
