"""The director lets everybody do what is written when it is written, and watches only what is recorded."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final

from messages.evidence import Watch
from messages.gateway import AskedBy, JoinAnswer, Joined, JoinRefused, JoinVoice, LeaveVoice
from messages.ids import PersonId
from supervisors.rehearsal.crashes import Crash, Crashes
from supervisors.rehearsal.moments import Moment, Moments, Sounding
from supervisors.rehearsal.narrator import Narrator
from supervisors.rehearsal.overture import Overture
from supervisors.rehearsal.people import People, Speaking
from supervisors.rehearsal.prompter import Prompter
from supervisors.rehearsal.recorder import Recorder
from supervisors.rehearsal.scenario import BadScenario, PersonEntry, Scenario, Step, Verb, id_of
from supervisors.rehearsal.seat import Seat, Start
from supervisors.rehearsal.stage import House, Room

CLOSING_SECONDS: Final = 2.0
LEAVING_SECONDS: Final = 8.0
"""How long he may take to leave when the play is over; he is shut down then."""


class Ended(StrEnum):
    """Why the rehearsal stopped."""

    SCRIPT = "the scenario says `end`"
    LEFT = "he has left"
    QUIET = "nothing was going on any more"
    LIMIT = "the limit was reached"
    REFUSED = "he did not come"


class Director:
    """Plays one scenario once, in the caller's thread."""

    def __init__(
        self,
        scenario: Scenario,
        speeches: Sequence[Speaking | None],
        room: Room,
        narrator: Narrator,
        start: Start,
        recorder: Recorder,
    ) -> None:
        self._scenario = scenario
        self._speeches = speeches
        self._room = room
        self._narrator = narrator
        self._start = start
        self._seat = Seat(start)
        self._prompter = Prompter(scenario.steps)
        self._people = People(room, recorder.people, self._finished)
        self._recorder = recorder
        self._present: set[PersonId] = set()
        self._speaking: dict[PersonId, int] = {}
        self._moments: list[Moment] = []
        self._soundings: list[Sounding] = []
        self._crashes = Crashes()
        self._ended: Ended | None = None
        self._overture = Overture()
        self._playing = False
        self._limit = scenario.limit
        self.refusal: JoinRefused | None = None

    @property
    def moments(self) -> Moments:
        """Everything seen so far, in the order of its time."""
        return tuple(sorted(self._moments, key=lambda moment: moment.at))

    @property
    def soundings(self) -> tuple[Sounding, ...]:
        """All speech that was sent so far."""
        return tuple(self._soundings)

    @property
    def crashes(self) -> tuple[Crash, ...]:
        """All crashes that were ordered so far, with what came of them."""
        return self._crashes.found

    @property
    def waiting(self) -> tuple[int, ...]:
        """The steps that were never done because their cue did not come."""
        return self._prompter.waiting

    def seat_people(self) -> None:
        """Let those come in who are there from the start."""
        for entry in self._scenario.people:
            if entry.present:
                self._arrive(entry)

    def play(self, house: House) -> Ended:
        """Ask him to come, then play to the end; raises BadScenario for what cannot be played on."""
        self._start.begin()
        house.evidence.tell(Watch(watcher=self._seat, may_see_words=True))
        untap = (self._room.tap_speech(self._spoke), self._room.tap_chat(self._wrote))
        self._people.start()
        house.gateway.tell(JoinVoice(room=self._room.id, asked_by=AskedBy.OPERATOR, reply_to=self._seat))
        try:
            while self._ended is None:
                for index in self._due():
                    self._do(index, self._scenario.steps[index], house)
                if self._ended is None:
                    self._look()
                if trouble := house.trouble():
                    raise BadScenario(trouble)
                self._crashes.look(self._start.now(), house)
            if self._ended not in {Ended.LEFT, Ended.REFUSED}:
                self._ask_to_leave(house)
        finally:
            self._people.close(CLOSING_SECONDS)
            for stop in untap:
                stop()
        return self._ended

    def _due(self) -> tuple[int, ...]:
        """The steps to do now; none before he has come and whoever consents is heard."""
        now = self._start.now()
        if not self._playing and self._overture.is_over(now):
            self._playing = True
            self._prompter.raise_curtain(now)
            self._limit += now
        return self._prompter.take_due(now) if self._playing else ()

    def _ask_to_leave(self, house: House) -> None:
        """Leaving in good order is what makes every count of the stay known."""
        house.gateway.tell(LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=self._seat))
        give_up_at = self._start.now() + LEAVING_SECONDS
        while not self._prompter.left and (wait := give_up_at - self._start.now()) > 0:
            with suppress(queue.Empty):
                self._take(self._seat.waiting.get(timeout=wait))

    def collect(self) -> None:
        """Take what was recorded since, the end of the stay for one."""
        while True:
            try:
                self._take(self._seat.waiting.get_nowait())
            except queue.Empty:
                return

    def _look(self) -> None:
        """Wait for the next thing that happens or is due, and see whether that was all."""
        now = self._start.now()
        until = min(self._prompter.next_look(now), self._limit, self._crashes.next_look(now))
        with suppress(queue.Empty):
            self._take(self._seat.waiting.get(timeout=max(0.0, until - now)))
        now = self._start.now()
        if self._ended is not None:
            return
        if self._prompter.has_left(now):
            self._ended = Ended.LEFT
        elif self._playing and self._prompter.is_over(now) and not self._speaking:
            self._ended = Ended.QUIET
        elif now >= self._limit:
            self._ended = Ended.LIMIT

    def _take(self, told: Moment | JoinAnswer | Sounding) -> None:
        match told:
            case Moment():
                self._moments.append(told)
                if (receipt := told.receipt) is not None:
                    self._overture.saw(receipt)
                    self._prompter.saw(receipt, self._start.now())
                self._narrator.saw(told)
            case Joined():
                consenting = {id_of(entry) for entry in self._scenario.people if entry.consent}
                asked = sorted(consenting & self._present)
                self._overture.joined(asked, self._start.now())
                for person in asked:
                    self._room.consent(person, granted=True)
            case JoinRefused():
                self.refusal = told
                self._ended = Ended.REFUSED
            case Sounding(person=person):
                self._soundings.append(told)
                self._prompter.happened(self._start.now())
                if (left := self._speaking.pop(person, 1) - 1) > 0:
                    self._speaking[person] = left

    def _do(self, index: int, step: Step, house: House) -> None:
        self._prompter.happened(self._start.now())
        self._narrator.acted(self._start.now(), step)
        match step.verb:
            case Verb.KICK:
                self._room.kick()
            case Verb.END:
                self._ended = Ended.SCRIPT
            case Verb.CRASH:
                self._crash(index, step, house)
            case _:
                self._let_somebody(index, step)

    def _crash(self, index: int, step: Step, house: House) -> None:
        try:
            self._crashes.ordered(self._start.now(), step.who, house)
            house.crash(step.who)
        except LookupError as error:
            problem = f"crash = {step.who!r}: {error.args[0]}"
            raise self._scenario.wrong("do", index, "crash", problem) from error

    def _let_somebody(self, index: int, step: Step) -> None:
        entry = next(entry for entry in self._scenario.people if entry.name == step.who)
        person = id_of(entry)
        if (person in self._present) == (step.verb is Verb.JOIN):
            where = "already" if step.verb is Verb.JOIN else "not"
            problem = f"{step.verb} = {step.who!r}: is {where} in the room at that moment; mend the order"
            raise self._scenario.wrong("do", index, step.verb, problem)
        match step.verb:
            case Verb.JOIN:
                self._arrive(entry)
                if entry.consent:
                    self._room.consent(person, granted=True)
            case Verb.LEAVE:
                self._people.hush(person)
                self._present.discard(person)
                self._room.depart(person)
            case Verb.TYPE:
                self._room.type(person, step.text or "")
            case Verb.OPT_IN | Verb.OPT_OUT:
                self._room.consent(person, granted=step.verb is Verb.OPT_IN)
            case _:
                self._say(person, self._speeches[index])

    def _arrive(self, entry: PersonEntry) -> None:
        self._present.add(id_of(entry))
        self._room.arrive(self._scenario.person(entry.name))

    def _say(self, person: PersonId, speaking: Speaking | None) -> None:
        if speaking is not None:
            self._speaking[person] = self._speaking.get(person, 0) + 1
            self._people.say(person, speaking)

    def _finished(self, person: PersonId, text: str, began: float, ended: float) -> None:
        zero = self._start.monotonic
        self._seat.waiting.put(Sounding(person=person, began=began - zero, ended=ended - zero, text=text))

    def _spoke(self, packet: bytes, at: float) -> None:
        self._recorder.clankie(packet, at)
        self._prompter.happened(at - self._start.monotonic)

    def _wrote(self, text: str) -> None:
        self._narrator.wrote(self._start.now(), text)
