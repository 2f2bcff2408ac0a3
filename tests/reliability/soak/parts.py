"""What is soaked on a quick clock: one stay without an end, stays with hours between, and bare sound."""

from __future__ import annotations

import dataclasses
import gc
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from loguru import logger

from tests.reliability.soak import memory, sizes
from tests.reliability.soak.evenings import Evening, think
from tests.reliability.soak.house import House
from tests.reliability.soak.sound import sound
from tests.stories.town import BAR, DEN

HOUR: Final = 3_600.0
SAMPLES: Final = 200
"""So many looks at a stay without an end, and at sound."""
QUIET: Final = 45.0
"""Seconds before a look in which nothing happens."""
WARM: Final = 0.1


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What there is at one moment; sizes and objects by name."""

    hours: float
    sizes: Mapping[str, int]
    objects: Mapping[str, int]
    blocks: int
    """Everything that Python has in memory, counted."""
    used: int
    """Bytes that were asked for and not given back."""
    memory: int
    """Bytes that are resident, with what allocators keep for later."""
    descriptors: int
    threads: int
    dead: int
    """Actors that are over and still in memory."""
    people: int
    """How many different people there were so far."""
    broken: tuple[str, ...]
    """Rules of the providers that were broken, and crashes that nobody ordered."""
    did: Mapping[str, int]


def stay(hours: float, seed: int, samples: int = SAMPLES) -> Iterator[Look]:
    """One stay of so many hours, in which nobody crashes."""
    logger.remove()
    with tempfile.TemporaryDirectory() as folder, House(seed, Path(folder), think=think, ben=BAR) as house:
        chance = random.Random(seed)
        evening = Evening(house, chance, "ben", crashes=False)
        evening.begin()
        for number in range(1, samples + 1):
            until = number * hours * HOUR / samples
            # Every tenth look follows a silence in which conversations and listeners are given up.
            pause = 2_000.0 if number % 10 == 0 else 75.0
            evening.go_on(max(1.0, until - house.clock.now() - QUIET), pause)
            house.run(max(QUIET, until - house.clock.now()))
            if not evening.inside:
                evening.did["lost stays"] += 1
                evening.begin()
            yield look(house, evening.did)


def stays(hours: float, seed: int) -> Iterator[Look]:
    """Stays of half an hour, up to two hours between them, crashes now and then; a look after each."""
    logger.remove()
    with tempfile.TemporaryDirectory() as folder, House(seed, Path(folder), think=think, anna=DEN) as house:
        chance = random.Random(seed)
        evening = Evening(house, chance, "anna", crashes=True)
        while house.clock.now() < hours * HOUR:
            evening.begin()
            evening.go_on(chance.uniform(600.0, 1_800.0))
            house.run(10.0)
            evening.end()
            house.run(chance.choice((300.0, 600.0, 600.0, 7_200.0)))
            yield look(house, evening.did)


def look(house: House, did: Counter[str]) -> Look:
    """Throw away what is ours, and count what is his."""
    found, broken = glance(house)
    return looked(house.clock.now(), house.guests, did, found, broken)


def glance(house: House) -> tuple[Counter[str], tuple[str, ...]]:
    """Throw away what is ours; how much everybody keeps, and what was broken."""
    house.forget()
    crashes = [f"{type(one).__name__}: {one}" for one in house.stage.crashes]
    house.stage.crashes.clear()
    found = sizes.remembered(house.stage) + sizes.timers(house.stage)
    found["meter: series"] = house.series()
    broken, house.broken = (*house.broken, *crashes), []
    return found, broken


def looked(
    now: float, people: int, did: Counter[str], found: Mapping[str, int], broken: tuple[str, ...]
) -> Look:
    """The same, of the whole process."""
    gc.collect()
    return Look(
        hours=now / HOUR,
        sizes=dict(found),
        objects=dict(sizes.objects()),
        blocks=sys.getallocatedblocks(),
        used=memory.in_use(),
        memory=memory.resident(),
        descriptors=sizes.descriptors(),
        threads=len(list(Path("/proc/self/task").iterdir())),
        dead=sizes.dead(),
        people=people,
        broken=broken,
        did=dict(did),
    )


def bare_sound(hours: float, seed: int) -> Iterator[Look]:
    """Ears and mouth of the media process, without a wire."""
    for one in sound(hours, seed, SAMPLES):
        yield looked(one.seconds, one.people, one.did, one.sizes, one.wrong)


PARTS: Final[Mapping[str, Callable[[float, int], Iterator[Look]]]] = {
    "stay": stay,
    "stays": stays,
    "sound": bare_sound,
}
"""By name: hours and seed to looks."""
