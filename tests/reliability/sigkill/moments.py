"""The moments of an evening at which he is killed: how each is brought about, and how long it may last."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final

from actors.evidence.files import Stream
from actors.evidence.reader import receipt_files
from actors.evidence.settings import LOOPBACK
from actors.evidence.wire import to_line
from messages.evidence import Joined, Volition
from messages.ids import StayId, new_id
from tests.reliability.guests import Guest
from tests.reliability.night import Evening
from tests.reliability.sigkill import deeds

ROTATE_MIB: Final = 1
MARGIN: Final = 2_000
"""So many bytes are missing in a file that is about to be full."""
SERVER: Final = "till"
"""Whose one tool he has."""
BOOKED: Final = "booked"
"""What an update says before the name of what it is about."""
PATIENCE: Final = 60.0


class Stage:
    """An evening with names for what is asked in it; none is ever given twice."""

    def __init__(self, evening: Evening, folder: Path, dice: Random) -> None:
        self.evening, self.folder, self.dice = evening, folder, dice
        self.book = folder / "deeds.txt"
        self.forgotten: set[str] = set()
        self._orders = 0

    def guest(self) -> Guest:
        """One of those who are heard."""
        return self.dice.choice(list(self.evening.guests.values())[: self.evening.consenting])

    def order(self, kind: str, guest: Guest | None = None) -> str:
        """Somebody asks in writing for something that must not be done twice; its name."""
        self._orders += 1
        name = f"{kind}-{self._orders}"
        (guest or self.guest()).address(f"please {kind} {name}")
        return name

    def come(self) -> None:
        """He is among them, and the tools of his server are his."""
        self.evening.come()
        log = self.evening.program.log
        self.evening.until(lambda: f"{SERVER} offers" in log.read_text("utf-8"), PATIENCE, "his tools")

    def talk(self) -> None:
        """Two people speak, one of them to him."""
        first, second = self.dice.sample(list(self.evening.guests.values())[: self.evening.consenting], 2)
        first.say("train")
        second.say("time")


def nothing(_folder: Path) -> None:
    """It may stay as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """`bring` returns when it has come; within `spread` seconds from then he is killed.

    `lay` is what has to be done to his folder before he is started for it.
    """

    name: str
    bring: Callable[[Stage], None]
    spread: float
    lay: Callable[[Path], None] = nothing


def joining(stage: Stage) -> None:
    stage.evening.program.join(stage.evening.rooms[0].id)


def greeting(stage: Stage) -> None:
    after = time.monotonic()
    joining(stage)
    stage.evening.record.expect(Joined, after=after)


def listening(stage: Stage) -> None:
    stage.evening.come()
    stage.talk()


def speaking(stage: Stage) -> None:
    stage.evening.come()
    began = time.monotonic()
    stage.guest().say("story")
    found = stage.evening.ears.wait(
        lambda sounds: next((one.at for one in sounds if one.tone is not None), None), began, PATIENCE
    )
    assert found is not None, "he did not begin to tell a story"


def handing_off(stage: Stage) -> None:
    stage.come()
    name = stage.order("pay")
    stage.evening.until(lambda: name in deeds.done(stage.book), PATIENCE, f"the deed {name}")


def acting(stage: Stage) -> None:
    stage.come()
    stage.order(stage.dice.choice(("pay", "book", "thread")))


def writing(stage: Stage) -> None:
    """Until one of his files has just grown, or one of them is there that was not."""
    stage.come()
    stage.talk()
    for kind in ("book", "pay"):
        stage.order(kind)
    stream = stage.dice.choice(
        (f"evidence/{Stream.RECEIPTS}", f"evidence/{Stream.TRANSCRIPT}", "captain/lanes/")
    )
    before, end = size(stage.folder, stream), time.monotonic() + PATIENCE
    while size(stage.folder, stream) == before:
        assert time.monotonic() < end, f"nothing was written to {stream}"
        stage.evening.rest(0.001)


def consenting(stage: Stage) -> None:
    stage.evening.come()
    guest = stage.guest()
    wish = stage.dice.choice(("opt-out", "opt-in"))
    guest.member.command(f"clankie voice-consent {wish}", guest.room)


def leaving(stage: Stage) -> None:
    stage.evening.come()
    stage.evening.program.leave()


def forgetting(stage: Stage) -> None:
    """The last guest, who asks for nothing at any other moment."""
    stage.evening.come()
    guest = list(stage.evening.guests.values())[-1]
    guest.consent()
    stage.forgotten.add(str(guest.id))
    stage.order("book", guest)
    stage.talk()
    stage.evening.rest(stage.dice.uniform(0.0, 1.0))
    guest.member.command("clankie forget-me", guest.room)


def closing(stage: Stage) -> None:
    stage.evening.come()
    stage.talk()
    os.kill(stage.evening.program.pid, signal.SIGTERM)


def nearly_full(folder: Path) -> None:
    """The file of receipts that is written on is all but full."""
    directory = folder / "evidence"
    files = receipt_files(directory) if directory.is_dir() else ()
    if not files:
        return
    room = ROTATE_MIB * 2**20 - MARGIN - files[-1].stat().st_size
    line = ""
    with files[-1].open("a", encoding="utf-8") as file:
        while (room := room - len(line)) > 0:
            now = datetime.now(UTC)
            laid = Volition(stay_id=StayId("laid"), outcome="offered")
            line = f"{to_line(laid, entry_id=new_id(), occurred_at=now, origin=LOOPBACK)}\n"
            file.write(line)


def size(folder: Path, stream: str) -> int:
    """How many bytes there are in the files whose names begin so."""
    parent, _, name = stream.rpartition("/")
    return sum(path.stat().st_size for path in (folder / parent).glob(f"{name}*.jsonl"))


MOMENTS: Final = (
    Moment(name="joining", bring=joining, spread=0.8),
    Moment(name="greeting", bring=greeting, spread=0.3),
    Moment(name="listening", bring=listening, spread=3.0),
    Moment(name="speaking", bring=speaking, spread=3.0),
    Moment(name="handing off", bring=handing_off, spread=1.2 * deeds.SECONDS),
    Moment(name="acting", bring=acting, spread=0.12),
    Moment(name="writing", bring=writing, spread=0.002),
    Moment(name="consenting", bring=consenting, spread=0.15),
    Moment(name="leaving", bring=leaving, spread=0.4),
    Moment(name="rotating", bring=listening, spread=1.5, lay=nearly_full),
    Moment(name="forgetting", bring=forgetting, spread=0.1),
    Moment(name="closing", bring=closing, spread=0.6),
)
RECOVERING: Final = "starting again"
