"""What the gateway passes on as it came: an order to a stay, and somebody's wish to be forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.evidence import PurgePerson
from messages.mailbox import Mailbox
from messages.orders import StayOrder
from messages.stay import StayMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class PassOn:
    """Pass an order on to a stay, which answers here."""

    mailbox: Mailbox[StayMessage]
    order: StayOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class Purge:
    """Have the record take somebody out of what is kept."""

    message: PurgePerson


Passed: TypeAlias = PassOn | Purge
