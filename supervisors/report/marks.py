"""What stands in the timeline of a stay: who did what from when to when, one lane for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Strip: TypeAlias = Literal["main", "under", "back"]
"""In the middle of a lane, in the narrow strip below it, or behind everything."""

LOOKS: Final[dict[str, str]] = {
    "may": "may be heard",
    "said": "speaks",
    "empty": "speaks, and nothing is understood",
    "lost": "speaks, and the transcript is dropped or fails",
    "typed": "writes a line",
    "came": "arrives",
    "went": "departs",
    "holds": "is in conversation with him",
    "wait": "from his decision to the first sound",
    "voice": "speaks",
    "voice-cut": "speaks until he is cut off",
    "voice-failed": "speaks until his voice fails",
    "duck": "is quieter, for somebody talks over him",
    "stop": "is cut off",
    "t-spoke": "is asked, and speaks",
    "t-silent": "is asked, and stays silent",
    "t-tool": "is asked, and uses a tool",
    "t-failed": "is asked, and it fails",
    "t-cut": "is asked, and is cut off",
    "t-open": "is asked, and nothing more is on record",
    "work": "works",
    "work-bad": "works in vain",
    "tool": "uses a tool",
    "tool-bad": "may not use a tool, or it fails",
    "trouble": "something fails",
    "link": "no sound is carried",
    "hindered": "the server hinders his voice",
}
"""Every look of a mark, and what it says of whoever the lane is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something that lasted, in wall-clock seconds; `row` is the line or turn that explains it."""

    began: float
    ended: float
    look: str
    strip: Strip = "main"
    who: str = ""
    """The colour of a person, in a lane that is not his."""
    label: str = ""
    row: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One line of the timeline; `look` is its colour, `title` its name in full."""

    name: str
    title: str
    look: str
    marks: tuple[Mark, ...]
