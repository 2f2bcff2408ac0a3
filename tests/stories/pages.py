"""The captain of the stories: a book that outlives him, and tools of others that count what they did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from actors.captain.journal import Book, Entry, LaneId, Note
from actors.captain.memory import without
from actors.clock import Clock
from messages.captain import MachineDone, MachineTool, ToolboxChanged, ToolboxEvent
from messages.ids import CallId, HandoffId, PersonId
from tests.stories.sound import after

SERVER = "play"
PAINT = MachineTool(
    name=f"{SERVER}__paint",
    server=SERVER,
    description="Paints.",
    schema='{"type":"object"}',
    destructive=True,
)


class Pages:
    """A LedgerPort in memory; what one life has written, the next one reads."""

    def __init__(self) -> None:
        self.lanes: dict[LaneId, tuple[Entry, ...]] = {}
        self.notes: tuple[Note, ...] = ()

    def open(self) -> Book:
        """All of it."""
        return Book(lanes=tuple(self.lanes.items()), notes=self.notes)

    def append(self, lane: LaneId, entry: Entry) -> bool:
        """One more line."""
        self.lanes[lane] = (*self.lanes.get(lane, ()), entry)
        return True

    def keep(self, notes: tuple[Note, ...]) -> bool:
        """All notes."""
        self.notes = notes
        return True

    def forget(self, person: PersonId, texts: tuple[str, ...]) -> bool:
        """Without what he said, and what came of it."""
        self.lanes = {lane: without(entries, person, texts) for lane, entries in self.lanes.items()}
        return True

    def close(self) -> None:
        """Nothing is held."""

    def entries(self) -> list[Entry]:
        """Every line of every lane."""
        return [one for entries in self.lanes.values() for one in entries]


class Machines:
    """A ToolboxPort with one tool, which takes `seconds` and has then really `done` something."""

    def __init__(self, clock: Clock, done: list[tuple[HandoffId, CallId]], seconds: float = 2.0) -> None:
        self._clock, self._done, self._seconds = clock, done, seconds
        self._events: Callable[[ToolboxEvent], None] | None = None
        self._dropped: set[HandoffId] = set()

    def open(self, events: Callable[[ToolboxEvent], None]) -> None:
        """Have it at once."""
        self._events = events
        events(ToolboxChanged(server=SERVER, tools=(PAINT,)))

    def use(self, turn: HandoffId, call: CallId, tool: str, arguments: str) -> None:
        """It is done even if nobody waits for it any longer: that is what makes it weighty."""
        self._done.append((turn, call))
        answer = MachineDone(handoff=turn, call=call, text=f"{tool} with {arguments}")
        after(self._clock, self._seconds, lambda: self._answer(answer))

    def drop(self, turn: HandoffId) -> None:
        """Answer nothing to it."""
        self._dropped.add(turn)

    def close(self) -> None:
        """Answer nothing at all."""
        self._events = None

    def _answer(self, done: MachineDone) -> None:
        if self._events is not None and done.handoff not in self._dropped:
            self._events(replace(done))
