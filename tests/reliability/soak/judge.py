"""Whether the quick halves kept what they promise: nothing grows, but for what has a bound and a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.captain.journal import MOST_ENTRIES
from actors.capture.live import pieces
from actors.console.paces import KEPT
from actors.console.recounting import MAX_LEFT, MAX_LINES, MAX_TURNS
from actors.floor import cutting
from actors.gateway.lane import MOST_SEEN
from actors.playback import endings
from actors.realtime.live import ledger
from actors.realtime.settings import RealtimeSettings
from actors.realtime.tools import REMEMBERED_CALLS
from actors.tts import core as tts
from actors.voice.media.owners import MOST_FORMER
from tests.reliability.soak.growth import Course, course, grown
from tests.reliability.soak.parts import Look

SLACK: Final = 4.0
"""So many entries more are no growth: somebody is in the middle of something."""
SLACK_OF_OBJECTS: Final = 50.0
SLACK_OF_PAGES: Final = 3.0 * (1 << 20)
"""What is resident goes in arenas of 1 MiB each, which stay as long as one small object in them lives.

Measured: bytes in use were the same for 90 h while arenas went from 39 to 41 and glibc kept 3 to 8 MiB for
whoever asks next. What somebody holds is judged by the bytes in use, which have no slack.
"""
MOST_SERIES: Final = 64
LANES: Final = 4
"""The rooms in which anybody asks the captain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What may grow, up to `most` (given how many people there were), and why."""

    most: Callable[[int], int]
    why: str


def _full(most: int, why: str) -> Bound:
    return Bound(most=lambda _: most, why=f"{most} {why}")


_REFUSED: Final = "a refusal counts until whoever refused opts in again"
_BY_PEOPLE: Final = Bound(most=lambda people: people + 1, why=_REFUSED)
"""All guests, and the host."""
_LANES: Final = _full(LANES * MOST_ENTRIES, f"entries are {MOST_ENTRIES} in each of {LANES} lanes")
_MIND: Final = RealtimeSettings()
BOUNDS: Final[Mapping[str, Bound]] = {
    "body/gateway.state.text.seen": _full(MOST_SEEN, "messages are known, so that none is answered twice"),
    "body/gateway.state.refused": _BY_PEOPLE,
    "body/gateway.state.refused[]": Bound(most=lambda people: 2 * (people + 1), why=_REFUSED),
    "body/stays/*/stay.state.refused": _BY_PEOPLE,
    "body/stays/*/mouth/floor.state.cancelled": _full(cutting.REMEMBERED, "cancelled turns are known"),
    "body/stays/*/mouth/playback.state.gone": _full(endings.REMEMBERED, "utterances that are over are known"),
    "body/stays/*/mouth/tts.state.gone": _full(tts.REMEMBERED, "utterances that are over are known"),
    "body/stays/*/realtime.state.acted": _full(
        REMEMBERED_CALLS, "calls are known, so that none is made twice"
    ),
    "body/stays/*/realtime.state.observations[]": _full(
        2 * _MIND.observations, "words about what he saw, in twos, go along with a question"
    ),
    "body/stays/*/realtime.state.observations": _full(_MIND.observations, "observations are known"),
    "body/stays/*/realtime.state.ring": _full(_MIND.ring_lines, "lines go into the next conversation"),
    **{
        f"body/stays/*/realtime.port.talk.session.ledger.{book}": _full(
            ledger.REMEMBERED, "things are known of a conversation, which lasts an hour"
        )
        for book in ("behind", "spoken", "spoken[]", "corrections", "moved", "closed_calls")
    },
    "captain.state.lanes[]": _LANES,
    "captain.state.lanes[][].people": _LANES,
    "actors.captain.journal.HeardAsked": _LANES,
    "actors.captain.journal.SaidAnswer": _LANES,
    "actors.captain.journal.TurnOver": _LANES,
    "body/stays/*/ears/*.port.session.ledger.items": _full(
        5 * pieces.REMEMBERED, f"pieces are {pieces.REMEMBERED} of each of five lines"
    ),
    "console.state.left": _full(MAX_LEFT, "stays that are over are known"),
    "actors.voice.media.owners.Person": Bound(
        most=lambda people: people + 1, why="whose packets were dropped unread is counted until he leaves"
    ),
    "console.state.lines": _full(MAX_LINES, "lines are shown to whoever asks why"),
    "console.state.turns": _full(MAX_TURNS, "turns are shown to whoever asks why"),
    "console.state.turns[].lines": _full(2 * MAX_TURNS, "lines that asked for them, one or two each"),
    "console.state.turns[].tools": _full(MAX_TURNS, "tools that they used"),
    **{
        f"console.state.stays[].paces.{pace}": _full(KEPT, "paces of each kind are kept of a stay")
        for pace in ("cut_to_silence", "first_audio", "speech_end_to_first_audio", "transcript")
    },
    "meter: series": _full(MOST_SERIES, "or fewer, for labels are words of a list"),
    "ears.owners.users": Bound(
        most=lambda people: people + 1, why="whose packets were dropped unread is counted until he leaves"
    ),
    "ears.owners.former": _full(MOST_FORMER, "streams are known whose owner went"),
    "ears.owners.former[]": _full(2 * MOST_FORMER, "who and what of each"),
    "ears.owners.former[][]": _full(7 * MOST_FORMER, "what the last packet of each said"),
}
"""By the path of a container, or the type of an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of one part: its courses, what fills up to its bound, and what was broken."""

    name: str
    people: int
    hours: float
    did: Mapping[str, int]
    used: Course
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
        for one in ("used", "memory", "blocks", "descriptors", "threads")
    }
    entries = course("entries", [float(sum(look.sizes.values())) for look in looks])
    kept = grown([look.sizes for look in looks], SLACK)
    kinds = grown([look.objects for look in looks], SLACK_OF_OBJECTS)
    bounded = tuple(one for one in (*kept, *kinds) if is_bounded(one, people))
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
            *(
                _too_much(one)
                for one in courses.values()
                if one.grew(SLACK_OF_PAGES if one.name == "memory" else 0.0)
            ),
            *_ill(looks),
        ),
        **courses,
    )


def is_bounded(one: Course, people: int) -> bool:
    """Whether this may grow as far as it has."""
    bound = BOUNDS.get(one.name)
    return bound is not None and one.late <= bound.most(people)


_CALLED: Final = {"used": "memory in use", "memory": "resident memory"}


def _too_much(one: Course) -> str:
    return (
        f"{_CALLED.get(one.name, one.name)} grew by {one.share:.1%}, from {one.early:,.0f} to {one.late:,.0f}"
    )


def _ill(looks: Sequence[Look]) -> Iterator[str]:
    """What must never be, however little."""
    if (dead := max(look.dead for look in looks)) > 0:
        yield f"up to {dead} actors were over and still in memory"
    for text, times in Counter(text for look in looks for text in look.broken).most_common(5):
        yield f"{times} times: {text}"
