"""A failure is explained by what came after it: the same thing worked again, or it was taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from actors.chronicle.proof_types import Fact
from messages.evidence import (
    Consent,
    Degraded,
    Failed,
    Handoff,
    Left,
    ModelResponse,
    Playback,
    StayReceipt,
    Transcription,
    Utterance,
)
from messages.ids import PersonId

Recovery: TypeAlias = Callable[[StayReceipt], bool]
_BAD_ENDS: Final = frozenset({"crashed", "media_lost", "gateway_lost", "join_failed"})
_TAKEN_BACK: Final = "taken_back"


def unexplained(own: Sequence[Fact]) -> tuple[tuple[str, ...], int]:
    """The failures of a stay that nothing made good, in words, and how many were made good."""
    wrong: list[str] = []
    explained = 0
    for place, fact in enumerate(own):
        found = _failure(fact.receipt)
        if found is None:
            continue
        name, recovered = found
        if any(recovered(later.receipt) for later in own[place + 1 :]):
            explained += 1
        else:
            wrong.append(name)
    return tuple(wrong), explained


def _failure(receipt: StayReceipt) -> tuple[str, Recovery] | None:
    """What failed, by name, and what would show that it works again; None if nothing did."""
    match receipt:
        case Failed(stage=stage, reason=reason, person_id=person):
            return f"{stage} ({reason})", _recovery_of(stage, person)
        case ModelResponse(phase="failed", reason=reason):
            return f"response ({reason or 'no reason'})", _thought
        case Playback(phase="failed", reason=reason):
            return f"playback ({reason or 'no reason'})", _sounded
        case Transcription(outcome="failed", reason=reason, person_id=person):
            return f"transcription ({reason or 'no reason'})", _understood(person)
        case Handoff(phase="failed", reason=reason) if reason != _TAKEN_BACK:
            return f"hand-off ({reason or 'no reason'})", _fetched
        case Degraded(phase="lost", reason=reason):
            return f"voice link lost ({reason})", _linked
        case Left(reason=reason) if reason in _BAD_ENDS:
            return f"left ({reason})", _never
        case _:
            return None


def _recovery_of(stage: str, person: PersonId | None) -> Recovery:
    if stage == "capture":
        return _heard(person)
    if stage == "transcription_session":
        return _understood(person)
    return {
        "conversation_session": _thought,
        "captain_handoff": _fetched,
        "speech_synthesis": _sounded,
        "playback": _sounded,
        "voice_link": _linked,
    }.get(stage, _never)


def _heard(person: PersonId | None) -> Recovery:
    def recovered(later: StayReceipt) -> bool:
        match later:
            case Consent(person_id=other, phase="granted") | Utterance(person_id=other):
                return person in (None, other)
            case _:
                return False

    return recovered


def _understood(person: PersonId | None) -> Recovery:
    def recovered(later: StayReceipt) -> bool:
        match later:
            case Transcription(person_id=other, outcome=outcome):
                return person in (None, other) and outcome != "failed"
            case _:
                return False

    return recovered


def _thought(later: StayReceipt) -> bool:
    return isinstance(later, ModelResponse) and later.phase == "completed"


def _fetched(later: StayReceipt) -> bool:
    return isinstance(later, Handoff) and later.phase in {"returned", "posted"}


def _sounded(later: StayReceipt) -> bool:
    return isinstance(later, Playback) and later.phase in {"started", "drained"}


def _linked(later: StayReceipt) -> bool:
    return _sounded(later) or (isinstance(later, Degraded) and later.phase == "restored")


def _never(later: StayReceipt) -> bool:
    del later
    return False
