"""The director lets everybody do what is written when it is written, and watches only what is recorded."""

from __future__ import annotations

import queue
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final

from actors.local_room import Posted
from messages.captain import AskAsOperator
from messages.console import OperatorAnswered
from messages.evidence import Joined as CameIn
from messages.evidence import Watch
from messages.gateway import AskedBy, Joined, JoinRefused, JoinVoice, LeaveVoice
from messages.ids import HandoffId, PersonId, new_id
from supervisors.rehearsal.cast import Cast
from supervisors.rehearsal.crashes import Crash, Crashes
from supervisors.rehearsal.found import Found
from supervisors.rehearsal.moments import Moment, Sounding, Writing
from supervisors.rehearsal.narrator import Narrator
from supervisors.rehearsal.overture import Overture
from supervisors.rehearsal.people import People, Speaking
from supervisors.rehearsal.prompter import Prompter
from supervisors.rehearsal.recorder import Recorder
from supervisors.rehearsal.scenario import BadScenario, Scenario, Step, Verb
from supervisors.rehearsal.seat import Seat, Start, Told
from supervisors.rehearsal.stage import Annex, House, Room

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
        annexes: Mapping[str, Annex],
        narrator: Narrator,
        start: Start,
        recorder: Recorder,
    ) -> None:
        self._scenario = scenario
        self._room = room
        self._narrator = narrator
        self._start = start
        self._seat = Seat(start)
        self._prompter = Prompter(scenario.steps, apart=scenario.apart)
        self._people = People(room, recorder.people, self._finished)
        self.found = Found()
        self._cast = Cast(scenario, room, annexes, self._people, speeches, self.found, start)
        self._recorder = recorder
        self._crashes = Crashes()
        self._ended: Ended | None = None
        self._overture = Overture()
        self._playing = False
        self._limit = scenario.limit
        self.refusal: JoinRefused | None = None

    @property
    def crashes(self) -> tuple[Crash, ...]:
        """All crashes that were ordered so far, with what came of them."""
        return self._crashes.found

    @property
    def waiting(self) -> tuple[int, ...]:
        """The steps that were never done because their cue did not come."""
        return self._prompter.waiting

    @property
    def pressing(self) -> tuple[int, ...]:
        """The steps of those who never saw a button to press."""
        return self._cast.pressing

    def seat_people(self) -> None:
        """Let those come in who are there from the start."""
        self._cast.take_seats()

    def play(self, house: House) -> Ended:
        """Ask him to come if nobody else is to, then play to the end; raises BadScenario."""
        self._start.begin()
        house.evidence.tell(Watch(watcher=self._seat, may_see_words=True))
        untap = (self._room.tap_speech(self._spoke), self._room.tap_posts(self._wrote))
        self._people.start()
        if self._scenario.apart:
            self._overture.joined((), self._start.now())
        else:
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
            if self._prompter.here:
                self._ask_to_leave(house)
            self.found.emojis = self._room.emojis
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
        while self._prompter.here and (wait := give_up_at - self._start.now()) > 0:
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
        elif self._is_quiet(now):
            self._ended = Ended.QUIET
        elif now >= self._limit:
            self._ended = Ended.LIMIT

    def _is_quiet(self, now: float) -> bool:
        going_on = self._cast.speaking or self._cast.pressing
        return self._playing and not going_on and self._prompter.is_over(now)

    def _take(self, told: Told) -> None:
        match told:
            case Moment():
                self.found.seen.append(told)
                if (receipt := told.receipt) is not None:
                    self._overture.saw(receipt)
                    self._prompter.saw(receipt, self._start.now())
                self._narrator.saw(told)
                if self._playing and isinstance(receipt, CameIn):
                    self._cast.consent()
            case Joined():
                self._overture.joined(self._cast.consent(), self._start.now())
            case JoinRefused():
                self.refusal = told
                self._ended = Ended.REFUSED
            case Sounding(person=person):
                self.found.soundings.append(told)
                self._prompter.happened(self._start.now())
                self._cast.fell_silent(person)
            case Writing():
                self._written(told)
            case OperatorAnswered():
                now = self._start.now()
                self._prompter.answered(told.handoff, now)
                if text := told.text or told.failed:
                    self._written(Writing(at=now, place="operator", text=text, files=told.files))

    def _written(self, writing: Writing) -> None:
        self.found.writings.append(writing)
        self._narrator.wrote(writing)
        self._prompter.happened(writing.at)
        if writing.buttons:
            self._cast.showed_buttons()

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
            case Verb.OPERATOR:
                self._ask_as_operator(step, house)
            case _:
                self._cast.act(index, step)

    def _crash(self, index: int, step: Step, house: House) -> None:
        try:
            self._crashes.ordered(self._start.now(), step.who, house)
            house.crash(step.who)
        except LookupError as error:
            problem = f"crash = {step.who!r}: {error.args[0]}"
            raise self._scenario.wrong("do", index, "crash", problem) from error

    def _ask_as_operator(self, step: Step, house: House) -> None:
        handoff = HandoffId(new_id())
        self._prompter.asked(handoff)
        house.captain.tell(AskAsOperator(handoff=handoff, request=step.text or "", reply_to=self._seat))
        self.found.quote(self._start.now(), step, "operator", "the operator")

    def _finished(self, person: PersonId, text: str, began: float, ended: float) -> None:
        zero = self._start.monotonic
        self._seat.waiting.put(Sounding(person=person, began=began - zero, ended=ended - zero, text=text))

    def _spoke(self, packet: bytes, at: float) -> None:
        self._recorder.clankie(packet, at)
        self._prompter.happened(at - self._start.monotonic)

    def _wrote(self, posted: Posted) -> None:
        writing = Writing(
            at=self._start.now(),
            place="room" if posted.room == self._room.id else "lobby",
            text=posted.text,
            files=tuple(one.name for one in posted.attachments),
            buttons=posted.question is not None,
        )
        self._seat.waiting.put(writing)
