"""With whom he is in conversation, and for how much longer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from actors.floor.addressing import HeardAs
from actors.floor.settings import ReplyPolicy
from messages.ids import PersonId


class Verdict(StrEnum):
    """What becomes of a line."""

    IGNORE = "ignore"
    WAKE = "wake"
    HOLD = "hold"
    OFFER = "offer"
    LISTEN = "listen"
    VOLITION = "volition"
    CUT = "cut"
    DROP = "drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Engagement:
    """Dormant (no holder), or engaged with a holder; `relevant` is the last moment that concerned them."""

    holder: PersonId | None = None
    relevant: float = 0.0

    def with_holder(self, holder: PersonId, now: float) -> Engagement:
        """Engaged with this person from now on."""
        return Engagement(holder=holder, relevant=now)

    def refreshed(self, now: float) -> Engagement:
        """It concerned them now; dormant stays dormant."""
        return replace(self, relevant=now) if self.holder is not None else self


DORMANT = Engagement()


def judge(
    engagement: Engagement, person: PersonId, heard_as: HeardAs, *, one_human: bool, policy: ReplyPolicy
) -> tuple[Verdict, str]:
    """The floor's table: what becomes of a line that he could answer, and the name of the row."""
    dormant = engagement.holder is None
    match heard_as:
        case HeardAs.EMPTY:
            return Verdict.IGNORE, "no_words"
        case HeardAs.ADDRESSED:
            return (Verdict.WAKE if dormant else Verdict.HOLD), "addressed"
        case HeardAs.MENTIONED:
            return Verdict.OFFER, "mentioned"
        case HeardAs.NONE if dormant:
            return (
                (Verdict.WAKE, "reply_to_all") if policy is ReplyPolicy.ALL else (Verdict.VOLITION, "unasked")
            )
        case HeardAs.NONE if one_human:
            return Verdict.HOLD, "only_one_human"
        case HeardAs.NONE:
            holds = person == engagement.holder
            return (Verdict.OFFER, "follow_up") if holds else (Verdict.LISTEN, "other_talk")
        case _ as never:
            assert_never(never)
