"""What receipts tell of each stay, folded into the little that explains a silence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from actors.console.report import StayStatus
from messages.evidence import (
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
)
from messages.ids import PersonId, RoomId, StayId

_UNSAID = frozenset(("speech_synthesis", "playback"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of one stay; `joined_here`: from its beginning, so `consented` is complete."""

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

    def status(self) -> StayStatus:
        """For the report."""
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
        )


Stays: TypeAlias = tuple[Known, ...]


def told(stays: Stays, receipt: StayReceipt) -> Stays:
    """The stays after one more receipt, in the order in which they were first heard of."""
    if isinstance(receipt, Left):
        return tuple(each for each in stays if each.stay_id != receipt.stay_id)
    if all(each.stay_id != receipt.stay_id for each in stays):
        stays = (*stays, Known(stay_id=receipt.stay_id))
    return tuple(_updated(each, receipt) if each.stay_id == receipt.stay_id else each for each in stays)


def _updated(stay: Known, receipt: StayReceipt) -> Known:
    if isinstance(receipt, Joined):
        return replace(
            stay, joined_here=True, room_id=receipt.room_id, humans=receipt.humans, floor="dormant"
        )
    if isinstance(receipt, Membership):
        return replace(stay, humans=receipt.humans)
    if isinstance(receipt, Consent):
        return replace(stay, consented=_consented(stay.consented, receipt))
    if isinstance(receipt, Floor):
        return replace(stay, floor=receipt.state)
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
        case _:
            return replace(stay, link_lost=None)


def _consented(people: frozenset[PersonId], receipt: Consent) -> frozenset[PersonId]:
    if receipt.phase == "granted":
        return people | {receipt.person_id}
    if receipt.phase in {"withdrawn", "departed", "moved", "lost"}:
        return people - {receipt.person_id}
    return people
