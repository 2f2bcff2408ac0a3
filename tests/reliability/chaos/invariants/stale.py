"""What is over is not heard again: the tone of a packet says of which sentence it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from messages.evidence import Playback
from tests.reliability.chaos.history import End, History
from tests.reliability.chaos.invariants.violation import Violation

MOST_PACKETS: Final = 2
"""So many packets may be on the way when something is cut."""
BUSY_SECONDS: Final = 0.25
"""The receipt of a cut and the packets before it come by different ways, on a machine that has other work."""


def nothing_stale_is_heard(history: History) -> tuple[Violation, ...]:
    """What was cut, dropped or has failed is silent at most two packets later, and never comes back."""
    found: list[Violation] = []
    for tone, over, how in _ends(history):
        for listener, late in _later(history, tone, over + BUSY_SECONDS).items():
            if len(late) > MOST_PACKETS:
                what = f"{len(late)} packets of sentence {tone}, which had {how}, reached {listener}"
                found.append(Violation(at=late[0], promise="nothing_stale_is_heard", what=what))
    return tuple(found)


def nothing_of_an_earlier_life(history: History) -> tuple[Violation, ...]:
    """Nothing that an earlier life of the program wanted to say is heard in a later one."""
    over = {life.number: life.ended for life in history.lives if life.end is not End.RUNS}
    found: list[Violation] = []
    for tone, life in {voiced.tone: voiced.life for voiced in history.voiced}.items():
        if life not in over:
            continue
        for listener, late in _later(history, tone, over[life] + BUSY_SECONDS).items():
            what = f"sentence {tone} of life {life} reached {listener} after that life"
            found.append(Violation(at=late[0], promise="nothing_of_an_earlier_life", what=what))
    return tuple(found)


def _ends(history: History) -> Iterator[tuple[int, float, str]]:
    """Each tone with the moment after which it must not be heard, and why."""
    tones = {one.utterance: one.tones for one in history.spoke}
    for one in history.receipts:
        receipt = one.receipt
        if isinstance(receipt, Playback) and receipt.phase in {"cut", "failed"}:
            for tone in tones.get(receipt.utterance_id, ()):
                yield tone, one.at, "been cut" if receipt.phase == "cut" else "failed"


def _later(history: History, tone: int, after: float) -> dict[str, list[float]]:
    """When each listener heard this tone after that."""
    heard: dict[str, list[float]] = {}
    for sound in history.sounds[_first_after(history, after) :]:
        if sound.tone == tone:
            heard.setdefault(sound.listener, []).append(sound.at)
    return heard


def _first_after(history: History, after: float) -> int:
    return bisect_right(history.sounds, after, key=lambda sound: sound.at)
