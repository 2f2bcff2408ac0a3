"""What the captain knows: every turn that waits or is at work, every lane, and every note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from actors.authority import Authority
from actors.captain.decisions import Decision
from actors.captain.journal import Entry, HeardAsked, LaneId, Note
from actors.captain.settings import CaptainSettings
from messages.attachment import Attachment
from messages.authority import Standing, Surface
from messages.captain import AskAsOperator, AskInText, CaptainMessage, MachineTool, Question
from messages.gateway import Asker, RoomDescribed
from messages.ids import CallId, HandoffId, MessageId, RoomId, StayId, Token
from messages.mailbox import Mailbox
from messages.tools import ToolRequest

NEVER = float("inf")
_SLACK = 1e-6
REMEMBERED_STAYS = 64


class Stage(StrEnum):
    """How far a turn has come."""

    WAITING = "waiting"
    """Another turn of its lane is at work."""
    IDENTIFYING = "identifying"
    """Which roles the askers have is being found out."""
    THINKING = "thinking"
    """The mind is at it."""
    ACTING = "acting"
    """Tools are at it."""
    RESTING = "resting"
    """The mind failed, and is asked again at `due`."""


class CallStage(StrEnum):
    """How far a tool call has come."""

    HELD = "held"
    """It waits until the others of its step are answered."""
    CONFIRMING = "confirming"
    ORDERED = "ordered"
    ANSWERED = "answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One question of a turn; `handed` once the mind was told, `unwanted` once it was taken back."""

    question: Question
    at: float
    handed: bool = False
    unwanted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call, never run again under the same name; `output` is what the mind is told of it, once."""

    id: CallId
    request: ToolRequest
    name: str
    began: float
    stage: CallStage
    due: float = NEVER
    output: str = ""
    room: RoomDescribed | None = None
    """The first half of what there is to see in a room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one mind does at one time for one set of people; `id` is the first question's hand-off.

    `askers` and `standing` are frozen when it starts: nothing that happens later gives it more authority.
    """

    id: HandoffId
    lane: LaneId
    standing: Standing
    heard: tuple[Heard, ...]
    stage: Stage = Stage.WAITING
    started_at: float = 0.0
    news_at: float = 0.0
    """When anything was last heard of it."""
    due: float = NEVER
    history: tuple[Entry, ...] = ()
    askers: tuple[Asker, ...] = ()
    tools: tuple[str, ...] = ()
    number: int = 0
    """Of the step that was last asked of the mind."""
    steps: int = 0
    """How many steps that is without those that were asked again."""
    again: int = 0
    calls: tuple[Call, ...] = ()
    called: tuple[CallId, ...] = ()
    """What the last step called, in its order."""
    text: str = ""
    """What the mind said last beside its calls."""
    said: tuple[str, ...] = ()
    """Answers after which something more was asked."""
    files: tuple[Attachment, ...] = ()

    @property
    def surface(self) -> Surface:
        """How it was asked."""
        return self.standing.surface

    @property
    def at_work(self) -> bool:
        """Whether it has left the queue."""
        return self.stage is not Stage.WAITING

    @property
    def first(self) -> Question:
        """What it began with."""
        return self.heard[0].question

    @property
    def room(self) -> RoomId | None:
        """Where it was asked; None for the operator."""
        return None if isinstance(self.first, AskAsOperator) else self.first.room

    @property
    def message(self) -> MessageId | None:
        """The message that asked; None for what was said aloud."""
        return self.first.message if isinstance(self.first, AskInText) else None

    def call(self, name: CallId) -> Call | None:
        """The call of that name, answered or not."""
        return next((one for one in self.calls if one.id == name), None)

    def with_call(self, call: Call) -> Self:
        """The same with this call, in place of what it was before."""
        if self.call(call.id) is None:
            return replace(self, calls=(*self.calls, call))
        return replace(self, calls=tuple(call if one.id == call.id else one for one in self.calls))


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All turns in the order in which they were asked; `now` is monotonic, `wall` seconds of the epoch."""

    settings: CaptainSettings
    authority: Authority
    here: Mailbox[CaptainMessage]
    persona: str = field(default="", repr=False)
    transcripts_kept: bool = False
    prompt: str = ""
    """Which version of the instructions the mind has."""
    now: float = 0.0
    wall: float = 0.0
    out: tuple[Decision, ...] = ()
    turns: tuple[Turn, ...] = ()
    lanes: Mapping[LaneId, tuple[Entry, ...]] = field(default_factory=dict)
    """The least recently used one first."""
    lost: Mapping[HandoffId, tuple[LaneId, HeardAsked]] = field(default_factory=dict)
    """What an earlier life was at work on, until whoever asked has been told."""
    notes: tuple[Note, ...] = ()
    machines: Mapping[str, tuple[MachineTool, ...]] = field(default_factory=dict)
    ill: Mapping[str, str] = field(default_factory=dict)
    """Servers without tools, and why."""
    over: tuple[StayId, ...] = ()
    done: int = 0
    failed: int = 0
    trouble: str = ""
    """Why the last turn failed; empty since one has succeeded."""
    token: Token = Token(0)  # noqa: RUF009 (a number)
    wake_at: float | None = None

    def do(self, *decisions: Decision) -> Self:
        """The same, with these decided last."""
        return replace(self, out=(*self.out, *decisions))

    def is_due(self, moment: float) -> bool:
        """Whether a timer for this moment would have come by now."""
        return moment <= self.now + _SLACK

    def turn(self, name: HandoffId) -> Turn | None:
        """The turn of that name."""
        return next((turn for turn in self.turns if turn.id == name), None)

    def turn_with(self, handoff: HandoffId) -> Turn | None:
        """The turn that this question is part of."""
        mine = (turn for turn in self.turns for one in turn.heard if one.question.handoff == handoff)
        return next(mine, None)

    def with_turn(self, turn: Turn) -> Self:
        """The same with this turn, in place of what it was before."""
        return replace(self, turns=tuple(turn if one.id == turn.id else one for one in self.turns))

    def without_stay(self, stay: StayId) -> Self:
        """The same, where nothing can be said in this stay any more."""
        others = (one for one in self.over if one != stay)
        return replace(self, over=(*others, stay)[-REMEMBERED_STAYS:])

    def all_machines(self) -> tuple[MachineTool, ...]:
        """The tools of all servers."""
        return tuple(tool for tools in self.machines.values() for tool in tools)
