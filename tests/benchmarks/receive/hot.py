"""CPU of a packet that has been waiting, from the socket to the pipe, while everybody talks."""

from __future__ import annotations

import asyncio
import itertools
import sys
from typing import Final

from tests.benchmarks.bench import tell
from tests.benchmarks.receive.ears import Ears
from tests.benchmarks.receive.people import PEOPLE

AT_ONCE: Final = 64
"""Datagrams that lie in the socket when the loop looks."""
WARM_UP: Final = 10
ROUNDS: Final = 100


async def measure(rounds: int) -> float:
    """Return the microseconds for each packet."""
    with Ears(PEOPLE) as ears:
        spent = 0.0
        for turn in range(-WARM_UP, rounds):
            took = await ears.hear(list(itertools.islice(ears.coming, AT_ONCE)))
            assert ears.letters(), "nobody was heard"
            spent += took if turn >= 0 else 0.0
    return 1e6 * spent / (rounds * AT_ONCE)


def main() -> None:
    """Measure once."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    tell({"us": asyncio.run(measure(rounds))})


if __name__ == "__main__":
    main()
