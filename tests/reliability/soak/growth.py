"""Whether something grows: the last tenth of a run beside its second, and the unrest of the latter."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

TENTHS: Final = 10
MOST: Final = 0.02
"""So much may be added from the second tenth to the last; the first is for getting warm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What was measured of one thing: its middle in the second tenth and in the last, and its unrest."""

    name: str
    early: float
    late: float
    unrest: float
    """Half of what lies between the most and the least of the second tenth."""

    @property
    def share(self) -> float:
        """What was added, as a share of what there was."""
        return (self.late - self.early) / self.early if self.early else float(self.late > 0)

    def grew(self, slack: float = 0.0) -> bool:
        """Whether more was added than MOST, the unrest and `slack`."""
        return self.late - self.early > max(MOST * self.early, self.unrest, slack)


def course(name: str, values: Sequence[float]) -> Course:
    """How one thing went; a value was taken at equal distances."""
    if len(values) < 2 * TENTHS:
        raise ValueError(f"{name}: {len(values)} samples are too few, take {2 * TENTHS} or more")
    tenth = len(values) // TENTHS
    second, last = values[tenth : 2 * tenth], values[-tenth:]
    return Course(
        name=name,
        early=statistics.median(second),
        late=statistics.median(last),
        unrest=(max(second) - min(second)) / 2,
    )


def courses(samples: Sequence[Mapping[str, float]]) -> tuple[Course, ...]:
    """How everything went that was ever met; what a sample does not name was empty then."""
    names = {name: None for sample in samples for name in sample}
    return tuple(course(name, [sample.get(name, 0.0) for sample in samples]) for name in names)


def grown(samples: Sequence[Mapping[str, float]], slack: float) -> tuple[Course, ...]:
    """What grew, the most first."""
    found = [one for one in courses(samples) if one.grew(slack)]
    return tuple(sorted(found, key=lambda one: one.early - one.late))
