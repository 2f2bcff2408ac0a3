"""What was recorded is soon in a file, and on disk within the time that a power cut may take."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from actors.base import Life
from actors.clock import SystemClock
from actors.evidence.actor import Evidence
from actors.evidence.local import LocalSink
from actors.evidence.reader import read, receipt_files
from actors.evidence.settings import EvidenceSettings
from actors.evidence.wire import Entry
from messages.evidence import PrivateWords, Recorded, TextInput, Watch
from messages.ids import LineId, PersonId, StayId
from messages.lifecycle import Ending

ROOT = Path(__file__).parents[3]
SYNC_S = 0.2
A_BUSY_MACHINE_S = 10.0
UNDISTURBED_S = 0.5
ROUNDS = 4
A_FEW_MS = 0.02
DEADLINE_S = 20.0


def receipt(number: int) -> TextInput:
    return TextInput(
        stay_id=StayId("s"), person_id=PersonId("p"), line_id=LineId(str(number)), characters=number
    )


class Watcher:
    """Is told what was recorded, which the sink has been handed by then."""

    def __init__(self) -> None:
        self.told: queue.SimpleQueue[Recorded | PrivateWords] = queue.SimpleQueue()

    def tell(self, message: Recorded | PrivateWords, /) -> None:
        self.told.put(message)


class Record:
    """The room of the record with a real clock and a real disk."""

    def __init__(self, directory: Path) -> None:
        settings = EvidenceSettings(directory=directory, sync_ms=round(SYNC_S * 1000))
        self.sink, self.watcher, self.clock = LocalSink(settings), Watcher(), SystemClock()
        self.life = Life.alone()
        self.room = Evidence(self.life, watchers=(), clock=self.clock, port=self.sink, settings=settings)
        self.clock.start()
        self.life.begin(self.room)
        assert self.life.wait_opened(DEADLINE_S)
        self.room.here.tell(Watch(watcher=self.watcher, may_see_words=False))

    def write(self, number: int) -> None:
        """Return once the line is in its file."""
        self.room.here.tell(receipt(number))
        self.watcher.told.get(timeout=DEADLINE_S)
        until = time.monotonic() + DEADLINE_S
        while self.sink.waiting():
            assert time.monotonic() < until

    def close(self) -> None:
        self.life.ask_to_stop(Ending.SHUTDOWN, DEADLINE_S)
        assert self.life.wait_gone(DEADLINE_S)
        self.clock.stop(DEADLINE_S)


@contextmanager
def record(directory: Path) -> Generator[Record]:
    opened = Record(directory)
    try:
        yield opened
    finally:
        opened.close()


def test_no_line_waits_longer_for_the_disk_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe: queue.SimpleQueue[float] = queue.SimpleQueue()
    fsync, waits = os.fsync, list[float]()

    def noted(file: int) -> None:
        ours = "receipts-" in str(Path(f"/proc/self/fd/{file}").readlink())
        fsync(file)
        if ours:
            safe.put(time.monotonic())

    with record(tmp_path / "evidence") as opened:
        opened.write(0)
        monkeypatch.setattr(os, "fsync", noted)
        safe.get(timeout=DEADLINE_S)
        for number in range(ROUNDS):
            told = time.monotonic()
            opened.write(2 * number)
            opened.write(2 * number + 1)
            waits.append(safe.get(timeout=DEADLINE_S) - told)
        # The second line of a round went with the first, or a disk would do nothing else.
        assert safe.empty()
    assert min(waits) < SYNC_S + UNDISTURBED_S
    assert max(waits) < SYNC_S + A_BUSY_MACHINE_S


RECORDS = """
import sys
from pathlib import Path
from tests.actors.evidence.test_promptness import record

with record(Path(sys.argv[1])) as opened:
    for number in range(10**9):
        opened.write(number)
        print(number, flush=True)
"""


def test_a_killed_house_has_written_all_but_what_its_thread_had_in_hand(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RECORDS, str(tmp_path / "evidence")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as house:
        assert house.stdout is not None
        said = [int(house.stdout.readline()) for _ in range(200)]
        house.send_signal(signal.SIGKILL)
        said += [int(line) for line in house.stdout.read().splitlines()]
    found = list(read(receipt_files(tmp_path / "evidence")))
    receipts = [one.receipt for one in found if isinstance(one, Entry)]
    numbers = [one.characters for one in receipts if isinstance(one, TextInput)]
    assert numbers[: len(said)] == said
    assert len(numbers) <= len(said) + 1


def test_a_line_is_in_its_file_at_once(tmp_path: Path) -> None:
    with record(tmp_path / "evidence") as opened:
        waits: list[float] = []
        for number in range(100):
            told = time.monotonic()
            opened.write(number)
            waits.append(time.monotonic() - told)
    assert sorted(waits)[50] < A_FEW_MS
