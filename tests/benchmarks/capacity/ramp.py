"""`python -m tests.benchmarks.capacity.ramp MOST` finds how many stays one core carries, and how many two."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from loguru import logger

from tests.benchmarks.bench import cannot, tell
from tests.benchmarks.capacity import kernel
from tests.benchmarks.capacity.scene import Sample, Scene
from tests.benchmarks.capacity.speakers import BREATH_SECONDS, MEASURED_SECONDS, SWITCH_SECONDS
from tests.benchmarks.capacity.stays import Stays
from tests.benchmarks.crowd import Crowd

PEOPLE: Final = 3
GRAIN_SECONDS: Final = 0.002
STEP: Final = 1.12
"""From one number of stays that is tried to the next."""
FIRST: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Ramp:
    """The last sample within the budget, and all samples."""

    limit: Sample | None
    samples: tuple[Sample, ...]


def rungs(most: int) -> tuple[int, ...]:
    """The numbers of stays that are tried."""
    return tuple(sorted({min(most, round(FIRST * STEP**power)) for power in range(64)}))


def climb(heights: tuple[int, ...], try_out: Callable[[int], Sample]) -> Iterator[Sample]:
    """Halve the rungs until the highest that holds is known."""
    low, high = 0, len(heights)
    while low < high:
        middle = (low + high) // 2
        sample = try_out(heights[middle])
        yield sample
        low, high = (middle + 1, high) if sample.in_budget else (low, middle)


def ramp(heights: tuple[int, ...], try_out: Callable[[int], Sample]) -> Ramp:
    """Find the limit; a number of stays that fails may have had bad luck, and is tried once more."""
    samples: list[Sample] = []

    def twice(stays: int) -> Sample:
        samples.append(try_out(stays))
        if not samples[-1].in_budget:
            samples.append(try_out(stays))
        return samples[-1]

    held = [one for one in climb(heights, twice) if one.in_budget]
    return Ramp(limit=max(held, key=lambda one: one.stays, default=None), samples=tuple(samples))


def measured(most: int) -> dict[str, float]:
    """One repetition."""
    with ExitStack() as undo:
        crowd = undo.enter_context(Crowd(most, PEOPLE, seconds=BREATH_SECONDS, grain=GRAIN_SECONDS))
        stays = undo.enter_context(Stays(crowd.ports()))
        crowd.settle()
        scene = Scene(crowd, stays.stays)
        values: dict[str, float] = {}
        for cores in (1, 2):

            def try_out(number: int, cores: int = cores) -> Sample:
                scene.pin(range(cores))
                return scene.sample(number, MEASURED_SECONDS)

            values |= told(cores, ramp(rungs(most), try_out))
        values |= sizes(stays, scene)
    values["ratio"] = values["stays.2"] / max(1.0, values["stays.1"])
    free = values["stays.2"] * 200 / (200 - values["crowd.2"])
    values["ratio without crowd"] = free / max(1.0, values["stays.1"])
    return values


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
