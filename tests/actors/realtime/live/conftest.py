"""A server on loopback, and a mind that asks it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from actors.net.loop import IoLoop
from tests.actors.realtime.live.asked import Room
from tests.loopback.openai.fixtures import ground, loop, rest
from tests.loopback.openai.rest import Rest

__all__ = ["ground", "loop", "rest"]


@pytest.fixture
def room(loop: IoLoop, rest: Rest) -> Iterator[Room]:
    room = Room(loop, rest.base_url)
    yield room
    room.mind.close()
