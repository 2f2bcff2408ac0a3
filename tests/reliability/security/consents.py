"""Who may be heard, as people are promised it: a page of sets that knows nothing of how it is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto


class Phase(Enum):
    """How far he has come."""

    AWAY = auto()
    CALLED = auto()
    """Somebody asked him to come, and nobody is there yet who could hear."""
    COMING = auto()
    THERE = auto()


@dataclass
class Consents:
    """People and rooms by their ids; `rooms` has who is in which, in the order in which they came."""

    by_presence: bool
    most: int
    bots: frozenset[str]
    rooms: dict[str, list[str]]
    phase: Phase = Phase.AWAY
    room: str = ""
    heard: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    """Who has opted in before there was anybody to hear."""

    def called(self, room: str, shown: str | None) -> None:
        """He was asked to come; `shown` has read the disclosure, and wants to be heard."""
        self.phase, self.room, self.asked = Phase.CALLED, room, []
        if shown is not None:
            self.refused.discard(shown)
            self.asked.append(shown)

    def begins(self) -> None:
        """There is somebody to hear now."""
        self.phase = Phase.COMING
        for person in self.asked:
            self._give(person)
        self.asked = []

    def joined(self) -> None:
        """He is there."""
        self.phase = Phase.THERE
        self._give_by_presence()

    def arrives(self, person: str, room: str) -> None:
        """Coming in is consent under one policy, unless it was refused."""
        self.rooms[room].append(person)
        if room == self.room and self.phase in {Phase.COMING, Phase.THERE} and self.by_presence:
            self._give_unless_refused(person)

    def departs(self, person: str, room: str) -> None:
        """Whoever goes takes his consent along."""
        self.rooms[room].remove(person)
        if room == self.room:
            self._lose(person)

    def opts_in(self, person: str) -> None:
        """He says so himself, in the room."""
        if self.phase is Phase.AWAY or person not in self.rooms[self.room]:
            return
        self.refused.discard(person)
        if self.phase is Phase.CALLED:
            self.asked.append(person)
        else:
            self._give(person)

    def opts_out(self, person: str) -> None:
        """From wherever, and until he says otherwise."""
        self.refused.add(person)
        self._lose(person)

    def moved(self, room: str) -> None:
        """Other people, who have not been asked."""
        self.room = room
        self.heard.clear()
        if self.phase is Phase.THERE:
            self._give_by_presence()

    def loses_ear(self, person: str) -> None:
        """A crash costs the consent."""
        self._lose(person)

    def gone(self) -> None:
        """Nothing outlives a stay but a refusal."""
        self.phase, self.room, self.asked = Phase.AWAY, "", []
        self.heard.clear()

    def _give_by_presence(self) -> None:
        if self.by_presence:
            for person in self.rooms[self.room]:
                self._give_unless_refused(person)

    def _give_unless_refused(self, person: str) -> None:
        if person not in self.refused:
            self._give(person)

    def _give(self, person: str) -> None:
        here = person in self.rooms[self.room] and person not in self.bots
        if here and (person in self.heard or len(self.heard) < self.most):
            self.heard.add(person)

    def _lose(self, person: str) -> None:
        self.heard.discard(person)
        self.asked = [one for one in self.asked if one != person]
