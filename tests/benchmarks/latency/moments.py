"""What was noted of the house and of the people, and what one turn took of it, stage by stage."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

SLOT_SECONDS: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An actor took a message in hand, at this monotonic second."""

    at: float
    path: str
    kind: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Somebody asked something: when each of his packets with speech was sent, and by when it was `over`.

    Where he was stopped, `stop` is when the packets of the word were sent.
    """

    room: str
    person: str
    sent: tuple[float, ...]
    stop: tuple[float, ...]
    over: float

    @property
    def ended(self) -> float:
        """When his last packet with speech was sent."""
        return self.sent[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Somebody came into a room or went, and Discord told of it at this second."""

    room: str
    at: float


def written(noted: Iterable[Moment]) -> list[tuple[float, str, str, str]]:
    """The moments as JSON has them."""
    return [(one.at, one.path, one.kind, one.detail) for one in noted]


def read(lines: Iterable[tuple[float, str, str, str]]) -> list[Moment]:
    """The moments that were written."""
    return [Moment(at=at, path=path, kind=kind, detail=detail) for at, path, kind, detail in lines]


class Rooms:
    """The moments by the room of the stay in which they were, and his packets with sound by room."""

    def __init__(self, moments: Iterable[Moment], packets: Mapping[str, Sequence[float]]) -> None:
        self._packets = packets
        noted = sorted(moments, key=lambda one: one.at)
        stays = dict(one.detail.split(" ") for one in noted if one.kind == "Joined")
        self._moments: defaultdict[str, list[Moment]] = defaultdict(list)
        for one in noted:
            room = next((room for stay, room in stays.items() if stay in one.path), None)
            if room is not None:
                self._moments[room].append(one)

    def first(self, room: str, kind: str, after: float, before: float, detail: str = "") -> float | None:
        """When the first message of a kind, whose detail begins so, was taken between two moments."""
        found = self._between(room, after, before)
        return next((one.at for one in found if one.kind == kind and one.detail.startswith(detail)), None)

    def so_far(self, asked: Asked) -> Iterator[tuple[float, int]]:
        """Each of his words as it grew: when the floor had it, and how many packets were heard by then."""
        for one in self._between(asked.room, asked.sent[0], asked.over):
            begin = f"{asked.person} so_far Clankie, "
            if one.kind == "WordsHeard" and one.detail.startswith(begin):
                number = one.detail.removeprefix(begin)
                if number.isdecimal():
                    yield one.at, int(number)

    def packets(self, room: str, after: float, before: float) -> Sequence[float]:
        """When his packets with sound were there between two moments."""
        there = self._packets[room]
        return there[bisect_right(there, after) : bisect_right(there, before)]

    def _between(self, room: str, after: float, before: float) -> list[Moment]:
        moments = self._moments[room]
        times = [one.at for one in moments]
        return moments[bisect_right(times, after) : bisect_right(times, before)]
