"""Of whoever did not consent nothing is decoded, and nothing of anybody lies open."""

from __future__ import annotations

from typing import Final

from actors.chronicle.proof_consent import unconsented
from actors.chronicle.proof_types import Fact
from actors.evidence.settings import LOOPBACK
from messages.evidence import Consent, Joined, StayReceipt
from tests.reliability.chaos.history import History
from tests.reliability.chaos.invariants.violation import Violation

ON_THE_WAY: Final = 10.0
"""Words that somebody said before a withdrawal may come so much later."""


def nothing_of_whom_nobody_may_hear(history: History) -> tuple[Violation, ...]:
    """Of whoever never wanted to be heard no packet is decoded, and no line that nobody may keep is kept."""
    found = [
        Violation(
            at=one.at,
            promise="nothing_of_whom_nobody_may_hear",
            what=f"{one.receipt.decoded} packets of {one.receipt.person_id} were decoded",
        )
        for one in history.receipts
        if isinstance(one.receipt, Consent)
        and one.receipt.decoded
        and not history.consents.get(one.receipt.person_id)
    ]
    found += [
        Violation(
            at=line.at,
            promise="nothing_of_whom_nobody_may_hear",
            what=f"a spoken line of {line.person} is on record",
        )
        for line in history.wrote
        if not line.typed and not _wanted(history, line.person, line.at)
    ]
    return tuple(found)


def nothing_on_record_without_a_grant(history: History) -> tuple[Violation, ...]:
    """By the record alone, no segment of speech is of somebody without a grant in force."""
    stays = {one.receipt.stay_id for one in history.receipts if isinstance(one.receipt, Joined)}
    found: list[Violation] = []
    for stay in sorted(stays):
        own = [one for one in history.receipts if getattr(one.receipt, "stay_id", None) == stay]
        facts = [
            Fact(at=one.at, origin=LOOPBACK, receipt=one.receipt)
            for one in own
            if isinstance(one.receipt, StayReceipt)
        ]
        found += [
            Violation(
                at=own[-1].at, promise="nothing_on_record_without_a_grant", what=f"{wrong} in stay {stay}"
            )
            for wrong in unconsented(facts)
        ]
    return tuple(found)


def nothing_in_clear(history: History) -> tuple[Violation, ...]:
    """Once a version of the end-to-end encryption is agreed on, no sound of his leaves without it."""
    return tuple(
        Violation(at=one.at, promise="nothing_in_clear", what="a packet with sound could be heard on the way")
        for one in history.plain
    )


def _wanted(history: History, person: str, at: float) -> bool:
    periods = history.consents.get(person, ())
    return any(since <= at <= until + ON_THE_WAY for since, until in periods)
