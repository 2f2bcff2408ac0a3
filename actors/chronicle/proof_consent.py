"""Of nobody is a word on record that was said while no grant was in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from actors.chronicle.proof_types import Fact
from messages.evidence import Consent, Transcription, Utterance
from messages.ids import PersonId

_ENDS: Final = frozenset({"refused", "withdrawn", "departed", "moved", "lost"})
_HEARD: Final = frozenset({"words", "empty"})
ON_THE_WAY_S: Final = 1.0
"""A receipt of what was said before a withdrawal may be told so much after it; words never are."""


@dataclass(slots=True, kw_only=True)
class _Grant:
    since: float | None = None
    until: float = float("-inf")
    withdrawn: bool = False
    periods: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])


def unconsented(own: Sequence[Fact]) -> tuple[str, ...]:
    """The segments that were heard of people without a grant in force, in words."""
    grants: dict[PersonId, _Grant] = {}
    wrong: list[str] = []
    for fact in own:
        match fact.receipt:
            case Consent(person_id=person, phase=phase):
                _changed(grants.setdefault(person, _Grant()), phase, fact.at)
            case Utterance(person_id=person, segment_id=segment):
                if not _may(grants.get(person), fact.at, fact.at):
                    wrong.append(f"utterance {segment} of {person}")
            case Transcription(person_id=person, segment_id=segment, outcome=outcome, latency_ms=latency):
                said = fact.at - latency / 1000
                if outcome in _HEARD and not _may(grants.get(person), said, fact.at):
                    wrong.append(f"transcription {segment} of {person}")
            case _:
                pass
    return tuple(wrong)


def _changed(grant: _Grant, phase: str, at: float) -> None:
    if phase == "granted":
        grant.since = at if grant.since is None else grant.since
    elif phase in _ENDS and grant.since is not None:
        grant.periods.append((grant.since, at))
        grant.since, grant.until, grant.withdrawn = None, at, phase == "withdrawn"


def _may(grant: _Grant | None, said: float, told: float) -> bool:
    """Whether what was `said` then may be `told` now; after a withdrawal only what was under way."""
    if grant is None:
        return False
    if grant.since is not None:
        return True
    if grant.withdrawn and told - grant.until > ON_THE_WAY_S:
        return False
    return any(since <= said <= until + ON_THE_WAY_S for since, until in grant.periods)
