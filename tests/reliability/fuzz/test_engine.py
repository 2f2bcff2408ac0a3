"""The instrument itself: it finds what is there to be found, says the same again, and is not kind."""

from __future__ import annotations

import json
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable
from random import Random

import pytest
from loguru import logger
from typer.testing import CliRunner

from tests.reliability.fuzz.__main__ import app
from tests.reliability.fuzz.engine import Hunt, hunt
from tests.reliability.fuzz.judge import Judge
from tests.reliability.fuzz.mutator import Mutator
from tests.reliability.fuzz.registry import targets
from tests.reliability.fuzz.run import Hunted, Hunters
from tests.reliability.fuzz.target import Broken, Form, Target, pack, unpack

VALID = b'{"type": "hello", "count": 3, "names": ["a", "b"]}'
READER = "tests/reliability/fuzz/target.py"


class OddError(Exception):
    """Nothing that anybody declares."""


def target(feed: Callable[[bytes], None], **more: object) -> Target:
    fields: dict[str, object] = {"form": Form.JSON, "declared": (ValueError,), **more}
    return Target(name="try", of="tries", feed=feed, seeds=lambda: [VALID], readers=(READER,), **fields)  # type: ignore[arg-type]


def failure_of(feed: Callable[[bytes], None], **more: object) -> str:
    with Judge(target(feed, **more)).sitting() as judge:
        failure = judge.read(VALID, weigh=True)
    return "" if failure is None else failure.kind


def test_what_nobody_declared_is_found_and_made_short() -> None:
    def feed(data: bytes) -> None:
        read = json.loads(data)
        if isinstance(read, dict) and not isinstance(read.get("count", 0), int):
            raise OddError("a count that is none")

    found = hunt(target(feed), 1, goes_on=lambda found: found.inputs < 600)
    (failure,) = found.failures.values()
    assert failure.kind.startswith("OddError")
    assert len(failure.input) < len(VALID)


def test_the_same_seed_gives_the_same_inputs() -> None:
    def inputs(seed: int) -> list[bytes]:
        mutator = Mutator(Random(seed), Form.JSON, sequence=False, corpus=[VALID])
        return [mutator.next() for _ in range(200)]

    assert inputs(1) == inputs(1)
    assert inputs(1) != inputs(2)
    assert len(set(inputs(1))) > 150


def test_what_reaches_a_new_line_is_gone_on_from() -> None:
    def feed(data: bytes) -> None:
        unpack(data)

    tried = target(feed, form=Form.BYTES, sequence=True)
    found = hunt(tried, 1, goes_on=lambda found: found.inputs < 300)
    assert found.corpus > 1
    assert 0 < found.reached < found.lines


def raises(data: bytes) -> None:
    raise OddError(str(data))


def breaks(_: bytes) -> None:
    raise Broken("a promise")


def is_slow(_: bytes) -> None:
    until = time.process_time() + 5
    while time.process_time() < until:
        pass


def takes_much(data: bytes) -> None:
    assert len(bytearray(64 << 20)) > len(data)


def logs_a_traceback(_: bytes) -> None:
    try:
        raises(b"")
    except OddError:
        logger.exception("it broke")


def logs_it_elsewhere(_: bytes) -> None:
    try:
        raises(b"")
    except OddError:
        logging.getLogger("of.somebody").exception("it broke")


def tells_a_secret(_: bytes) -> None:
    raise ValueError("the key is hush-hush")


def logs_a_secret(_: bytes) -> None:
    logger.debug("with {}", "hush-hush")


@pytest.mark.parametrize(
    ("feed", "kind"),
    [
        (raises, "OddError in tests/reliability/fuzz/judge.py:_fed > tests/reliability/fuzz/test_engine"),
        (breaks, "Broken: a promise"),
        (is_slow, "Slow"),
        (takes_much, "memory"),
        (logs_a_traceback, "log: it broke"),
        (logs_it_elsewhere, "log: it broke"),
        (tells_a_secret, "secret"),
        (logs_a_secret, "secret"),
        (lambda _: None, ""),
        (lambda _: [*range(1)][1], "IndexError"),
    ],
)  # fmt: skip
def test_nothing_is_forgiven(feed: Callable[[bytes], None], kind: str) -> None:
    assert failure_of(feed, secrets=("hush-hush",), seconds=0.2).startswith(kind)


def test_messages_are_told_apart_whatever_was_done_to_them() -> None:
    assert unpack(pack([b"a", b"", b"cd"])) == [b"a", b"", b"cd"]
    assert unpack(pack([b"a", b"bcd"])[:-2]) == [b"a", b"b"]
    assert unpack(b"\xff\xff\xff\xff") == [b""]
    assert unpack(b"abc") == []


def test_the_command_says_what_it_can_be_given() -> None:
    shown = CliRunner().invoke(app, ["nobody"])
    assert shown.exit_code == 2
    assert "there is no target nobody" in shown.output
    assert isinstance(Hunt(target=target(raises)).failures, dict)


DIES = "import os, sys; open(sys.argv[4], 'wb').write(b'\\0\\0\\0\\3bad'); os.kill(os.getpid(), 11)"
HANGS = "import sys, threading; open(sys.argv[4], 'wb').write(b'\\0\\0\\0\\3bad'); threading.Event().wait()"


@pytest.mark.parametrize(("program", "kind"), [(DIES, "ends its process (SIGSEGV)"), (HANGS, "hangs")])
def test_whoever_dies_or_hangs_at_an_input_has_found_something(program: str, kind: str) -> None:
    tried = target(raises)
    hunters = Hunters(1, lambda _: None, program=(sys.executable, "-c", program), silent_seconds=0.05)
    (hunted,) = hunters.all({tried: 1.3}, 1)
    assert [(one.kind, one.input) for one in hunted.failures.values()] == [(kind, b"bad")]


def test_whoever_is_stopped_leaves_nobody_behind() -> None:
    hunters = Hunters(1, lambda _: None, program=(sys.executable, "-c", HANGS), silent_seconds=60.0)
    hunters.stop()
    (hunted,) = hunters.all({target(raises): 60.0}, 1)
    assert hunted.failures == {}


def test_whoever_hunts_is_ended_with_the_hunt() -> None:
    hunters = Hunters(1, lambda _: None, program=(sys.executable, "-c", HANGS), silent_seconds=60.0)
    hunting = threading.Thread(target=lambda: list(hunters.all({target(raises): 60.0}, 1)))
    hunting.start()
    while not hunters._at_work:
        assert hunting.is_alive()
    (process,) = hunters._at_work
    hunters.stop()
    hunting.join(10.0)
    assert not hunting.is_alive()
    assert process.returncode == -signal.SIGKILL


def test_a_worker_hunts_tells_and_ends() -> None:
    told: list[Hunted] = []
    (hunted,) = Hunters(1, told.append).all({targets()["discovery"]: 1.5}, 1)
    assert hunted.failures == {}
    assert hunted.inputs > 10
    assert 0 < hunted.reached <= hunted.lines
    assert told[-1] is hunted
