"""What the gateway knows of rooms, stays, and those who wait for an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from actors.authority import Authority
from actors.gateway.errands import Errands
from actors.gateway.lane import TextLane
from actors.gateway.settings import GatewaySettings
from messages.gateway import Asker, JoinAnswer, Room, StayFacts, WatchAnswered
from messages.ids import GuildId, PersonId, RoomId, StayId, Token
from messages.lifecycle import Scalar
from messages.mailbox import Mailbox
from messages.orders import StayOrder
from messages.people import Person
from messages.stay import EndStay, StayMessage

_ENDING = frozenset(("leaving", "closing"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Somebody who asked him to come; `heard` is he himself if this order also opened his microphone."""

    mailbox: Mailbox[JoinAnswer]
    heard: PersonId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StayAt:
    """One stay, from the order to join until it has ended."""

    stay: StayId
    guild: GuildId
    room: RoomId
    askers: tuple[Waiting, ...]
    """Who waits to hear whether he has joined."""
    mailbox: Mailbox[StayMessage] | None = None
    joined: bool = False
    seen_in: RoomId | None = None
    """Where the account was seen since it was told to enter; only from there can it be removed or moved."""
    consents: tuple[PersonId, ...] = ()
    """Who has opted in before the stay lived."""
    ending: EndStay | None = None
    """The order to end that it was given, or will be as soon as it lives."""
    facts: StayFacts | None = None

    def is_leaving(self) -> bool:
        """Whether it is to end, or is ending by itself."""
        return self.ending is not None or (self.facts is not None and self.facts.phase in _ENDING)

    def is_active(self) -> bool:
        """Whether he is there and not about to go: only then is the room listened to."""
        return self.joined and not self.is_leaving()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """An order about a stay that has not been answered yet."""

    stay: StayId
    order: StayOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """The play surface of one room: being opened, or open at `url`."""

    room: RoomId
    token: Token
    askers: tuple[Mailbox[WatchAnswered], ...]
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Rooms with their people, and stays, of which there is at most one in a guild."""

    settings: GatewaySettings
    authority: Authority
    ready: bool = False
    trouble: str = ""
    """Why the account is not ready, as a code."""
    remedy: str = ""
    """What the operator can do about it."""
    rooms: Mapping[RoomId, Room] = field(default_factory=dict)
    people: Mapping[RoomId, tuple[Person, ...]] = field(default_factory=dict)
    hindrances: Mapping[GuildId, str] = field(default_factory=dict)
    stays: tuple[StayAt, ...] = ()
    refused: tuple[tuple[GuildId, PersonId], ...] = ()
    """Who has opted out, and has not opted in again since; the newest last."""
    bridged: bool = False
    """Whether the record has the account as connected."""
    text: TextLane = field(default_factory=TextLane)
    watching: tuple[Watching, ...] = ()
    errands: Errands = field(default_factory=Errands)
    orders: tuple[Unanswered, ...] = ()
    token: Token = Token(0)  # noqa: RUF009

    def name_of(self, room: RoomId | None) -> str:
        """What people call this room; empty if it is none that he sees."""
        known = None if room is None else self.rooms.get(room)
        return "" if known is None else known.name

    def at(self, room: RoomId) -> StayAt | None:
        """The stay in this room."""
        return next((stay for stay in self.stays if stay.room == room), None)

    def in_guild(self, guild: GuildId) -> StayAt | None:
        """The stay in this guild."""
        return next((stay for stay in self.stays if stay.guild == guild), None)

    def named(self, name: StayId) -> StayAt | None:
        """The stay of this name."""
        return next((stay for stay in self.stays if stay.stay == name), None)

    def stay_of(self, asker: Asker) -> StayAt | None:
        """The stay in the asker's guild, or, in a private message, in whose room he is."""
        if asker.guild:
            return self.in_guild(asker.guild)
        return next((stay for stay in self.stays if self.is_in(asker.person.id, stay.room)), None)

    def is_in(self, person: PersonId, room: RoomId) -> bool:
        """Whether this person is in this room now."""
        return any(one.id == person for one in self.people.get(room, ()))

    def whereabouts(self, person: PersonId) -> tuple[Room, ...]:
        """Every room that this person is in."""
        return tuple(room for room in self.rooms.values() if self.is_in(person, room.id))

    def watched(self, room: RoomId) -> Watching | None:
        """The play surface of this room."""
        return next((one for one in self.watching if one.room == room), None)

    def describe(self) -> Mapping[str, Scalar]:
        """What the status page says of the account."""
        return {
            "ready": self.ready,
            "rooms": len(self.rooms),
            "people": sum(map(len, self.people.values())),
            "stays": len(self.stays),
            "joined": sum(stay.joined for stay in self.stays),
            "texts_waiting": len(self.text.waiting),
            "texts_dropped": self.text.dropped,
            "deeds": len(self.errands.deeds),
            "confirming": len(self.errands.confirming),
            "orders": len(self.orders),
            "trouble": self.trouble,
            "remedy": self.remedy,
        }

    def with_stay(self, changed: StayAt) -> State:
        """The same state with this stay in place of the one of its name."""
        stays = tuple(changed if stay.stay == changed.stay else stay for stay in self.stays)
        return replace(self, stays=stays)
