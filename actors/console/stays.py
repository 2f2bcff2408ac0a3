"""What receipts tell of each stay, folded into the little that explains a silence."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from actors.console.paces import Paces, measured
from actors.console.report import StayCosts, StayStatus
from actors.costs import Bill, CostSettings, total, unpriced, with_usage
from messages.evidence import (
    CaptainUsage,
    Consent,
    Degraded,
    Failed,
    Floor,
    Joined,
    Left,
    Membership,
    ModelResponse,
    Response,
    StayReceipt,
    Usage,
)
from messages.ids import PersonId, RoomId, StayId
from messages.lifecycle import TreeNode

_UNSAID = frozenset(("speech_synthesis", "playback"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of one stay; `joined_here`: from its beginning, so `consented` is complete.

    `joined_at` is wall-clock seconds.
    """

    stay_id: StayId
    joined_here: bool = False
    room_id: RoomId | None = None
    humans: int | None = None
    consented: frozenset[PersonId] = frozenset()
    floor: str | None = None
    link_lost: str | None = None
    hindrance: str | None = None
    last_turn: str | None = None
    last_failure: str | None = None
    last_reason: str | None = None
    joined_at: float | None = None
    holder: PersonId | None = None
    bill: Bill = ()
    paces: Paces = field(default_factory=Paces)

    def status(self, restarts: int, hushed_s: float | None, costs: CostSettings) -> StayStatus:
        """For the report, with what only the actors of this stay tell of themselves."""
        return StayStatus(
            stay_id=self.stay_id,
            room_id=self.room_id,
            humans=self.humans,
            consented=len(self.consented) if self.joined_here else None,
            floor=self.floor,
            link_lost=self.link_lost,
            hindrance=self.hindrance,
            last_turn=self.last_turn,
            last_failure=self.last_failure,
            last_reason=self.last_reason,
            joined_at=self.joined_at,
            holder=self.holder,
            heard=tuple(sorted(self.consented)),
            hushed_s=hushed_s,
            restarts=restarts,
            costs=self._costs(costs),
            latencies=self.paces.latencies(),
        )

    def _costs(self, costs: CostSettings) -> StayCosts:
        return StayCosts(
            amount=round(total(self.bill, costs.prices), 6),
            currency=costs.currency,
            unpriced=unpriced(self.bill, costs.prices),
            bill=self.bill,
        )


Stays: TypeAlias = tuple[Known, ...]


def told(stays: Stays, receipt: StayReceipt, at: float) -> Stays:
    """The stays after one more receipt, in the order in which they were first heard of."""
    if isinstance(receipt, Left):
        return tuple(each for each in stays if each.stay_id != receipt.stay_id)
    if all(each.stay_id != receipt.stay_id for each in stays):
        stays = (*stays, Known(stay_id=receipt.stay_id))
    return tuple(_updated(each, receipt, at) if each.stay_id == receipt.stay_id else each for each in stays)


def found(stays: Stays, tree: TreeNode, gone: Container[StayId]) -> Stays:
    """The stays with those that began before this console did, as far as the house tells of them."""
    known = {each.stay_id for each in stays}
    there = (_in_tree(node) for node in tree.every() if node.kind == "Stay")
    return (*stays, *(one for one in there if one and one.stay_id not in known and one.stay_id not in gone))


def charged(stays: Stays, used: Usage | CaptainUsage) -> Stays:
    """The stays with this on the bill of the one that it was for, if that is still known."""
    return tuple(
        replace(each, bill=with_usage(each.bill, used)) if each.stay_id == used.stay_id else each
        for each in stays
    )


def _in_tree(node: TreeNode) -> Known | None:
    match node.facts:
        case {"stay": str(name), "room": str(room), "humans": int(humans), "phase": "active" | "degraded"}:
            return Known(stay_id=StayId(name), room_id=RoomId(room), humans=humans)
        case _:
            return None


def _updated(stay: Known, receipt: StayReceipt, at: float) -> Known:
    stay = replace(stay, paces=measured(stay.paces, receipt))
    if isinstance(receipt, Joined):
        return replace(
            stay,
            joined_here=True,
            joined_at=at,
            room_id=receipt.room_id,
            humans=receipt.humans,
            floor="dormant",
        )
    if isinstance(receipt, Membership):
        return replace(stay, humans=receipt.humans)
    if isinstance(receipt, Consent):
        return replace(stay, consented=_consented(stay.consented, receipt))
    if isinstance(receipt, Floor):
        return replace(stay, floor=receipt.state, holder=receipt.holder_id)
    if isinstance(receipt, Degraded):
        return _degraded(stay, receipt)
    if isinstance(receipt, ModelResponse) and receipt.phase != "requested":
        # Words that could not be said are no speech, whichever of the two is told first.
        unsaid = receipt.outcome == "spoke" and stay.last_failure in _UNSAID
        return replace(stay, last_turn="failed" if unsaid else receipt.outcome or receipt.phase)
    if isinstance(receipt, Response):
        return replace(stay, last_turn="spoke", last_failure=None, last_reason=None)
    if isinstance(receipt, Failed):
        unsaid = receipt.stage in _UNSAID and stay.last_turn == "spoke"
        turn = "failed" if unsaid else stay.last_turn
        return replace(stay, last_turn=turn, last_failure=receipt.stage, last_reason=receipt.reason)
    return stay


def _degraded(stay: Known, receipt: Degraded) -> Known:
    match receipt.phase:
        case "lost" if receipt.room_id is not None:
            # He was moved: whoever is here, or consents here, has receipts of his own after this one.
            return replace(stay, link_lost=receipt.reason, room_id=receipt.room_id, humans=0)
        case "lost":
            return replace(stay, link_lost=receipt.reason)
        case "hindered":
            return replace(stay, hindrance=receipt.reason)
        case "freed":
            return replace(stay, hindrance=None)
        case "restarted":
            return stay
        case _:
            return replace(stay, link_lost=None)


def _consented(people: frozenset[PersonId], receipt: Consent) -> frozenset[PersonId]:
    if receipt.phase == "granted":
        return people | {receipt.person_id}
    if receipt.phase in {"withdrawn", "departed", "moved", "lost"}:
        return people - {receipt.person_id}
    return people
