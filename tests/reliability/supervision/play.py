"""All of it in one evening: each actor's crashes, then the limits; what is found is a record of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from loguru import logger

from tests.reliability.figures import Found
from tests.reliability.supervision import limits, tables
from tests.reliability.supervision.limits import Fall
from tests.reliability.supervision.measure import crash
from tests.reliability.supervision.room import room
from tests.reliability.supervision.tables import Row, broken
from tests.reliability.supervision.tree import ACTORS, Actor, usually

COMMAND: Final = "python -m tests.reliability.supervision"
SAYS: Final = """\
Every actor of the tree was crashed while he told a story to two people on a Discord of ours, by an order to
his supervisor; the media process was killed. *Open again* is when the next life had opened, *service again*
when the next request was served that only he can serve: the next answer heard by somebody, the next words
understood, the next message answered, the next receipt on disk, the next join. What the room hears was heard
by a second person's client, in which the pitch of each sentence says which it is."""


def play(actors: Sequence[Actor], times: int, *, whole: bool, step: Callable[[str], object]) -> Found:
    """Crash each of these so often; with `whole`, the limits as well."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="supervision-") as folder:
        rows, falls = _evening(Path(folder), actors, times, whole=whole, step=step)
    if whole:
        step("the program")
        falls = (*falls, limits.of_the_house())
    failures = tuple(
        f"{said} (`{COMMAND} --only '{row.actor.name}' --times {times}`)"
        for row in rows
        for said in broken(row)
    )
    failures += tuple(said for fall in falls for said in fall.broken)
    return Found(
        command=COMMAND if whole else f"{COMMAND} --times {times}",
        says=SAYS,
        held=not failures,
        tables=(tables.table(rows), *((limits.table(falls),) if falls else ())),
        notes=failures,
        seconds=time.monotonic() - began,
    )


def _evening(
    folder: Path, actors: Sequence[Actor], times: int, *, whole: bool, step: Callable[[str], object]
) -> tuple[list[Row], tuple[Fall, ...]]:
    log = logger.add(folder / "house.log", level="INFO")
    try:
        with room(folder) as ground:
            rows = []
            for actor in actors:
                usual = usually(ground, actor)
                crashes = []
                for _ in range(times):
                    crashes.append(crash(ground, actor))
                    step(actor.name)
                rows.append(Row(actor=actor, usual=usual, crashes=tuple(crashes)))
            if not whole:
                return rows, ()
            return rows, (
                limits.of_a_stay(ground, "realtime", "5 in 30 s", 6),
                limits.of_a_stay(ground, "mouth/tts", "3 in 60 s, and so often 5 in 30 s", 24),
            )
    finally:
        logger.remove(log)


def named(names: Sequence[str]) -> tuple[Actor, ...]:
    """The actors of these names, or all; LookupError in words for one that there is not."""
    known = {one.name: one for one in ACTORS}
    if unknown := [name for name in names if name not in known]:
        raise LookupError(f"there is no {unknown[0]!r}; there are {', '.join(known)}")
    return tuple(known[name] for name in names) or ACTORS
