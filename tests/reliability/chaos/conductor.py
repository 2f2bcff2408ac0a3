"""Conducts one night: life goes on, the plan is carried out, and in every quiet somebody asks him."""

from __future__ import annotations

import heapq
import itertools
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from actors.console.knock import ClientError
from messages.evidence import Joined, Left, SpokenWords
from supervisors.rehearsal.scenario import BadScenario
from tests.reliability.chaos import looking
from tests.reliability.chaos.company import Company
from tests.reliability.chaos.faults import Effect, begin
from tests.reliability.chaos.history import Asked, End, Life, Moment, Order, Trouble
from tests.reliability.chaos.notes import Notes
from tests.reliability.chaos.plan import Happening, Window
from tests.reliability.guests import Guest
from tests.reliability.night import Evening, ears
from tests.reliability.program import NotAlive

LOOK_SECONDS: Final = 2.0
CALM_SECONDS: Final = 2.0
"""So long before a question in the quiet nobody begins anything new."""
QUESTION: Final = "time"
BREATH_SECONDS: Final = 1.2
"""So long nobody speaks before the question, or it would be the end of another line."""
LEAVES_SECONDS: Final = 15.0
SETTLES_SECONDS: Final = 2.0
FAULT_SECONDS: Final = 30.0
Said = Callable[[str], None]


class Conductor:
    """For one night; `tell` is told what happens, in a line each."""

    def __init__(self, evening: Evening, notes: Notes, seed: int, tell: Said) -> None:
        self._evening, self._notes, self._tell = evening, notes, tell
        self._chance = random.Random(f"company {seed}")
        self._company = Company(evening, notes, self._chance)
        self._wanting = tuple(itertools.islice(evening.guests.values(), evening.consenting))
        self._agenda: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = itertools.count()
        self._over = threading.Event()
        self._sayings: list[tuple[float, str]] = []
        """What he was ordered to say, and when."""
        self._life_at = 0.0
        self.began = 0.0

    @property
    def wanting(self) -> tuple[int, ...]:
        """The ids of those who ever consent."""
        return tuple(guest.id for guest in self._wanting)

    def conduct(self, happenings: Sequence[Happening], windows: Sequence[Window], seconds: float) -> None:
        """All of it, from his start to his end."""
        program = self._evening.program
        program.start()
        self._life_at = time.monotonic()
        self._warm()
        self._evening.come()
        self.began = time.monotonic()
        looker = threading.Thread(target=self._look_around, name="chaos-looks")
        looker.start()
        with ThreadPoolExecutor(16, thread_name_prefix="chaos-fault") as faults:
            try:
                self._plan(happenings, windows, faults)
                self._until(seconds)
            finally:
                self._over.set()
                looker.join()
        self._end()

    # --- the agenda -------------------------------------------------------------------------------

    def _at(self, second: float, act: Callable[[], object]) -> None:
        heapq.heappush(self._agenda, (self.began + second, next(self._numbers), act))

    def _plan(
        self, happenings: Sequence[Happening], windows: Sequence[Window], faults: ThreadPoolExecutor
    ) -> None:
        for one in happenings:
            self._at(one.at, partial(self._brew, faults, one))
        for number, window in enumerate(windows, 1):
            self._at(window.healed, partial(self._ask, number))
        self._at(0.5, lambda: self._live(windows))

    def _until(self, seconds: float) -> None:
        end = self.began + seconds
        while self._agenda and self._agenda[0][0] < end:
            due, _, act = heapq.heappop(self._agenda)
            self._over.wait(max(0.0, due - time.monotonic()))
            act()
        self._over.wait(max(0.0, end - time.monotonic()))

    def _live(self, windows: Sequence[Window]) -> None:
        """Somebody does something now, unless somebody else is about to ask him in the quiet."""
        now = time.monotonic() - self.began
        asking = next((one for one in windows if one.healed - CALM_SECONDS <= now < one.healed), None)
        wait = self._company.act() if asking is None else asking.healed - now + 0.1
        self._at(time.monotonic() - self.began + wait, lambda: self._live(windows))

    # --- trouble ----------------------------------------------------------------------------------

    def _brew(self, faults: ThreadPoolExecutor, happening: Happening) -> None:
        faults.submit(self._trouble, happening)

    def _trouble(self, happening: Happening) -> None:
        at = time.monotonic()
        self._tell(f"{at - self.began:6.1f} s  {happening}")
        end = begin(happening, self._evening)
        self._over.wait(max(0.0, at + happening.seconds - time.monotonic()))
        effect: Effect = end()
        self._notes.troubles.append(
            Trouble(
                at=at,
                ended=time.monotonic(),
                number=happening.number,
                kind=happening.kind,
                target=happening.target,
                missed=effect.missed,
            )
        )
        if effect.ordered:
            self._sayings.append((at, effect.ordered))

    # --- the quiet --------------------------------------------------------------------------------

    def _ask(self, window: int) -> None:
        self._company.hush()
        self._gather()
        self._silence()
        guest = self._chance.choice(self._wanting)
        at = time.monotonic()
        answer = self._evening.ask(guest, line=QUESTION)
        ended, line = guest.said[-1][0] + guest.said[-1][1].seconds, guest.said[-1][1]
        self._notes.speech(line, guest.id, ended - line.seconds, ended)
        heard = None if answer is None else answer.first_heard_at
        self._notes.asked.append(Asked(at=at, ended=ended, window=window, person=guest.name, heard=heard))
        took = "no answer" if heard is None else f"answered after {heard - ended:.1f} s"
        self._tell(f"{at - self.began:6.1f} s  quiet {window}: {guest.name} asked, {took}")
        self._notes.samples.append(looking.sample(self._evening.program, Moment.QUIET))

    def _gather(self) -> None:
        """Whoever is not there comes back, he himself as well; whoever wants to be heard says so again."""
        with suppress(AssertionError, BadScenario):
            for guest in self._wanting:
                if not guest.here:
                    guest.arrive()
            room = self._evening.rooms[0]
            if not self._is_there():
                after = time.monotonic()
                self._evening.program.join(room.id)
                self._evening.record.expect(Joined, seconds=LEAVES_SECONDS, after=after)
            self._consent(self._wanting)

    def _silence(self) -> None:
        """What he still says to somebody else, or by order, keeps nobody from being answered."""
        with suppress(ClientError, NotAlive, OSError):
            self._evening.program.order("POST", "/interrupt", {})
        self._evening.rest(BREATH_SECONDS)

    def _consent(self, guests: Sequence[Guest]) -> None:
        heard = ears(self._evening.program.tree())
        missing = [guest for guest in guests if str(guest.id) not in heard]
        for guest in missing:
            guest.consent()
        self._evening.wait_until_heard(*missing, seconds=LEAVES_SECONDS)

    def _is_there(self) -> bool:
        """By the record, in a room that he has not left."""
        came = [one for one in self._evening.record.everything() if isinstance(one.what, Joined | Left)]
        return bool(came) and isinstance(came[-1].what, Joined)

    # --- from outside -----------------------------------------------------------------------------

    def _look_around(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self._look()

    def _look(self) -> None:
        program = self._evening.program
        self._notes.learn(program.folder / "console")
        self._notes.read_log(program)
        if not program.alive:
            return
        if (standing := looking.standing(program)) is not None:
            self._notes.standings.append(standing)

    def _warm(self) -> None:
        """He comes, answers and goes once, so that everything that he loads once is loaded."""
        self._evening.come()
        self._evening.ask(self._wanting[0], line=QUESTION)
        self._leave()
        self._notes.samples.append(looking.sample(self._evening.program, Moment.BEFORE))

    def _left(self, family: Mapping[int, str]) -> Iterator[str]:
        """What there still is of a life that has ended: processes, and keys of a console that is no more."""
        yield from (f"process {role} {pid}" for pid, role in family.items() if Path(f"/proc/{pid}").exists())
        yield from (f"file {key.name}" for key in (self._evening.program.folder / "console").glob("*.key"))

    def _said(self) -> Iterator[Order]:
        """How often he has said to its end what he was ordered to say."""
        spoken = [one.what for one in self._evening.record.all(SpokenWords)]
        for at, text in self._sayings:
            times = sum(text in one.text and one.whole for one in spoken)
            yield Order(at=at, name=text, what="saying", times=times)

    def _leave(self) -> None:
        after = time.monotonic()
        self._evening.program.leave()
        self._evening.record.expect(Left, seconds=LEAVES_SECONDS, after=after)
        self._evening.rest(SETTLES_SECONDS)

    def _end(self) -> None:
        self._company.hush()
        program = self._evening.program
        alive = program.alive
        if alive and self._is_there():
            with suppress(AssertionError):
                self._leave()
        if alive:
            self._notes.samples.append(looking.sample(program, Moment.AFTER))
        family = program.processes()
        program.stop()
        self._notes.read_log(program)
        self._notes.orders.extend((*self._company.orders(), *self._said()))
        self._notes.lives.append(
            Life(
                at=self._life_at,
                number=program.life,
                ended=time.monotonic(),
                end=End.CLOSED if alive else End.FELL,
                left=tuple(self._left(family)),
            )
        )
