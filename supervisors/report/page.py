"""One page that needs nothing but itself: an index of stays, each of them, and whatever else is on record."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from importlib.resources import files
from string import Template

from actors.costs import CostSettings, total
from supervisors.report import words
from supervisors.report.gathering import Found
from supervisors.report.marks import LOOKS
from supervisors.report.others import others
from supervisors.report.people import People
from supervisors.report.prices import NO_PRICES
from supervisors.report.section import chip_list, section, title
from supervisors.report.story import Story
from supervisors.report.words import length, many

GENERATOR = "clankie report"
"""By this a page is known as one of ours."""
UNFOLDED = 1
"""So many stays, the latest, are not folded up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that a page is made of."""

    found: Found
    stories: Sequence[Story]
    settings: CostSettings = NO_PRICES
    made: datetime


def page(report: Report) -> str:
    """The HTML of a report."""
    style, script = _asset("page.css"), _asset("page.js").replace("/*LOOKS*/", _looks())
    everything = (one.receipt for story in report.stories for one in story.stamped)
    people = People(everything)
    last = len(report.stories) - UNFOLDED
    sections = (
        part
        for number, story in enumerate(report.stories)
        for part in section(story, number, people, report.settings, unfolded=number >= last)
    )
    return Template(_asset("page.html")).substitute(
        generator=GENERATOR,
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
        summary=escape(_summary(report)),
        made=escape(f"{report.made:%-d %B %Y, %H:%M}, times in {_zone(report.made)}"),
        index="".join(_index(report)) if report.stories else "",
        stays="".join(sections),
        others="".join(others(report.found, report.settings)),
    )


def _asset(name: str) -> str:
    return files("supervisors.report").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _zone(made: datetime) -> str:
    offset = f"{made:%z}"
    return f"UTC{offset[:3]}:{offset[3:5]}"


def _looks() -> str:
    return ",".join(f'"{look}":"{meaning}"' for look, meaning in LOOKS.items())


def _summary(report: Report) -> str:
    together = sum(story.ended - story.began for story in report.stories)
    spoken = sum(story.figures.spoken for story in report.stories)
    stays, receipts = many(len(report.stories), "stay"), many(report.found.receipts, "receipt")
    return f"{stays}, {length(together)} in rooms; he spoke {many(spoken, 'time')}; {receipts}"


def _index(report: Report) -> Iterator[str]:
    priced = bool(report.settings.prices)
    yield '<div class=wide tabindex=0 role=group aria-label="All stays"><table class=index><thead><tr>'
    yield "<th scope=col>when<th scope=col>room<th scope=col>account<th scope=col class=n>length"
    yield "<th scope=col class=n>people<th scope=col class=n>spoke<th scope=col>left because of"
    yield f"<th scope=col class=n>{escape(report.settings.currency)}" if priced else ""
    yield "<th scope=col>at a glance<tbody>"
    for number, story in enumerate(report.stories):
        left = words.reason(story.left, goes_on=story.open)
        yield f"<tr><th scope=row><a href=#s{number}>{escape(title(story))}</a>"
        yield f'<td title="stay {escape(story.stay_id)}">{escape(story.room_id or "not on record")}'
        yield f"<td>{escape(story.origin)}<td class=n>{length(story.ended - story.began)}"
        yield f"<td class=n>{story.most_humans or '–'}<td class=n>{story.figures.spoken}<td>{escape(left)}"
        yield f"<td class=n>{total(story.figures.bill, report.settings.prices):,.2f}" if priced else ""
        yield f"<td>{chip_list(story)}"
    yield "</table></div>"
