"""A stay at a glance: a few short judgements, each with a mark that needs no colour to be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from supervisors.report.plots import latencies
from supervisors.report.story import Story
from supervisors.report.words import many, milliseconds

Mood: TypeAlias = Literal["good", "bad", "calm"]
EMPTY_IS_MUCH = 0.5
FEW = 10
"""Of fewer transcriptions it is not said that most were empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One judgement."""

    mood: Mood
    text: str


def chips(story: Story) -> Iterator[Chip]:
    """What to know of a stay before anything else, trouble first."""
    found = story.figures
    failed = sum(sum(reasons.values()) for reasons in found.failures.values())
    if failed:
        yield Chip(mood="bad", text=many(failed, "failure"))
    if found.links_lost:
        yield Chip(mood="bad", text=f"link lost {many(found.links_lost, 'time')}")
    if story.open:
        yield Chip(mood="calm", text="goes on, as the house is at work")
    elif story.left is None:
        yield Chip(mood="bad", text="no end on record")
    elif story.left in {"crashed", "media_lost", "gateway_lost", "join_failed"}:
        yield Chip(mood="bad", text="ended by trouble")
    yield from _latencies(story)
    if found.false_overlaps:
        yield Chip(mood="calm", text=many(found.false_overlaps, "false overlap"))
    ratio = found.empty_ratio
    if ratio is not None and ratio > EMPTY_IS_MUCH and sum(found.transcriptions.values()) >= FEW:
        yield Chip(mood="bad", text=f"{ratio:.0%} of captures without words")
    if not found.spoken:
        yield Chip(mood="calm", text="never spoke")


def _latencies(story: Story) -> Iterator[Chip]:
    words = {"Answer": "answers in", "Cut to silence": "cut to silence in"}
    for latency in latencies(story.figures):
        if latency.found.values and latency.name in words:
            mood: Mood = "bad" if latency.slow else "good"
            yield Chip(mood=mood, text=f"{words[latency.name]} {milliseconds(latency.found.median)}")
