"""OpenAI's HTTP side on loopback, and a thread of sockets to ask it with; for a conftest to take in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from actors.net.loop import IoLoop
from tests.loopback.openai.minds import simple
from tests.loopback.openai.rest import Rest
from tests.loopback.providers import Ground

KEY = "sk-loopback-secret"
PATIENCE = 10.0


@pytest.fixture
def ground() -> Iterator[Ground]:
    ground = Ground("openai")
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
