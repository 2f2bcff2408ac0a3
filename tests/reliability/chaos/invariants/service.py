"""He answers whoever addresses him, or it can be said why not."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from messages.evidence import (
    Consent,
    Degraded,
    Failed,
    FloorDecision,
    Interrupted,
    Joined,
    Left,
    Membership,
    ModelResponse,
    Playback,
    RealtimeTool,
    Receipt,
    Transcription,
)
from tests.reliability.chaos.history import History, Manner, Said
from tests.reliability.chaos.invariants.violation import Violation

ANSWERS_SECONDS: Final = 10.0
"""Within this of the end of an address his answer begins, if nothing is wrong."""
EXPLAINS_SECONDS: Final = 10.0
"""So much later it is known why there was none: a transcript that does not come is given up after eight."""
BEFORE_SECONDS: Final = 15.0
"""A failure that was on record so shortly before explains it as well."""
_LASTING: Final = (Failed, Degraded, Left, Consent, Membership)
_NO_REASON: Final = "the floor is dormant"


def never_silent_without_a_reason(history: History) -> tuple[Violation, ...]:
    """An address without an answer has a receipt or a line of the status that says why."""
    rooms = _rooms(history)
    return tuple(
        Violation(
            at=said.at,
            promise="never_silent_without_a_reason",
            what=f"{said.person} addressed him and got neither an answer nor a reason",
        )
        for said in history.said
        if said.manner is Manner.ADDRESS
        and said.heard
        and said.ended + ANSWERS_SECONDS < history.seconds
        and any(since <= said.at and said.ended <= until for since, until in rooms)
        and not _answered(history, said)
        and not _explained(history, said)
    )


def answers_once_it_is_over(history: History) -> tuple[Violation, ...]:
    """In every quiet window, and after the last trouble, an address is answered within ten seconds."""
    return tuple(
        Violation(
            at=one.at,
            promise="answers_once_it_is_over",
            what=f"{one.person} asked in quiet window {one.window} and got "
            + ("no answer" if one.heard is None else f"one after {one.heard - one.ended:.1f} s"),
        )
        for one in history.asked
        if one.heard is None or one.heard - one.ended > ANSWERS_SECONDS
    )


def _rooms(history: History) -> list[tuple[float, float]]:
    """From when to when he was in a room."""
    periods: list[tuple[float, float]] = []
    since: dict[str, float] = {}
    for one in history.receipts:
        match one.receipt:
            case Joined(stay_id=stay):
                since.setdefault(stay, one.at)
            case Left(stay_id=stay) if stay in since:
                periods.append((since.pop(stay), one.at))
            case _:
                pass
    return [*periods, *((at, history.seconds) for at in since.values())]


def _answered(history: History, said: Said) -> bool:
    """Whether anything of him was heard in time; what he was saying already is an answer to somebody else."""
    first = bisect_left(history.sounds, said.ended, key=lambda sound: sound.at)
    for sound in history.sounds[first:]:
        if sound.at > said.ended + ANSWERS_SECONDS:
            return False
        if not sound.silent:
            return True
    return False


def _explained(history: History, said: Said) -> bool:
    until = said.ended + ANSWERS_SECONDS + EXPLAINS_SECONDS
    for one in history.receipts:
        since = said.at - BEFORE_SECONDS if isinstance(one.receipt, _LASTING) else said.at
        if since <= one.at <= until and _explains(one.receipt, said.person):
            return True
    return any(
        said.ended <= standing.at <= until and any(_NO_REASON not in reason for reason in standing.silent)
        for standing in history.standings
    )


def _explains(receipt: Receipt, person: str) -> bool:
    """Whether this receipt is a reason for not answering this person."""
    match receipt:
        case Transcription(person_id=other, outcome=outcome):
            return other == person and outcome != "words"
        case FloorDecision(person_id=other, turn_id=turn, decision=decision):
            return other == person and turn is None and decision in {"ignore", "listen", "drop", "cut"}
        case ModelResponse(phase=phase, outcome=outcome):
            return phase == "failed" or (phase == "completed" and outcome in {"silent", "cut", "failed"})
        case Playback(phase=phase):
            return phase in {"cut", "failed"}
        case Consent(person_id=other, phase=phase):
            return other == person and phase in {"refused", "withdrawn", "departed", "moved", "lost"}
        case Membership(person_id=other, change=change):
            return other == person and change != "arrived"
        case Degraded(phase=phase):
            return phase in {"lost", "hindered"}
        case RealtimeTool(phase=phase, outcome=outcome):
            return phase == "answered" and outcome == "handed_off"
        case Failed() | Interrupted() | Left():
            return True
        case _:
            return False
