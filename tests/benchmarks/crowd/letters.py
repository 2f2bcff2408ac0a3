"""What the crowd's process and whoever started it say to each other, each a pickled object on one socket."""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """His op 4; without a channel he hangs up. It has no answer but what Discord tells."""

    guild: int
    channel: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """Wait until everybody's group is whole, and seal the first breath; answered with Done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The first so many in each of these rooms begin to talk, or end with silence; answered with Done."""

    on: bool
    rooms: tuple[int, ...]
    people: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Tell what came and went in this room since the last report of it; answered with Traffic."""

    room: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One room: Discord's ids of its guild, itself, and the people in it."""

    guild: int
    channel: int
    people: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """The first word of the crowd: how it is reached, as whom, and where."""

    ca_file: str
    user: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Discord told his voice state."""

    guild: int
    session: str
    channel: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Discord told him a voice server."""

    guild: int
    token: str
    endpoint: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """An order was carried out; how often people had nothing more to say before they were told to end."""

    breathless: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What came of him in a room: packets of sound, of silence, and anything else that is no discovery."""

    sound: int = 0
    silence: int = 0
    other: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Since the last report: when his packets of sound came, and when each person's left (monotonic)."""

    arrivals: tuple[float, ...]
    counts: Counts
    departures: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """An order could not be carried out."""

    why: str


Order: TypeAlias = Dial | Settle | Talk | Report
Answer: TypeAlias = Open | Done | Traffic | Failed
News: TypeAlias = State | Server | Answer
ToCrowd: TypeAlias = "Connection[Order, News]"
ToHouse: TypeAlias = "Connection[News, Order]"
