"""The cast does what is written: people come, speak, write, press and go, each where he is told to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from messages.ids import MessageId, PersonId
from supervisors.rehearsal.found import Found
from supervisors.rehearsal.people import People, Speaking
from supervisors.rehearsal.scenario import BadScenario, PersonEntry, Scenario, Step, Verb, id_of
from supervisors.rehearsal.seat import Start
from supervisors.rehearsal.stage import Annex, Room


class Cast:
    """Everybody in one play, for the director's thread alone; `annexes` are the other rooms, by name."""

    def __init__(
        self,
        scenario: Scenario,
        room: Room,
        annexes: Mapping[str, Annex],
        people: People,
        speeches: Sequence[Speaking | None],
        found: Found,
        start: Start,
    ) -> None:
        self._scenario, self._room, self._annexes = scenario, room, annexes
        self._people, self._speeches = people, speeches
        self._found, self._start = found, start
        self._present: set[tuple[PersonId, str | None]] = set()
        """Who is in which room; None is the one where the play is."""
        self._speaking: dict[PersonId, int] = {}
        self._written: dict[PersonId, list[MessageId]] = {}
        self._pressing: list[int] = []
        self._showed = False

    @property
    def speaking(self) -> bool:
        """Whether anybody is."""
        return bool(self._speaking)

    @property
    def pressing(self) -> tuple[int, ...]:
        """The steps of those who are ready to press a button that he has not shown yet."""
        return tuple(self._pressing)

    def take_seats(self) -> None:
        """Let those come in who are there from the start."""
        for entry in self._scenario.people:
            if entry.present:
                self._arrive(entry, None)

    def consent(self) -> tuple[PersonId, ...]:
        """Let everybody who is in the room and would be heard say so; who that is."""
        asked = [
            id_of(entry)
            for entry in self._scenario.people
            if entry.consent and (id_of(entry), None) in self._present
        ]
        for person in sorted(asked):
            self._room.consent(person, granted=True)
        return tuple(asked)

    def act(self, index: int, step: Step) -> None:
        """Let somebody do this step; raises BadScenario for what cannot be done at that moment."""
        entry = next(entry for entry in self._scenario.people if entry.name == step.who)
        match step.verb:
            case Verb.WRITE:
                place = self._room if step.room is None else self._annexes[step.room]
                message = place.write(self._scenario.person(entry.name), step.text or "")
                self._written.setdefault(id_of(entry), []).append(message)
                self._found.quote(self._start.now(), step, "lobby", entry.name)
            case Verb.TAKE_BACK:
                self._take_back(index, step, id_of(entry))
            case Verb.PRESS:
                self._pressing.append(index)
                if self._showed:
                    self.showed_buttons()
            case _:
                self._act_in_room(index, step, entry)

    def showed_buttons(self) -> None:
        """He has shown buttons: whoever waited for them presses."""
        self._showed = True
        for step in [self._scenario.steps[index] for index in self._pressing]:
            self._room.press(self._scenario.person(step.who), granted=step.yes is True)
            self._found.press(self._start.now(), step)
        self._pressing.clear()

    def fell_silent(self, person: PersonId) -> None:
        """One speech of this person is over."""
        if (left := self._speaking.pop(person, 1) - 1) > 0:
            self._speaking[person] = left

    def _act_in_room(self, index: int, step: Step, entry: PersonEntry) -> None:
        person = id_of(entry)
        if ((person, step.room) in self._present) == (step.verb is Verb.JOIN):
            where = "already" if step.verb is Verb.JOIN else "not"
            problem = f"{step.verb} = {step.who!r}: is {where} in the room at that moment; mend the order"
            raise self._wrong(index, step.verb, problem)
        match step.verb:
            case Verb.JOIN:
                self._arrive(entry, step.room)
                if entry.consent and step.room is None:
                    self._room.consent(person, granted=True)
            case Verb.LEAVE:
                self._depart(person, step.room)
            case Verb.TYPE:
                self._room.type(person, step.text or "")
            case Verb.OPT_IN | Verb.OPT_OUT:
                self._room.consent(person, granted=step.verb is Verb.OPT_IN)
            case _:
                self._say(person, self._speeches[index])

    def _arrive(self, entry: PersonEntry, room: str | None) -> None:
        self._present.add((id_of(entry), room))
        place = self._room if room is None else self._annexes[room]
        place.arrive(self._scenario.person(entry.name))

    def _depart(self, person: PersonId, room: str | None) -> None:
        self._present.discard((person, room))
        if room is None:
            self._people.hush(person)
            self._room.depart(person)
        else:
            self._annexes[room].depart(person)

    def _take_back(self, index: int, step: Step, person: PersonId) -> None:
        written = self._written.get(person)
        if not written:
            problem = f"take_back = {step.who!r}: has written nothing that is left; let him `write` first"
            raise self._wrong(index, step.verb, problem)
        self._room.take_back(written.pop())

    def _say(self, person: PersonId, speaking: Speaking | None) -> None:
        if speaking is not None:
            self._speaking[person] = self._speaking.get(person, 0) + 1
            self._people.say(person, speaking)

    def _wrong(self, index: int, verb: Verb, problem: str) -> BadScenario:
        return self._scenario.wrong("do", index, verb, problem)
