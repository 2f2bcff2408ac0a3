"""What the operator may have done in a stay, from outside of it, and the one answer that he gets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from messages.ids import OrderId, PersonId, StayId

if TYPE_CHECKING:
    from messages.mailbox import Mailbox


class OrderCode(StrEnum):
    """What became of an order."""

    DONE = "done"
    NO_STAY = "no_stay"
    """There is no such stay, or none at all."""
    AMBIGUOUS = "ambiguous"
    """There are several stays, and none was named."""
    NOTHING_TO_DO = "nothing_to_do"
    """He was saying nothing, nothing in it can be spoken, or that person was not heard anyway."""
    NOT_HERE = "not_here"
    """That person is not in the room."""
    BUSY = "busy"
    """Too much of the kind waits already."""
    LEAVING = "leaving"
    """The stay is about to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StayOrderAnswered:
    """What became of this order, in this stay if it reached one; told exactly once."""

    order: OrderId
    code: OrderCode
    stay: StayId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SayAloud:
    """Say exactly this (1 to 600 characters), once the floor is free; DONE means that it has its turn."""

    order: OrderId
    text: str
    reply_to: Mailbox[StayOrderAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hush:
    """Stop speaking and take no turn for so many seconds (at most 86,400); 0 lets him speak again."""

    order: OrderId
    seconds: float
    reply_to: Mailbox[StayOrderAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupt:
    """Stop what he is saying now, and what he is about to say."""

    order: OrderId
    reply_to: Mailbox[StayOrderAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawConsent:
    """Hear this person no longer; only the person can consent, so there is no order for that."""

    order: OrderId
    person: PersonId
    reply_to: Mailbox[StayOrderAnswered]


StayOrder: TypeAlias = SayAloud | Hush | Interrupt | WithdrawConsent


@dataclass(frozen=True, slots=True, kw_only=True)
class StayOrdered:
    """To the account, who knows all stays: pass this on to that stay, or to the only one."""

    stay: StayId | None
    order: StayOrder
