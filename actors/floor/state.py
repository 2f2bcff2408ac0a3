"""Everything the floor believes at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from actors.floor.addressing import HeardAs, Names, known_names
from actors.floor.barge_in import Cutter, Speech
from actors.floor.decisions import Decision
from actors.floor.echo import Spoken
from actors.floor.engagement import DORMANT, Engagement, Verdict
from actors.floor.settings import FloorSettings
from actors.floor.turns import Membership, Saying, Turn, Wish, Work
from actors.floor.voices import Voice, WaitingLine
from actors.floor.volition import Volition
from actors.floor.words import Words
from messages.capture import CaptureMessage
from messages.ids import HandoffId, PersonId, StayId, Token, TurnId
from messages.mailbox import Mailbox
from messages.people import Presence


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One decision about a line, without its words."""

    heard_as: HeardAs
    verdict: Verdict
    rule: str


NO_TIMER = Token(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One moment of the floor; `now` is the monotonic second of the event being thought about."""

    stay: StayId
    life: str
    """Begins the names of all turns of this life."""
    settings: FloorSettings
    words: Words
    names: Names
    now: float
    minted: int = 0
    conversation: int = 0
    """Which life of the conversation said hello last; 0 before that."""
    roster: tuple[Presence, ...] | None = None
    """None until the stay has told it."""
    voices: tuple[Voice, ...] = ()
    voice_at: float = float("-inf")
    """When the last closed segment had its last voice."""
    waiting: tuple[WaitingLine, ...] = ()
    engagement: Engagement = DORMANT
    volition: Volition = field(default_factory=Volition)
    echo: tuple[Spoken, ...] = ()
    speeches: tuple[Speech, ...] = ()
    quiet_at: float = float("-inf")
    """When he was last heard."""
    cutters: tuple[Cutter, ...] = ()
    """Segments whose first words cut him: their final is still to come."""
    close_ears: tuple[Mailbox[CaptureMessage], ...] = ()
    flight: Turn | None = None
    cancelled: tuple[TurnId, ...] = ()
    wish: Wish | None = None
    answered_typed: bool = False
    """Whether the last turn was for what was written."""
    greeting: float | None = None
    membership: Membership = field(default_factory=Membership)
    results: tuple[HandoffId, ...] = ()
    results_since: float = 0.0
    works: tuple[Work, ...] = ()
    sayings: tuple[Saying, ...] = ()
    """What the operator wants said, the first first."""
    hushed_until: float | None = None
    """Until when he is to take no turn of his own; None while he may."""
    held_until: float = float("-inf")
    """Until when nothing that nobody said asks for a turn, because the operator has stopped him."""
    leaving: bool = False
    quiet_told: bool = False
    timer: Token = NO_TIMER
    timer_due: float | None = None
    recent: tuple[Decided, ...] = ()
    lines_shed: int = 0
    out: tuple[Decision, ...] = ()
    """What has been decided in this step so far: it passes through many hands, and each only adds to it."""

    def do(self, *decisions: Decision) -> State:
        """Decide this as well."""
        return replace(self, out=self.out + decisions)

    def humans(self) -> tuple[PersonId, ...]:
        """Every human in the room, heard or not."""
        return tuple(presence.person.id for presence in self.roster or () if not presence.person.bot)

    def may_be_heard(self, person: PersonId) -> bool:
        """Whether this person is here and has not withdrawn; whoever is unknown yet is believed."""
        return self.roster is None or any(
            presence.person.id == person and presence.consented for presence in self.roster
        )

    def audible(self) -> Speech | None:
        """The utterance that can be heard and cut."""
        return next((speech for speech in self.speeches if speech.audible()), None)

    def busy(self) -> bool:
        """Whether a turn is in flight or anything of his is on its way to be heard."""
        return self.flight is not None or bool(self.speeches)


def begin(*, stay: StayId, life: str, settings: FloorSettings, words: Words, now: float) -> State:
    """The floor at the beginning of one life; `life` must be unlike that of every other life."""
    return State(
        stay=stay,
        life=life,
        settings=settings,
        words=words,
        names=known_names(settings.name, settings.aliases, settings.weak_aliases),
        now=now,
        volition=Volition(spoke=now),
    )
