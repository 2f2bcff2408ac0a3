"""Whoever stands on a ground is gone with it, and nobody is left behind who was still at something."""

from __future__ import annotations

import asyncio

from tests.loopback.discord.ground import Ground

DEADLINE = 10.0


async def _for_ever(begun: asyncio.Event, ended: list[str]) -> None:
    begun.set()
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("in order")


def test_whoever_is_at_something_is_ended_in_order_whoever_began_it() -> None:
    ground, ended = Ground(), list[str]()
    ground.start()
    begun = asyncio.Event()
    speech = asyncio.run_coroutine_threadsafe(_for_ever(begun, ended), ground.loop)
    ground.finish(begun.wait(), DEADLINE)
    ground.stop()
    assert ended == ["in order"]
    assert speech.cancelled()
