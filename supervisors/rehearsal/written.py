"""What was written to him and by him, and what the captain did about it, are lanes of the picture as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from actors.console.reasons import sentence
from messages.evidence import CaptainTool
from supervisors.rehearsal.lanes import Bar, Lane, Stamped, until_next
from supervisors.rehearsal.moments import Writing

SHOWN_SECONDS: Final = 4.0
"""What takes no time is drawn so long at most, or nobody could read it."""
_PLACES: Final = {"room": "in the chat", "lobby": "in the lobby", "operator": "on the operator's screen"}


def noted(writing: Writing) -> str:
    """Where it was written, and what came with it."""
    place = _PLACES[writing.place]
    if writing.pressed:
        return f"pressed {place}"
    with_files = f", with {', '.join(writing.files)}" if writing.files else ""
    return f"{place}{with_files}{', with buttons' if writing.buttons else ''}"


def written_lanes(writings: Sequence[Writing], stamped: Stamped, end: float) -> tuple[Lane, ...]:
    """A lane of what he wrote, with what others wrote and pressed below it, and one of his tools.

    There is none of what there was nothing of.
    """
    his = [_line(one, end) for one in writings if not one.who]
    theirs = [_line(one, end) for one in writings if one.who]
    used = [_used(at, receipt, end) for at, receipt in stamped if isinstance(receipt, CaptainTool)]
    written = Lane(name="written", bars=_in_turn(his), below=_in_turn(theirs))
    tools = Lane(name="tools", bars=_in_turn(used))
    return tuple(lane for lane in (written, tools) if lane.bars or lane.below)


def _in_turn(bars: Sequence[Bar]) -> tuple[Bar, ...]:
    return tuple(until_next(sorted(bars, key=lambda bar: bar.began)))


def _line(writing: Writing, end: float) -> Bar:
    who = writing.who or "Clankie"
    text = writing.text or ", ".join(writing.files)
    said = f"[{text}]" if writing.pressed else text
    return Bar(
        began=writing.at,
        ended=min(end, writing.at + SHOWN_SECONDS),
        look="words" if writing.who else "clankie",
        label=f"{who}: {said}" if writing.who else said,
        title=f"{writing.at:.1f} s: {who}, {noted(writing)}: {said}",
    )


def _used(at: float, receipt: CaptainTool, end: float) -> Bar:
    return Bar(
        began=at,
        ended=min(end, at + SHOWN_SECONDS),
        look=f"captain {receipt.outcome}",
        label=f"{receipt.name} → {receipt.reason or receipt.outcome}",
        title=f"{at:.1f} s: {sentence(receipt)}",
    )
