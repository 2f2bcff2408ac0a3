"""Plays one night: what is needed is opened, all of it is conducted, judged, told and left in a folder."""

from __future__ import annotations

import time
from collections.abc import Collection
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from tests.reliability.chaos.conductor import Conductor, Said
from tests.reliability.chaos.faults.prepare import prepared
from tests.reliability.chaos.history import History, write
from tests.reliability.chaos.making import history
from tests.reliability.chaos.notes import Notes
from tests.reliability.chaos.plan import ALL, plan, quiet
from tests.reliability.chaos.trouble import Kind
from tests.reliability.chaos.verdict import Verdict, keep, tell, verdict
from tests.reliability.night import night

HISTORY: Final = "history.jsonl"
FAILED: Final = 1


def play(seed: int, minutes: float, folder: Path, console: Console) -> int:
    """Play the night of a seed; 0 if every promise was kept. For `clankie rehearse --chaos`."""

    def said(text: str) -> None:
        console.print(Text(text, style="dim"), soft_wrap=True)

    found, happened = judged(seed, minutes, folder, ALL, said)
    write(happened, folder / HISTORY)
    keep(found, folder)
    tell(found, console, folder)
    return 0 if found.held else FAILED


def judged(
    seed: int, minutes: float, folder: Path, kinds: Collection[Kind], said: Said
) -> tuple[Verdict, History]:
    """The verdict on a night with these kinds of trouble, and all that happened in it."""
    happenings = plan(seed, minutes, kinds)
    with prepared(folder) as ground, night(folder / "night") as evening:
        for note in ground.notes:
            said(note)
        ground.settle(evening)
        keys = (evening.discord.token, evening.openai.service.key, evening.elevenlabs.service.key)
        notes = Notes(keys)
        conductor = Conductor(evening, notes, seed, said)
        conductor.conduct(happenings, quiet(happenings, minutes), minutes * 60.0)
        happened = history(evening, notes, conductor.wanting, conductor.began, time.monotonic())
    return verdict(seed, minutes, happened), happened
