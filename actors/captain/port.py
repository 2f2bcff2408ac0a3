"""What the captain needs from outside: a slow mind, a box of other people's tools, and a book of his own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from actors.captain.brief import Brief, Item
from actors.captain.journal import Book, Entry, LaneId, Note
from messages.captain import MindEvent, ToolboxEvent
from messages.ids import CallId, HandoffId, PersonId


class MindPort(Protocol):
    """Nothing blocks. A turn is begun once, then thinks step by step, and each step is answered once.

    The port keeps what was said in a turn until it is over; it never runs a tool and never tries again.
    What a step has used is told with MindSpent before the step's answer, where the mind says so.
    """

    def open(self, events: Callable[[MindEvent], None]) -> None:
        """Learn where to report; needs no network. `events` never raises and takes calls from any thread."""
        ...

    def begin(self, brief: Brief) -> None:
        """A new turn, named by its hand-off: who asks what, where, what is remembered, which tools there are.

        Everything in it but `persona` and the names of the house's tools is untrusted text.
        """
        ...

    def think(self, turn: HandoffId, step: int, items: tuple[Item, ...]) -> None:
        """Take in `items`, then think one step: answered with MindWorks meanwhile, MindStepped or MindFailed.

        Steps count from 1. After MindFailed the same may be asked again under the next number, with no items.
        """
        ...

    def over(self, turn: HandoffId) -> None:
        """Forget this turn; a step of it that is under way is broken off, and not answered."""
        ...

    def close(self) -> None:
        """Let go of everything; after this nothing is reported."""
        ...

    def describe(self) -> str:
        """What kind of mind this is, in a few words, for the status page."""
        ...


class ToolboxPort(Protocol):
    """The tools of the servers in `[captain.mcp]`. Nothing blocks; each use is answered once, or dropped."""

    def open(self, events: Callable[[ToolboxEvent], None]) -> None:
        """Start or call every server; each is told with ToolboxChanged, now and whenever its tools change."""
        ...

    def use(self, turn: HandoffId, call: CallId, tool: str, arguments: str) -> None:
        """Use a tool with a JSON object as text: answered with MachineDone."""
        ...

    def drop(self, turn: HandoffId) -> None:
        """Nobody waits for what this turn uses: tell the servers so; it is not answered."""
        ...

    def close(self) -> None:
        """End what was started, within two seconds; after this nothing is reported."""
        ...


class LedgerPort(Protocol):
    """The captain's lanes and notes on disk; called in the actor's own thread, quick, and never raises."""

    def open(self) -> Book:
        """Read what is there; a torn last line and lines that cannot be read are passed over and counted."""
        ...

    def append(self, lane: LaneId, entry: Entry) -> bool:
        """Write this down for good before returning; false if that failed, which is logged once."""
        ...

    def keep(self, notes: tuple[Note, ...]) -> bool:
        """Put these in place of all notes; false if that failed."""
        ...

    def forget(self, person: PersonId, texts: tuple[str, ...]) -> bool:
        """Write every lane anew without what this person said, and without answers that tell these notes.

        False if that failed.
        """
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...
