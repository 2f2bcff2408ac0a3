"""Two hours of room life in two seconds: nothing is kept, and whoever keeps something is found."""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from loguru import logger

from actors.floor.actor import Floor
from messages.floor import FloorMessage, VoiceBegan
from tests.reliability.soak import sizes
from tests.reliability.soak.evenings import Evening, think
from tests.reliability.soak.growth import grown
from tests.reliability.soak.house import House
from tests.reliability.soak.judge import SLACK, is_bounded
from tests.reliability.soak.parts import glance
from tests.reliability.soak.sound import sound
from tests.stories.town import BAR, DEN

HOUR = 3_600.0
LOOKS = 20


@pytest.fixture(autouse=True)
def in_silence() -> Generator[None]:
    """Two hours have many lines of log."""
    logger.disable("actors")
    logger.disable("supervisors")
    yield
    logger.enable("actors")
    logger.enable("supervisors")


def live(folder: Path, hours: float) -> tuple[list[Counter[str]], House]:
    """So many hours of one stay, looked at LOOKS times."""
    looks: list[Counter[str]] = []
    with House(1, folder, think=think, ben=BAR) as house:
        life = Evening(house, random.Random(1), "ben", crashes=False)
        life.begin()
        for _ in range(LOOKS):
            life.go_on(hours * HOUR / LOOKS - 60.0, pause=45.0)
            house.run(60.0)
            found, broken = glance(house)
            assert broken == ()
            looks.append(found)
        assert life.inside
    return looks, house


def grew(looks: list[Counter[str]], people: int) -> list[str]:
    """What grew, and may not have grown so far."""
    return [one.name for one in grown(looks, SLACK) if not is_bounded(one, people)]


def test_two_hours_in_a_room_leave_nothing_behind(tmp_path: Path) -> None:
    looks, house = live(tmp_path, 2.0)
    assert grew(looks, house.guests) == []


def test_an_actor_that_keeps_ids_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    receive = Floor.receive

    def keeping(self: Floor, message: FloorMessage) -> None:
        if isinstance(message, VoiceBegan):
            vars(self).setdefault("_kept", []).append(message)
        receive(self, message)

    monkeypatch.setattr(Floor, "receive", keeping)
    looks, house = live(tmp_path, 0.5)
    assert "body/stays/*/mouth/floor.kept" in grew(looks, house.guests)


def test_stays_that_crash_and_end_leave_nobody_in_memory(tmp_path: Path) -> None:
    others = sizes.dead()  # of tests before this one in the same process, whom a failure may hold
    with House(1, tmp_path, think=think, anna=DEN) as house:
        chance = random.Random(1)
        life = Evening(house, chance, "anna", crashes=True)
        for _ in range(3):
            life.begin()
            life.go_on(240.0, pause=20.0)
            life.end()
        house.run(300.0)
        glance(house)
        gc.collect()
        assert sizes.dead() <= others
        assert not [path for path in house.stage.living() if "/stays/" in path]


def test_sound_is_heard_beyond_the_end_of_every_counter() -> None:
    glimpses = list(sound(6.0, 1, LOOKS))
    assert [glimpse.wrong for glimpse in glimpses if glimpse.wrong] == []
    did = glimpses[-1].did
    assert did["sequence numbers that ran over"] > 0
    assert did["timestamps that ran over"] > 0
    assert did["nonces that ran out"] > 0
    assert grew([glimpse.sizes for glimpse in glimpses], glimpses[-1].people) == []
