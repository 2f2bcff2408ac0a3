"""The guard that fails untidy tests is itself shown one of each kind."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

UNTIDY = """
import socket, subprocess, sys, threading
import pykka

from tests import conftest

GRACE = conftest.GRACE_SECONDS
KEPT = []


def test_leaves_an_actor():
    pykka.ThreadingActor.start()


def test_leaves_a_thread():
    conftest.GRACE_SECONDS = 0.2
    KEPT.append(threading.Event())
    threading.Thread(target=KEPT[-1].wait, args=(60,), name="straggler", daemon=True).start()


def test_leaves_a_socket():
    conftest.GRACE_SECONDS = GRACE
    KEPT.append(socket.socket())


def test_leaves_a_child():
    KEPT.append(subprocess.Popen([sys.executable, "-c", "pass"]))


def test_lets_an_exception_escape_a_thread():
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()


def test_is_tidy():
    with socket.socket():
        thread = threading.Thread(target=int)
        thread.start()
"""


def test_whatever_a_test_leaves_behind_fails_that_test_and_no_other(tmp_path: Path) -> None:
    untidy = tmp_path / "test_untidy.py"
    untidy.write_text(UNTIDY)
    options = ["-q", "-rA", "--no-header", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-c", str(ROOT / "pyproject.toml"), str(untidy)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    report = run.stdout
    assert "left behind: actor ThreadingActor" in report
    assert "left behind: thread straggler" in report
    assert "left behind: socket socket:[" in report
    assert "left behind: process " in report
    assert "FAILED ::test_lets_an_exception_escape_a_thread" in report
    assert "PASSED ::test_is_tidy" in report
    assert "1 failed, 5 passed, 4 errors" in report
