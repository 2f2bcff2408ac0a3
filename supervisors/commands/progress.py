"""How far a long reading has come, for whoever waits at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

LONG_BYTES: Final = 8 * 2**20
"""What is read in a moment needs no bar."""


@contextmanager
def told_progress(files: Sequence[Path], *, quiet: bool) -> Generator[Callable[[int], object] | None]:
    """Yield what takes the bytes that were read since it was told last; None where nobody looks."""
    whole = sum(path.stat().st_size for path in files)
    if quiet or whole < LONG_BYTES or not sys.stderr.isatty():
        yield None
        return
    columns = TextColumn("reading"), BarColumn(), DownloadColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading", total=whole)
        yield lambda many: progress.advance(task, many)
