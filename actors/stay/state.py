"""What a stay knows: its phase, the people, the consents, the open ears."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from actors.stay.settings import StaySettings
from messages.audio import SoundSink
from messages.gateway import StayFacts
from messages.ids import CaptureId, PersonId, RoomId, StayId
from messages.orders import Hush, Interrupt, SayAloud
from messages.people import Person, Presence
from messages.stay import LeftReason
from messages.voice import MicrophoneCount


class Phase(StrEnum):
    """How far a stay has come; it never goes back, but between active and degraded."""

    JOINING = "joining"
    ACTIVE = "active"
    DEGRADED = "degraded"
    LEAVING = "leaving"
    CLOSING = "closing"
    ENDED = "ended"


class Awaited(StrEnum):
    """What must be there before he has joined; each of them says so itself."""

    ROSTER = "roster"
    LINK = "link"
    FLOOR = "floor"
    CONVERSATION = "conversation"
    EARS = "ears"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ear:
    """One listener; `sink` is None until the capture has opened."""

    person: PersonId
    capture: CaptureId
    sink: SoundSink | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything a stay decides from; times in monotonic seconds."""

    stay_id: StayId
    room: RoomId
    settings: StaySettings
    phase: Phase = Phase.JOINING
    awaited: frozenset[Awaited] = frozenset(Awaited)
    people: tuple[Person, ...] = ()
    encryption: str = ""
    privacy_code: str = ""
    """The encrypted group's, which people compare; empty while there is none."""
    hindrance: str = ""
    """What the server does to his voice, as a code."""
    link_trouble: str = ""
    """Why the link carries no sound at the moment, as a code."""
    moving: bool = False
    """He was moved, and what he was saying is being silenced before he is heard in the new room."""
    told: StayFacts | None = None
    """What the account was last told of him, for whoever asks."""
    consented: frozenset[PersonId] = frozenset()
    refused: frozenset[PersonId] = frozenset()
    ears: tuple[Ear, ...] = ()
    ears_begun: int = 0
    bereft: tuple[tuple[PersonId, str], ...] = ()
    """Whose ear went with all the others, and how: they are told as soon as others can be opened."""
    ear_trouble: str = ""
    """Why no words come of what is said, as the room was told (a code); empty while they come."""
    counts: tuple[MicrophoneCount, ...] = ()
    joined_at: float | None = None
    reason: LeftReason | None = None
    link_failure: str = ""
    """Why the link said that it is gone, for whoever asked him to come."""
    orders: tuple[SayAloud | Hush | Interrupt, ...] = ()
    """Those of the operator that the floor has not answered yet."""
    hushed_until: float = 0.0
    """Until when the operator wants him silent, as the floor was told."""
    cost: float = 0.0
    """The highest amount that he was told of."""
    token: int = 0

    def person(self, person: PersonId) -> Person | None:
        """Return who this is, if he is in the room."""
        return next((one for one in self.people if one.id == person), None)

    def ear(self, person: PersonId) -> Ear | None:
        """Return this person's listener, if there is one."""
        return next((one for one in self.ears if one.person == person), None)

    def without_ear(self, person: PersonId) -> State:
        """Return the state with this person's listener forgotten."""
        return replace(self, ears=tuple(one for one in self.ears if one.person != person))

    def presences(self) -> tuple[Presence, ...]:
        """Return everybody in the room, with his consent."""
        return tuple(Presence(person=one, consented=one.id in self.consented) for one in self.people)

    def humans(self) -> int:
        """Return how many people are here, consented or not."""
        return sum(not one.bot for one in self.people)

    def is_over(self) -> bool:
        """Return whether the stay no longer listens to anybody."""
        return self.phase in (Phase.CLOSING, Phase.ENDED)
