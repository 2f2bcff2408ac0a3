"""Half an hour with six guests in real time: what the program takes, and how long people wait."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from tests.reliability.chatter import Chatter
from tests.reliability.guests import Guest
from tests.reliability.night import Evening, night
from tests.reliability.program import Figures

LOOK_SECONDS: Final = 10.0
ASK_SECONDS: Final = 10.0
"""Somebody asks so often."""
PATIENCE_SECONDS: Final = 15.0
TROUBLE_SECONDS: Final = 120.0
"""Something breaks so often."""
EXCUSED_SECONDS: Final = 20.0
"""After that, an answer may be late or lost."""
NAP_SECONDS: Final = 0.01
NAPS: Final = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The program at one moment, by role, and how late this machine woke somebody up who slept 10 ms."""

    seconds: float
    figures: dict[str, Figures]
    own: dict[str, int]
    """Bytes that nobody else can share: what others start and end does not change them."""
    pids: dict[str, int]
    late: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Somebody asked: when, how long until he was heard (None: he was not), and whether something broke."""

    seconds: float
    waited: float | None
    excused: bool


@dataclass(slots=True, kw_only=True)
class Course:
    """What was seen so far."""

    samples: list[Sample] = field(default_factory=list[Sample])
    asked: list[Asked] = field(default_factory=list[Asked])
    did: Counter[str] = field(default_factory=Counter[str])
    log: str = ""


class Watch:
    """A thread that looks at the program every LOOK_SECONDS, inside its `with` statement."""

    def __init__(self, evening: Evening, course: Course, began: float) -> None:
        self._evening, self._course, self._began = evening, course, began
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        due = time.monotonic()
        while not self._over.wait(max(0.0, due - time.monotonic())):
            due += LOOK_SECONDS
            self._course.samples.append(self._sample())

    def _sample(self) -> Sample:
        figures: dict[str, Figures] = {}
        pids: dict[str, int] = {}
        own: dict[str, int] = {}
        for pid, role in self._evening.program.processes().items():
            with suppress(OSError):
                figures[role], pids[role] = self._evening.program.figures(pid), pid
                own[role] = anonymous(pid)
        late = 0.0
        for _ in range(NAPS):
            began = time.monotonic()
            self._over.wait(NAP_SECONDS)
            late = max(late, time.monotonic() - began - NAP_SECONDS)
        return Sample(seconds=time.monotonic() - self._began, figures=figures, own=own, pids=pids, late=late)


def anonymous(pid: int) -> int:
    """Bytes of a process that no file stands behind."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    return next(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Anonymous:"))


class Party:
    """What the guests do, drawn by chance."""

    def __init__(self, evening: Evening, course: Course, seed: int) -> None:
        self._evening, self._course, self._dice = evening, course, random.Random(seed)
        self._guests = list(evening.guests.values())
        self._began = self._troubled = time.monotonic()
        self._excused_until = 0.0
        self._troubles: tuple[Callable[[], None], ...] = (
            self._lose_the_account,
            self._lose_the_line,
            self._lose_the_mind,
        )

    def go_on(self, seconds: float) -> Iterator[float]:
        """Ask, come, go, write and break things for so long; yields the seconds so far."""
        turn = 0
        while (now := time.monotonic()) < self._began + seconds:
            turn += 1
            self._ask()
            if turn % 3 == 0:
                self._come_or_go()
            if turn % 5 == 0:
                self._dice.choice(self._guests[:4]).write("Clankie, are you there?")
                self._course.did["written"] += 1
            if now - self._troubled >= TROUBLE_SECONDS:
                self._trouble()
            self._evening.rest(max(0.0, now + ASK_SECONDS - time.monotonic()))
            yield time.monotonic() - self._began

    def _ask(self) -> None:
        guest = self._guests[self._dice.randrange(2)]
        guest.finish()
        began = time.monotonic()
        answer = self._evening.ask(guest, PATIENCE_SECONDS, self._dice.choice(("time", "weather", "dinner")))
        self._course.did["asked"] += 1
        waited = None if answer is None else answer.seconds
        excused = began < self._excused_until
        self._course.asked.append(Asked(seconds=began - self._began, waited=waited, excused=excused))

    def _come_or_go(self) -> None:
        guest = self._guests[4 + self._dice.randrange(2)]
        if guest.here:
            guest.leave()
        else:
            guest.arrive()
        self._course.did["came or went"] += 1

    def _trouble(self) -> None:
        self._troubled = time.monotonic()
        self._excused_until = self._troubled + EXCUSED_SECONDS
        trouble = self._troubles[self._course.did["broken"] % len(self._troubles)]
        trouble()
        self._course.did["broken"] += 1
        self._course.did[trouble.__name__.strip("_").replace("_", " ")] += 1

    def _lose_the_account(self) -> None:
        self._evening.discord.gateway.drop()

    def _lose_the_line(self) -> None:
        self._evening.discord.voice.abort(self._evening.bot)

    def _lose_the_mind(self) -> None:
        with suppress(AssertionError, IndexError):
            self._evening.openai.conversation().close(1011, "")


def half_an_hour(folder: Path, minutes: float, told: Callable[[float], None], seed: int = 1) -> Course:
    """Live through it; `told` hears the share of it that is over."""
    course = Course()
    with night(folder) as evening:
        evening.program.start()
        evening.come()
        party = Party(evening, course, seed)
        talkers: list[Guest] = list(evening.guests.values())[2:4]
        with Chatter(talkers, pause=20.0, seed=seed), Watch(evening, course, time.monotonic()):
            for seconds in party.go_on(minutes * 60.0):
                told(seconds / (minutes * 60.0))
        course.log = evening.program.logs()
    return course
