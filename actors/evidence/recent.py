"""Of each stay the last ten receipts are at hand, for a captain who wants to know what goes on there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from messages.evidence import Floor, Left, Receipt, ReceiptsKnown, StayReceipt
from messages.ids import PersonId, StayId

MOST_RECEIPTS: Final = 10
MOST_STAYS: Final = 8
NAMING: Final = ("person_id", "asker_id", "holder_id")
"""The fields of receipts that name somebody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """What happened last in one stay; `floor` is how it stood last, empty as long as nobody has said."""

    stay: StayId
    receipts: tuple[StayReceipt, ...] = ()
    floor: str = ""


def noted(stays: tuple[Recent, ...], receipt: Receipt) -> tuple[Recent, ...]:
    """The same with this receipt: the stay of which something was heard last is the last."""
    if not isinstance(receipt, StayReceipt):
        return stays
    others = tuple(one for one in stays if one.stay != receipt.stay_id)
    if isinstance(receipt, Left):
        return others
    before = _of(stays, receipt.stay_id)
    after = Recent(
        stay=receipt.stay_id,
        receipts=(*before.receipts, receipt)[-MOST_RECEIPTS:],
        floor=receipt.state if isinstance(receipt, Floor) else before.floor,
    )
    return (*others, after)[-MOST_STAYS:]


def known(stays: tuple[Recent, ...], stay: StayId) -> ReceiptsKnown:
    """What there is to say of this stay."""
    found = _of(stays, stay)
    return ReceiptsKnown(receipts=found.receipts, floor=found.floor)


def without(stays: tuple[Recent, ...], person: PersonId) -> tuple[Recent, ...]:
    """The same without what names this person."""
    return tuple(
        replace(one, receipts=tuple(each for each in one.receipts if person not in _named(each)))
        for one in stays
    )


def _named(receipt: StayReceipt) -> tuple[str | None, ...]:
    return tuple(getattr(receipt, name, None) for name in NAMING)


def _of(stays: tuple[Recent, ...], stay: StayId) -> Recent:
    return next((one for one in stays if one.stay == stay), Recent(stay=stay))
