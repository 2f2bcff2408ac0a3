"""A ledger whose disk is full, and one whose process is killed in the midst of a word."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.actors.captain.shelf import ADA, DEN, NOTE, Shelf, asked, said

ROOT = Path(__file__).parents[3]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "state" / "captain")


FILL = """
import os, resource
from pathlib import Path
from loguru import logger
from tests.actors.captain.shelf import ADA, DEN, NOTE, Shelf, asked, said

logger.remove()
logger.add(lambda line: print(line, end=""), format="{level}: {message}")
shelf = Shelf(Path(os.environ["LEDGER"]))
ledger = shelf.write(said("1"), asked("2", ADA))
ledger.keep((NOTE,))
size = shelf.file().stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, resource.RLIM_INFINITY))
print(ledger.append(DEN, said("3")), ledger.append(DEN, said("3")), ledger.keep((NOTE,) * 9))
print(shelf.file().stat().st_size == size, sorted(path.name for path in shelf.directory.iterdir()))
print(shelf.read().notes == (NOTE,))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(ledger.append(DEN, said("4")))
"""

WRITE_FOR_EVER = """
import os
from pathlib import Path
from tests.actors.captain.shelf import ADA, DEN, NOTE, Shelf, said

ledger = Shelf(Path(os.environ["LEDGER"])).write()
print("begun", flush=True)
while True:
    ledger.append(DEN, said("1", "x" * 12_000))
    ledger.keep((NOTE,) * 20)
"""


def program(text: str, directory: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(text)]
    environment = {**os.environ, "LEDGER": str(directory)}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def test_a_full_disk_is_told_once_and_leaves_what_was_there(shelf: Shelf) -> None:
    with program(FILL, shelf.directory) as filling:
        out, _ = filling.communicate(timeout=30)
    told = f"make room on the disk of {shelf.directory}, or set [captain] directory"
    assert out.splitlines() == [
        f"ERROR: the captain's ledger cannot be written (EFBIG): {told}",
        f"ERROR: the captain's ledger cannot be kept (EFBIG): {told}",
        "False False False",
        "True ['lanes', 'notes.json']",
        "True",
        "INFO: the captain's ledger can be written again",
        "True",
    ]
    assert shelf.read().lanes == ((DEN, (said("1"), asked("2", ADA), said("4"))),)


def test_a_killed_process_leaves_whole_notes_and_lines_that_can_be_read(shelf: Shelf) -> None:
    with program(WRITE_FOR_EVER, shelf.directory) as writing:
        assert writing.stdout
        assert writing.stdout.readline() == "begun\n"
        while not shelf.file().exists() or shelf.file().stat().st_size < 300_000:
            assert writing.poll() is None
        writing.send_signal(signal.SIGKILL)
    shelf.file().with_name(f".{shelf.file().name}.new").write_text("half of it")
    book = shelf.read()
    assert book.notes == (NOTE,) * 20
    assert book.unreadable <= 1
    assert len(book.lanes[0][1]) > 10
    assert [path.name for path in shelf.file().parent.iterdir()] == [shelf.file().name]
    assert {path.name for path in shelf.directory.iterdir()} == {"lanes", "notes.json"}
