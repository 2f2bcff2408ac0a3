"""The counts that matter, each with what it means and what is normal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape
from math import ceil

from actors.chronicle.figures import Cross, Figures
from supervisors.rehearsal.phrases import TOOLS, TRIGGERS
from supervisors.report import words


def counts(found: Figures) -> Iterator[str]:
    """A table of single numbers."""
    yield '<div class=wide tabindex=0 role=group aria-label="Counts"><table class=counts>'
    yield "<thead><tr><th scope=col>what<th scope=col class=n>how many<th scope=col>how to read it<tbody>"
    for name, number, meaning in _told(found):
        yield f"<tr><th scope=row>{name}<td class=n>{escape(number)}<td>{escape(meaning)}"
    yield "</table></div>"


_Told = Iterator[tuple[str, str, str]]


def _told(found: Figures) -> _Told:
    voiced = words.length(found.voiced_ms / 1000)
    yield (
        "utterances",
        f"{found.utterances:,}",
        f"{voiced} of voice; shorter ones than 350 ms are not counted",
    )
    yield from _transcripts(found)
    if found.typed:
        yield "typed lines", f"{found.typed:,}", "written in the room's own chat; they never cut him off"
    yield "times he spoke", f"{found.spoken:,}", "utterances of his that could be heard"
    yield from _interruptions(found)
    yield from _links(found)
    total = found.packets_read + found.packets_unread
    if total:
        unread = f"of {total:,} packets: of people without consent, never decrypted"
        yield "dropped unread", f"{found.packets_unread:,}", unread


def _transcripts(found: Figures) -> _Told:
    every = sum(found.transcriptions.values())
    if not every:
        return
    empty, lost = (
        sum(found.transcriptions.get(one, 0) for one in outcomes)
        for outcomes in (("empty",), ("dropped", "failed"))
    )
    share = f"{found.empty_ratio or 0:.0%} of {every:,} captures: coughs and laughter"
    yield "without words", f"{empty:,}", f"{share}; much more than half of them is a noisy microphone"
    yield (
        "transcripts lost",
        f"{lost:,}",
        "dropped as no speech, or failed; a few are normal, failures are not",
    )


def _interruptions(found: Figures) -> _Told:
    cuts = ", ".join(f"{number} by {words.rule(rule)}" for rule, number in found.cuts.items())
    yield "got quieter", f"{found.ducks:,}", "somebody talked over him for 300 ms"
    if found.ducks:
        share = f"{found.false_overlaps / found.ducks:.0%} of those: he rose again and went on"
        yield "false overlaps", f"{found.false_overlaps:,}", f"{share}; coughs and yeses, normal and harmless"
    yield "cut off", f"{sum(found.cuts.values()):,}", cuts or "nobody interrupted him with words"


def _links(found: Figures) -> _Told:
    if found.links_lost:
        yield "link lost", f"{found.links_lost:,}", "no sound was carried for a while; normal is never"
    if found.hindered:
        yield "hindered", f"{found.hindered:,}", "the server muted, deafened or suppressed him"


def crossings(found: Figures) -> Iterator[str]:
    """Tables of what came together with what, those that have anything in them."""
    yield from _cross("Lines", "said, and made of it", found.lines, words.CLASSES, words.DECISIONS)
    yield from _cross(
        "Turns", "asked for, and what the model made of it", found.turns, TRIGGERS, words.OUTCOMES
    )
    yield from _cross("Tools", "used, and come of it", found.tools, TOOLS, {})
    yield from _cross("The captain's tools", "used, and come of it", found.captain_tools, {}, {})
    if found.handoffs:
        handed = {"handed over": found.handoffs}
        yield from _cross("Hand-offs", "to the captain", handed, {}, {})
    yield from _cross("Failures", "stage, and reason", found.failures, {}, {})


def _cross(
    name: str, meaning: str, cross: Cross, down: Mapping[str, str], across: Mapping[str, str]
) -> Iterator[str]:
    """Rows are named in words by `down`, columns by `across`; the fullest column comes first."""
    totals: Counter[str] = Counter()
    for found in cross.values():
        totals.update(found)
    if not totals:
        return
    columns = [column for column, _ in totals.most_common()]
    most = max(max(found.values()) for found in cross.values())
    yield f'<div class="wide cross" tabindex=0 role=group aria-label="{name}"><table>'
    yield f"<caption><b>{name}</b> {meaning}</caption><thead><tr><td>"
    yield "".join(f"<th scope=col>{escape(words.in_words(column, across))}" for column in columns)
    yield "<tbody>"
    for row, found in cross.items():
        cells = "".join(_cell(found.get(column, 0), most) for column in columns)
        yield f"<tr><th scope=row>{escape(words.in_words(row, down))}{cells}"
    yield "</table></div>"


def _cell(number: int, most: int) -> str:
    return f"<td class=h{ceil(5 * number / most)}>{number:,}" if number else "<td class=h0>·"
