"""How things are, in a form that can be sent to whoever asked."""

from __future__ import annotations

from dataclasses import dataclass, field

from actors.chronicle.why import JudgedLine, Turn
from actors.costs import Bill
from messages.ids import PersonId, RoomId, StayId
from messages.lifecycle import TreeNode


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """The last time that something took, and the median of the last twenty, in milliseconds."""

    last_ms: int
    median_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Latencies:
    """How fast he is in one stay; None where nothing of the kind has happened yet."""

    first_audio: Latency | None = None
    """From the decision to answer to the first audible frame."""
    speech_end_to_first_audio: Latency | None = None
    """From the end of somebody's speech to his first audible frame."""
    transcript: Latency | None = None
    """From the last voice of somebody to the words of it."""
    cut_to_silence: Latency | None = None
    """From the decision to cut him off to his silence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StayCosts:
    """What providers did for one stay, and what it comes to at the operator's prices."""

    amount: float = 0.0
    currency: str = "USD"
    unpriced: tuple[str, ...] = ()
    """Models that cost something, and have no price in the settings: they count nothing in `amount`."""
    bill: Bill = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StayStatus:
    """One stay as its receipts tell it; None where the console came too late to know."""

    stay_id: StayId
    room_id: RoomId | None
    humans: int | None
    consented: int | None
    """How many people he may hear."""
    floor: str | None
    """dormant | engaged"""
    link_lost: str | None
    """Why the voice link carries no sound at the moment."""
    hindrance: str | None
    """What the server does to his voice, as a code."""
    last_turn: str | None
    """spoke | silent | tool | failed | cut"""
    last_failure: str | None
    """The stage that failed since he was last heard."""
    last_reason: str | None
    """Why it did, as a code."""
    joined_at: float | None = None
    """Seconds since the epoch."""
    holder: PersonId | None = None
    """Who has the floor, while it is engaged."""
    heard: tuple[PersonId, ...] = ()
    """Whom he may hear, as far as that is known."""
    hushed_s: float | None = None
    """For how many seconds more the operator has told him to be silent."""
    restarts: int = 0
    """How often actors of this stay had to begin again."""
    costs: StayCosts = field(default_factory=StayCosts)
    latencies: Latencies = field(default_factory=Latencies)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Something that explains what he does, without anybody's words; `at` is seconds since the epoch."""

    at: float
    stay_id: StayId | None
    """None where it is about no stay."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much there is and was of everything, since the console opened."""

    actors: int = 0
    restarts: int = 0
    waiting: int = 0
    """Letters that nobody has read yet."""
    joined: int = 0
    """How many stays began."""
    receipts: int = 0
    orders: int = 0
    """How many orders the operator has given."""
    viewers: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReport:
    """The answer to `GET /status`."""

    version: str
    uptime_s: float
    """Since the console opened, which it does with the house."""
    tree: TreeNode | None
    """The root of the house; None if it never described itself to this console."""
    tree_age_s: float | None
    """How long ago it did."""
    stays: tuple[StayStatus, ...]
    reasons: tuple[Reason, ...]
    """The latest last."""
    evidence_lost: int | None
    """How many receipts could not be written."""
    counts: Counts = field(default_factory=Counts)
    silent: tuple[str, ...] = ()
    """Every reason for him to be silent, in words, gravest first."""
    room: RoomId | None = None
    """The room of this very process, where people can sit down at `GET /room`; None if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyReport:
    """The answer to `GET /why`: the latest lines and turns, of one stay or all, the latest last."""

    lines: tuple[JudgedLine, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The answer to `GET /health`: whether all is well, and if not, why, without any name."""

    healthy: bool
    because: tuple[str, ...] = ()
