"""A failure is explained by what came after it: the same thing worked again, or it was taken back."""

from __future__ import annotations

from collections.abc import Sequence
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

Sign: TypeAlias = tuple[str, PersonId | None]
"""What works, and of whom; of None: of anybody."""
_HEARD, _UNDERSTOOD, _THOUGHT, _FETCHED, _SOUNDED, _LINKED, _NEVER = (
    *("heard", "understood", "thought", "fetched", "sounded", "linked", "never"),
)
_OF_STAGE: Final = {
    "capture": _HEARD,
    "transcription_session": _UNDERSTOOD,
    "conversation_session": _THOUGHT,
    "captain_handoff": _FETCHED,
    "speech_synthesis": _SOUNDED,
    "playback": _SOUNDED,
    "voice_link": _LINKED,
}
_OF_SOMEBODY: Final = frozenset({_HEARD, _UNDERSTOOD})
_BAD_ENDS: Final = frozenset({"crashed", "media_lost", "gateway_lost", "join_failed"})
_TAKEN_BACK: Final = "taken_back"


def unexplained(own: Sequence[Fact]) -> tuple[tuple[str, ...], int]:
    """The failures of a stay that nothing made good, in words, and how many were made good."""
    wrong: list[str] = []
    explained = 0
    works: set[Sign] = set()
    for fact in reversed(own):
        found = _failure(fact.receipt)
        if found is not None:
            name, sign = found
            if sign in works:
                explained += 1
            else:
                wrong.append(name)
        works.update(_signs(fact.receipt))
    return tuple(reversed(wrong)), explained


def _failure(receipt: StayReceipt) -> tuple[str, Sign] | None:
    """What failed, by name, and what would show that it works again; None if nothing did."""
    match receipt:
        case Failed(stage=stage, reason=reason, person_id=person):
            works = _OF_STAGE.get(stage, _NEVER)
            return f"{stage} ({reason})", (works, person if works in _OF_SOMEBODY else None)
        case ModelResponse(phase="failed", reason=reason):
            return f"response ({reason or 'no reason'})", (_THOUGHT, None)
        case Playback(phase="failed", reason=reason):
            return f"playback ({reason or 'no reason'})", (_SOUNDED, None)
        case Transcription(outcome="failed", reason=reason, person_id=person):
            return f"transcription ({reason or 'no reason'})", (_UNDERSTOOD, person)
        case Handoff(phase="failed", reason=reason) if reason != _TAKEN_BACK:
            return f"hand-off ({reason or 'no reason'})", (_FETCHED, None)
        case Degraded(phase="lost", reason=reason):
            return f"voice link lost ({reason})", (_LINKED, None)
        case Left(reason=reason) if reason in _BAD_ENDS:
            return f"left ({reason})", (_NEVER, None)
        case _:
            return None


def _signs(receipt: StayReceipt) -> tuple[Sign, ...]:
    """What this receipt shows to work."""
    match receipt:
        case Consent(person_id=person, phase="granted") | Utterance(person_id=person):
            return (_HEARD, person), (_HEARD, None)
        case Transcription(person_id=person, outcome=outcome) if outcome != "failed":
            return (_UNDERSTOOD, person), (_UNDERSTOOD, None)
        case ModelResponse(phase="completed"):
            return ((_THOUGHT, None),)
        case Handoff(phase="returned" | "posted"):
            return ((_FETCHED, None),)
        case Playback(phase="started" | "drained"):
            return (_SOUNDED, None), (_LINKED, None)
        case Degraded(phase="restored"):
            return ((_LINKED, None),)
        case _:
            return ()
