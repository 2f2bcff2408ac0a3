"""What is promised of a line holds on both event loops."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import cast

import pytest
from loguru import logger

from actors.net.loop import fastest_loop
from tests.actors.net.world import NewLoop, World


@pytest.fixture(params=[asyncio.new_event_loop, fastest_loop], ids=["asyncio", "fastest"])
def new_loop(request: pytest.FixtureRequest) -> NewLoop:
    return cast(NewLoop, request.param)


@pytest.fixture
def world(new_loop: NewLoop) -> Iterator[World]:
    world = World(new_loop)
    world.open()
    yield world
    world.close()


class _Keeps(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))


@pytest.fixture
def logs() -> Iterator[list[str]]:
    """Everything that anybody writes to any log, however trifling."""
    lines: list[str] = []
    sink = logger.add(lines.append, level=0, diagnose=True, backtrace=True)
    keeps, root = _Keeps(lines), logging.getLogger()
    talkative = [root, *map(logging.getLogger, ("websockets", "websockets.client", "asyncio", "aiohttp"))]
    before = [one.level for one in talkative]
    for one in talkative:
        one.setLevel(logging.DEBUG)  # whatever else sets it, what they remember of it stays
    root.addHandler(keeps)
    yield lines
    root.removeHandler(keeps)
    for one, level in zip(talkative, before, strict=True):
        one.setLevel(level)
    logger.remove(sink)
