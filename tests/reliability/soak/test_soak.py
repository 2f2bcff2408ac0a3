"""Two hours of room life in two seconds: nothing is kept that should not be, and whoever keeps it is found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from loguru import logger

from actors.floor.actor import Floor
from messages.floor import FloorMessage
from tests.reliability.soak import sizes
from tests.reliability.soak.evenings import Evening, think
from tests.reliability.soak.growth import grown
from tests.reliability.soak.house import House
from tests.reliability.soak.judge import BOUNDS
from tests.reliability.soak.parts import glance
from tests.reliability.soak.sound import sound
from tests.stories.town import BAR, DEN

HOUR = 3_600.0
LOOKS = 24
SLACK = 12.0
"""In so short a time not everything is full that has a bound."""


@pytest.fixture(autouse=True)
def in_silence() -> Generator[None]:
    """Two hours have many lines of log."""
    logger.disable("actors")
    logger.disable("supervisors")
    yield
    logger.enable("actors")
    logger.enable("supervisors")


def hours(folder: Path) -> list[Counter[str]]:
    """Two hours of one stay, looked at every five minutes."""
    looks: list[Counter[str]] = []
    with House(1, folder, think=think, ben=BAR) as house:
        life = Evening(house, random.Random(1), "ben", crashes=False)
        life.begin()
        for _ in range(LOOKS):
            life.go_on(2 * HOUR / LOOKS - 60.0)
            house.run(60.0)
            found, broken = glance(house)
            assert broken == ()
            looks.append(found)
        assert life.inside
    return looks


def grew(looks: list[Counter[str]]) -> list[str]:
    """What grew and may not."""
    return [one.name for one in grown(looks, SLACK) if one.name not in BOUNDS]


def test_two_hours_in_a_room_leave_nothing_behind(tmp_path: Path) -> None:
    assert grew(hours(tmp_path)) == []
