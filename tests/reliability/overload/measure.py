"""One load, measured: he is asked in quiet and under it by turns, and once more when it has just gone."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from actors.console.client import ClientError
from messages.evidence import Consent, FloorDecision, TextIngress, Utterance
from messages.lifecycle import TreeNode
from supervisors.rehearsal.stage import merged
from tests.reliability.night import GUESTS, Evening, ears, night
from tests.reliability.overload.loads import Load, Size

ANSWER_SECONDS: Final = 15.0
PAUSE_SECONDS: Final = 0.8
"""Between two questions: his answer is over by then."""
AT_LEAST_SECONDS: Final = 0.5
PASSERS: Final = 20
LOOK_SECONDS: Final = 0.5
MIB: Final = 1 << 20
WATCHED: Final = (
    "texts_waiting",
    "segments",
    "awaited",
    "units_waiting",
    "utterances",
    "waiting",
    "results_waiting",
    "voices",
    "seconds_waiting",
)
"""Facts that say how much waits somewhere."""
COUNTED: Final = (
    "texts_dropped",
    "lines_shed",
    "frames_dropped",
    "pipe_dropped",
    "refused",
    "underruns",
    "letters_missed",
    "lost",
)
"""Facts that count what was dropped."""


METRICS: Final = {
    "lines_shed": 'clankie_dropped{what="lines"}',
    "texts_dropped": 'clankie_dropped{what="texts"}',
    "underruns": "clankie_underruns",
}
"""What facts are called in the metrics, which look at them every fifteen seconds."""
METRICS_SECONDS: Final = 17.0


@dataclass(slots=True, kw_only=True)
class Measured:
    """What came of one load; seconds are those that the asker waited, without what others added."""

    load: Load
    quiet: list[float] = field(default_factory=list[float])
    loaded: list[float] = field(default_factory=list[float])
    after: list[float] = field(default_factory=list[float])
    """The first answer after each load."""
    unanswered: int = 0
    late: float = 0.0
    """How many seconds a guest at most took longer for a question than it has sound: the machine was busy."""
    memory: tuple[int, int, int] = (0, 0, 0)
    """Before, at most, and after; bytes."""
    deepest: float = 0.0
    """The fullest mailbox."""
    highest: dict[str, float] = field(default_factory=dict[str, float])
    """What WATCHED facts reached."""
    dropped: Counter[str] = field(default_factory=Counter[str])
    recorded: Counter[str] = field(default_factory=Counter[str])
    """How often the record says that something was dropped."""
    metrics: dict[str, float] = field(default_factory=dict[str, float])
    open_sounds: int = 0
    cores: float = 0.0
    """What he took under the load, on average."""
    alive: bool = True
    refused: bool = True
    """Whether one who came on top of those whom he can hear was refused."""
    longest: float = 0.0
    """The longest piece of anybody's speech that was written down, in seconds."""
    pieces: int = 0
    """How many there were."""
    violations: int = 0
    """How often a provider's rule was broken."""

    @property
    def ratio(self) -> float:
        """How much longer an answer takes under the load."""
        return median(self.loaded) / median(self.quiet) if self.quiet and self.loaded else float("inf")


def measure(load: Load, size: Size, folder: Path, told: Callable[[str], None]) -> Measured:
    """Open a night, and load it as often as the size says."""
    guests = (*GUESTS, *(f"Guest {number}" for number in range(7, size.people + 1))) if load.crowd else GUESTS
    with night(
        folder, (), len(guests), settings=merged({"stay": {"most_heard": size.people}}, load.settings)
    ) as evening:
        for place, name in enumerate(guests):
            evening.invite(name, listens=place < 3)
        for number in range(PASSERS if load.passers else 0):
            evening.invite(f"Passer {number}", arrives=False, listens=False)
        evening.mind.wording = "Number {}."
        evening.program.start()
        evening.come()
        found = Measured(load=load)
        if load.crowd:
            found.refused = _one_too_many(evening)
        _ask(evening, found, [])  # what is loaded with the first answer is loaded then
        before = evening.program.figures().rss
        with _watched(evening, found) as peak:
            for number in range(size.rounds):
                told(f"{load.name}: round {number + 1} of {size.rounds}")
                _round(evening, load, size, found)
        evening.rest(PAUSE_SECONDS)
        found.alive = evening.program.alive
        found.memory = (before, max(peak), evening.program.figures().rss)
        _count(evening, found)
    return found


def _round(evening: Evening, load: Load, size: Size, found: Measured) -> None:
    _ask(evening, found, found.quiet)
    began = evening.program.figures().seconds
    lasted = max(AT_LEAST_SECONDS, size.seconds + load.lasts * (size.rounds > 1))
    with load.apply(evening, size):
        evening.rest(lasted)
        found.cores += (evening.program.figures().seconds - began) / lasted / size.rounds
        _ask(evening, found, found.loaded, load.others_add)
    _ask(evening, found, found.after)


def _ask(evening: Evening, found: Measured, into: list[float], others_add: float = 0.0) -> None:
    answer = evening.ask(evening.guests["Ada"], ANSWER_SECONDS)
    if answer is None:
        found.unanswered += 1
    else:
        into.append(answer.seconds - others_add)
        found.late = max(found.late, answer.late)
    evening.rest(PAUSE_SECONDS)


def _one_too_many(evening: Evening) -> bool:
    """Whether one more who opts in is told that he is not heard, and is not."""
    late = evening.invite("Late", listens=False)
    late.consent()
    evening.record.expect(Consent, lambda one: one.person_id == str(late.id) and one.phase == "refused")
    late.consenting = False
    return str(late.id) not in ears(evening.program.tree())


@contextmanager
def _watched(evening: Evening, found: Measured) -> Generator[list[int]]:
    """Look at what waits and at the memory every now and then."""
    over, memory = threading.Event(), [0]

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            memory.append(evening.program.figures().rss)
            for node in evening.program.tree().every():
                _see(node, found)
            with suppress(ClientError):
                deepest = [v for k, v in evening.program.metrics().items() if "mailbox_depth" in k]
                found.deepest = max([found.deepest, *deepest])

    thread = threading.Thread(target=look, name="overload-watch")
    thread.start()
    try:
        yield memory
    finally:
        over.set()
        thread.join()


def _agree(evening: Evening, found: Measured) -> bool:
    """Whether the metrics say the same as the facts."""
    with suppress(ClientError):
        found.metrics = evening.program.metrics()
    return all(found.metrics.get(metric, 0) == found.dropped[fact] for fact, metric in METRICS.items())


def _see(node: TreeNode, found: Measured) -> None:
    for name, value in node.facts.items():
        if name in WATCHED and isinstance(value, int | float):
            found.highest[name] = max(found.highest.get(name, 0), value)


def _count(evening: Evening, found: Measured) -> None:
    for node in evening.program.tree().every():
        for name in COUNTED:
            value = node.facts.get(name)
            if isinstance(value, int | float) and value:
                found.dropped[name] += int(value)
    with suppress(AssertionError):
        evening.until(lambda: _agree(evening, found), METRICS_SECONDS)
    found.open_sounds = evening.open_sounds()
    texts, lines = evening.record.all(TextIngress), evening.record.all(FloorDecision)
    found.recorded["texts"] = sum(entry.what.reason == "full" for entry in texts)
    found.recorded["lines"] = sum(entry.what.rule == "too_many" for entry in lines)
    heard = [entry.what.duration_ms / 1000 for entry in evening.record.all(Utterance)]
    found.longest, found.pieces = max(heard, default=0.0), len(heard)
    found.violations = len(evening.openai.violations) + len(evening.elevenlabs.violations)
