"""A scenario is a play in one TOML file: who is there, who does what when, and what must have come of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from messages.ids import PersonId
from messages.people import Person
from supervisors.rehearsal.kinds import Plain
from supervisors.rehearsal.lines import Lines
from supervisors.rehearsal.screen import LINE, shown

LIMIT_SECONDS = 120.0


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
    END = "end"


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PersonEntry(_Entry):
    """`[[person]]`: somebody who is in the room (`present`) or may come into it."""

    name: str
    id: str | None = None
    consent: bool = False
    bot: bool = False
    present: bool = True


class Cue(_Entry):
    """The `nth` receipt of a kind whose fields have these values."""

    receipt: str
    where: dict[str, Plain] = Field(default_factory=dict)
    nth: int | None = Field(default=None, ge=1)

    def __str__(self) -> str:
        values = ", ".join(f"{key} = {value}" for key, value in self.where.items())
        return f"{self.receipt}{f' ({values})' if values else ''}{f' no. {self.nth}' if self.nth else ''}"


class Step(_Entry):
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
    end: Literal[True] | None = None
    wav: str | None = None
    text: str | None = None

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
        """The name of who does it (or the path of who crashes); empty for `kick` and `end`."""
        value: str | bool = getattr(self, self.verb)
        return value if isinstance(value, str) else ""


class ReplyEntry(_Entry):
    """`[[brain.reply]]`: one decision of the scripted model, used once, when it is needed."""

    when: Literal["greeting", "membership", "offer", "handoff_result", "handoff_wait"] | None = None
    heard: str | None = None
    text: str | None = None
    tool: Literal["voice_leave", "ask_clankie", "take_back"] | None = None
    request: str | None = None


class BrainTable(_Entry):
    """`[brain]`: all that the scripted model will ever decide."""

    reply: tuple[ReplyEntry, ...] = ()


class CaptainReplyEntry(_Entry):
    """`[[captain.reply]]`: what the scripted captain does, once, about a request with these words."""

    heard: str
    tool: str | None = None
    tools: tuple[str, ...] = ()
    arguments: dict[str, Plain] = Field(default_factory=dict)
    text: str | None = None
    delay: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @property
    def used(self) -> tuple[str, ...]:
        """Every tool that he uses, by name."""
        return self.tools if self.tool is None else (self.tool,)


class CaptainTable(_Entry):
    """`[captain]`: what the captain does by the script; about all else he follows his rules."""

    reply: tuple[CaptainReplyEntry, ...] = ()


Scripted: TypeAlias = ReplyEntry | CaptainReplyEntry
"""One line of the script, of either mind."""


class Expectation(_Entry):
    """`[[expect]]`: one thing that must have come of it."""

    receipt: str | None = None
    where: dict[str, Plain] = Field(default_factory=dict)
    count: int | None = Field(default=None, ge=0)
    min: int | None = Field(default=None, ge=0)
    max: int | None = Field(default=None, ge=0)
    heard: str | None = None
    by: str | None = None
    spoken: str | None = None
    never_decoded: str | None = None
    within: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    start: Cue | None = Field(default=None, alias="from")
    end: Cue | None = Field(default=None, alias="to")
    exit: Literal["left"] | None = None
    reason: str | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """What it is about; a judgeable expectation is about exactly one thing."""
        known = ("receipt", "heard", "spoken", "never_decoded", "within", "exit")
        return tuple(name for name in known if getattr(self, name) is not None)


class Play(_Entry):
    """A scenario as it is written, before anybody asked whether it makes sense."""

    title: str = ""
    limit: float = Field(default=LIMIT_SECONDS, gt=0, allow_inf_nan=False)
    person: tuple[PersonEntry, ...] = ()
    do: tuple[Step, ...] = ()
    brain: BrainTable = BrainTable()
    captain: CaptainTable = CaptainTable()
    expect: tuple[Expectation, ...] = ()
    settings: dict[str, dict[str, Plain]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A play that can be played: every name in it is somebody, every recording is there."""

    path: Path
    title: str
    limit: float
    """After so many seconds it is over, whatever is still waiting."""
    people: tuple[PersonEntry, ...]
    steps: tuple[Step, ...]
    replies: tuple[ReplyEntry, ...]
    captain_replies: tuple[CaptainReplyEntry, ...]
    expectations: tuple[Expectation, ...]
    settings: dict[str, dict[str, Plain]]
    """Settings of a room that differ in this play, by room and key."""
    lines: Lines

    @property
    def everybody_is_heard(self) -> bool:
        """Whether being there is consent enough in this play."""
        return self.settings.get("stay", {}).get("consent_policy") == "presence"

    def person(self, name: str) -> Person:
        """Who is called so in this scenario."""
        entry = next(entry for entry in self.people if entry.name == name)
        return Person(id=id_of(entry), label=entry.name, bot=entry.bot)

    def name(self, person: str) -> str:
        """What this scenario calls the person with this id, or the id where it knows nobody."""
        return next((entry.name for entry in self.people if id_of(entry) == person), person)

    def wrong(self, table: str, index: int, key: str | None, problem: str) -> BadScenario:
        """A complaint that says where this scenario is at fault."""
        return BadScenario(f"{self.path}:{self.lines.at(table, index, key)}: {problem}")


def id_of(entry: PersonEntry) -> PersonId:
    """A person without an id is identified by his name in lower case."""
    return PersonId(entry.id or entry.name.lower())
