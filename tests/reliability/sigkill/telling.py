"""What came of all the kills, for the record and the page."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from tests.reliability.figures import Found, Table
from tests.reliability.sigkill.siege import Result


def found(results: Sequence[Result], broken_off: Sequence[str], command: str, seconds: float) -> Found:
    """The tables, and one note for each promise that was not kept."""
    problems = [f"killed while {one.moment} ({one.whom}): {what}" for one in results for what in one.problems]
    kills = _kills(results)
    times = [one.seconds for one in results]
    says = (
        f"He was killed {kills} times with SIGKILL in the midst of an evening, {kills - len(results)} of"
        " these while he was starting after the one before, and run again in the same folder each time."
        " After every start what is on disk, in Discord and among the processes was compared with what had"
        " been seen before."
    )
    if times:
        served = f"{median(times):.1f} s (p50) and {_p99(times):.1f} s (p99)"
        says += f" He served again {served} after he was started."
    return Found(
        command=command,
        says=says,
        held=not problems and not broken_off and bool(results),
        tables=(_moments(results), _signals(results)),
        notes=(*broken_off, *problems),
        seconds=seconds,
    )


def _moments(results: Sequence[Result]) -> Table:
    by_moment: defaultdict[str, list[Result]] = defaultdict(list)
    for one in results:
        by_moment[one.moment].append(one)
    rows = [_row(moment, ones) for moment, ones in sorted(by_moment.items())]
    return Table(
        title="Killed while he was …",
        head=(
            "moment",
            "kills",
            "of them while starting again",
            "left behind for the next life",
            "service again p50",
            "p99",
            "answers lost on their way",
            "promises broken",
        ),
        rows=(*rows, _row("all", results)),
    )


def _row(moment: str, ones: Sequence[Result]) -> tuple[str, ...]:
    left = Counter[str]()
    for one in ones:
        left.update(one.found)
    times = [one.seconds for one in ones]
    return (
        moment,
        str(_kills(ones)),
        str(sum(one.again for one in ones)),
        ", ".join(f"{count} {name}" for name, count in left.items()) or "nothing",
        f"{median(times):.1f} s" if times else "",
        f"{_p99(times):.1f} s" if times else "",
        str(sum(one.on_the_way for one in ones)),
        str(sum(len(one.problems) for one in ones)),
    )


def _signals(results: Sequence[Result]) -> Table:
    by_signal: defaultdict[str, list[Result]] = defaultdict(list)
    for one in results:
        by_signal[one.whom].append(one)
    return Table(
        title="Who was sent the signal, and for how long his voice (a process of its own) outlived the house",
        head=("signal to", "times", "with a voice", "p50", "longest"),
        rows=tuple(_outlived(whom, ones) for whom, ones in sorted(by_signal.items())),
    )


def _outlived(whom: str, ones: Sequence[Result]) -> tuple[str, ...]:
    times = [one.voice for one in ones if one.voice is not None]
    known = (f"{median(times):.2f} s", f"{max(times):.2f} s") if times else ("", "")
    return (whom, str(len(ones)), str(len(times)), *known)


def _kills(results: Sequence[Result]) -> int:
    return sum(1 + one.again for one in results)


def _p99(times: Sequence[float]) -> float:
    return sorted(times)[math.ceil(len(times) * 0.99) - 1]
