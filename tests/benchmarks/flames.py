"""What a sampling profiler saw: who was at work, for whom, and a picture in which width is time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Final, TypeAlias

Stacks: TypeAlias = Mapping[tuple[str, ...], int]
"""Samples by stack, the outermost function first."""

HEADS: Final = ("function", "file", "self", "with what it calls")
WIDTH: Final = 1_200
ROW: Final = 17
CHARACTER: Final = 6.7
NARROWEST: Final = 0.4
"""Pixels: what is narrower is not drawn."""
COLOURS: Final = (("actors/", "#f4a261"), ("messages/", "#e9c46a"), ("tests/", "#cccccc"), ("", "#8ecae6"))
"""By where a function is written: the product, its messages, what drives it here, and all others."""

_FRAME: Final = re.compile(r"(?P<name>.+) \((?P<file>.+?)(?::\d+)?\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One function's part of all samples: on top of the stack, and anywhere in it."""

    frame: str
    own: float
    total: float


@dataclass(slots=True)
class _Box:
    """A place in the picture: its samples, and those who were called from there."""

    samples: int = 0
    callees: dict[str, _Box] = field(default_factory=dict)


def read(folded: str, below: Iterable[str]) -> Stacks:
    """The stacks of folded text that go through one of these functions, from there on."""
    wanted = frozenset(below)
    stacks: Counter[tuple[str, ...]] = Counter()
    for line in folded.splitlines():
        text, _, count = line.rpartition(" ")
        frames = text.split(";")
        names = [_name(frame) for frame in frames]
        place = next((place for place, name in enumerate(names) if name in wanted), None)
        if place is not None:
            stacks[tuple(map(_without_line, frames[place:]))] += int(count)
    return stacks


def shares(stacks: Stacks) -> list[Share]:
    """Every function's share, whoever has most on his own first."""
    own, total = Counter[str](), Counter[str]()
    for frames, count in stacks.items():
        own[frames[-1]] += count
        for frame in set(frames):
            total[frame] += count
    samples = sum(stacks.values())
    found = [Share(frame=frame, own=own[frame] / samples, total=total[frame] / samples) for frame in total]
    return sorted(found, key=lambda share: (-share.own, -share.total, share.frame))


def table(found: Iterable[Share]) -> Iterator[str]:
    """Lines of Markdown."""
    yield f"| {' | '.join(HEADS)} |"
    yield "|---|---|---|---|"
    for share in found:
        known = _FRAME.fullmatch(share.frame)
        name, file = (known["name"], known["file"]) if known else (share.frame, "")
        yield f"| `{name}` | {file} | {share.own:.1%} | {share.total:.1%} |"


def picture(title: str, stacks: Stacks) -> str:
    """An SVG: whoever is called stands below the caller, as wide as it took of his time."""
    root = _Box()
    for frames, count in stacks.items():
        root.samples += count
        box = root
        for frame in frames:
            box = box.callees.setdefault(frame, _Box())
            box.samples += count
    height = ROW * (2 + max(map(len, stacks), default=0))
    body = "\n".join(_drawn(root, 0.0, 1, WIDTH / max(1, root.samples)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="monospace" font-size="11">\n'
        f'<text x="4" y="{ROW - 4}">{escape(title)}, {root.samples} samples</text>\n{body}\n</svg>\n'
    )


def _drawn(box: _Box, left: float, row: int, scale: float) -> Iterator[str]:
    for frame, callee in sorted(box.callees.items()):
        width = callee.samples * scale
        if width >= NARROWEST:
            yield _rectangle(frame, left, row * ROW, width)
            yield from _drawn(callee, left, row + 1, scale)
        left += width


def _rectangle(frame: str, x: float, y: int, width: float) -> str:
    colour = next(colour for folder, colour in COLOURS if f"({folder}" in frame or not folder)
    told = escape(f"{frame}: {width / WIDTH:.1%}")
    label = escape(frame[: int((width - 6) / CHARACTER)]) if width > 4 * CHARACTER else ""
    return (
        f'<g><title>{told}</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 1}" '
        f'fill="{colour}"/><text x="{x + 3:.1f}" y="{y + ROW - 5}">{label}</text></g>'
    )


def _name(frame: str) -> str:
    known = _FRAME.fullmatch(frame)
    return known["name"] if known else frame


def _without_line(frame: str) -> str:
    known = _FRAME.fullmatch(frame)
    return f"{known['name']} ({known['file']})" if known else frame
