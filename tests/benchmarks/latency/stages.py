"""What one turn took of the time that somebody waited, stage by stage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, TypeAlias

from tests.benchmarks.latency.moments import SLOT_SECONDS, Asked, Moved, Rooms


class Stage(StrEnum):
    """What somebody who asked him something waits for, in this order."""

    SILENCE = "silence"
    """From his last packet with speech until the floor knows that he has ended."""
    FINAL = "final"
    """Until it has all of his words."""
    DECISION = "decision"
    """Until the conversation is asked for a turn."""
    TEXT = "text"
    """Until the synthesizer has the first text."""
    PCM = "pcm"
    """Until playback has the first sound."""
    PREBUFFER = "prebuffer"
    """Until the voice link is given sound."""
    SEND = "send"
    """Until the kernel of the voice server has the first packet with sound."""


class Kind(StrEnum):
    """What else is timed, beside a turn."""

    DELTA = "delta"
    """From a packet with speech until the floor has the words that the provider heard with it."""
    TURN = "turn"
    """All stages together."""
    ADDED = "added"
    """The same without the silence and the prebuffer, which are waited for on purpose."""
    CUT = "cut"
    """From the decision to cut him to the end of his last packet with sound."""
    STOP = "stop"
    """From the first packet of the word to that."""
    ROSTER = "roster"
    """From the news of a coming or going, where it is sent, to the floor."""
    MEMBERSHIP = "membership"
    """From there to the request for a turn."""


STAGES: Final = (
    (Stage.SILENCE, "VoiceEnded", "{person}"),
    (Stage.FINAL, "WordsHeard", "{person} final"),
    (Stage.DECISION, "TurnAsked", "address"),
    (Stage.TEXT, "SayText", ""),
    (Stage.PCM, "QueueSound", ""),
    (Stage.PREBUFFER, "PlaySound", ""),
)
"""The message that ends each stage but the last, and how its detail begins."""
ON_PURPOSE: Final = (Stage.SILENCE, Stage.PREBUFFER)
Samples: TypeAlias = dict[str, list[float]]
"""Milliseconds, by Stage or Kind."""
Sample: TypeAlias = tuple[str, float]
MEMBERSHIP_SECONDS: Final = 3.0
"""Whatever a coming or going asks for, it asks for sooner."""


def samples(rooms: Rooms, asked: Sequence[Asked], moved: Sequence[Moved]) -> Samples:
    """Everything that was timed."""
    found = defaultdict[str, list[float]](list)
    for one in asked:
        for name, seconds in (*_turn(rooms, one), *_deltas(rooms, one), *_stop(rooms, one)):
            found[name].append(1_000 * seconds)
    for move in moved:
        for name, seconds in _membership(rooms, move):
            found[name].append(1_000 * seconds)
    return dict(found)


def _turn(rooms: Rooms, asked: Asked) -> Iterator[Sample]:
    """Each stage, or nothing where one of them is missing."""
    began, before = asked.sent[-1], asked.over
    ends = [began]
    for _, kind, detail in STAGES:
        at = rooms.first(asked.room, kind, ends[-1], before, detail.format(person=asked.person))
        if at is None:
            return
        ends.append(at)
    sound = rooms.packets(asked.room, ends[-1], before)
    if not sound:
        return
    ends.append(sound[0])
    took = {stage: end - begin for stage, begin, end in zip(Stage, ends, ends[1:], strict=False)}
    yield from took.items()
    yield Kind.TURN, ends[-1] - began
    yield Kind.ADDED, sum(seconds for stage, seconds in took.items() if stage not in ON_PURPOSE)


def _deltas(rooms: Rooms, asked: Asked) -> Iterator[Sample]:
    for at, packets in rooms.so_far(asked):
        if packets <= len(asked.sent):
            yield Kind.DELTA, at - asked.sent[packets - 1]


def _stop(rooms: Rooms, asked: Asked) -> Iterator[Sample]:
    if not asked.stop:
        return
    decided = rooms.first(asked.room, "CutSpeech", asked.stop[0], asked.over)
    sound = rooms.packets(asked.room, asked.stop[0], asked.over)
    if decided is not None and sound:
        yield Kind.CUT, sound[-1] + SLOT_SECONDS - decided
        yield Kind.STOP, sound[-1] - asked.stop[0]


def _membership(rooms: Rooms, move: Moved) -> Iterator[Sample]:
    until = move.at + MEMBERSHIP_SECONDS
    told = rooms.first(move.room, "RosterTold", move.at, until)
    if told is None:
        return
    yield Kind.ROSTER, told - move.at
    asked = rooms.first(move.room, "TurnAsked", told, until, "membership")
    if asked is not None:
        yield Kind.MEMBERSHIP, asked - told
