"""What goes wrong in an evening, when, to whom and for how long, all of it drawn from one seed."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from tests.reliability.chaos.trouble import OF_THE_ROOT, ROOMS, SHAPES, Kind, Shape

ALL: Final = frozenset(Kind)
QUIET: Final = 15.0
"""Seconds without any trouble, after all of it was given its time to heal, in which he must answer."""
ARRIVING: Final = 4.0
"""Seconds before the first trouble: he has to be there for it."""
CYCLE: Final = 40.0
"""Seconds from one storm to the next, at the least."""
ROUNDED: Final = 0.05
ROUND: Final = 5
"""As many seeds in a row bring every kind of trouble."""
AT_ONCE: Final = 0.2
MINUTE: Final = 65.0
FALLS_A_MINUTE: Final = 2
TWO_MORE: Final = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One trouble: `at` seconds into the evening, for `seconds` of it; 0 is an instant."""

    number: int
    at: float
    kind: Kind
    target: str
    seconds: float

    @property
    def until(self) -> float:
        return self.at + self.seconds

    def __str__(self) -> str:
        whom = f" ({self.target})" if self.target else ""
        return f"{self.number}: {self.kind}{whom} at {self.at:.1f} s for {self.seconds:.1f} s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A while without trouble. He is asked after `healed`: until then what broke may still be mending."""

    begins: float
    healed: float
    ends: float


def plan(seed: int, minutes: float, kinds: Collection[Kind] = ALL) -> tuple[Happening, ...]:
    """Return what goes wrong, in its order; the same seed brings the same."""
    storms = max(1, int((minutes * 60.0 - ARRIVING) // CYCLE))
    room = (minutes * 60.0 - ARRIVING) / storms - QUIET
    fitting = [kind for kind in sorted(kinds) if SHAPES[kind].fits(room)]
    if not fitting:
        raise ValueError(
            f"{minutes:g} minutes are too short for that; take {(ARRIVING + CYCLE) / 60:.2f} or more"
        )
    chance = random.Random(f"chaos {seed}")
    drawn = [_storm(chance, share, fitting) for share in _shares(chance, seed, storms, fitting)]
    told: list[Happening] = []
    for place, storm in enumerate(drawn):
        begins = ARRIVING + place * (room + QUIET)
        until = begins + room - max(SHAPES[kind].heals for kind in storm)
        told.extend(_placed(chance, storm, begins, until))
    told.sort(key=lambda one: one.at)
    return tuple(_numbered(_spared(chance, told)))


def quiet(happenings: Sequence[Happening], minutes: float) -> tuple[Window, ...]:
    """Return the windows without trouble between the storms and after the last of them."""
    if not happenings:
        return (Window(begins=0.0, healed=ARRIVING, ends=minutes * 60.0),)
    ends, healed, windows = 0.0, 0.0, []
    for one, following in pairwise([*happenings, None]):
        assert one is not None
        ends, healed = max(ends, one.until), max(healed, one.until + SHAPES[one.kind].heals)
        following_at = minutes * 60.0 if following is None else following.at
        if following_at - healed >= QUIET - ROUNDED:
            windows.append(Window(begins=ends, healed=healed, ends=following_at))
    return tuple(windows)


def _shares(chance: random.Random, seed: int, storms: int, kinds: Sequence[Kind]) -> list[list[Kind]]:
    """Deal what this seed owes its round over the storms."""
    deck = list(kinds)
    random.Random("the deck").shuffle(deck)
    owed = deck[seed % ROUND :: ROUND]
    chance.shuffle(owed)
    return [owed[place::storms] for place in range(storms)]


def _storm(chance: random.Random, owed: list[Kind], kinds: Sequence[Kind]) -> list[Kind]:
    more = 2 if chance.random() < TWO_MORE else 1
    return owed + chance.choices(kinds, [SHAPES[kind].weight for kind in kinds], k=more)


def _placed(chance: random.Random, storm: Sequence[Kind], begins: float, until: float) -> Iterator[Happening]:
    """Begin one after the other, now and then two at once, but never two on the same ground."""
    step = (until - begins) / len(storm)
    at, free = begins, dict.fromkeys((SHAPES[kind].ground for kind in storm), begins)
    for place, kind in enumerate(storm):
        shape = SHAPES[kind]
        if not place or chance.random() >= AT_ONCE:
            at = begins + step * (place + chance.random() * 0.5)
        if (start := max(at, free[shape.ground])) > until:
            continue
        lasts = min(chance.uniform(*shape.seconds), max(0.0, until - start))
        free[shape.ground] = start + lasts + shape.apart
        yield Happening(
            number=0, at=round(start, 2), kind=kind, target=_target(chance, shape), seconds=round(lasts, 2)
        )


def _target(chance: random.Random, shape: Shape) -> str:
    return chance.choice(shape.targets) if shape.targets else ""


def _spared(chance: random.Random, happenings: Sequence[Happening]) -> Iterator[Happening]:
    """Let nobody spend the root's budget, after which there is no program left to go wrong."""
    falls: list[float] = []
    for one in happenings:
        if one.kind is Kind.ACTOR_CRASHES and one.target in OF_THE_ROOT:
            if sum(one.at - at <= MINUTE for at in falls) >= FALLS_A_MINUTE:
                yield replace(one, target=chance.choice(ROOMS))
                continue
            falls.append(one.at)
        yield one


def _numbered(happenings: Iterable[Happening]) -> Iterator[Happening]:
    for number, one in enumerate(happenings, start=1):
        yield replace(one, number=number)
