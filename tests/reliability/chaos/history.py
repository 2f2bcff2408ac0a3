"""What happened in one night, as one value that anybody can judge; nobody's words are in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import groupby
from pathlib import Path

from actors.chronicle.kinds import kind_of
from messages.evidence import Receipt
from messages.lifecycle import Scalar


class Manner(StrEnum):
    """What somebody said was for."""

    ADDRESS = "address"
    STOP = "stop"
    BACKCHANNEL = "backchannel"
    TALK = "talk"


class Moment(StrEnum):
    """When somebody looked at the processes."""

    BEFORE = "before"
    """He is open, and in no room."""
    QUIET = "quiet"
    """He has recovered and nothing is wrong."""
    AFTER = "after"
    """He has left the room again."""


class End(StrEnum):
    """How one life of the program ended."""

    RUNS = "runs"
    CLOSED = "closed"
    """In good order, because it was told to."""
    KILLED = "killed"
    """By order of the plan."""
    FELL = "fell"
    """By itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One fault of the plan and from when to when it was there; `missed` says why it hit nothing."""

    at: float
    ended: float
    number: int
    kind: str
    target: str
    missed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnRecord:
    """A receipt as it arrived, and in which life of the program."""

    at: float
    life: int
    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Somebody spoke; `heard` is whether he had consented and both were in one room all the while."""

    at: float
    ended: float
    person: str
    manner: Manner
    heard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrote:
    """A line of words is on record as this person's, spoken or typed."""

    at: float
    person: str
    typed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """One packet of his that reached a guest; `tone` says of which answer it is, where that is clear."""

    at: float
    listener: str
    tone: int | None
    silent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Voiced:
    """The synthesizer was asked for the sentence that sounds as this tone."""

    at: float
    life: int
    tone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoke:
    """What was heard of an utterance is on record, and these were its tones."""

    at: float
    utterance: str
    tones: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A packet with sound that anybody on the way could have heard, although a version was agreed on."""

    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """In the quiet after trouble somebody asked him; `heard` is when the answer began."""

    at: float
    ended: float
    window: int
    person: str
    heard: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One thing that he was told to do once, and how often it was done."""

    at: float
    name: str
    what: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the house said it stood: facts of the tree by `path:fact`, and why he would be silent."""

    at: float
    life: int
    facts: Mapping[str, Scalar]
    silent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What the kernel says of the program and of all that it started."""

    at: float
    life: int
    moment: Moment
    threads: int
    open_files: Mapping[str, int]
    processes: Mapping[str, int]
    rss: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A line of the log that matters."""

    at: float
    life: int
    level: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposed:
    """What must be nowhere stood there."""

    at: float
    where: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One life of the program; `left` is what the kernel still had of it afterwards."""

    at: float
    number: int
    ended: float
    end: End
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Everything of one night. Seconds count from its beginning and never jump, whatever a wall clock did."""

    seconds: float = 0.0
    lives: tuple[Life, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    receipts: tuple[OnRecord, ...] = ()
    said: tuple[Said, ...] = ()
    wrote: tuple[Wrote, ...] = ()
    sounds: tuple[Sound, ...] = ()
    voiced: tuple[Voiced, ...] = ()
    spoke: tuple[Spoke, ...] = ()
    plain: tuple[Plain, ...] = ()
    asked: tuple[Asked, ...] = ()
    orders: tuple[Order, ...] = ()
    standings: tuple[Standing, ...] = ()
    samples: tuple[Sample, ...] = ()
    log: tuple[Logged, ...] = ()
    exposed: tuple[Exposed, ...] = ()
    consents: Mapping[str, tuple[tuple[float, float], ...]] = field(
        default_factory=dict[str, tuple[tuple[float, float], ...]]
    )
    """From when to when each person wanted to be heard, whatever he made of it."""

    def during(self, at: float, after: float = 0.0) -> tuple[Trouble, ...]:
        """What was wrong at a second, or had been so shortly before it."""
        return tuple(one for one in self.troubles if one.at <= at <= one.ended + after)

    def life(self, number: int) -> Life | None:
        """This life of the program."""
        return next((life for life in self.lives if life.number == number), None)


def write(history: History, path: Path) -> None:
    """One JSON object a line, in order of time; packets in a row are one line."""
    lines = sorted(_lines(history), key=lambda line: line[0])
    path.write_text("".join(f"{json.dumps(told)}\n" for _, told in lines), "utf-8")


def _lines(history: History) -> Iterator[tuple[float, dict[str, object]]]:
    for name in ("lives", "troubles", "said", "wrote", "voiced", "spoke", "plain", "asked", "orders"):
        yield from (_line(name, one) for one in getattr(history, name))
    for name in ("standings", "samples", "log", "exposed"):
        yield from (_line(name, one) for one in getattr(history, name))
    for one in history.receipts:
        kind = kind_of(type(one.receipt))
        facts = {name: value for name, value in asdict(one.receipt).items() if value is not None}
        yield one.at, {"at": round(one.at, 3), "what": "receipt", "kind": kind, "life": one.life, **facts}
    heard = sorted(history.sounds, key=lambda one: (one.listener, one.at))
    for (listener, tone), run in groupby(heard, key=lambda one: (one.listener, one.tone)):
        packets = list(run)
        span = {"at": round(packets[0].at, 3), "until": round(packets[-1].at, 3), "packets": len(packets)}
        yield packets[0].at, {**span, "what": "sounds", "listener": listener, "tone": tone}


def _line(name: str, one: object) -> tuple[float, dict[str, object]]:
    told = asdict(one)  # type: ignore[call-overload]
    return told["at"], {**told, "at": round(told["at"], 3), "what": name}
