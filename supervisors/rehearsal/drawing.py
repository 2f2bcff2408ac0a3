"""Lanes become one inline SVG that a keyboard can walk through and a screen reader can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from supervisors.rehearsal.lanes import SHORTEST_SECONDS, Bar, Lane

WIDTH: Final = 1228.0
NAME_LETTER: Final = 8.5
"""Pixels that a wide window leaves for names and picture, and that a letter of a name takes of them."""
LEAST_WIDTH: Final = 700.0
LEAST_PIXELS_A_SECOND: Final = 20.0
AXIS: Final = 26.0
BAR: Final = 26.0
BELOW: Final = 18.0
GAP: Final = 12.0
LETTER: Final = 6.2
"""Pixels that a letter of a label takes at most."""

HATCH: Final = """<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse"
patternTransform="rotate(45)"><rect width="7" height="7" class="hatch-ground"/>
<rect width="2.5" height="7" class="hatch-line"/></pattern></defs>"""


def scale(lanes: Sequence[Lane], end: float) -> float:
    """Pixels a second, so that a short scenario fills the page and a long one scrolls."""
    names = NAME_LETTER * max((len(lane.name) for lane in lanes), default=0)
    return max(LEAST_PIXELS_A_SECOND, max(LEAST_WIDTH, WIDTH - names) / max(end, 1.0))


def heights(lanes: Sequence[Lane]) -> tuple[float, ...]:
    """The height of each lane, its gap included."""
    return tuple(BAR + (BELOW if lane.below else 0.0) + GAP for lane in lanes)


def svg(lanes: Sequence[Lane], end: float) -> str:
    """The whole picture; the names of the lanes stand beside it, outside of what scrolls."""
    pixels = scale(lanes, end)
    width = end * pixels
    height = AXIS + sum(heights(lanes))
    parts = [
        f'<svg id="picture" xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"',
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="group" aria-label="What happened when">',
        HATCH,
        *_axis(end, pixels, height),
    ]
    top = AXIS
    for lane, tall in zip(lanes, heights(lanes), strict=True):
        parts.append(f'<g role="group" aria-label="{escape(lane.name)}">')
        parts.append(
            f'<rect class="lane" x="0" y="{top:.0f}" width="{width:.0f}" height="{tall - 4:.0f}" rx="5"/>'
        )
        parts.extend(_bar(bar, pixels, top + 4, BAR) for bar in lane.bars)
        parts.extend(_bar(bar, pixels, top + 4 + BAR, BELOW) for bar in lane.below)
        parts.append("</g>")
        top += tall
    parts.append(f'<line id="playhead" x1="0" x2="0" y1="0" y2="{height:.0f}"/></svg>')
    return "\n".join(parts)


def _axis(end: float, pixels: float, height: float) -> Iterator[str]:
    every = 1 if pixels >= 40 else 2 if pixels >= 22 else 5
    for second in range(0, int(end) + 1, every):
        x = second * pixels
        yield f'<line class="tick" x1="{x:.1f}" x2="{x:.1f}" y1="{AXIS - 6:.0f}" y2="{height:.0f}"/>'
        if x + 3 + LETTER * len(f"{second} s") <= end * pixels:
            yield f'<text class="second" x="{x + 3:.1f}" y="{AXIS - 9:.0f}">{second} s</text>'


def _bar(bar: Bar, pixels: float, top: float, tall: float) -> str:
    shortest = 0.0 if bar.look == "cut" else SHORTEST_SECONDS
    x, width = bar.began * pixels, max(bar.ended - bar.began, shortest) * pixels
    if bar.look == "duck":
        top, tall = top + tall * 0.78, tall * 0.22
    place = f'x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{tall:.1f}"'
    if bar.look == "consent":
        return f'<rect class="consent" {place} rx="4"><title>{escape(bar.title)}</title></rect>'
    letters = int((width - 10) / LETTER)
    label = bar.label if len(bar.label) <= letters else bar.label[: max(0, letters - 1)].rstrip() + "…"
    text = f'<text x="6" y="{tall / 2 + 4:.1f}">{escape(label)}</text>' if letters >= 3 else ""
    return (
        f'<svg class="bar {escape(bar.look)}" {place} tabindex="0" role="img" '
        f'aria-label="{escape(bar.title)}" data-at="{bar.began:.2f}">'
        f"<title>{escape(bar.title)}</title>"
        f'<rect class="body" width="100%" height="100%" rx="4"/>{text}</svg>'
    )
