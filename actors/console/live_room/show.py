"""Who is here, whether he is, and what he wants to know: looked at anew when the room says it changed."""

from __future__ import annotations

from collections.abc import Callable

from actors.console.live_room import wire
from actors.console.live_room.slots import Slots
from actors.local_room import LocalRoom, Question


class Show:
    """What everybody in a seat sees of the room; `tell` tells all of them. For one thread at a time."""

    def __init__(self, room: LocalRoom, slots: Slots, tell: Callable[[wire.Told], None]) -> None:
        self._room, self._slots, self._tell = room, slots, tell
        self.people = wire.People(people=(), present=False)
        self._question: Question | None = None

    @property
    def question(self) -> wire.Question | None:
        """What he wants a yes or no to."""
        return None if self._question is None else wire.Question(text=self._question.text, open=True)

    def look(self) -> None:
        """Tell what is different from the last time."""
        here = self._room.people
        self._slots.keep(person.id for person in here)
        neighbours = (
            wire.Neighbour(person=person.id, name=person.label, slot=slot)
            for person in here
            if (slot := self._slots.of(person.id)) is not None
        )
        people = wire.People(people=tuple(neighbours), present=self._room.present)
        if people != self.people:
            self.people = people
            self._tell(people)
        before, self._question = self._question, self._room.question
        if self._question is before:
            return
        if self.question is not None:
            self._tell(self.question)
        elif before is not None:
            self._tell(wire.Question(text=before.text, open=False))
