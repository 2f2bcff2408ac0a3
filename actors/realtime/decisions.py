"""What the conversation may decide to do; the shell does it and asks no questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.realtime.items import Item, Seed, TurnBrief
from actors.realtime.state import State
from messages.captain import TakeBack
from messages.evidence import Receipt
from messages.floor import ResultWaiting, TurnAnswered, TurnLost, TurnOrphaned, WorkBegan, WorkEnded
from messages.ids import Connection, HandoffId, ResponseId
from messages.people import Line, Person
from messages.realtime import RealtimeTick
from messages.stay import EndStay, SayInChat
from messages.tts import SayEnd, SayText


@dataclass(frozen=True, slots=True, kw_only=True)
class Connect:
    """Open a conversation."""

    connection: Connection
    seed: Seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnect:
    """Close the conversation."""

    connection: Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """Put something into the conversation."""

    connection: Connection
    item: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Respond:
    """Ask the model."""

    connection: Connection
    response: ResponseId
    brief: TurnBrief


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """Tell the model that nobody wants this response."""

    connection: Connection
    response: ResponseId


@dataclass(frozen=True, slots=True, kw_only=True)
class TellTts:
    """Tell the synthesizer."""

    message: SayText | SayEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class TellFloor:
    """Tell the floor."""

    message: TurnAnswered | TurnLost | TurnOrphaned | ResultWaiting | WorkBegan | WorkEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStay:
    """Tell the stay."""

    message: EndStay | SayInChat


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOff:
    """Ask the captain; the fields are those of AskCaptain."""

    handoff: HandoffId
    askers: tuple[Person, ...]
    request: str
    original: tuple[Line, ...]
    recent: tuple[Line, ...]
    observations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TellCaptain:
    """Tell the captain."""

    message: TakeBack


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: RealtimeTick


Decision: TypeAlias = (
    Connect
    | Disconnect
    | Add
    | Respond
    | Cancel
    | TellTts
    | TellFloor
    | TellStay
    | HandOff
    | TellCaptain
    | Record
    | Wake
)


Step: TypeAlias = tuple[State, tuple[Decision, ...]]
