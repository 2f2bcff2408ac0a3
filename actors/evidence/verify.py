"""Whether a record holds: every line, the order of time, and one going for each coming."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias, assert_never

from actors.chronicle.kinds import kind_of
from actors.evidence.foreign import Foreign
from actors.evidence.reader import BadLine
from actors.evidence.wire import Entry
from messages.evidence import Joined, Left

Line: TypeAlias = Entry | Foreign | BadLine
MOST_PROBLEMS: Final = 100
"""More are counted only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What does not hold; `where` is a file and a line, or the id of a receipt or a stay."""

    where: str
    what: str


@dataclass(slots=True, kw_only=True)
class Findings:
    """What was found so far; `open` are the stays that have no `left` yet, each with its origin."""

    receipts: int = 0
    foreign: int = 0
    extra: int = 0
    """Receipts of ours with facts that ours do not have."""
    torn: int = 0
    first: datetime | None = None
    last: datetime | None = None
    kinds: Counter[str] = field(default_factory=Counter[str])
    open: dict[str, datetime] = field(default_factory=dict[str, datetime])
    over: int = 0
    problems: list[Problem] = field(default_factory=list[Problem])
    many: int = 0
    """How many problems there are in all."""

    @property
    def holds(self) -> bool:
        """Whether there is nothing to say against it."""
        return self.many == 0

    def against(self, where: str, what: str) -> None:
        """One more problem."""
        self.many += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(where=where, what=what))


@dataclass(slots=True, kw_only=True)
class _Record:
    """What one house wrote: where it begins, and how far in time it has come."""

    first: datetime | None = None
    last: datetime | None = None


def verify(*records: Iterable[Line], at_work: bool = False) -> Findings:
    """Look at every line of each record; while a house is `at_work` on it, stays may be open."""
    findings, over = Findings(), set[str]()
    for lines in records:
        record = _Record()
        for line in lines:
            match line:
                case BadLine():
                    _bad(findings, line)
                case Entry():
                    _entry(findings, record, line, over)
                case Foreign():
                    _foreign(findings, record, line)
                case _:
                    assert_never(line)
    if not at_work:
        for stay in findings.open:
            findings.against(
                f"stay {stay}",
                "has a joined and no left: its house runs, or was killed; the next clankie run writes it",
            )
    return findings


def _bad(findings: Findings, line: BadLine) -> None:
    if line.torn:
        findings.torn += 1
    else:
        findings.against(f"{line.path}:{line.number}", line.reason)


def _foreign(findings: Findings, record: _Record, line: Foreign) -> None:
    findings.foreign += 1
    _in_order(findings, record, line.id, line.occurred_at)
    # Who signs as ours do means our kinds by their names.
    if line.misfit and line.origin:
        findings.against(f"receipt {line.id}", f"{line.type}: {line.misfit}")


def _entry(findings: Findings, record: _Record, line: Entry, over: set[str]) -> None:
    findings.receipts += 1
    findings.extra += bool(line.extra)
    findings.kinds[kind_of(type(line.receipt))] += 1
    _in_order(findings, record, line.id, line.occurred_at)
    match line.receipt:
        case Joined(stay_id=stay):
            if stay in over or stay in findings.open:
                findings.against(f"stay {stay}", "has more than one joined")
            findings.open[stay] = line.occurred_at
        case Left(stay_id=stay, duration_ms=duration_ms):
            findings.over += stay not in over
            if stay in over:
                findings.against(f"stay {stay}", "has more than one left")
            elif findings.open.pop(stay, None) is None and not _began_before(record, line, duration_ms):
                findings.against(f"stay {stay}", "has a left and no joined")
            over.add(stay)
        case _:
            pass


def _began_before(record: _Record, left: Entry, duration_ms: int) -> bool:
    """Whether it began before the first line there is; what is old is deleted."""
    first = record.first or left.occurred_at
    began = left.occurred_at.timestamp() - duration_ms / 1000
    return first == left.occurred_at or began <= first.timestamp()


def _in_order(findings: Findings, record: _Record, name: str, at: datetime) -> None:
    if record.last is not None and at < record.last:
        back = (record.last - at).total_seconds()
        findings.against(
            f"receipt {name}",
            f"is {back:.3f} s earlier than the one before it: the clock was put back, or lines were moved",
        )
    record.first = at if record.first is None else min(record.first, at)
    record.last = at
    findings.first = at if findings.first is None else min(findings.first, at)
    findings.last = at if findings.last is None else max(findings.last, at)
