"""What the conductor writes down while a night goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.reliability.chaos.history import (
    Asked,
    Exposed,
    Life,
    Logged,
    Manner,
    Order,
    Said,
    Sample,
    Standing,
    Trouble,
)
from tests.reliability.chaos.reading import exposed_in, logged
from tests.reliability.program import Program
from tests.reliability.voices import TEXTS, Kind, Line

MANNERS: Final[Mapping[Kind, Manner]] = {
    Kind.ADDRESS: Manner.ADDRESS,
    Kind.STORY: Manner.ADDRESS,
    Kind.STOP: Manner.STOP,
    Kind.BACKCHANNEL: Manner.BACKCHANNEL,
    Kind.TALK: Manner.TALK,
}
WORDS: Final = tuple(text for _, text in TEXTS.values() if len(text.split()) > 2)
"""What people say, of which nothing may be in a log or a receipt."""


class Notes:
    """Any thread may note anything; seconds are monotonic."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self.secrets = frozenset(secrets)
        self.lives: list[Life] = []
        self.troubles: list[Trouble] = []
        self.said: list[Said] = []
        self.asked: list[Asked] = []
        self.orders: list[Order] = []
        self.standings: list[Standing] = []
        self.samples: list[Sample] = []
        self.log: list[Logged] = []
        self.exposed: list[Exposed] = []
        self._place = (0, 0)
        self._reading = threading.Lock()

    def learn(self, console: Path) -> None:
        """The keys of the console are secrets, too; each life of it has its own."""
        for key in console.glob("*.key"):
            with suppress(OSError):  # that life is over
                self.secrets |= {text for text in (key.read_text("utf-8").strip(),) if text}

    def speech(self, line: Line, person: int, began: float, ended: float) -> None:
        """Somebody says a line; whether he may be heard is known in the end."""
        manner = MANNERS[line.kind]
        self.said.append(Said(at=began, ended=ended, person=str(person), manner=manner, heard=False))

    def read_log(self, program: Program) -> None:
        """Read on in the log of the present life."""
        with self._reading:
            life, place = self._place
            if program.life != life:
                place = 0
            if not program.log.exists():
                return
            with program.log.open("rb") as log:
                log.seek(place)
                whole, end, _ = log.read().rpartition(b"\n")
            self._place = (program.life, place + len(whole) + len(end))
            for line in whole.decode("utf-8", "replace").splitlines():
                self._log_line(line, time.monotonic(), program.life)

    def _log_line(self, line: str, at: float, life: int) -> None:
        self.exposed.extend(exposed_in(line, at, "the log", self.secrets, WORDS))
        if (told := logged(line, at, life)) is not None:
            self.log.append(told)
