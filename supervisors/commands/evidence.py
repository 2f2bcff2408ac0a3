"""`clankie evidence`: what the record says of itself, what it proves, and how somebody is taken out of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from actors.chronicle.proof import Proof, latest_of, prove_each, stays_of
from actors.chronicle.proof_types import Fact, Point
from actors.console.outcomes import told_purge
from actors.evidence.foreign import shown
from actors.evidence.reader import BadLine, read_any, receipt_files, records_of
from actors.evidence.schema import schema_page
from actors.evidence.verify import Findings, verify
from actors.evidence.wire import Entry
from messages.evidence import StayReceipt
from messages.ids import PersonId, StayId
from supervisors.claims import foreseen
from supervisors.commands.ctl import give
from supervisors.commands.progress import told_progress
from supervisors.paths import at_home
from supervisors.record import purged
from supervisors.report.words import many
from supervisors.settings import BadConfig, configured

SETTING: Final = "[evidence] directory"
HOLDS_EXIT, FAILS_EXIT = 0, 1
REHEARSED: Final = "receipts.jsonl"
"""The record of a rehearsal, in the folder that it leaves."""
_MOST_SHOWN: Final = 20


def print_schema() -> int:
    """Print what every line may look like."""
    typer.echo(schema_page(), nl=False)
    return HOLDS_EXIT


def check(paths: Sequence[Path], config: Path | None, *, as_json: bool) -> int:
    """Look at every line of a record; 0 if it holds, 1 if not. Raises BadConfig or OSError."""
    records = _records(paths, config)
    files = tuple(chain.from_iterable(records))
    folder = configured(config).evidence.directory
    at_work = not paths and foreseen(SETTING, folder)
    with told_progress(files, quiet=as_json) as told:
        findings = verify(*(read_any(record, told) for record in records), at_work=at_work)
    if as_json:
        typer.echo(json.dumps(_as_json(findings, files), indent=1))
    else:
        _print_findings(findings, files, at_work=at_work)
    return HOLDS_EXIT if findings.holds else FAILS_EXIT


def forget(person: str, config: Path | None, port: int | None, *, as_json: bool) -> int:
    """Take a person out of the record, by the house if one is at work; raises BadConfig or ClientError."""
    if not person.strip():
        raise BadConfig("--person is empty; name the id of a person, as receipts do in personId")
    settings = configured(config).evidence
    if foreseen(SETTING, settings.directory):
        return give("/evidence/purge", {"person": person}, config, port, as_json=as_json)
    done = purged(settings, PersonId(person))
    text, code = told_purge(done.lines, done.receipts, done.failed)
    if as_json:
        typer.echo(json.dumps({"person": person, **asdict(done)}))
    else:
        typer.echo(text)
    return FAILS_EXIT if code else HOLDS_EXIT


def show_proof(
    stay: str | None, paths: Sequence[Path], config: Path | None, *, every: bool, as_json: bool
) -> int:
    """Judge a stay, the latest on Discord unless another is named; 0 if every point holds, 1 if not."""
    records, bad = _records(paths, config), list[BadLine]()
    with told_progress(tuple(chain.from_iterable(records)), quiet=as_json) as told:
        several = [_facts(record, told, bad) for record in records]
        facts = tuple(merge(*several, key=lambda fact: fact.at))
    proofs = list(prove_each(facts, _chosen(facts, stay, every=every)))
    readable = _readable(bad)
    holds = bool(proofs) and readable.held and all(proof.holds for proof in proofs)
    if as_json:
        shown = [{"stay": each.stay, "holds": each.holds, "points": _points(each.points)} for each in proofs]
        record = _points((readable,))[0]
        typer.echo(json.dumps({"holds": holds, "record": record, "stays": shown}, indent=1))
    else:
        _print_proofs(proofs, readable)
    return HOLDS_EXIT if holds else FAILS_EXIT


def _records(paths: Sequence[Path], config: Path | None) -> tuple[tuple[Path, ...], ...]:
    """The files that are meant, by the house that wrote them."""
    where = paths or (at_home(SETTING, configured(config).evidence.directory),)
    files = [file for path in where if paths or path.exists() for file in _files_at(path)]
    if not files:
        raise BadConfig(f"there are no receipts in {where[0]}; run clankie, or name files or another folder")
    return records_of(files)


def _files_at(path: Path) -> Sequence[Path]:
    """Of a folder, the files with receipts; rehearsals of several scenes have a folder for each."""
    if not path.is_dir():
        return (path,)
    return receipt_files(path) or sorted(path.glob(REHEARSED)) or sorted(path.glob(f"*/{REHEARSED}"))


def _facts(files: Sequence[Path], told: Callable[[int], object] | None, bad: list[BadLine]) -> Iterator[Fact]:
    for line in read_any(files, told):
        if isinstance(line, BadLine) and not line.torn:
            bad.append(line)
        elif isinstance(line, Entry) and isinstance(line.receipt, StayReceipt):
            yield Fact(at=line.occurred_at.timestamp(), origin=line.origin, receipt=line.receipt)


def _chosen(facts: Sequence[Fact], stay: str | None, *, every: bool) -> tuple[StayId, ...]:
    if stay is not None:
        known = tuple(dict.fromkeys(fact.receipt.stay_id for fact in facts))
        named = [one for one in known if one == stay] or [one for one in known if one.startswith(stay)]
        if not stay or not named:
            raise BadConfig(f"no stay {stay} is on record; leave --stay out for the latest")
        if len(named) > 1:
            some = shown(", ".join(named[:_MOST_SHOWN]))
            raise BadConfig(f"several stays begin with {stay}: {some}; say more of its name")
        return (named[0],)
    if every and (on_discord := stays_of(facts)):
        return on_discord
    latest = latest_of(facts)
    return () if latest is None else (latest,)


def _readable(bad: Sequence[BadLine]) -> Point:
    first = f"; the first is {bad[0].path}:{bad[0].number}" if bad else ""
    return Point(
        name="the record can be read",
        held=not bad,
        evidence=f"{many(len(bad), 'line is no receipt', 'lines are no receipts')}{first}",
        remedy="see clankie evidence verify",
    )


def _points(points: Sequence[Point]) -> list[dict[str, str | bool]]:
    return [asdict(point) for point in points]


def _print_proofs(proofs: Sequence[Proof], readable: Point) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if not proofs:
        console.print(Text("No stay is on record; have him join a voice channel on Discord.", style="red"))
        if not readable.held:
            console.print(Text(f"{shown(readable.evidence)}; {readable.remedy}", style="red"))
    for proof in proofs:
        console.print(Text(f"stay {shown(proof.stay)}", style="bold"))
        for point in (*proof.points, readable):
            mark, style = ("✓", "green") if point.held else ("✗", "red")
            console.print(
                Text.assemble((f"  {mark} ", style), point.name, (f": {shown(point.evidence)}", "dim"))
            )
            if not point.held:
                console.print(Text(f"      {point.remedy}", style="yellow"))
        said = "proven" if proof.holds and readable.held else "not proven"
        console.print(Text(f"  {said}", style="bold green" if said == "proven" else "bold red"))


def _print_findings(findings: Findings, files: Sequence[Path], *, at_work: bool) -> None:
    console = Console(highlight=False)
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in _summary(findings, files):
        table.add_row(Text(name, style="dim"), Text(value))
    console.print(table)
    if findings.open and at_work:
        console.print(Text(f"open, as the house is at work: {', '.join(findings.open)}"))
    for problem in findings.problems[:_MOST_SHOWN]:
        console.print(Text(shown(f"✗ {problem.where}: {problem.what}"), style="red"), soft_wrap=True)
    if findings.many > _MOST_SHOWN:
        console.print(Text(f"and {findings.many - _MOST_SHOWN} more", style="red"))
    said = "the record holds" if findings.holds else "the record does not hold"
    if findings.holds and not findings.receipts and not findings.foreign:
        said = "there is no receipt in it, and so nothing that could hold"
    console.print(Text(said, style="bold"))


def _summary(findings: Findings, files: Sequence[Path]) -> Iterator[tuple[str, str]]:
    yield "files", str(len(files))
    yield "receipts", str(findings.receipts)
    if findings.extra:
        yield "with more than ours say", str(findings.extra)
    if findings.foreign:
        yield "of other programs", str(findings.foreign)
    if findings.torn:
        yield "torn, as by a power cut", str(findings.torn)
    yield "stays", f"{findings.over} over, {len(findings.open)} open"
    if findings.first is not None and findings.last is not None:
        yield "from", f"{findings.first:%Y-%m-%d %H:%M:%S}Z"
        yield "to", f"{findings.last:%Y-%m-%d %H:%M:%S}Z"


def _as_json(findings: Findings, files: Sequence[Path]) -> dict[str, object]:
    return {
        "holds": findings.holds,
        "files": [str(path) for path in files],
        "receipts": findings.receipts,
        "extra": findings.extra,
        "foreign": findings.foreign,
        "torn": findings.torn,
        "stays": {"over": findings.over, "open": list(findings.open)},
        "kinds": dict(sorted(findings.kinds.items())),
        "first": findings.first and findings.first.isoformat(),
        "last": findings.last and findings.last.isoformat(),
        "problems": [asdict(problem) for problem in findings.problems],
        "problem_count": findings.many,
    }
