"""A server on loopback, and a captain's mind that asks it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from actors.net.loop import IoLoop
from tests.actors.captain.live.asked import KEY, PATIENCE, Desk
from tests.loopback.openai.minds import simple
from tests.loopback.openai.rest import Rest
from tests.loopback.providers import Ground


@pytest.fixture
def ground() -> Iterator[Ground]:
    ground = Ground("responses")
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
def desk(loop: IoLoop, rest: Rest) -> Iterator[Desk]:
    desk = Desk(loop, rest.base_url)
    desk.begin()
    yield desk
    desk.mind.close()
