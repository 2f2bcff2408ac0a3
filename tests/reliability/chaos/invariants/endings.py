"""Whatever begins ends once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, TypeAlias

from messages.evidence import (
    Handoff,
    Joined,
    Left,
    ModelResponse,
    Playback,
    RealtimeTool,
    Receipt,
    Transcription,
    Utterance,
)
from tests.reliability.chaos.history import End, History, OnRecord
from tests.reliability.chaos.invariants.violation import Violation

SETTLES_SECONDS: Final = 60.0
"""So long what began may be under way."""
LOST_SECONDS: Final = 1.0
"""A record that crashes loses what lies in its mailbox."""
Key: TypeAlias = tuple[str, str]


def one_left_for_each_joined(history: History) -> tuple[Violation, ...]:
    """Each `joined` has exactly one `left`, over every crash and every life of the program."""
    joined = {one.receipt.stay_id: one for one in history.receipts if isinstance(one.receipt, Joined)}
    times = Counter(one.receipt.stay_id for one in history.receipts if isinstance(one.receipt, Joined))
    left = [one for one in history.receipts if isinstance(one.receipt, Left)]
    counts = Counter(one.receipt.stay_id for one in left if isinstance(one.receipt, Left))
    found = [
        _violation(one.at, "one_left_for_each_joined", f"stay {stay} was joined {times[stay]} times")
        for stay, one in joined.items()
        if times[stay] > 1
    ]
    found += [
        _violation(one.at, "one_left_for_each_joined", f"stay {stay} was left {counts[stay]} times")
        for stay, one in joined.items()
        if counts[stay] != 1
    ]
    found += [
        _violation(one.at, "one_left_for_each_joined", f"stay {one.receipt.stay_id} was left, never joined")
        for one in left
        if isinstance(one.receipt, Left) and one.receipt.stay_id not in joined
    ]
    return tuple(found)


def one_end_for_every_beginning(history: History) -> tuple[Violation, ...]:
    """Every turn, utterance, tool call, hand-off and segment of speech that began has exactly one end."""
    began: dict[Key, OnRecord] = {}
    ended: dict[Key, list[OnRecord]] = {}
    for one in history.receipts:
        for key, ends in _sides(one.receipt):
            if ends:
                ended.setdefault(key, []).append(one)
            else:
                began.setdefault(key, one)
    found = [
        _violation(ends[1].at, "one_end_for_every_beginning", f"{_named(key)} ended {len(ends)} times")
        for key, ends in ended.items()
        if len(ends) > 1
    ]
    found += [
        _violation(one.at, "one_end_for_every_beginning", f"{_named(key)} never ended")
        for key, one in began.items()
        if key not in ended and not _is_excused(history, one)
    ]
    return tuple(found)


def _sides(receipt: Receipt) -> Iterator[tuple[Key, bool]]:
    """What this receipt begins or ends."""
    match receipt:
        case ModelResponse():
            yield ("turn", receipt.turn_id), receipt.phase != "requested"
        case Playback():
            yield ("utterance", receipt.utterance_id), receipt.phase in {"drained", "cut", "failed"}
        case RealtimeTool():
            yield ("tool call", receipt.call_id), receipt.phase == "answered"
        case Handoff():
            yield ("hand-off", receipt.handoff_id), receipt.phase != "began"
        case Utterance():
            yield ("segment", receipt.segment_id), False
        case Transcription():
            yield ("segment", receipt.segment_id), True
        case _:
            pass


def _is_excused(history: History, began: OnRecord) -> bool:
    """Whether its end may be missing: he was killed, or the record itself was, or it is too early to say."""
    life = history.life(began.life)
    if life is not None and life.end in {End.KILLED, End.FELL}:
        return True
    if (life is None or life.end is End.RUNS) and began.at > history.seconds - SETTLES_SECONDS:
        return True
    return any(
        trouble.target.rpartition("/")[2] == "evidence"
        and began.at - LOST_SECONDS <= trouble.at <= began.at + SETTLES_SECONDS
        for trouble in history.troubles
    )


def _named(key: Key) -> str:
    return " ".join(key)


def _violation(at: float, promise: str, what: str) -> Violation:
    return Violation(at=at, promise=promise, what=what)
