"""What must hold under any load, and what each load must be seen to cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from tests.reliability.figures import Found, Table
from tests.reliability.overload.measure import METRICS, MIB, Measured

SLOWER: Final = 2.0
"""So many times as long an answer may take under a load, without what others add."""
BACK: Final = 1.5
"""So many times as long the first one after it."""
UNREST_SECONDS: Final = 0.05
"""What a busy machine adds to a fifth of a second, whoever is asked."""
LATE_SECONDS: Final = 0.25
GROWTH: Final = 64 * MIB
DEEPEST: Final = 512
BOUNDS: Final = {"texts_waiting": 64, "utterances": 16, "seconds_waiting": 15.5, "units_waiting": 64}
"""What may wait at the most, as his settings and his code have it."""
RECORDED: Final = {"lines_shed": "lines", "texts_dropped": "texts"}
"""What a flood costs, and is on record: the fact in `clankie status`, and what it is about."""
COMMAND: Final = "make overload"
SAYS: Final = (
    "He was asked aloud in quiet, under a load, and when it had just gone, by turns, in a room with each of "
    "these loads. Seconds are those from the end of the question to the first packet of the answer that "
    "reached somebody else; of a slow provider only what he added himself."
)


def broken(found: Measured) -> Iterator[str]:
    """Every promise that was not kept, in words."""
    yield from too_slow(found)
    yield from lost(found)


def too_slow(found: Measured) -> Iterator[str]:
    """What only a machine can tell that has time for the load and for him."""
    if found.late > LATE_SECONDS:
        yield f"{found.late:.1f} s late were the guests themselves: measure again on a machine that has time"
    if found.quiet and found.loaded and found.after:
        quiet, loaded, after = median(found.quiet), median(found.loaded), median(found.after)
        if loaded > SLOWER * quiet + UNREST_SECONDS:
            yield f"an answer took {loaded:.2f} s instead of {quiet:.2f}"
        if after > BACK * quiet + UNREST_SECONDS:
            yield f"the first answer afterwards took {after:.2f} s instead of {quiet:.2f}"
    load = found.load
    for fact in (*(RECORDED if load.floods else ()), *(("underruns",) if load.stutters else ())):
        if not found.dropped[fact]:
            yield f"nothing was counted as {fact}, although there was too much"


def lost(found: Measured) -> Iterator[str]:
    """What has to hold on any machine."""
    if found.unanswered:
        yield f"{found.unanswered} questions had no answer"
    before, most, after = found.memory
    if most - before > GROWTH or after - before > GROWTH:
        yield f"memory grew from {before // MIB} to {most // MIB} MiB, and was {after // MIB} MiB at the end"
    if found.deepest > DEEPEST:
        yield f"a mailbox held {found.deepest:.0f} letters"
    for name, bound in BOUNDS.items():
        if found.highest.get(name, 0) > bound:
            yield f"{name} reached {found.highest[name]:g}, and {bound:g} is its bound"
    if found.open_sounds:
        yield f"{found.open_sounds} packets lay open"
    if found.violations:
        yield f"he broke {found.violations} rules of a provider"
    if not found.alive:
        yield "he ended"
    if not found.refused:
        yield "one more than he can hear was not refused"
    longest = found.load.settings.get("capture", {}).get("longest_seconds")
    if isinstance(longest, float) and found.longest > longest + 0.5:
        yield f"a piece of speech was {found.longest:.1f} s long, and {longest:g} is its bound"
    yield from _untold(found)


def _untold(found: Measured) -> Iterator[str]:
    """What is dropped is counted where an operator sees it."""
    for fact, metric in METRICS.items():
        if found.metrics.get(metric, 0) != found.dropped[fact]:
            yield f"the status tells of {found.dropped[fact]} {fact}, and the metrics do not"
    for fact, what in RECORDED.items():
        if found.recorded[what] < found.dropped[fact]:
            yield f"{found.recorded[what]} of {found.dropped[fact]} {what} that were dropped are on record"


def table(all_found: Sequence[Measured]) -> tuple[Table, ...]:
    """What was found, for a page."""
    answers = tuple(
        (
            f"{one.load.name}: {one.load.says}",
            _median(one.quiet),
            _median(one.loaded),
            _median(one.after),
            f"{one.ratio:.2f}",
            f"{one.load.others_add:g}",
            f"{len(one.loaded)} of {len(one.loaded) + one.unanswered}",
        )
        for one in all_found
    )
    costs = tuple(
        (
            one.load.name,
            " / ".join(f"{size // MIB}" for size in one.memory),
            f"{one.cores:.2f}",
            f"{one.deepest:.0f}",
            _facts(one.highest),
            _facts(dict(one.dropped)),
        )
        for one in all_found
    )
    return (
        Table(
            title="Answers, in seconds (medians)",
            head=("load", "quiet", "loaded", "just after", "ratio", "others added", "answered"),
            rows=answers,
        ),
        Table(
            title="What it took, what waited at the most, and what was dropped",
            head=("load", "MiB before / most / after", "cores", "fullest mailbox", "waited", "dropped"),
            rows=costs,
        ),
    )


def found(all_found: Sequence[Measured], seconds: float) -> Found:
    """The whole of it, for the record."""
    notes = tuple(f"{one.load.name}: {what}" for one in all_found for what in broken(one))
    return Found(
        command=COMMAND, says=SAYS, held=not notes, tables=table(all_found), notes=notes, seconds=seconds
    )


def _median(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.2f}" if seconds else "none"


def _facts(facts: dict[str, float] | dict[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in sorted(facts.items()) if value)
