"""Everything about one stay, as a section of the page that can be folded up."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from actors.costs import CostSettings
from supervisors.report import words
from supervisors.report.counts import counts, crossings
from supervisors.report.density import by_the_minute, is_dense, stretches
from supervisors.report.lanes import count, lanes
from supervisors.report.marks import LOOKS, Lane
from supervisors.report.people import People
from supervisors.report.picture import picture
from supervisors.report.plots import latencies, plot, told
from supervisors.report.prices import costs
from supervisors.report.reasons import reasons
from supervisors.report.rows import numbers, rows
from supervisors.report.story import Story
from supervisors.report.verdicts import chips
from supervisors.report.words import elapsed, length, moment

_EDGE = 0.015
"""How much of a timeline is left free at both ends, so that nothing sticks to them."""


def section(
    story: Story, number: int, people: People, settings: CostSettings, *, unfolded: bool
) -> Iterator[str]:
    """The section with the id s<number>."""
    yield f"<details class=stay id=s{number}{' open' if unfolded else ''}><summary>"
    yield f"<h2>{escape(title(story))} <small>{length(story.ended - story.began)}</small></h2>"
    yield f"{chip_list(story)}</summary>"
    yield from _facts(story, people)
    yield f"<h3 id=t{number}>Timeline</h3>"
    told_rows = rows(story)
    yield from _timeline(story, number, people, numbers(told_rows))
    yield "<h3>How quick he was</h3>"
    yield from _plots(story)
    yield "<h3>What happened how often</h3>"
    yield from counts(story.figures)
    yield "<div class=crossings>"
    yield from crossings(story.figures)
    yield "</div><h3>What it cost</h3>"
    yield from costs(story.figures.bill, settings)
    yield "<h3>Why he spoke, and why not</h3>"
    yield from reasons(told_rows, people, story.began, number)
    yield "</details>"


def title(story: Story) -> str:
    """For example "Tue 1 December 2026, 10:25:42"."""
    return f"{moment(story.began):%a %-d %B %Y, %H:%M:%S}"


def chip_list(story: Story) -> str:
    """The judgements, as a list."""
    marks = {"good": ("✓", "fine: "), "bad": ("!", "trouble: "), "calm": ("·", "")}
    found = "".join(
        f"<li class={chip.mood}><i aria-hidden=true>{marks[chip.mood][0]}</i>"
        f"<span class=sr>{marks[chip.mood][1]}</span>{escape(chip.text)}"
        for chip in chips(story)
    )
    return f"<ul class=chips>{found}</ul>"


def _facts(story: Story, people: People) -> Iterator[str]:
    left = words.reason(story.left, goes_on=story.open)
    named = " ".join(
        f'<span class=who title="{escape(person)}"><i class={people.look(person)}></i>'
        f"{escape(people.name(person))}</span>"
        for person in story.people
    )
    facts = (
        ("Room", escape(story.room_id or "not on record")),
        ("Stay", f"<code>{escape(story.stay_id)}</code>"),
        ("Account", escape(story.origin or "not on record")),
        ("From", f"{moment(story.began):%H:%M:%S}"),
        ("To", f"{moment(story.ended):%H:%M:%S}{', and it goes on' if story.open else ''}"),
        ("Left because of", escape(left)),
        ("Encrypted", escape(words.encryption(story.encryption)) if story.encryption else "not on record"),
        ("People at most", str(story.most_humans or "not on record")),
        ("On record", named or "nobody"),
    )
    yield "<dl class=facts>"
    yield from (f"<div><dt>{name}<dd>{value}</div>" for name, value in facts)
    yield "</dl>"


def _timeline(story: Story, number: int, people: People, found: dict[str, int]) -> Iterator[str]:
    drawn = lanes(story, people)
    edge = max(_EDGE * (story.ended - story.began), 0.2)
    began, ended = story.began - edge, story.ended + edge
    dense = is_dense(drawn)
    yield f"<div class=timeline data-stay={number}><div class=tools hidden>"
    yield "<button type=button data-zoom=2 aria-label='Zoom in'>+</button>"
    yield "<button type=button data-zoom=0.5 aria-label='Zoom out'>−</button>"
    yield "<button type=button data-zoom=0>all of it</button>"
    yield "<span>arrow keys walk from mark to mark, + and − zoom, Enter shows why</span></div>"
    label = f"Timeline of {title(story)}"
    if not dense:
        yield from picture(drawn, began, ended, zero=story.began, rows=found, label=label)
    else:
        yield f"<p class=none>{count(drawn):,} marks are too many for one picture: the darker, the more "
        yield "happened. What happened when is in the stretches below."
        binned = by_the_minute(drawn, began, ended)
        yield from picture(binned, began, ended, zero=story.began, rows={}, label=f"{label}, by the minute")
    yield "<p class=told aria-live=polite>Point at anything.</p>"
    yield from _legend(drawn)
    if dense:
        yield from _stretches(story, drawn, found)
    yield "</div>"


def _stretches(story: Story, drawn: tuple[Lane, ...], found: dict[str, int]) -> Iterator[str]:
    yield "<div class=folded>"
    for stretch in stretches(drawn, story.began, story.ended):
        low, high = stretch.began - story.began, stretch.ended - story.began
        span = f"{elapsed(low, tenths=False)} to {elapsed(high, tenths=False)}"
        many = words.many(count(stretch.lanes), "mark")
        yield f"<details class=stretch data-from={low:.1f} data-to={high:.1f}>"
        yield f"<summary>{span} <small>{many}</small></summary>"
        yield from picture(
            tuple(lane for lane in stretch.lanes if lane.marks),
            stretch.began,
            stretch.ended,
            zero=story.began,
            rows=found,
            label=f"Timeline, {span}",
        )
        yield "</details>"
    yield "</div>"


def _legend(drawn: tuple[Lane, ...]) -> Iterator[str]:
    """Only what is to be seen."""
    seen = dict.fromkeys((mark.look, lane.look) for lane in drawn for mark in lane.marks)
    done: set[str] = set()
    yield "<ul class=key aria-label=Key>"
    for look, lane in seen:
        if look not in done:
            done.add(look)
            yield f"<li><svg width=22 height=14 aria-hidden=true><g class={lane}>"
            yield f"<rect class={look} x=1 y=2 width=20 height=10 /></g></svg>{escape(LOOKS[look])}"
    yield "</ul>"


def _plots(story: Story) -> Iterator[str]:
    yield "<div class=plots>"
    unmeasured: list[str] = []
    for latency in latencies(story.figures):
        if not latency.found.values:
            unmeasured.append(latency.name.lower())
            continue
        look = " class=slow" if latency.slow else ""
        yield f"<figure{look}><figcaption><b>{latency.name}</b> {escape(latency.meaning)}"
        normal = f"; normal is at most {words.milliseconds(latency.normal)}" if latency.normal else ""
        yield f"<br><span class=spread>{told(latency)}{normal}</span></figcaption>"
        yield from plot(latency)
        yield "</figure>"
    yield "</div>"
    if unmeasured:
        yield f"<p class=none>Not on record: {', '.join(unmeasured)}."
