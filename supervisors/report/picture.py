"""Lanes become an inline SVG whose places are percentages, so that zooming is nothing but making it wider."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil
from typing import Final

from supervisors.report.marks import Lane, Mark
from supervisors.report.words import elapsed

AXIS: Final = 22
TALL: Final = 36
"""Height of a lane in pixels, its gap included."""
_STRIPS: Final = {"main": (5, 18), "under": (24, 5), "back": (3, 28)}
"""Where in a lane a strip begins, and how tall it is."""
_LETTER: Final = 0.62
"""So many hundredths of a picture a letter of a label takes, before anybody zooms in."""
_LEAST: Final = 0.01
"""So many hundredths has what took no time at all, for what has none is not drawn."""
_TICKS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400)
_MOST_TICKS: Final = 12


def picture(
    lanes: Sequence[Lane], began: float, ended: float, *, zero: float, rows: dict[str, int], label: str
) -> Iterator[str]:
    """The lanes from one second to another; time is told from second `zero` on."""
    span = max(ended - began, 0.5)
    tall = AXIS + TALL * len(lanes)
    yield f"<div class=pic data-from={began - zero:.2f} data-span={span:.2f}>"
    yield "<div class=names aria-hidden=true>"
    for lane in lanes:
        yield f'<span class={lane.look} title="{escape(lane.title)}">{escape(lane.name)}</span>'
    yield f'</div><div class=scroll tabindex=0 role=group aria-label="{escape(label)}">'
    yield f'<svg height={tall} width="100%" role=img aria-label="{escape(label)}"><g class=axis>'
    yield from _axis(began - zero, span, tall)
    yield "</g>"
    for number, lane in enumerate(lanes):
        top = AXIS + TALL * number
        yield f'<g class="lane {lane.look}" transform="translate(0,{top})" data-name="{escape(lane.name)}">'
        yield "<rect class=ground y=1 width=100% height=33 rx=4 />"
        for mark in sorted(lane.marks, key=lambda one: (one.strip != "back", one.began)):
            yield from _mark(mark, began, span, rows)
        yield "</g>"
    yield f"<line class=cursor y2={tall} x1=-9 x2=-9 /></svg></div></div>"


def _axis(began: float, span: float, tall: int) -> Iterator[str]:
    days = _TICKS[-1] * ceil(span / _TICKS[-1] / _MOST_TICKS)
    every = next((each for each in _TICKS if span / each <= _MOST_TICKS), days)
    tick = -(-began // every) * every
    while tick <= began + span:
        x = 100 * (tick - began) / span
        yield f"<line x1={x:.2f}% x2={x:.2f}% y1=14 y2={tall} />"
        if x < 96:
            yield f"<text x={x:.2f}% dx=4 y=14>{elapsed(tick, tenths=False)}</text>"
        tick += every


def _mark(mark: Mark, began: float, span: float, rows: dict[str, int]) -> Iterator[str]:
    x, width = 100 * (mark.began - began) / span, max(100 * (mark.ended - mark.began) / span, _LEAST)
    y, height = _STRIPS[mark.strip]
    look = f'"{mark.look} {mark.who}"' if mark.who else mark.look
    row = rows.get(mark.row)
    link = "" if row is None else f" data-r={row}"
    told = f' data-t="{escape(mark.label)}"' if mark.label else ""
    yield f"<rect class={look} x={x:.3f}% y={y} width={width:.3f}% height={height}{link}{told} />"
    if mark.label and mark.strip == "main" and width > _LETTER * (len(mark.label) + 2):
        yield f"<text x={x:.3f}% dx=6 y=18>{escape(mark.label)}</text>"
