"""What the gateway knows of rooms and stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from actors.gateway.settings import GatewaySettings
from messages.gateway import JoinAnswer
from messages.ids import RoomId, StayId
from messages.mailbox import Mailbox
from messages.people import Person
from messages.stay import ConsentGiven, ConsentWithdrawn, EndStay, StayMessage


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
