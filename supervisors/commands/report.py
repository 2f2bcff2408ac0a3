"""`clankie report`: a page, or the numbers, of what is on record."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from supervisors.claims import foreseen
from supervisors.paths import at_home
from supervisors.report.gathering import BadRecord, Found, chosen, files_in, gather
from supervisors.report.page import GENERATOR, Report, page
from supervisors.report.story import stories
from supervisors.report.summary import to_json
from supervisors.report.words import many
from supervisors.settings import BadConfig, Settings, configured

DEFAULT = Path("report.html")
STANDARD_OUTPUT = Path("-")
_HEAD = 2_000
"""So many bytes of a file are looked at to tell whether it is a report."""


def tell(
    places: Sequence[str],
    out: Path | None,
    *,
    stay: str | None,
    config: Path | None,
    as_json: bool,
    force: bool,
) -> int:
    """Read these files and folders, and write what they tell; raises BadRecord where they tell nothing."""
    told = Console(stderr=True, highlight=False)
    where = out or (STANDARD_OUTPUT if as_json else DEFAULT)
    _may_be_written(where, as_json=as_json, force=force)
    settings = configured(config)
    costs = settings.costs
    found = chosen(_read(places or (_own_record(settings),), told), stay)
    made = datetime.now(UTC).astimezone()
    at_work = not places and _is_at_work(settings)
    several = tuple(stories(found, made.timestamp() if at_work else None))
    if as_json:
        text = to_json(found, several, costs)
    else:
        text = page(Report(found=found, stories=several, settings=costs, made=made))
    _write(where, text)
    if where != STANDARD_OUTPUT:
        told.print(
            f"{many(len(several), 'stay')}, {many(found.receipts, 'receipt')}: {where}", soft_wrap=True
        )
    return 0


def _own_record(settings: Settings) -> str:
    return str(at_home("[evidence] directory", settings.evidence.directory))


def _is_at_work(settings: Settings) -> bool:
    """Whether stays may be open; a folder that is no house's is one to read all the same."""
    try:
        return foreseen("[evidence] directory", settings.evidence.directory)
    except BadConfig:
        return False


def _read(places: Sequence[str], told: Console) -> Found:
    files = files_in(places)
    with told.status("Reading …") if told.is_terminal else nullcontext() as line:

        def progress(number: int) -> None:
            if line is not None:
                line.update(f"Reading … {number:,} lines")

        return gather(files, progress)


def _may_be_written(where: Path, *, as_json: bool, force: bool) -> None:
    """Nothing but a report is overwritten; raises BadRecord, before anything is read."""
    if where == STANDARD_OUTPUT or not where.exists():
        return
    if where.is_dir():
        raise BadRecord(f"{where} is a folder; give -o a file in it, such as {where / DEFAULT}")
    if force or not where.is_file():
        return
    with where.open("rb") as file:
        ours = f'content="{GENERATOR}"'.encode() in file.read(_HEAD)
    if as_json or not ours:
        raise BadRecord(f"{where} is there and is no report of Clankie's; give -o another file, or --force")


def _write(where: Path, text: str) -> None:
    if where == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return
    if where.exists() and not where.is_file():
        where.write_text(text, encoding="utf-8")
        return
    unfinished = where.with_name(f".{where.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(where)
    except OSError as error:
        raise BadRecord(f"{where} cannot be written ({error.strerror}); give -o another file") from None
    finally:
        with suppress(OSError):
            unfinished.unlink()
