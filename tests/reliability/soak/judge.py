"""Whether the quick halves kept what they promise: nothing grows, but for what has a bound and a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.captain.journal import MOST_ENTRIES
from actors.gateway.lane import MOST_SEEN
from actors.voice.media.owners import MOST_FORMER
from tests.reliability.soak.growth import Course, course, grown
from tests.reliability.soak.parts import Look

SLACK: Final = 4.0
"""So many entries more are no growth: somebody is in the middle of something."""
SLACK_OF_OBJECTS: Final = 50.0
LANES: Final = 4
"""The rooms in which anybody asks the captain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What may grow, up to `most` (given how many people there were), and why."""

    most: Callable[[int], int]
    why: str


_BY_PEOPLE: Final = Bound(
    most=lambda people: 2 * people, why="a refusal counts until whoever refused opts in again"
)
_LANES: Final = Bound(most=lambda _: LANES * MOST_ENTRIES, why=f"a lane keeps {MOST_ENTRIES} entries")
_FORMER: Final = Bound(most=lambda _: 8 * MOST_FORMER, why=f"{MOST_FORMER} former streams are known")
BOUNDS: Final[Mapping[str, Bound]] = {
    "body/gateway.state.text.seen": Bound(
        most=lambda _: MOST_SEEN, why=f"{MOST_SEEN} messages are known, so that none is answered twice"
    ),
    "body/gateway.state.refused": _BY_PEOPLE,
    "body/gateway.state.refused[]": _BY_PEOPLE,
    "body/stays/*/stay.state.refused": _BY_PEOPLE,
    "captain.state.lanes[]": _LANES,
    "captain.state.lanes[][].people": _LANES,
    "actors.captain.journal.HeardAsked": _LANES,
    "actors.captain.journal.SaidAnswer": _LANES,
    "actors.captain.journal.TurnOver": _LANES,
    "ears.owners.users": Bound(
        most=lambda people: people + 1, why="whose packets were dropped unread is counted until he leaves"
    ),
    "ears.owners.former": _FORMER,
    "ears.owners.former[]": _FORMER,
    "ears.owners.former[][]": _FORMER,
}
"""By the path of a container, or the type of an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of one part: its courses, what fills up to its bound, and what was broken."""

    name: str
    people: int
    hours: float
    did: Mapping[str, int]
    memory: Course
    blocks: Course
    entries: Course
    descriptors: Course
    threads: Course
    bounded: tuple[Course, ...]
    broken: tuple[str, ...]


def judged(name: str, looks: Sequence[Look]) -> Verdict:
    """Judge all looks at one part."""
    people = looks[-1].people
    courses = {
        one: course(one, [float(getattr(look, one)) for look in looks])
        for one in ("memory", "blocks", "descriptors", "threads")
    }
    entries = course("entries", [float(sum(look.sizes.values())) for look in looks])
    kept = grown([look.sizes for look in looks], SLACK)
    kinds = grown([look.objects for look in looks], SLACK_OF_OBJECTS)
    bounded = tuple(one for one in (*kept, *kinds) if _is_bounded(one, people))
    return Verdict(
        name=name,
        people=people,
        hours=looks[-1].hours,
        did=looks[-1].did,
        entries=entries,
        bounded=bounded,
        broken=(
            *(
                f"{one.name} grew from {one.early:g} to {one.late:g}"
                for one in (*kept, *kinds)
                if one not in bounded
            ),
            *(_too_much(one) for one in courses.values() if one.grew()),
            *_ill(looks),
        ),
        **courses,
    )


def _is_bounded(one: Course, people: int) -> bool:
    bound = BOUNDS.get(one.name)
    return bound is not None and one.late <= bound.most(people)


def _too_much(one: Course) -> str:
    return f"{one.name} grew by {one.share:.1%}, from {one.early:,.0f} to {one.late:,.0f}"


def _ill(looks: Sequence[Look]) -> Iterator[str]:
    """What must never be, however little."""
    if (dead := max(look.dead for look in looks)) > 0:
        yield f"up to {dead} actors were over and still in memory"
    for text, times in Counter(text for look in looks for text in look.broken).most_common(5):
        yield f"{times} times: {text}"
