"""A scenario is a play in one TOML file: who is there, who does what when, and what must have come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from messages.ids import PersonId
from messages.people import Person
from supervisors.rehearsal.kinds import Entry, Plain, Setting
from supervisors.rehearsal.lines import Lines
from supervisors.rehearsal.minds import BrainTable, CaptainReplyEntry, CaptainTable, ReplyEntry
from supervisors.rehearsal.moments import Place
from supervisors.rehearsal.screen import LINE, shown

LIMIT_SECONDS = 120.0
SUBJECTS: Final = (
    "receipt",
    "heard",
    "spoken",
    "wrote",
    "file",
    "reacted",
    "never_decoded",
    "within",
    "exit",
)
"""What an expectation may be about."""


class BadScenario(Exception):
    """A scenario that cannot be played; the text is one line that names file, line, key and remedy."""

    def __init__(self, text: str) -> None:
        super().__init__(shown(text, LINE))


class Verb(StrEnum):
    """What somebody may do in a scenario."""

    JOIN = "join"
    LEAVE = "leave"
    SAY = "say"
    TYPE = "type"
    OPT_IN = "opt_in"
    OPT_OUT = "opt_out"
    KICK = "kick"
    CRASH = "crash"
    WRITE = "write"
    TAKE_BACK = "take_back"
    PRESS = "press"
    OPERATOR = "operator"
    END = "end"


class PersonEntry(Entry):
    """`[[person]]`: somebody who is in the room (`present`) or may come into it."""

    name: str
    id: str | None = None
    label: str | None = None
    """What he sees as the name, if that is another."""
    consent: bool = False
    bot: bool = False
    present: bool = True


class RoomEntry(Entry):
    """`[[room]]`: one more voice channel, perhaps on a `server` of its own; on a Discord only."""

    name: str
    server: str | None = None
    allowed: bool = True
    barred: bool = False


class Cue(Entry):
    """The `nth` receipt of a kind whose fields have these values."""

    receipt: str
    where: dict[str, Plain] = Field(default_factory=dict)
    nth: int | None = Field(default=None, ge=1)

    def __str__(self) -> str:
        values = ", ".join(f"{key} = {value}" for key, value in self.where.items())
        return f"{self.receipt}{f' ({values})' if values else ''}{f' no. {self.nth}' if self.nth else ''}"


class Step(Entry):
    """`[[do]]`: one thing done `at` a second, or `after` a cue and a `delay`."""

    at: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    after: Cue | None = None
    delay: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    join: str | None = None
    leave: str | None = None
    say: str | None = None
    type: str | None = None
    opt_in: str | None = None
    opt_out: str | None = None
    kick: Literal[True] | None = None
    crash: str | None = None
    write: str | None = None
    take_back: str | None = None
    press: str | None = None
    operator: Literal[True] | None = None
    end: Literal[True] | None = None
    wav: str | None = None
    text: str | None = None
    yes: bool | None = None
    room: str | None = None

    @property
    def verbs(self) -> tuple[Verb, ...]:
        """The verbs that are written; a playable step has exactly one."""
        return tuple(verb for verb in Verb if getattr(self, verb) is not None)

    @property
    def verb(self) -> Verb:
        """What is done."""
        return self.verbs[0]

    @property
    def who(self) -> str:
        """The name of who does it (or the path of who crashes); empty for `kick`, `operator` and `end`."""
        value: str | bool = getattr(self, self.verb)
        return value if isinstance(value, str) else ""


class Expectation(Entry):
    """`[[expect]]`: one thing that must have come of it."""

    receipt: str | None = None
    where: dict[str, Plain] = Field(default_factory=dict)
    count: int | None = Field(default=None, ge=0)
    min: int | None = Field(default=None, ge=0)
    max: int | None = Field(default=None, ge=0)
    heard: str | None = None
    by: str | None = None
    spoken: str | None = None
    wrote: str | None = None
    file: str | None = None
    reacted: str | None = None
    place: Place | None = Field(default=None, alias="in")
    never_decoded: str | None = None
    within: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    start: Cue | None = Field(default=None, alias="from")
    end: Cue | None = Field(default=None, alias="to")
    exit: Literal["left"] | None = None
    reason: str | None = None
    discord: bool | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """What it is about; a judgeable expectation is about exactly one thing."""
        return tuple(name for name in SUBJECTS if getattr(self, name) is not None)


class Play(Entry):
    """A scenario as it is written, before anybody asked whether it makes sense."""

    title: str = ""
    limit: float = Field(default=LIMIT_SECONDS, gt=0, allow_inf_nan=False)
    apart: bool = False
    room: tuple[RoomEntry, ...] = ()
    person: tuple[PersonEntry, ...] = ()
    do: tuple[Step, ...] = ()
    brain: BrainTable = BrainTable()
    captain: CaptainTable = CaptainTable()
    expect: tuple[Expectation, ...] = ()
    settings: dict[str, dict[str, Setting]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A play that can be played: every name in it is somebody, every recording is there."""

    path: Path
    title: str
    limit: float
    """After so many seconds it is over, whatever is still waiting."""
    apart: bool
    """Whether nobody brings him into the room: he has to be asked."""
    rooms: tuple[RoomEntry, ...]
    """Those beside the one that everybody is in who is not told to go elsewhere."""
    people: tuple[PersonEntry, ...]
    steps: tuple[Step, ...]
    replies: tuple[ReplyEntry, ...]
    captain_replies: tuple[CaptainReplyEntry, ...]
    expectations: tuple[Expectation, ...]
    settings: dict[str, dict[str, Setting]]
    """Settings of a room that differ in this play, by room and key."""
    lines: Lines

    @property
    def everybody_is_heard(self) -> bool:
        """Whether being there is consent enough in this play."""
        return self.settings.get("stay", {}).get("consent_policy") == "presence"

    @property
    def servers(self) -> tuple[str, ...]:
        """Whose tools his captain has in this play."""
        servers = self.settings.get("captain", {}).get("mcp")
        return tuple(servers) if isinstance(servers, Mapping) else ()

    def person(self, name: str) -> Person:
        """Who is called so in this scenario."""
        entry = next(entry for entry in self.people if entry.name == name)
        return Person(id=id_of(entry), label=entry.label or entry.name, bot=entry.bot)

    def name(self, person: str) -> str:
        """What this scenario calls the person with this id, or the id where it knows nobody."""
        return next((entry.name for entry in self.people if id_of(entry) == person), person)

    def wrong(self, table: str, index: int, key: str | None, problem: str) -> BadScenario:
        """A complaint that says where this scenario is at fault."""
        return BadScenario(f"{self.path}:{self.lines.at(table, index, key)}: {problem}")


def id_of(entry: PersonEntry) -> PersonId:
    """A person without an id is identified by his name in lower case."""
    return PersonId(entry.id or entry.name.lower())
