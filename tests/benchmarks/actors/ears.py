"""From a person's packet in the media process to his listener, beside a thread that never rests."""

from __future__ import annotations

import sys
import threading
from typing import Final

from tests.benchmarks.actors.listening import INTERVALS, Busy, Ears
from tests.benchmarks.bench import tell
from tests.benchmarks.crowd import Crowd

PEOPLE: Final = 8


def main(seconds: str) -> None:
    """Let eight people talk for so long, with either switch interval."""
    lasts, figures = float(seconds), dict[str, float]()
    with Crowd(people=PEOPLE, seconds=2 * lasts + 3.0) as crowd:
        (link,) = crowd.links()
        with Ears(link.people) as ears:
            for ear, person in zip(ears.each, link.people, strict=True):
                link.hear(person, ear.sink)
            for name, interval in INTERVALS.items():
                sys.setswitchinterval(interval)
                with Busy():
                    crowd.talk(True)
                    threading.Event().wait(lasts)
                    crowd.talk(False)
                figures.update(ears.figures(name))
    tell(figures)


if __name__ == "__main__":
    main(*sys.argv[1:])
