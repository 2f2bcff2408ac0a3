"""His own lanes: how long he thought, when the room heard him, who made him quieter, and who cut him off."""

from __future__ import annotations

from collections.abc import Iterator

from actors.chronicle.why import Turn
from messages.evidence import Interrupted, Overlap, Playback
from messages.ids import UtteranceId
from supervisors.report.marks import Mark
from supervisors.report.story import Story

_ENDS = {"drained": "voice", "cut": "voice-cut", "failed": "voice-failed"}


def own_voice(story: Story) -> Iterator[Mark]:
    """Everything that the room heard of him, and how long it waited for it."""
    yield from (wait for turn in story.turns if (wait := _waited(turn)) is not None)
    yield from _heard(story)
    yield from _hushed(story)


def _waited(turn: Turn) -> Mark | None:
    if turn.audible_at is None or turn.first_audio_ms is None:
        return None
    began = turn.audible_at - turn.first_audio_ms / 1000
    return Mark(began=began, ended=turn.audible_at, look="wait", row=turn.turn_id)


def _heard(story: Story) -> Iterator[Mark]:
    """From the first audible frame of each utterance to its last; what never ended, until the next began."""
    sounding: tuple[float, Playback] | None = None
    for one in story.stamped:
        playback = one.receipt
        if not isinstance(playback, Playback) or playback.phase == "buffered":
            continue
        if sounding is not None and (
            playback.phase == "started" or sounding[1].utterance_id == playback.utterance_id
        ):
            look = _ENDS.get(playback.phase, "voice-failed")
            yield Mark(began=sounding[0], ended=one.at, look=look, row=sounding[1].turn_id)
            if playback.phase == "cut":
                yield Mark(began=one.at, ended=one.at, look="stop", row=playback.turn_id)
            sounding = None
        if playback.phase == "started":
            sounding = (one.at, playback)
    if sounding is not None:
        look = "voice" if story.open else "voice-failed"
        yield Mark(began=sounding[0], ended=story.ended, look=look, row=sounding[1].turn_id)


def _hushed(story: Story) -> Iterator[Mark]:
    """While he was quieter: until he rose again, was cut off, or had said everything."""
    since: dict[UtteranceId, float] = {}
    for one in story.stamped:
        match one.receipt:
            case Overlap(phase="ducked", utterance_id=utterance):
                since.setdefault(utterance, one.at)
            case Overlap(utterance_id=utterance) | Interrupted(utterance_id=utterance):
                yield from _hush(since, utterance, one.at)
            case Playback(phase="drained" | "cut" | "failed", utterance_id=utterance):
                yield from _hush(since, utterance, one.at)
            case _:
                pass


def _hush(since: dict[UtteranceId, float], utterance: UtteranceId, at: float) -> Iterator[Mark]:
    began = since.pop(utterance, None)
    if began is not None:
        yield Mark(began=began, ended=at, look="duck", strip="under")


def turns(story: Story) -> Iterator[Mark]:
    """Each turn from when it was first heard of to its end."""
    for turn in story.turns:
        ended = turn.at if turn.ended_at is None else turn.ended_at
        look = f"t-{turn.outcome}" if turn.outcome in _OUTCOMES and turn.ended_at is not None else "t-open"
        yield Mark(began=turn.at, ended=ended, look=look, row=turn.turn_id)


_OUTCOMES = frozenset({"spoke", "silent", "tool", "failed", "cut"})
