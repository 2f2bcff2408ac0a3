"""What a stay can decide: a letter to one neighbour, a receipt, a timer, or its own end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.stay.state import State
from messages.captain import StayIsOver
from messages.evidence import Receipt
from messages.floor import AwaitQuiet, HushGoesOn, JustJoined, LineTyped, RosterTold
from messages.gateway import PostText, StayChanged, StayEnded, StayJoined
from messages.lifecycle import Close, Open
from messages.mailbox import Mailbox
from messages.orders import Hush, Interrupt, SayAloud, StayOrderAnswered
from messages.realtime import CostObserved, ForgetPerson, RoomObserved
from messages.stay import OpenEar, StayOverdue
from messages.voice import CloseLink, CloseMicrophone, OpenLink, OpenMicrophone


@dataclass(frozen=True, slots=True, kw_only=True)
class TellVoice:
    """Tell the voice link."""

    message: OpenLink | CloseLink | OpenMicrophone | CloseMicrophone


@dataclass(frozen=True, slots=True, kw_only=True)
class TellEars:
    """Tell the supervisor of listeners."""

    message: Open[OpenEar] | Close


@dataclass(frozen=True, slots=True, kw_only=True)
class TellFloor:
    """Tell the floor."""

    message: RosterTold | JustJoined | LineTyped | AwaitQuiet | HushGoesOn


@dataclass(frozen=True, slots=True, kw_only=True)
class PassOn:
    """Pass an order on to the floor, which answers here."""

    order: SayAloud | Hush | Interrupt


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Tell whoever passed an order on what became of it."""

    mailbox: Mailbox[StayOrderAnswered]
    answer: StayOrderAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class TellRealtime:
    """Tell the conversation."""

    message: RoomObserved | ForgetPerson | CostObserved


@dataclass(frozen=True, slots=True, kw_only=True)
class TellGateway:
    """Tell the account at the door."""

    message: PostText | StayJoined | StayChanged | StayEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class TellCaptain:
    """Tell the slow mind."""

    message: StayIsOver


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: StayOverdue


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The stay is over; its family goes with it."""


Decision: TypeAlias = (
    TellVoice
    | TellEars
    | TellFloor
    | PassOn
    | Answer
    | TellRealtime
    | TellGateway
    | TellCaptain
    | Record
    | Wake
    | Finish
)


Step: TypeAlias = tuple[State, tuple[Decision, ...]]
