"""One person talks for an hour: what each tenth of it costs beside the first, from the socket to the pipe."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import sys
from typing import Final

from tests.benchmarks.bench import tell
from tests.benchmarks.receive.ears import Ears
from tests.benchmarks.receive.hot import AT_ONCE, WARM_UP

AN_HOUR: Final = 180_000
TENTHS: Final = 10


async def measure(packets: int) -> list[float]:
    """Return the microseconds for a packet, the median round of each tenth."""
    rounds: list[float] = []
    with Ears(1) as ears:
        for _ in range(WARM_UP + packets // AT_ONCE):
            took = await ears.hear(list(itertools.islice(ears.coming, AT_ONCE)))
            assert ears.letters(), "nobody was heard"
            rounds.append(1e6 * took / AT_ONCE)
    counted = rounds[WARM_UP:]
    tenth = len(counted) // TENTHS
    return [statistics.median(counted[at * tenth : (at + 1) * tenth]) for at in range(TENTHS)]


def main() -> None:
    """Measure once."""
    tenths = asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else AN_HOUR))
    tell({"first_us": tenths[0], "last_us": tenths[-1], "growth": tenths[-1] / tenths[0]})


if __name__ == "__main__":
    main()
