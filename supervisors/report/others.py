"""What is on record beside stays: the house, receipts of other programs, and lines that are none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from html import escape

from actors.chronicle.kinds import kind_of
from actors.costs import CostSettings
from actors.evidence.foreign import Foreign
from messages.evidence import TextIngress, TextReply
from supervisors.rehearsal.phrases import plain
from supervisors.report.gathering import SHOWN, Found, Stamped
from supervisors.report.prices import costs
from supervisors.report.words import many, moment


def others(found: Found, settings: CostSettings) -> Iterator[str]:
    """The sections below the stays, as far as there is anything in them."""
    if found.house:
        yield "<section class=other><h2>Outside of any stay</h2>"
        yield from _house(found.house)
        if bill := found.house_bill:
            yield "<h3>What it cost</h3>"
            yield from costs(bill, settings)
        yield "</section>"
    if found.foreign or found.extra:
        yield "<section class=other><h2>Other receipts</h2>"
        yield from _foreign(found)
        yield "</section>"
    if found.bad:
        yield "<section class=other><h2>Lines that are no receipts</h2>"
        yield from _bad(found)
        yield "</section>"


def _house(house: Sequence[Stamped]) -> Iterator[str]:
    """How often what happened; texts by what came of them."""
    counted: dict[str, int] = {}
    for one in house:
        receipt = one.receipt
        name = plain(kind_of(type(receipt)))
        if isinstance(receipt, TextIngress | TextReply):
            name = f"{name}: {plain(receipt.outcome)}"
        else:
            reason = next((str(getattr(receipt, f.name)) for f in fields(receipt) if f.name == "reason"), "")
            name = f"{name}: {plain(reason)}" if reason and reason != "None" else name
        counted[name] = counted.get(name, 0) + 1
    yield from _counted(counted, "what")


def _counted(counted: dict[str, int], what: str) -> Iterator[str]:
    yield f"<div class=wide tabindex=0 role=group aria-label='{what}'><table class=counts><thead><tr>"
    yield f"<th scope=col>{what}<th scope=col class=n>how many<tbody>"
    for name, number in sorted(counted.items(), key=lambda one: -one[1]):
        yield f"<tr><th scope=row>{escape(name)}<td class=n>{number:,}"
    yield "</table></div>"


def _foreign(found: Found) -> Iterator[str]:
    if found.foreign_kinds:
        yield "<p class=none>Kinds that this version does not know, as they stand there."
        yield from _counted(dict(found.foreign_kinds), "kind")
        yield f"<details><summary>{_first(len(found.foreign), sum(found.foreign_kinds.values()))}</summary>"
        yield "<div class=wide tabindex=0><table><tbody>"
        yield from map(_foreign_row, found.foreign)
        yield "</table></div></details>"
    if found.extra:
        yield "<p class=none>Facts beside those that this version knows."
        yield from _counted(dict(found.extra), "fact")


def _first(shown: int, every: int) -> str:
    return f"All {shown}" if shown == every else f"The first {shown} of {every:,}"


def _foreign_row(one: Foreign) -> str:
    facts = " ".join(
        f"<span><i>{escape(name)}</i> {escape(str(value))}</span>" for name, value in one.data.items()
    )
    misfit = f"<small>{escape(one.misfit)}</small>" if one.misfit else ""
    when = f"{moment(one.occurred_at.timestamp()):%Y-%m-%d %H:%M:%S}"
    return f"<tr><td>{when}<th scope=row>{escape(one.type)} {misfit}<td class=data>{facts}"


def _bad(found: Found) -> Iterator[str]:
    if found.torn:
        yield f"<p class=none>{many(found.torn, 'line')} with a beginning only: whoever wrote was stopped "
        yield "there, which is no reason to worry."
    if found.bad_lines > SHOWN:
        yield f"<p class=none>{found.bad_lines:,} bad lines; the first {SHOWN} are shown."
    yield "<div class=wide tabindex=0><table><thead><tr><th scope=col>file<th scope=col class=n>line"
    yield "<th scope=col>what is wrong with it<tbody>"
    for line in found.bad:
        why = f"{line.reason} (torn)" if line.torn else line.reason
        yield f"<tr><th scope=row>{escape(str(line.path))}<td class=n>{line.number}<td>{escape(why)}"
    yield "</table></div>"
