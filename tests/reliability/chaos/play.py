"""Plays one night: what is needed is opened, all of it is conducted, judged, told and left in a folder."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from supervisors.rehearsal.folder import writing_to
from tests.reliability.chaos.conductor import Conductor, Said
from tests.reliability.chaos.faults.prepare import prepared
from tests.reliability.chaos.history import History, write
from tests.reliability.chaos.making import history
from tests.reliability.chaos.notes import Notes
from tests.reliability.chaos.plan import Happening, Window, plan, quiet
from tests.reliability.chaos.verdict import keep, tell, verdict
from tests.reliability.night import night

HISTORY: Final = "history.jsonl"
FAILED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What is to happen in one night, and when he is asked."""

    seed: int
    minutes: float
    happenings: tuple[Happening, ...]
    windows: tuple[Window, ...]


def play(seed: int, minutes: float, folder: Path, console: Console) -> int:
    """Play the night of a seed; 0 if every promise was kept. For `clankie rehearse --chaos`."""

    def said(text: str) -> None:
        console.print(Text(text, style="dim"), soft_wrap=True)

    happenings = plan(seed, minutes)
    script = Script(seed=seed, minutes=minutes, happenings=happenings, windows=quiet(happenings, minutes))
    happened = played(script, folder, said)
    found = verdict(seed, minutes, happened)
    with writing_to(folder):
        write(happened, folder / HISTORY)
        keep(found, folder)
    tell(found, console, folder)
    return 0 if found.held else FAILED


def played(script: Script, folder: Path, said: Said) -> History:
    """All that happens in a night of this script; what he writes is left in the folder."""
    with prepared(folder / "night") as ground, night(folder / "night") as evening:
        for note in ground.notes:
            said(note)
        ground.settle(evening)
        keys = (evening.discord.token, evening.openai.service.key, evening.elevenlabs.service.key)
        notes = Notes(keys)
        conductor = Conductor(evening, notes, script.seed, said)
        conductor.conduct(script.happenings, script.windows, script.minutes * 60.0)
        return history(evening, notes, conductor.wanting, conductor.began, time.monotonic())
