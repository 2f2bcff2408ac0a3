"""A server on loopback, and a captain's mind that asks it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from actors.net.loop import IoLoop
from tests.actors.captain.live.asked import Desk
from tests.loopback.openai.fixtures import ground, loop, rest
from tests.loopback.openai.rest import Rest

__all__ = ["ground", "loop", "rest"]


@pytest.fixture
def desk(loop: IoLoop, rest: Rest) -> Iterator[Desk]:
    desk = Desk(loop, rest.base_url)
    desk.begin()
    yield desk
    desk.mind.close()
