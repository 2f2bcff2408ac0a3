"""All of it in one evening: each actor's crashes, then the limits; what is found is a record of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from loguru import logger

from supervisors.rehearsal.scenario import BadScenario
from tests.reliability.figures import ROOT, Found
from tests.reliability.supervision import limits, tables
from tests.reliability.supervision.limits import Fall
from tests.reliability.supervision.measure import Crash, crash
from tests.reliability.supervision.room import Room, room
from tests.reliability.supervision.tables import Row, broken
from tests.reliability.supervision.tree import ACTORS, Actor, usually

COMMAND: Final = "python -m tests.reliability.supervision"
LOG: Final = ROOT / "build" / "reliability" / "supervision.log"
LIMITS: Final = (("realtime", "5 in 30 s", 6), ("mouth/tts", "3 in 60 s, and so often 5 in 30 s", 24))
"""Whom, what his supervisors mend, and the crash at which they give up."""
SAYS: Final = """\
Every actor of the tree was crashed while he told a story to two people on a Discord of ours, by an order to
his supervisor; the media process was killed. *Open again* is when the next life had opened, *service again*
when the next request was served that only he can serve: the next answer heard by somebody, the next words
understood, the next message answered, the next receipt on disk, the next join. What the room hears was heard
by a second person's client, in which the pitch of each sentence says which it is."""


def play(actors: Sequence[Actor], times: int, *, whole: bool, step: Callable[[str], object]) -> Found:
    """Crash each of these so often, in turns; with `whole`, the limits as well."""
    began, evening = time.monotonic(), _Evening(actors, times, step)
    LOG.parent.mkdir(parents=True, exist_ok=True)
    log = logger.add(LOG, level="INFO", mode="w")
    try:
        while evening.goes_on:
            evening.play()
        if whole:
            evening.fall()
    finally:
        logger.remove(log)
    rows = evening.rows()
    failures = [f"{said} (`{again(row.actor, times)}`)" for row in rows for said in broken(row)]
    failures += [*evening.failures, *(said for fall in evening.falls for said in fall.broken)]
    return Found(
        command=COMMAND if whole else f"{COMMAND} --times {times}",
        says=SAYS,
        held=not failures,
        tables=(tables.table(rows), *((limits.table(tuple(evening.falls)),) if evening.falls else ())),
        notes=tuple(failures),
        seconds=time.monotonic() - began,
    )


def again(actor: Actor, times: int) -> str:
    """The command that does this once more."""
    return f"{COMMAND} --only '{actor.name}' --times {times}"


class _Evening:
    """All crashes, in rounds; where a house does not come back, the rest of them is done with another one."""

    def __init__(self, actors: Sequence[Actor], times: int, step: Callable[[str], object]) -> None:
        self._actors, self._times, self._step = actors, times, step
        self._left = [actor for _ in range(times) for actor in actors]
        self._crashes: dict[str, list[Crash]] = {actor.name: [] for actor in actors}
        self._usual: dict[str, float | None] = {}
        self.failures: list[str] = []
        self.falls: list[Fall] = []
        self.goes_on = True

    def play(self) -> None:
        """Open a house and go on until all is done, or this one cannot go on."""
        with tempfile.TemporaryDirectory(prefix="supervision-") as folder, room(Path(folder)) as ground:
            while self._left:
                actor = self._left.pop(0)
                try:
                    self._crash(ground, actor)
                except AssertionError as failure:
                    self.failures.append(f"{actor.name}: {failure} (`{again(actor, self._times)}`)")
                    return
        self.goes_on = False

    def fall(self) -> None:
        """Pass every limit; what cannot be passed here is a finding, and no reason to lose the others."""
        falls: list[tuple[str, Callable[[], Fall]]] = [
            (actor, partial(_of_a_stay, actor, limit, wanted)) for actor, limit, wanted in LIMITS
        ]
        for name, fall in (*falls, ("the program", limits.of_the_house)):
            self._step(f"{name}, again and again")
            try:
                self.falls.append(fall())
            except (AssertionError, BadScenario) as failure:
                self.failures.append(f"{name}, again and again: {failure} (`{COMMAND}`)")

    def _crash(self, ground: Room, actor: Actor) -> None:
        if actor.name not in self._usual:
            self._usual[actor.name] = usually(ground, actor)
        logger.info("the next to crash: {}", actor.name)
        self._crashes[actor.name].append(crash(ground, actor))
        self._step(actor.name)

    def rows(self) -> tuple[Row, ...]:
        """What was found of each who was crashed at all."""
        return tuple(
            Row(actor=actor, usual=self._usual[actor.name], crashes=tuple(crashes))
            for actor in self._actors
            if (crashes := self._crashes[actor.name])
        )


def _of_a_stay(actor: str, limit: str, wanted: int) -> Fall:
    with tempfile.TemporaryDirectory(prefix="supervision-") as folder, room(Path(folder)) as ground:
        return limits.of_a_stay(ground, actor, limit, wanted)


def named(names: Sequence[str]) -> tuple[Actor, ...]:
    """The actors of these names, or all; LookupError in words for one that there is not."""
    known = {one.name: one for one in ACTORS}
    if unknown := [name for name in names if name not in known]:
        raise LookupError(f"there is no {unknown[0]!r}; there are {', '.join(known)}")
    return tuple(known[name] for name in names) or ACTORS
