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
    """A lane of everything that is in writing, and one of the tools; none of what there was nothing of."""
    lines = tuple(_line(one, end) for one in sorted(writings, key=lambda one: one.at))
    used = tuple(_used(at, receipt, end) for at, receipt in stamped if isinstance(receipt, CaptainTool))
    found = (("written", lines), ("tools", used))
    return tuple(Lane(name=name, bars=tuple(until_next(bars))) for name, bars in found if bars)


def _line(writing: Writing, end: float) -> Bar:
    who = writing.who or "Clankie"
    said = f"[{writing.text}]" if writing.pressed else writing.text
    return Bar(
        began=writing.at,
        ended=min(end, writing.at + SHOWN_SECONDS),
        look="wrote" if writing.who else "wrote clankie",
        label=f"{who}: {said}",
        title=f"{writing.at:.1f} s: {who}, {noted(writing)}: {said}",
    )


def _used(at: float, receipt: CaptainTool, end: float) -> Bar:
    return Bar(
        began=at,
        ended=min(end, at + SHOWN_SECONDS),
        look=f"captain {receipt.outcome}",
        label=f"{receipt.name} → {receipt.outcome}",
        title=f"{at:.1f} s: {sentence(receipt)}",
    )
