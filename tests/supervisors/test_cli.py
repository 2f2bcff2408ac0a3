"""The installed command as a process: what people see, and what they are told when something is wrong."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from supervisors.commands.rehearse_options import Providers
from tests.loopback.lender import OFFERS

CLANKIE = (sys.executable, "-m", "supervisors")
DEADLINE = 30.0
ROOT = Path(__file__).parents[2]

TWO_SECONDS = """
[[person]]
name = "Anna"
[[do]]
after = { receipt = "joined" }
delay = 2
end = true
"""


def clankie(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CLANKIE, *words],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        check=False,
    )


@contextmanager
def rehearsing(folder: Path) -> Generator[subprocess.Popen[str]]:
    """A `clankie rehearse` in which he has come in."""
    (folder / "play.toml").write_text(TWO_SECONDS.replace("delay = 2", "delay = 60"))
    command = [*CLANKIE, "rehearse", "play.toml", "--out", "out"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder, env=environment
    )
    try:
        assert process.stdout is not None
        assert any("Clankie comes in" in line for line in process.stdout)
        yield process
    finally:
        process.kill()
        process.communicate(timeout=DEADLINE)


def config(folder: Path, port: int) -> Path:
    path = folder / "config.toml"
    rooms = (f'[{room}]\ndirectory = "{folder}/{room}"\n' for room in ("evidence", "captain", "console"))
    path.write_text(f"{''.join(rooms)}port = {port}\n")
    return path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def running(folder: Path, port: int) -> Generator[subprocess.Popen[str]]:
    """A `clankie run` that is open; killed if the test did not end it."""
    process = subprocess.Popen(
        [*CLANKIE, "run", "--config", str(config(folder, port))],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=DEADLINE)


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """What it logs up to a line with these words."""
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if words in line:
            return said
    raise AssertionError(f"it ended without saying {words!r}:\n{said}")


def until(happened: Callable[[], bool]) -> None:
    """Look again and again; what is looked at cannot tell."""
    deadline = time.monotonic() + DEADLINE
    while not happened():
        assert time.monotonic() < deadline


def test_help_names_every_verb(tmp_path: Path) -> None:
    told = clankie("--help", folder=tmp_path)
    assert told.returncode == 0
    for verb in ("demo", "rehearse", "run", "status", "config"):
        assert verb in told.stdout


def test_help_waits_for_nothing_heavy() -> None:
    heavy = ("aiohttp", "ctranslate2", "loguru", "numpy", "onnxruntime", "pydantic", "pykka")
    code = f"import sys, supervisors.cli; print([name for name in {heavy!r} if name in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=DEADLINE, cwd=ROOT, check=True
    )
    assert told.stdout.strip() == "[]"


def test_it_says_its_version(tmp_path: Path) -> None:
    assert re.fullmatch(r"clankie \d+\.\d+\.\d+\n", clankie("--version", folder=tmp_path).stdout)


def test_a_running_house_answers_and_closes_in_order(tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path, port) as process:
        read_until(process, "he is in room local")
        told = clankie("status", "--port", str(port), folder=tmp_path)
        assert told.returncode == 0, told.stderr
        for words in (
            *("evidence", "captain", "gateway", "Why he is silent", " actors, 0 restarts, "),
            "in room local: people 0 (0 may be heard), floor dormant",
        ):
            assert words in told.stdout
        as_json = clankie("status", "--json", "--port", str(port), folder=tmp_path)
        assert '"tree"' in as_json.stdout
        process.send_signal(signal.SIGINT)
        read_until(process, "closing")
        assert process.wait(DEADLINE) == 0
    receipts = next((tmp_path / "evidence").glob("*.jsonl")).read_text()
    assert receipts.count('"type":"discord.voice.left"') == 1


def test_a_killed_house_is_put_on_record_by_the_next_and_a_second_one_is_refused(tmp_path: Path) -> None:
    with running(tmp_path, free_port()) as process:
        read_until(process, "he is in room local")
        refused = clankie("run", "--config", "config.toml", folder=tmp_path)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert "is written to by another clankie run" in refused.stderr
        record = next((tmp_path / "evidence").glob("*.jsonl"))
        until(lambda: '"type":"discord.voice.joined"' in record.read_text())
        process.kill()
    with running(tmp_path, free_port()) as process:
        read_until(process, "on record as left, reason crashed: 1")
        read_until(process, "he is in room local")
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGHUP)
        read_until(process, "closed")
        assert process.wait(DEADLINE) == 0
    receipts = "".join(path.read_text() for path in (tmp_path / "evidence").glob("*.jsonl"))
    assert receipts.count('"reason":"crashed"') == 1
    for kind in ("joined", "left"):
        assert receipts.count(f'"type":"discord.voice.{kind}"') == 2


def test_a_stack_of_every_thread_is_printed_on_sigusr1(tmp_path: Path) -> None:
    with running(tmp_path, free_port()) as process:
        read_until(process, "the house is open")
        process.send_signal(signal.SIGUSR1)
        read_until(process, "Thread 0x")


@pytest.mark.parametrize(
    ("debug", "told"),
    [("", "The thread people ended by a bug in Clankie (ValueError at "), ("1", "Traceback")],
)
def test_a_thread_that_ends_by_a_bug_says_so_in_one_line_unless_all_is_wanted(debug: str, told: str) -> None:
    program = (
        "import threading; from supervisors import cli;"
        "cli.app = threading.Thread(target=lambda: int('secret'), name='people').start; cli.main()"
    )
    environment = {**os.environ, "CLANKIE_DEBUG": debug}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        env=environment,
        check=True,
    )
    assert (len(done.stderr.splitlines()) == 1) == (not debug)
    assert ("secret" in done.stderr) == bool(debug)
    assert told in done.stderr


def test_a_second_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    with running(tmp_path, free_port()) as process:
        read_until(process, "the house is open")
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        assert process.wait(DEADLINE) in (0, 130)


def test_an_interrupted_rehearsal_closes_the_house_in_order_and_says_so_in_one_line(tmp_path: Path) -> None:
    with rehearsing(tmp_path) as process:
        refused = clankie("rehearse", "play.toml", "--out", "out", folder=tmp_path)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert "another rehearsal is writing to it" in refused.stderr
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        told = "Interrupted. The house is closed, and nothing was judged; what there is so far is in out.\n"
        assert process.stdout.read() == told
        assert process.wait(DEADLINE) == 130
    receipts = next((tmp_path / "out" / "state" / "evidence").glob("*.jsonl")).read_text()
    assert receipts.count('"type":"discord.voice.left"') == 1


def test_a_port_in_use_is_one_line_with_a_remedy_and_the_house_stays_open(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        running(tmp_path, server.getsockname()[1]) as process,
    ):
        said = read_until(process, "set [console] port")
        assert "Traceback" not in said
        assert process.poll() is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "--config", "nothing.toml"), "nothing.toml does not exist"),
        (("run", "--config", "bad.toml"), "[stay] colour is not a setting"),
        (("run", "--config", "cloud.toml"), "set CLANKIE_OPENAI_API_KEY, or [openai] key_file"),
        (("status", "--port", "1"), "clankie is not running"),
        (("rehearse", "nothing.toml"), "nothing.toml: No such file or directory"),
        (("rehearse", "key.toml"), "key.toml:4"),
        (("rehearse", "name.toml"), "name.toml:1: name: is missing"),
        (("rehearse", "wav.toml"), "wav.toml:6"),
        (("demo", "--out", "key.toml"), "key.toml: is a file; name a folder with --out"),
        (("rehearse", "good.toml", "--out", "key.toml"), "key.toml: is a file; name a folder with --out"),
    ],
)
def test_what_is_wrong_is_one_clear_line(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    (tmp_path / "bad.toml").write_text('[stay]\ncolour = "red"\n')
    (tmp_path / "cloud.toml").write_text('[realtime]\nprovider = "openai"\n')
    (tmp_path / "key.toml").write_text('title = "x"\n[[person]]\nname = "Anna"\ncolour = "red"\n')
    (tmp_path / "name.toml").write_text("[[person]]\nconsent = true\n")
    (tmp_path / "wav.toml").write_text(
        '[[person]]\nname = "Anna"\n[[do]]\nat = 1\nsay = "Anna"\nwav = "absent.wav"\n'
    )
    (tmp_path / "good.toml").write_text(TWO_SECONDS)
    done = clankie(*words, folder=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_written_configuration_is_a_file_that_can_be_used(tmp_path: Path) -> None:
    written = clankie("config", folder=tmp_path)
    (tmp_path / "config.toml").write_text(written.stdout)
    assert "clankie is not running" in clankie("status", folder=tmp_path).stderr


def test_an_offer_that_nobody_makes_is_told_those_that_there_are(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(TWO_SECONDS)
    done = clankie("rehearse", "--providers", "nobody", "good.toml", folder=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert all(f"'{offer}'" in done.stderr for offer in OFFERS)
    assert [one.value for one in Providers] == ["embedded", *OFFERS]


@pytest.mark.parametrize(
    "option", [("--providers", "loopback", "good.toml"), ("--discord", "good.toml"), ("--chaos", "1")]
)
def test_without_the_checkout_one_line_says_that_it_takes_one(
    tmp_path: Path, option: tuple[str, ...]
) -> None:
    (tmp_path / "good.toml").write_text(TWO_SECONDS)
    installed = "import sys; sys.modules['tests'] = None; from supervisors.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", installed, "rehearse", *option],
        capture_output=True, text=True, timeout=DEADLINE, cwd=tmp_path, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 2
    assert f"{option[0]} needs the source checkout" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
