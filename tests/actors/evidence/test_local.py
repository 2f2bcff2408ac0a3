"""The pen against real disks: full, forbidden, torn, deleted, slow, and a process that is killed."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from actors.evidence.files import Stream
from actors.evidence.local import LocalSink
from actors.evidence.local_log import Journal
from actors.evidence.port import SinkEvent
from actors.evidence.reader import BadLine, read, receipt_files
from actors.evidence.settings import EvidenceSettings
from actors.evidence.wire import Entry, to_line
from messages import evidence as say
from messages.ids import StayId, Token
from tests.clock import ManualClock
from tests.probe import Probe

ROOT = Path(__file__).parents[3]
DAY, NEXT_DAY = date(2026, 1, 1), date(2026, 1, 2)
FILE = "receipts-2026-01-01.jsonl"
R = Stream.RECEIPTS


class Pen:
    """A sink that is open, and what it told."""

    def __init__(self, directory: Path, *, began: bool = True, **settings: object) -> None:
        self.settings = EvidenceSettings(directory=directory, **settings)  # type: ignore[arg-type]
        self.sink, self.told = LocalSink(self.settings), Probe[SinkEvent]()
        self.syncs = 0
        if began:
            self.begin()

    def begin(self) -> None:
        self.sink.open(self.told.tell)

    def write(self, *lines: str, day: date = DAY, stream: Stream = R) -> None:
        for line in lines:
            assert self.sink.append(stream, day, line)

    def settle(self) -> None:
        """Wait until everything so far is on disk."""
        self.syncs += 1
        self.sink.sync(Token(self.syncs))
        while self.told.expect(say.SinkSynced).token != self.syncs:
            pass


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "state" / "evidence"


@pytest.fixture
def pen(directory: Path) -> Iterator[Pen]:
    pen = Pen(directory)
    yield pen
    pen.sink.close(2)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_lines_are_on_disk_once_synced_and_nobody_else_may_read_them(pen: Pen, directory: Path) -> None:
    pen.write("one", "two")
    pen.write("hi", stream=Stream.TRANSCRIPT)
    pen.settle()
    assert (directory / FILE).read_text() == "one\ntwo\n"
    assert (directory / "transcript-2026-01-01.jsonl").read_text() == "hi\n"
    assert mode(directory) == 0o700
    assert {mode(path) for path in directory.iterdir()} == {0o600}
    assert pen.sink.waiting() == 0


def test_closing_writes_what_waits(directory: Path) -> None:
    pen = Pen(directory)
    pen.write(*map(str, range(500)))
    assert pen.sink.close(2) == 0
    assert (directory / FILE).read_text().split() == [*map(str, range(500))]


def test_a_pen_that_was_never_opened_closes_at_once(directory: Path) -> None:
    assert LocalSink(EvidenceSettings(directory=directory)).close(0) == 0
    assert not directory.exists()


def test_a_day_has_its_own_file_and_old_days_go(directory: Path) -> None:
    directory.mkdir(parents=True, mode=0o700)
    (directory / "receipts-2025-12-02.jsonl").touch()
    (directory / "receipts-2025-12-03.jsonl").touch()
    (directory / "mine.txt").touch()
    pen = Pen(directory)
    pen.write("one")
    pen.write("two", day=NEXT_DAY)
    pen.sink.close(2)
    names = sorted(path.name for path in directory.iterdir())
    assert names == ["mine.txt", "receipts-2025-12-03.jsonl", FILE, "receipts-2026-01-02.jsonl"]


def test_a_file_that_has_grown_to_its_limit_is_followed_by_another(directory: Path) -> None:
    pen = Pen(directory, rotate_mib=1)
    pen.write("x" * 2**20, "next")
    pen.sink.close(2)
    assert (directory / "receipts-2026-01-01.1.jsonl").read_text() == "next\n"


def test_a_torn_last_line_stays_torn_and_the_next_begins_on_its_own(directory: Path) -> None:
    directory.mkdir(parents=True, mode=0o700)
    (directory / FILE).write_text("whole\nto")
    pen = Pen(directory)
    pen.write("next")
    pen.sink.close(2)
    assert (directory / FILE).read_text() == "whole\nto\nnext\n"


def test_a_directory_that_is_deleted_is_made_again(pen: Pen, directory: Path) -> None:
    pen.write("gone")
    pen.settle()
    (directory / FILE).unlink()
    directory.rmdir()
    pen.write("kept")
    pen.settle()
    assert (directory / FILE).read_text() == "kept\n"


def test_a_file_that_is_moved_away_is_not_followed_where_no_reader_looks(pen: Pen, directory: Path) -> None:
    pen.write("one")
    pen.settle()
    (directory / FILE).rename(directory / f"{FILE}.old")
    pen.write("two")
    pen.settle()
    assert (directory / FILE).read_text() == "two\n"


def test_a_file_that_is_replaced_is_written_on_in_the_one_that_readers_see(pen: Pen, directory: Path) -> None:
    pen.write("one")
    pen.settle()
    (directory / "other").write_text("other\n")
    (directory / "other").replace(directory / FILE)
    pen.write("two")
    pen.settle()
    assert (directory / FILE).read_text() == "other\ntwo\n"


def test_what_is_taken_back_from_a_file_that_somebody_cut_short_leaves_no_hole(tiny_disk: Path) -> None:
    journal = Journal(tiny_disk, R, EvidenceSettings(directory=tiny_disk))
    journal.write(DAY, "x" * 10_000)
    os.truncate(tiny_disk / FILE, 0)
    with pytest.raises(OSError, match="No space left"):
        journal.write(DAY, "y" * (1 << 20))
    journal.close()
    assert (tiny_disk / FILE).read_bytes() == b""


def test_a_clock_that_is_put_back_over_midnight_turns_no_page_back(pen: Pen, directory: Path) -> None:
    pen.write("joined", day=NEXT_DAY)
    pen.write("left", day=DAY)
    pen.settle()
    assert [path.read_text() for path in receipt_files(directory)] == ["joined\nleft\n"]


def test_a_clock_that_was_days_ahead_is_not_followed(pen: Pen, directory: Path) -> None:
    pen.write("ahead", day=DAY + timedelta(days=2))
    pen.write("right", day=DAY)
    pen.settle()
    assert (directory / FILE).read_text() == "right\n"


def test_a_directory_that_others_may_see_is_refused_with_the_remedy(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    pen = Pen(tmp_path)
    failed = pen.told.expect(say.SinkFailed)
    assert failed.reason == "EPERM"
    assert f"{tmp_path} is open to others; run chmod 700" in failed.remedy
    tmp_path.chmod(0o700)
    pen.write("one")
    pen.sink.retry()
    pen.told.expect(say.SinkRestored)
    pen.sink.close(2)
    assert (tmp_path / FILE).read_text() == "one\n"


def test_a_place_where_nobody_may_write_is_a_failure_with_a_remedy() -> None:
    # Not even root makes a directory there.
    pen = Pen(Path("/sys/kernel/clankie"))
    failed = pen.told.expect(say.SinkFailed)
    assert failed.reason in {"EPERM", "EACCES", "EROFS"}
    assert failed.remedy.startswith("let this user write to /sys/kernel/clankie")
    pen.write("one")
    assert pen.sink.close(2) == 1


def test_a_file_in_the_place_of_the_directory_is_a_failure_and_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("mine")
    pen = Pen(tmp_path / "evidence")
    assert pen.told.expect(say.SinkFailed).reason == "EEXIST"
    assert pen.sink.close(2) == 0
    assert (tmp_path / "evidence").read_text() == "mine"


def test_nothing_is_tried_until_the_order_to_retry_and_the_backlog_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "evidence").touch()
    pen = Pen(tmp_path / "evidence", backlog_lines=2)
    pen.told.expect(say.SinkFailed)
    pen.write("one", "two")
    assert not pen.sink.append(R, DAY, "three")
    (tmp_path / "evidence").unlink()
    assert pen.sink.waiting() == 2
    pen.sink.retry()
    pen.told.expect(say.SinkRestored)
    pen.settle()
    assert (tmp_path / "evidence" / FILE).read_text() == "one\ntwo\n"
    pen.sink.close(2)


def test_a_disk_that_hangs_holds_up_neither_the_writer_nor_for_long_the_end(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging, release = threading.Event(), threading.Event()

    def hang(*_: object) -> None:
        hanging.set()
        assert release.wait(10)

    monkeypatch.setattr(Journal, "write", hang)
    pen = Pen(directory, backlog_lines=3)
    pen.write("one")
    assert hanging.wait(2)
    pen.write("two", "three")
    assert not pen.sink.append(R, DAY, "four")
    for token in range(100):
        pen.sink.sync(Token(token))
    assert pen.sink.close(0.05) == 3
    release.set()
    assert pen.sink.close(2) == 0
    assert pen.told.expect(say.SinkSynced).token == 0
    assert pen.told.expect(say.SinkSynced).token == 99


FILL = """
import os, resource, signal
from datetime import date, timedelta
from pathlib import Path
from actors.evidence.files import Stream
from tests.actors.evidence.test_local import Pen, say

DAY, R = date(2026, 1, 1), Stream.RECEIPTS
pen = Pen(Path(os.environ["EVIDENCE"]))
resource.setrlimit(resource.RLIMIT_FSIZE, (250, resource.RLIM_INFINITY))
pen.write(*["x" * 99] * 4)
print(pen.told.expect(say.SinkFailed).reason, pen.sink.waiting())
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
pen.sink.retry()
pen.told.expect(say.SinkRestored)
print(pen.sink.close(2))
"""

WRITE_FOR_EVER = """
import os
from pathlib import Path
from tests.actors.evidence.test_local import Pen, a_line

pen = Pen(Path(os.environ["EVIDENCE"]))
print("begun", flush=True)
while True:
    pen.sink.append("receipts", __import__("datetime").date(2026, 1, 1), a_line())
"""


def a_line() -> str:
    left = say.Left(stay_id=StayId("s1"), reason="self_decided", duration_ms=1)
    line = to_line(left, entry_id="e", occurred_at=ManualClock().wall(), origin="local")
    assert isinstance(line, str)
    return line


def program(text: str, directory: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "EVIDENCE": str(directory)}
    command = [sys.executable, "-c", textwrap.dedent(text)]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def test_a_full_disk_leaves_whole_lines_and_gets_the_rest_once_there_is_room(directory: Path) -> None:
    with program(FILL, directory) as filling:
        out, _ = filling.communicate(timeout=30)
    assert out.split() == ["EFBIG", "2", "0"]
    assert (directory / FILE).read_text() == ("x" * 99 + "\n") * 4


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 64 KiB, where this user may have one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tiny", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a disk, and not everywhere")
    yield place
    unmount = ["umount", str(place)]
    subprocess.run(unmount, check=True)


def test_a_disk_without_space_says_to_make_room_and_then_takes_what_waited(tiny_disk: Path) -> None:
    (tiny_disk / "ballast").write_bytes(b"x" * 50_000)
    pen = Pen(tiny_disk / "evidence")
    pen.write(*["x" * 999] * 40)
    failed = pen.told.expect(say.SinkFailed)
    assert failed.reason == "ENOSPC"
    assert failed.remedy.startswith("make room on the disk of")
    (tiny_disk / "ballast").unlink()
    pen.sink.retry()
    pen.told.expect(say.SinkRestored)
    assert pen.sink.close(2) == 0
    assert (tiny_disk / "evidence" / FILE).read_text() == ("x" * 999 + "\n") * 40


def test_a_killed_process_leaves_lines_that_can_be_read(directory: Path) -> None:
    with program(WRITE_FOR_EVER, directory) as writing:
        assert writing.stdout
        assert writing.stdout.readline() == "begun\n"
        while not (directory / FILE).exists() or (directory / FILE).stat().st_size < 100_000:
            assert writing.poll() is None
        writing.send_signal(signal.SIGKILL)
    entries = list(read(receipt_files(directory)))
    assert len(entries) > 100
    assert all(isinstance(entry, Entry) for entry in entries[:-1])
    assert isinstance(entries[-1], Entry) or entries[-1].torn


def test_the_reader_goes_in_order_and_numbers_the_lines_that_are_none(directory: Path) -> None:
    directory.mkdir(parents=True)
    (directory / "receipts-2026-01-01.10.jsonl").write_text(a_line()[:-20])
    (directory / "receipts-2026-01-01.2.jsonl").write_bytes(b"\n\xff\n")
    (directory / FILE).write_text(a_line() + "\n{}\n" + a_line() + "\n")
    (directory / "transcript-2026-01-01.jsonl").write_text(json.dumps("hi") + "\n")
    files = receipt_files(directory)
    assert [path.name for path in files] == [
        FILE,
        "receipts-2026-01-01.2.jsonl",
        "receipts-2026-01-01.10.jsonl",
    ]
    first, bad, second, not_text, torn = read(files)
    assert isinstance(first, Entry)
    assert isinstance(second, Entry)
    assert bad == BadLine(path=files[0], number=2, reason="schemaVersion: missing", torn=False)
    assert not_text == BadLine(path=files[1], number=2, reason="line: not UTF-8", torn=False)
    assert torn == BadLine(path=files[2], number=1, reason="line: no JSON", torn=True)
