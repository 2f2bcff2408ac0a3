"""Many nights, some side by side, each in a process of its own; what they found together."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final

from tests.reliability.chaos.invariants import INVARIANTS, said_of
from tests.reliability.chaos.verdict import Verdict, kept
from tests.reliability.figures import ROOT, Found, Table

CLOSES_SECONDS: Final = 30.0
"""How long a night that is stopped may take to close everything."""
TAKES_SECONDS: Final = 180.0
"""So much longer than its minutes a night may take, on a machine that has other work."""


class Batch:
    """Plays nights until all are played or `stop` is called; what becomes of each is left in its folder."""

    def __init__(self, folder: Path, minutes: float) -> None:
        self._folder, self._minutes = folder, minutes
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._changing = threading.Lock()
        self._stopped = False

    def play(
        self, seeds: Sequence[int], side_by_side: int, told: Callable[[int, Verdict | None], None]
    ) -> dict[int, Verdict | None]:
        """The verdict of each seed, None where its night broke off; `told` hears of each when it is over."""
        found: dict[int, Verdict | None] = {}
        with ThreadPoolExecutor(side_by_side, thread_name_prefix="night") as nights:
            try:
                playing = {nights.submit(self._one, seed): seed for seed in seeds}
                for done in as_completed(playing):
                    found[playing[done]] = done.result()
                    told(playing[done], done.result())
            finally:
                self.stop()
        return found

    def stop(self) -> None:
        """End those that are being played, and begin no other."""
        with self._changing:
            self._stopped = True
            running = list(self._running.values())
        for process in running:
            process.send_signal(signal.SIGTERM)
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(CLOSES_SECONDS)
            process.kill()

    def folder(self, seed: int) -> Path:
        """Where a night leaves what became of it."""
        return self._folder / f"seed-{seed}"

    def _one(self, seed: int) -> Verdict | None:
        command = ["-m", "supervisors", "rehearse", "--chaos", str(seed), "--minutes", f"{self._minutes:g}"]
        folder = self.folder(seed)
        with folder.with_suffix(".log").open("wb") as log, self._changing:
            if self._stopped:
                return None
            process = self._running[seed] = subprocess.Popen(
                [sys.executable, *command, "--out", str(folder)],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        with suppress(subprocess.TimeoutExpired):
            process.wait(self._minutes * 60.0 + TAKES_SECONDS)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(CLOSES_SECONDS)
            process.kill()
        process.wait()
        with self._changing:
            del self._running[seed]
        return kept(folder)


def found(nights: dict[int, Verdict | None], seconds: float) -> Found:
    """What all of them found, for the record and the page."""
    played = [one for _, one in sorted(nights.items()) if one is not None]
    off = tuple(f"The night of seed {seed} broke off." for seed, one in sorted(nights.items()) if one is None)
    notes = tuple(
        f"{one.again}: {broken.promise.replace('_', ' ')} at {broken.at:.0f} s: {broken.what}"
        for one in played
        for broken in one.broken
    )
    return Found(
        command="make chaos",
        says=_says(played),
        held=not notes and not off,
        tables=(_promises(played), _troubles(played), _seeds(played)),
        notes=(*off, *notes, *_missed(played)),
        seconds=seconds,
    )


def _says(played: Sequence[Verdict]) -> str:
    troubles = Counter(kind for one in played for kind in one.troubles)
    questions, answers = sum(one.questions for one in played), [at for one in played for at in one.answers]
    times = f", half within {median(answers):.1f} s, all within {max(answers):.1f} s" if answers else ""
    return (
        "Six people talk to him over a Discord, an OpenAI and an ElevenLabs on this machine, while all goes "
        f"wrong that {len(played)} seeds drew: {sum(troubles.values())} troubles of {len(troubles)} kinds in "
        f"{sum(one.seconds for one in played) / 60:.0f} minutes. He was asked in every quiet between them: "
        f"{len(answers)} of {questions} questions were answered{times}."
    )


def _promises(played: Sequence[Verdict]) -> Table:
    broken = Counter(broken.promise for one in played for broken in one.broken)
    rows = tuple((said_of(one), str(broken[one.__name__])) for one in INVARIANTS)
    return Table(title="What must hold of every night", head=("promise", "broken"), rows=rows)


def _troubles(played: Sequence[Verdict]) -> Table:
    times = Counter(kind for one in played for kind in one.troubles)
    return Table(
        title="What went wrong",
        head=("trouble", "times"),
        rows=tuple((kind, str(many)) for kind, many in times.most_common()),
    )


def _seeds(played: Sequence[Verdict]) -> Table:
    return Table(
        title="The nights",
        head=("seed", "troubles", "lines said", "questions in the quiet", "slowest answer", "broken"),
        rows=tuple(
            (
                str(one.seed),
                str(len(one.troubles)),
                str(one.said),
                f"{len(one.answers)} of {one.questions} answered",
                f"{max(one.answers):.1f} s" if one.answers else "",
                str(len(one.broken)),
            )
            for one in played
        ),
    )


def _missed(played: Sequence[Verdict]) -> tuple[str, ...]:
    times = Counter(missed for one in played for missed in one.missed)
    return tuple(f"Took no effect, {many} times: {missed}." for missed, many in times.most_common())
