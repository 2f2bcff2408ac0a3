"""What the captain has sent the account for and is not back yet: roles, deeds, and somebody's word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from messages.authority import Tier
from messages.captain import AskersKnown, Confirmed
from messages.gateway import ConsentsLost, DeedAnswered, TextAnswered, TurnLost
from messages.ids import ConfirmationId, DeedId, GuildId, HandoffId, PersonId, RoleId
from messages.mailbox import Mailbox
from messages.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class LookingUp:
    """A hand-off whose askers' roles are being learnt; `roles` are those that are known by now."""

    handoff: HandoffId
    guild: GuildId
    people: tuple[Person, ...]
    missing: frozenset[PersonId]
    reply_to: Mailbox[AskersKnown]
    roles: Mapping[PersonId, frozenset[RoleId]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingDone:
    """A deed that the account has been told to do."""

    deed: DeedId
    reply_to: Mailbox[DeedAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirming:
    """Two buttons that wait for somebody of this guild and this tier."""

    confirmation: ConfirmationId
    guild: GuildId
    tier: Tier
    reply_to: Mailbox[Confirmed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Errands:
    """All of them; each list has a bound where it grows."""

    looking_up: tuple[LookingUp, ...] = ()
    deeds: tuple[BeingDone, ...] = ()
    confirming: tuple[Confirming, ...] = ()
    owed: tuple[TurnLost, ...] = ()
    """Turns that were lost, until somebody has been told so."""
    telling: tuple[TurnLost, ...] = ()
    """Those of which somebody is being told."""
    told: tuple[TurnLost, ...] = ()
    """The latest of which somebody was told."""
    late: tuple[TextAnswered, ...] = ()
    """Answers to what an earlier life had read, for as long as there is no account to give them."""
    bereft: tuple[ConsentsLost, ...] = ()
    """Stays of a house that was killed, until those whom it heard have been told."""
    life: str = "deed"
    """What the names of deeds begin with, other than those of an earlier life."""
    begun: int = 0
    """How many deeds there were: their names are counted."""
