"""A server on loopback, and a mind that asks it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from actors.net.loop import IoLoop
from tests.actors.realtime.live.asked import KEY, PATIENCE, Room
from tests.loopback.openai.minds import simple
from tests.loopback.openai.rest import Rest
from tests.loopback.providers import Ground


@pytest.fixture
def ground() -> Iterator[Ground]:
    ground = Ground("chat")
    yield ground
    ground.close()


@pytest.fixture
def rest(ground: Ground) -> Rest:
    rest = Rest(ground, KEY, simple())
    rest.mount()
    ground.open()
    return rest


@pytest.fixture
def loop() -> Iterator[IoLoop]:
    loop = IoLoop()
    loop.start()
    yield loop
    assert loop.stop(PATIENCE)


@pytest.fixture
def room(loop: IoLoop, rest: Rest) -> Iterator[Room]:
    room = Room(loop, rest.base_url)
    yield room
    room.mind.close()
