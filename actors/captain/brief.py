"""What a mind is told: who asks what, where, what was said before, and what may be done about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.captain.journal import Entry
from messages.authority import Surface
from messages.captain import MachineTool
from messages.ids import CallId, HandoffId
from messages.people import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request; all of it is untrusted but `speaker`'s being one and the same person."""

    speaker: str
    """Labels of who asked; empty for the operator."""
    request: str
    original: tuple[Line, ...] = ()
    recent: tuple[Line, ...] = ()
    observations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """One turn."""

    turn: HandoffId
    surface: Surface
    persona: str
    """The operator's own words: the only text here that may be followed as it stands."""
    asked: tuple[Asked, ...]
    history: tuple[Entry, ...]
    """The lane before this turn, the oldest first."""
    tools: tuple[str, ...]
    """The house's own tools that may be used in this turn, by name."""
    machines: tuple[MachineTool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The one output of a tool call: a JSON object as text, of bounded length; untrusted."""

    call: CallId
    text: str


Item: TypeAlias = Output | Asked
"""What a turn may be told between two steps: outputs of its calls, and what its asker said meanwhile."""
