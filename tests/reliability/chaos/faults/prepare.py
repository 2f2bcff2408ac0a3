"""What has to stand before an evening opens, so that everything can go wrong in it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.reliability.chaos.faults import clock, disk

if TYPE_CHECKING:
    from tests.reliability.night import Evening

HEARTBEAT_MS: Final = 2_000
"""Discord's are longer than any trouble here lasts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """`notes` say what cannot be had on this machine, and what is done instead."""

    notes: tuple[str, ...]

    def settle(self, evening: Evening) -> None:
        """To be called once the evening is open, before he is."""
        evening.discord.gateway.heartbeat_ms = HEARTBEAT_MS
        evening.discord.voice.faults.heartbeat_ms = HEARTBEAT_MS


@contextmanager
def prepared(folder: Path) -> Generator[Prepared]:
    """A disk and a clock of its own for whatever is started inside of this; `folder` is the evening's."""
    folder.mkdir(parents=True, exist_ok=True)
    notes: list[str] = []
    with ExitStack() as undo:
        record = folder / "evidence"
        if disk.mount(record):
            undo.callback(disk.unmount, record)
        else:
            notes.append("the disk gets full by RLIMIT_FSIZE, for only root may mount a small one")
        if not undo.enter_context(clock.shifted(folder)):
            notes.append("no clock is put, for there is no C compiler")
        yield Prepared(notes=tuple(notes))
