"""A test leaves the house as it found it: no actor, thread, socket or child process stays behind."""

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pykka
import pytest
from loguru import logger

os.environ.setdefault("HF_HUB_OFFLINE", "1")
# A suite that runs in the background inherits deafness to these; the programs that it starts must hear them.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# A test that is about a line of the log adds a sink of its own.
logger.remove()

WAITING = (
    "tests/browser/test_house.py",
    "tests/scenarios/",
    "tests/actors/console/test_seats_house.py",
    "tests/loopback/discord/test_lost_links.py",
    "tests/loopback/discord/test_reach.py",
    "tests/loopback/test_coming_and_going.py",
    "tests/reliability/chaos/test_chaos.py",
    "tests/reliability/overload/test_overload.py",
    "tests/reliability/supervision/",
    "tests/supervisors/test_captain_house.py",
    "tests/supervisors/test_whole_house.py",
)
"""Tests in real time, which wait more than they work."""
GRACE_SECONDS = 20.0
"""How long all the threads of one test may take, together, to finish what they were told to stop."""


def open_sockets() -> set[str]:
    """The inodes of this process's sockets; empty where there is no /proc."""
    sockets: set[str] = set()
    for descriptor in Path("/proc/self/fd").glob("*"):
        try:
            target = str(descriptor.readlink())
        except OSError:
            continue
        if target.startswith("socket:"):
            sockets.add(target)
    return sockets


def children() -> dict[int, str]:
    """The pid and command line of every child process, unreaped ones included."""
    found: dict[int, str] = {}
    for listing in Path("/proc/self/task").glob("*/children"):
        try:
            pids = [int(pid) for pid in listing.read_text().split()]
        except OSError:
            continue
        for pid in pids:
            found[pid] = command_line(pid)
    # Python starts this helper once for a whole process, whichever test needs it first.
    return {pid: command for pid, command in found.items() if not re.search("resource_tracker", command)}


def command_line(pid: int) -> str:
    """The command line of a process, or a word for why there is none."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode() or "zombie"
    except OSError:
        return "gone"


def still_running(before: set[threading.Thread]) -> list[str]:
    """The threads that were not there before and do not end within the grace."""
    deadline = time.monotonic() + GRACE_SECONDS
    # A daemon started by a library's thread may be new after the first look, hence not a single snapshot.
    while new := [thread for thread in threading.enumerate() if thread not in before]:
        new[0].join(max(0.0, deadline - time.monotonic()))
        if time.monotonic() >= deadline:
            return sorted(thread.name for thread in new if thread.is_alive())
    return []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deal those that wait out among those that work, so that the workers do not all wait at once.

    None is left for the end, when nobody could work beside it.
    """
    waiting = [item for item in items if item.nodeid.startswith(WAITING)]
    working = [item for item in items if not item.nodeid.startswith(WAITING)]
    between = len(working) * 4 // 5 // max(1, len(waiting))
    items.clear()
    for item in waiting:
        items += [item, *working[:between]]
        del working[:between]
    items += working


@pytest.fixture
def errors() -> Iterator[list[str]]:
    """The lines of the log that tell of errors."""
    lines: list[str] = []
    sink = logger.add(lines.append, format="{message}", level="ERROR")
    yield lines
    logger.remove(sink)


@pytest.fixture(autouse=True)
def nothing_stays_behind() -> Iterator[None]:
    """Fail the test that leaves something behind, and take it away so that the next one starts clean."""
    actors, threads = set(pykka.ActorRegistry.get_all()), set(threading.enumerate())
    sockets, processes = open_sockets(), children()
    yield
    left = [f"actor {actor}" for actor in pykka.ActorRegistry.get_all() if actor not in actors]
    for actor in pykka.ActorRegistry.get_all():
        if actor not in actors:
            actor.stop(block=False)
    left += [f"thread {name}" for name in still_running(threads)]
    left += [f"socket {inode}" for inode in sorted(open_sockets() - sockets)]
    left += [f"process {pid} {command}" for pid, command in children().items() if pid not in processes]
    if left:
        pytest.fail("left behind: " + ", ".join(left), pytrace=False)
