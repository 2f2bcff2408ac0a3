"""One evening through which he is killed again and again, with the same folder, and looked at each time."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from actors.console.client import ClientError
from actors.evidence.reader import read, receipt_files
from actors.evidence.verify import verify
from actors.gateway.bereft import CONSENTS_NOTICE
from messages.evidence import HeardWords, SpokenWords
from supervisors.rehearsal.scenario import BadScenario
from tests.reliability.night import Evening, night
from tests.reliability.sigkill.disk import Disk, look
from tests.reliability.sigkill.killing import Whom, kill
from tests.reliability.sigkill.mind import effects, tables, thinks
from tests.reliability.sigkill.moments import BOOKED, Moment, Stage, nothing, size
from tests.reliability.sigkill.promises import (
    Fate,
    Seen,
    Service,
    broken,
    done_twice,
    heard,
    left_open,
    unheard,
)

SETTLE_SECONDS: Final = 30.0
"""How long he may take to put all in order, once he is online."""
QUIET_SECONDS: Final = 0.4
"""What is in order has to stay so."""
AT_ONCE_SECONDS: Final = 0.02
BORN_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One kill to come: at which moment, whom the signal is sent to, how often again while he starts."""

    moment: Moment
    whom: Whom
    again: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of it."""

    moment: str
    whom: str
    again: int
    """How often he was killed again while he started."""
    seconds: float
    """From the start to service again."""
    voice: float | None
    """For how many seconds his voice outlived his house, if he had one."""
    problems: tuple[str, ...]
    on_the_way: int
    """Answers that were being sent in that moment, and reached nobody."""
    found: Mapping[str, int]
    """What was to be put in order."""


class Siege:
    """Its cases come one after the other; `close` is the context manager's affair."""

    def __init__(self, evening: Evening, folder: Path) -> None:
        self.evening, self.folder = evening, folder
        self.stage = Stage(evening, folder, Random(0))
        self._kills = 0
        self._killed_at: list[float] = []
        """Seconds of the epoch."""
        self._on_the_way: set[str] = set()
        """Turns whose answer was being sent when he was killed, and reached nobody."""
        self._owed: set[str] = set()
        self._seen = 0
        self._start_seconds = 3.0
        """How long the last start took: for about so long he may be killed again."""
        self._posted = threading.Event()
        evening.discord.board.on_post = lambda _post: self._posted.set()
        self._known: set[str] = set()
        """Problems of earlier cases, which are not told again."""

    def run(self, case: Case, lay: Callable[[Path], None]) -> Result:
        """Kill him at this moment and start him again, with his folder as the next case wants it (`lay`)."""
        dice = self.stage.dice = Random(case.seed)
        before = len(self._on_the_way)
        never = self._bring(case.moment)
        self.evening.rest(dice.uniform(0.0, case.moment.spread))
        killed = kill(self.evening.program, case.whom)
        fate, orphans = self._fate(killed.at), killed.orphans
        found = left_open(fate.disk)
        lay(self.folder)
        for _ in range(case.again):
            fate = replace(self._killed_while_starting(dice), seen=fate.seen)
        went_in = len(self.evening.discord.calls.requests)
        seconds, trouble = self._start()
        trouble = (*never, *trouble)
        problems = self._settled(fate, orphans, trouble, went_in)
        for guest in self.evening.guests.values():
            guest.hush()
        new = tuple(one for one in problems if one not in self._known)
        self._known.update(new)
        return Result(
            moment=case.moment.name,
            whom=case.whom,
            again=case.again,
            seconds=seconds,
            voice=killed.voice,
            problems=new,
            on_the_way=len(self._on_the_way) - before,
            found=found,
        )

    def _bring(self, moment: Moment) -> tuple[str, ...]:
        """What kept the moment from coming, if anything did; he is killed all the same."""
        try:
            moment.bring(self.stage)
        except AssertionError as failure:
            return (f"the moment did not come: {str(failure).splitlines()[0]}",)
        return ()

    def _fate(self, at: float) -> Fate:
        """What is known right after a kill."""
        self._kills += 1
        self._killed_at.append(time.time() - time.monotonic() + at)
        disk = look(self.folder)
        self._owed |= heard(disk.entries).keys()
        told = self.evening.record.everything()
        seen = tuple(
            Seen(receipt=one.what, at=one.at)
            for one in told[self._seen :]
            if not isinstance(one.what, HeardWords | SpokenWords)
        )
        self._seen = len(told)
        return Fate(
            at=at,
            seen=seen,
            disk=disk,
            kills=self._kills,
            owed=frozenset(self._owed),
            forgotten=frozenset(self.stage.forgotten),
        )

    # --- starting ---------------------------------------------------------------------------------

    def _killed_while_starting(self, dice: Random) -> Fate:
        program = self.evening.program
        starting = threading.Thread(target=_start_in_vain, args=(program.start,), name="start in vain")
        lives = program.life
        starting.start()
        self.evening.until(lambda: program.life > lives and self._is_born(), BORN_SECONDS, "a process")
        self._wait_for_a_bad_moment(dice)
        at = time.monotonic()
        with suppress(ProcessLookupError, AttributeError):
            kill(program, Whom.GROUP)
        starting.join()
        return self._fate(at)

    def _wait_for_a_bad_moment(self, dice: Random) -> None:
        """Any, or the one in which he has just said something, or has just written into a lane."""
        kind = dice.choice(("any", "post", "lane"))
        if kind == "any":
            self.evening.rest(dice.uniform(0.0, 1.1 * self._start_seconds))
            return
        before = size(self.folder, "captain/lanes/")
        self._posted.clear()
        end = time.monotonic() + self._start_seconds + 1.0
        while time.monotonic() < end:
            if self._posted.is_set() if kind == "post" else size(self.folder, "captain/lanes/") != before:
                self.evening.rest(dice.uniform(0.0, AT_ONCE_SECONDS))
                return
            self.evening.rest(0.001)

    def _is_born(self) -> bool:
        with suppress(AttributeError):
            return bool(self.evening.program.processes())
        return False

    def _start(self) -> tuple[float, tuple[str, ...]]:
        """How long it took until he says that he is well, and what kept him; there is a second try."""
        began = time.monotonic()
        try:
            self.evening.program.start()
            self.evening.until(self._is_well, SETTLE_SECONDS, "his health")
        except (BadScenario, AssertionError) as failure:
            if not self.evening.program.alive:
                self.evening.program.start()
            return time.monotonic() - began, (f"he does not serve again: {failure}",)
        self._start_seconds = time.monotonic() - began
        return self._start_seconds, ()

    def _is_well(self) -> bool:
        with suppress(ClientError):
            return self.evening.program.order("GET", "/health")[0] == 200
        return False

    # --- looking ----------------------------------------------------------------------------------

    def _settled(
        self, fate: Fate, orphans: Sequence[str], trouble: Sequence[str], went_in: int
    ) -> tuple[str, ...]:
        """What is wrong when he had time to put it right, and still is a moment later."""

        def wrong() -> tuple[str, ...]:
            service = Service(
                disk=look(self.folder),
                notices=self._notices(),
                voice_left=self.evening.guild.bot.room is None,
                came_back=self._came_back(went_in),
                links=self._links(),
                orphans=tuple(orphans),
                trouble=(*trouble, *self._complaints()),
            )
            return (*broken(fate, service), *self._effects(service.disk))

        with suppress(AssertionError):
            self.evening.until(lambda: not wrong(), SETTLE_SECONDS)
        self.evening.rest(QUIET_SECONDS)
        return wrong()

    def _notices(self) -> int:
        return sum(post.content == CONSENTS_NOTICE for post in self.evening.discord.posts)

    def _came_back(self, since: int) -> int:
        return sum(channel is not None for _, channel in self.evening.discord.calls.requests[since:])

    def _links(self) -> int:
        voice, guild = self.evening.discord.voice, self.evening.guild.id
        return sum(self.evening.bot in voice.present(guild, room.id) for room in self.evening.rooms)

    def _complaints(self) -> tuple[str, ...]:
        """What the record's own verifier and his log say."""
        files = receipt_files(self.folder / "evidence")
        problems = [f"{one.where}: {one.what}" for one in verify(read(files)).problems]
        log = self.evening.program.log.read_text("utf-8", "replace")
        bad = [line for line in log.splitlines() if "Traceback" in line or "| ERROR" in line]
        return (*problems, *bad)

    def _effects(self, disk: Disk) -> tuple[str, ...]:
        answers = Counter(
            str(post.reply_to)
            for post in self.evening.discord.posts
            if post.reply_to is not None and not post.content.startswith(f"{BOOKED} ")
        )
        found = list(unheard(disk.lanes, answers, self._killed_at))
        self._on_the_way = {one.turn for one in found if one.on_its_way}
        wrong = (f"{one.turn} has {one.answers} answers" for one in found if not one.on_its_way)
        return (*done_twice(effects(self.stage)), *wrong)


def _start_in_vain(start: Callable[[], None]) -> None:
    with suppress(BadScenario):
        start()


@contextmanager
def siege(
    folder: Path,
    guests: Sequence[str] = ("Ada", "Ben", "Cleo", "Dan", "Eve"),
    lay: Callable[[Path], None] = nothing,
) -> Generator[Siege]:
    """An evening for it; he is online when this yields, and nothing of him is left afterwards.

    Before he is started his folder is as the first case wants it (`lay`).
    """
    book = folder / "deeds.txt"
    with night(folder, guests, consenting=len(guests) - 2, settings=tables(book)) as evening:
        evening.openai.rest.brains.captain = thinks
        lay(folder)
        evening.program.start()
        yield Siege(evening, folder)
