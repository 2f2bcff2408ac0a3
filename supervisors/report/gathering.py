"""Receipts of many files, sorted into stays; what is no receipt of ours is kept in sight, not dropped."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from actors.chronicle.figures import figures
from actors.costs import Bill
from actors.evidence.files import Stream, parse_name
from actors.evidence.foreign import Foreign, shown
from actors.evidence.reader import BadLine, read_any
from actors.evidence.wire import Entry
from messages.evidence import CaptainTool, CaptainUsage, Handoff, Receipt
from messages.ids import HandoffId, StayId
from supervisors.report.words import many

STANDARD_INPUT = "-"
_STANDARD_INPUT = Path("/dev/stdin")
SHOWN = 200
"""How many foreign receipts, and how many bad lines, are shown one by one; all are counted."""


class BadRecord(Exception):
    """Nothing can be told of these files; the text says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamped:
    """One receipt and its wall-clock second since the epoch."""

    at: float
    receipt: Receipt


@dataclass(slots=True, kw_only=True)
class Found:
    """All that was read, while it is read; stays in the order in which they began to be told of."""

    stays: dict[StayId, list[Stamped]] = field(default_factory=dict[StayId, list[Stamped]])
    origins: dict[StayId, str] = field(default_factory=dict[StayId, str])
    house: list[Stamped] = field(default_factory=list[Stamped])
    foreign: list[Foreign] = field(default_factory=list[Foreign])
    foreign_kinds: Counter[str] = field(default_factory=Counter[str])
    extra: Counter[str] = field(default_factory=Counter[str])
    """Facts that receipts of ours had beside those that we know, by kind and name."""
    bad: list[BadLine] = field(default_factory=list[BadLine])
    bad_lines: int = 0
    torn: int = 0
    receipts: int = 0
    twice: int = 0
    """Receipts that stand in several of the files; each is told once."""

    @property
    def house_bill(self) -> Bill:
        """What was spent outside of any stay: by the captain, in writing."""
        return figures(one.receipt for one in self.house).bill


def files_in(places: Iterable[str]) -> tuple[Path, ...]:
    """Every file with receipts among files and folders, each once; raises BadRecord where there is none."""
    found: dict[str, Path] = {}
    for place in places:
        for path in _files_of(place):
            found.setdefault(os.path.realpath(path), path)
    return tuple(found.values())


def _files_of(place: str) -> Sequence[Path]:
    if place == STANDARD_INPUT:
        return (_STANDARD_INPUT,)
    path = Path(place)
    if not path.exists():
        raise BadRecord(f"{place} is not there; give a file of receipts, or the folder that they are in")
    if not path.is_dir():
        return (path,)
    next(path.iterdir(), None)  # a folder that nobody may look into is not an empty one
    files = sorted(path.rglob("receipts*.jsonl")) or sorted(filter(_may_be, path.glob("*.jsonl")))
    if not files:
        raise BadRecord(f"{place} has no receipts*.jsonl in it; give the folder that [evidence] names")
    return files


def _may_be(path: Path) -> bool:
    known = parse_name(path.name)
    return known is None or known[0] is not Stream.TRANSCRIPT


def gather(paths: Iterable[Path], progress: Callable[[int], object]) -> Found:
    """All lines of these files, in the order of their time; OSError if one cannot be read."""
    found, stay_of, known = Found(), dict[HandoffId, StayId](), set[tuple[str, datetime]]()
    for number, line in enumerate(read_any(paths), 1):
        match line:
            case Entry() | Foreign() if (line.id, line.occurred_at) in known:
                found.twice += 1
            case Entry():
                known.add((line.id, line.occurred_at))
                _take(found, stay_of, line)
            case Foreign():
                known.add((line.id, line.occurred_at))
                found.foreign_kinds[line.type] += 1
                if len(found.foreign) < SHOWN:
                    found.foreign.append(line)
            case BadLine():
                _note(found, line)
        if number % 2_000 == 0:
            progress(number)
    return _settled(found, stay_of)


def _take(found: Found, stay_of: dict[HandoffId, StayId], entry: Entry) -> None:
    receipt = entry.receipt
    stamped = Stamped(at=entry.occurred_at.timestamp(), receipt=receipt)
    found.receipts += 1
    found.extra.update(f"{type(receipt).__name__}.{name}" for name in entry.extra)
    stay: StayId | None = getattr(receipt, "stay_id", None)
    if stay is None:
        found.house.append(stamped)
        return
    if isinstance(receipt, Handoff):
        stay_of.setdefault(receipt.handoff_id, stay)
    found.origins.setdefault(stay, entry.origin)
    found.stays.setdefault(stay, []).append(stamped)


def _note(found: Found, line: BadLine) -> None:
    if line.torn:
        found.torn += 1
    else:
        found.bad_lines += 1
    if len(found.bad) < SHOWN:
        found.bad.append(line)


def _settled(found: Found, stay_of: dict[HandoffId, StayId]) -> Found:
    """What the captain did for a stay belongs to it, and everything is in the order of its time."""
    house, found.house = found.house, []
    for stamped in house:
        receipt = stamped.receipt
        stay = stay_of.get(receipt.handoff_id) if isinstance(receipt, CaptainTool | CaptainUsage) else None
        (found.house if stay is None else found.stays[stay]).append(stamped)
    for told in (*found.stays.values(), found.house):
        told.sort(key=lambda one: one.at)
    found.stays = dict(sorted(found.stays.items(), key=lambda one: one[1][0].at))
    return found


def chosen(found: Found, stay: str | None) -> Found:
    """With one stay alone, by its name or the beginning of it; raises BadRecord with those that there are."""
    if not found.stays and (stay is not None or not found.house):
        raise BadRecord(
            f"there is no stay in it ({_what_there_is(found)}); give a file of receipts of a visit"
        )
    if stay is None:
        return found
    names = [name for name in found.stays if name == stay] or [n for n in found.stays if n.startswith(stay)]
    if len(names) != 1:
        trouble = "several stays begin with" if names else "no stay is called"
        raise BadRecord(
            f"{trouble} {stay!r}; there are: {shown(', '.join(_some(names or list(found.stays))))}"
        )
    found.stays = {names[0]: found.stays[names[0]]}
    return found


def _some(names: Sequence[str]) -> Iterator[str]:
    yield from names[-20:]
    if len(names) > 20:
        yield f"and {len(names) - 20} earlier ones"


def _what_there_is(found: Found) -> str:
    counts = (
        many(found.receipts, "receipt of the house", "receipts of the house"),
        many(sum(found.foreign_kinds.values()), "foreign receipt"),
        many(found.bad_lines + found.torn, "line that is no receipt", "lines that are no receipts"),
    )
    return ", ".join(one for one in counts if not one.startswith("0 ")) or "nothing at all"
