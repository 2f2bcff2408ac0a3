"""What goes wrong really does: the clock is put, the disk is full, a provider refuses; and nothing raises."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, cast

import pytest

from tests.loopback.openai.server import OpenAi
from tests.loopback.providers import Refusal, Refusing
from tests.reliability.chaos.faults import FAULTS, begin, clock, disk
from tests.reliability.chaos.plan import ALL, Happening
from tests.reliability.chaos.trouble import Kind
from tests.reliability.night import Evening


@pytest.fixture
def child(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that says what time it is whenever it is asked."""
    script = "import sys, time\nfor _ in sys.stdin: print(time.time(), time.monotonic(), flush=True)"
    with clock.shifted(tmp_path) as can:
        if not can:
            pytest.skip("there is no compiler")
        process = subprocess.Popen(
            (sys.executable, "-c", script),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
    with process:
        yield process
        cast("IO[str]", process.stdin).close()


def test_every_kind_of_trouble_has_somebody_who_brings_it_about() -> None:
    assert set(FAULTS) == ALL


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no compiler")
def test_a_clock_is_put_and_time_that_only_grows_is_not(tmp_path: Path, child: subprocess.Popen[str]) -> None:
    def asked() -> tuple[float, float]:
        cast("IO[str]", child.stdin).write("\n")
        wall, only_grows = cast("IO[str]", child.stdout).readline().split()
        return float(wall), float(only_grows)

    file = tmp_path / clock.NAME
    wall, grows = asked()
    for seconds in (3_600.0, -3_600.0, 3.0):
        clock.put(file, seconds)
        put, later = asked()
        assert put - wall == pytest.approx(seconds + later - grows, abs=0.5)
    clock.put(file, 0.0)
    assert asked()[0] - wall < 60
    assert clock.told(file) >= 3
    assert "LD_PRELOAD" not in os.environ


def test_a_small_disk_is_there_and_gone_again(tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    if not disk.mount(folder):
        pytest.skip("only root may mount")
    try:
        assert os.path.ismount(folder)
        assert os.statvfs(folder).f_blocks * os.statvfs(folder).f_frsize == 8 << 20
    finally:
        disk.unmount(folder)
    assert not os.path.ismount(folder)


def test_whoever_is_refused_for_a_while_is_let_in_afterwards_and_nobody_else_is_refused() -> None:
    with OpenAi() as openai:
        refusing = Refusing(address="/v1/models/", refusal=Refusal(status=503, body={}))

        def status(path: str) -> int:
            line = HTTPConnection("127.0.0.1", openai.ground.port, timeout=5)
            with closing(line):
                line.request("GET", f"/v1{path}", headers={"Authorization": f"Bearer {openai.key}"})
                return line.getresponse().status

        openai.ground.refusing.append(refusing)
        assert [status("/models/gpt-6-luna"), status("/models/gpt-6-luna"), status("/models")] == [
            503,
            503,
            200,
        ]
        openai.ground.refusing.remove(refusing)
        assert status("/models/gpt-6-luna") == 200
        assert refusing.times == 2


@pytest.mark.parametrize("kind", sorted(ALL))
def test_an_evening_in_which_nothing_answers_makes_it_miss_and_not_raise(kind: Kind) -> None:
    class Nothing:
        def __getattr__(self, name: str) -> object:
            raise AssertionError(f"nobody has a {name}")

    happening = Happening(number=1, at=0.0, kind=kind, target="gateway", seconds=1.0)
    effect = begin(happening, cast("Evening", Nothing()))()
    assert effect.hits == 0
    assert effect.missed
