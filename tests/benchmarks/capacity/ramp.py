"""`python -m tests.benchmarks.capacity.ramp MOST` finds how many stays one core carries, and how many two."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import fmean
from typing import Final, TypeAlias

from loguru import logger

from supervisors.cli import SWITCH_SECONDS
from tests.benchmarks import kernel
from tests.benchmarks.bench import cannot, tell
from tests.benchmarks.capacity.scene import Sample, Scene
from tests.benchmarks.capacity.stays import Stays
from tests.benchmarks.crowd import Crowd

PEOPLE: Final = 3
MEASURED_SECONDS: Final = 1.0
BREATH_SECONDS: Final = 5.0
GRAIN_SECONDS: Final = 0.002
STEP: Final = 1.12
"""From one number of stays that is tried to the next."""
LEAST: Final = 4
EXPECTED: Final = 14
"""Stays that a core is tried with first."""
TRIES: Final = 2
"""Whatever fails may have had bad luck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ramp:
    """The last sample within the budget, and all samples."""

    limit: Sample | None
    samples: tuple[Sample, ...]


def rungs(most: int) -> tuple[int, ...]:
    """The numbers of stays that are tried."""
    every = {round(LEAST * STEP**power) for power in range(64)}
    return tuple(sorted(one for one in every if one <= most))


Climb: TypeAlias = Generator[int, Sample, Ramp]
"""Yields what is to be tried, is sent what came of it, and returns what that comes to."""


def climb(heights: Sequence[int], first: int) -> Climb:
    """From the first rung up while they hold, else down until one does; one that fails is tried once more.

    Never far above what holds: there a house that gets no core can do nothing, not even end the attempt.
    """
    samples: list[Sample] = []
    place = min(range(len(heights)), key=lambda one: abs(heights[one] - first))
    limit, way = None, 0
    while 0 <= place < len(heights):
        for _ in range(TRIES):
            samples.append((yield heights[place]))
            if samples[-1].in_budget:
                break
        holds = samples[-1].in_budget
        limit = samples[-1] if holds else limit
        if way and holds != (way > 0):
            break
        way = 1 if holds else -1
        place += way
    return Ramp(limit=limit, samples=tuple(samples))


def in_turns(climbs: Mapping[int, Climb], try_out: Callable[[int, int], Sample]) -> Mapping[int, Ramp]:
    """Take a step on each by turns, so that a bad minute of the machine is everybody's; by cores."""
    asked = {cores: next(one) for cores, one in climbs.items()}
    done: dict[int, Ramp] = {}
    while asked:
        for cores, stays in tuple(asked.items()):
            try:
                asked[cores] = climbs[cores].send(try_out(cores, stays))
            except StopIteration as over:
                done[cores] = over.value
                del asked[cores]
    return done


def measured(most: int) -> dict[str, float]:
    """One repetition."""
    with ExitStack() as undo:
        crowd = undo.enter_context(Crowd(most, PEOPLE, seconds=BREATH_SECONDS, grain=GRAIN_SECONDS))
        stays = undo.enter_context(Stays(crowd.ports()))
        crowd.settle()
        scene = Scene(crowd, stays.stays)

        def try_out(cores: int, number: int) -> Sample:
            scene.pin(range(cores))
            return scene.sample(number, MEASURED_SECONDS)

        ramps = in_turns({cores: climb(rungs(most), EXPECTED * cores) for cores in (1, 2)}, try_out)
        values: dict[str, float] = {}
        for cores, climbed in ramps.items():
            values |= told(cores, climbed)
        values |= sizes(stays, scene)
    return values | ratio(values["stays.1"], values["stays.2"])


def ratio(one: float, two: float) -> dict[str, float]:
    """Stays on two cores for each on one; nothing where one core carried none, for that is no gain."""
    return {"ratio": two / one} if one else {}


def told(cores: int, climbed: Ramp) -> dict[str, float]:
    """What a ramp came to, and each of its samples."""
    limit = climbed.limit
    values: dict[str, float] = {f"stays.{cores}": 0.0, f"crowd.{cores}": 0.0}
    if limit is not None:
        values |= {
            f"stays.{cores}": limit.stays,
            f"send.{cores}": limit.send_p99,
            f"hear.{cores}": limit.hear_p99,
            f"crowd.{cores}": limit.crowd * 100,
            f"house.{cores}": limit.house * 100 / limit.stays,
            f"media.{cores}": limit.media * 100 / limit.stays,
        }
    for one in climbed.samples:
        values[f"sampled send.{cores}.{one.stays}"] = one.send_p99
        values[f"sampled hear.{cores}.{one.stays}"] = one.hear_p99
    return values


def sizes(stays: Stays, scene: Scene) -> dict[str, float]:
    """What a further stay adds to the house, and what its media process is."""
    first, last, more = stays.sizes[0], stays.sizes[-1], max(1, len(stays.sizes) - 1)
    media = [kernel.size(pid) for pid in scene.media]
    return {
        "house private": (last.private - first.private) / more,
        "house threads": (last.threads - first.threads) / more,
        "house descriptors": (last.descriptors - first.descriptors) / more,
        "media private": fmean(one.private for one in media),
        "media resident": fmean(one.resident for one in media),
        "media threads": fmean(one.threads for one in media),
        "media descriptors": fmean(one.descriptors for one in media),
    }


def main() -> None:
    """One repetition."""
    logger.remove()
    sys.setswitchinterval(SWITCH_SECONDS)
    if len(kernel.cores()) < 2:
        cannot("there is only one core here: run it on a machine, or in a container, with two")
    tell(measured(int(sys.argv[1])))


if __name__ == "__main__":
    main()
