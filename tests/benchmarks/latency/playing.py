"""One house and its rooms, in which people talk for a while, and what of it was waited for."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from tests.benchmarks.latency.cores import Cores
from tests.benchmarks.latency.house import House
from tests.benchmarks.latency.moments import Moved, Rooms
from tests.benchmarks.latency.outside import Outside, Place
from tests.benchmarks.latency.stages import Kind, Samples, samples
from tests.benchmarks.latency.talking import Evening, Table

END_SECONDS: Final = 20.0
APART_SECONDS: Final = 0.05
"""Nobody comes in chorus."""
MOVE_SECONDS: Final = 1.4
"""A coming or going is told to the conversation a second later, as by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """In so many rooms somebody asks for so long while so many others talk; then people come and go."""

    name: str
    rooms: int
    talkers: int = 0
    seconds: float
    moves: int = 0
    turns: int = 0
    """If any: it is over when so many are, and `seconds` is how long they may take."""


@dataclass(slots=True, kw_only=True)
class Played:
    """What came of a part."""

    part: Part
    tables: Sequence[Table]
    moved: list[Moved] = field(default_factory=list[Moved])
    found: Samples = field(default_factory=dict[str, list[float]])
    idle: float = 1.0
    """The share of the cores that nobody used meanwhile."""
    unstopped: int = 0
    """How many stories went on after the word that stops them."""
    turns: int = 0
    """How many were answered and are to be counted, whether or not every stage of them was seen."""

    @property
    def lost(self) -> int:
        """How many questions had no answer."""
        return sum(table.lost for table in self.tables)

    @property
    def early(self) -> int:
        """How many had none before he had ever answered there."""
        return sum(table.early for table in self.tables)


def play(parts: Sequence[Part]) -> list[Played]:
    """Play these parts in one house, one after the other; he comes into a room when it is first needed."""
    pace = threading.Event()
    with Outside() as outside, tempfile.TemporaryDirectory() as folder:
        places = _places(outside, parts)
        house = House(outside, [place.guild.id for place in places], Path(folder))
        played: list[Played] = []
        try:
            with house:
                here = 0
                for part in parts:
                    _called(places[here : part.rooms])
                    here = max(here, part.rooms)
                    played.append(_played(part, places[: part.rooms], outside, pace))
                packets = {place.room: place.sound() for place in places[:here]}
            rooms = Rooms(house.moments, packets)
        except BaseException:
            print(house.last_words)  # noqa: T201 - what it said is all that is known of it
            raise
    count_turns(played, rooms)
    return played


def count_turns(played: Sequence[Played], rooms: Rooms) -> None:
    """The first turn of each room, which opens the lines to the providers, is not counted."""
    opened = set[str]()
    for one in played:
        several = (table.asked[table.room not in opened :] for table in one.tables)
        asked = [turn for turns in several for turn in turns]
        one.turns, one.found = len(asked), samples(rooms, asked, one.moved)
        one.unstopped = sum(bool(turn.stop) for turn in asked) - len(one.found.get(Kind.STOP, ()))
        opened |= {table.room for table in one.tables}


def _places(outside: Outside, parts: Sequence[Part]) -> list[Place]:
    """Every room that a part needs, with as many people as ever talk in it."""
    most = max(part.rooms for part in parts)
    talkers = [max((part.talkers for part in parts if part.rooms > at), default=0) for at in range(most)]
    return [Place(outside.discord, at, 1 + others) for at, others in enumerate(talkers)]


def _called(places: Sequence[Place]) -> None:
    for place in places:
        place.call()
    for place in places:
        place.wait()


def _played(part: Part, places: Sequence[Place], outside: Outside, pace: threading.Event) -> Played:
    tables = [place.table(outside.sounds, part.talkers) for place in places]
    played = Played(part=part, tables=tables)
    cores = Cores()
    with Evening(outside.discord.ground, tables):
        if part.turns:
            enough = partial(_had, tables, part.turns)
            outside.discord.wait(enough, part.seconds, f"{part.turns} turns")
        else:
            pace.wait(part.seconds)
        played.idle = cores.idle
        for table in tables:
            table.ending = True
        outside.discord.wait(lambda: all(table.over for table in tables), END_SECONDS, "the last answer")
    for _ in range(part.moves):
        for place in places:
            played.moved.append(place.move())
            pace.wait(APART_SECONDS)
        pace.wait(MOVE_SECONDS)
    return played


def _had(tables: Sequence[Table], turns: int) -> bool:
    return all(len(table.asked) >= turns for table in tables)
