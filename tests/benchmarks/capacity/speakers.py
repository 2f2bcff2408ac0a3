"""`python -m tests.benchmarks.capacity.speakers STEP...` has so many people of one room talk, and him too."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

from loguru import logger

from supervisors.cli import SWITCH_SECONDS
from tests.benchmarks.bench import tell
from tests.benchmarks.capacity.scene import Sample, Scene
from tests.benchmarks.capacity.stays import Stays
from tests.benchmarks.crowd import Crowd

MEASURED_SECONDS: Final = 1.5
BREATH_SECONDS: Final = 6.0


def carried(steps: Sequence[int], seconds: float = MEASURED_SECONDS) -> tuple[list[Sample], int, int]:
    """What came of each step, and how many packets were sent to him and decoded in all."""
    with ExitStack() as undo:
        crowd = undo.enter_context(Crowd(1, max(steps), seconds=BREATH_SECONDS))
        stays = undo.enter_context(Stays(crowd.ports()))
        crowd.settle()
        scene = Scene(crowd, stays.stays)
        samples = [scene.sample(1, seconds, people) for people in steps]
        counts = stays.stays[0].crowded.link.close()
        return samples, scene.sent, sum(count.decoded for count in counts)


def main() -> None:
    """One repetition."""
    logger.remove()
    sys.setswitchinterval(SWITCH_SECONDS)
    samples, sent, decoded = carried(tuple(map(int, sys.argv[1:])))
    good = [one.speakers for one in samples if one.in_budget] if decoded == sent else []
    values: dict[str, float] = {"carried": max(good, default=0), "lost": sent - decoded}
    for one in samples:
        values |= {
            f"media.{one.speakers}": one.media * 100,
            f"house.{one.speakers}": one.house * 100,
            f"send.{one.speakers}": one.send_p99,
            f"hear.{one.speakers}": one.hear_p99,
            f"crowd.{one.speakers}": one.crowd * 100,
        }
    values["each"] = samples[-1].media * 1e6 / samples[-1].speakers / 50
    tell(values)


if __name__ == "__main__":
    main()
