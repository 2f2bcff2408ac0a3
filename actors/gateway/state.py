"""What the gateway knows of rooms and stays, and what it can decide to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from actors.gateway.settings import GatewaySettings
from messages.evidence import Receipt
from messages.gateway import JoinAnswer, JoinOverdue, LeaveAnswered
from messages.ids import RoomId, StayId
from messages.mailbox import Mailbox
from messages.people import Person
from messages.stay import BeginStay, ConsentGiven, ConsentWithdrawn, EndStay, StayMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class StayAt:
    """One stay, from the order to join until it has ended."""

    stay: StayId
    room: RoomId
    askers: tuple[Mailbox[JoinAnswer], ...]
    """Who waits to hear whether he has joined."""
    mailbox: Mailbox[StayMessage] | None = None
    joined: bool = False
    inside: bool = False
    """Whether the account was seen in the room; only then can it be removed from it."""
    consents: tuple[ConsentGiven | ConsentWithdrawn, ...] = ()
    """What people have said of being heard before the stay lived, each person's last word."""
    ending: EndStay | None = None
    """The order to end that it was given, or will be as soon as it lives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Rooms with their people, and stays, of which there is at most one in a room."""

    settings: GatewaySettings
    ready: bool = False
    rooms: Mapping[RoomId, tuple[Person, ...]] = field(default_factory=dict)
    stays: tuple[StayAt, ...] = ()

    def at(self, room: RoomId) -> StayAt | None:
        """The stay in this room."""
        return next((stay for stay in self.stays if stay.room == room), None)

    def named(self, name: StayId) -> StayAt | None:
        """The stay of this name."""
        return next((stay for stay in self.stays if stay.stay == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Have the supervisor of stays begin one."""

    stay: BeginStay


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStay:
    """Tell a stay."""

    mailbox: Mailbox[StayMessage]
    message: StayMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerJoin:
    """Tell who asked whether he has come."""

    asker: Mailbox[JoinAnswer]
    answer: JoinAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLeave:
    """Tell who asked whether there was anything to leave."""

    asker: Mailbox[LeaveAnswered]
    answer: LeaveAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter:
    """Have the account seen in a room."""

    room: RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Have the account seen there no longer."""

    room: RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """Write into a room's chat."""

    room: RoomId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Warn:
    """Tell the operator what is wrong and what to do."""

    reason: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: JoinOverdue


Decision: TypeAlias = (
    Begin | TellStay | AnswerJoin | AnswerLeave | Enter | Leave | Post | Warn | Record | Wake
)
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
