"""A service manager hears that he is ready, alive and on his way out, and one that is deaf harms nobody."""

from __future__ import annotations

import os
import socket
from collections.abc import Generator
from pathlib import Path
from threading import Event

import pytest

from messages.lifecycle import LifeState, TreeNode
from supervisors.local import local_house
from supervisors.paths import kept_in
from supervisors.service_manager import ServiceManager
from supervisors.settings import load

A_TREE = TreeNode(path="root", kind="Supervisor", state=LifeState.OPEN, restarts=0, mailbox_depth=0, facts={})


@pytest.fixture
def ear(tmp_path: Path) -> Generator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(5.0)
        yield listening


class Time:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def heard(ear: socket.socket) -> list[str]:
    ear.setblocking(False)
    found = list[str]()
    try:
        while True:
            found.append(ear.recv(100).decode())
    except BlockingIOError:
        return found


def test_it_hears_of_the_beginning_and_of_the_end(ear: socket.socket) -> None:
    manager = ServiceManager({"NOTIFY_SOCKET": str(ear.getsockname())})
    manager.ready()
    assert not manager.due()  # it has no watchdog
    manager.stopping()
    assert heard(ear) == ["READY=1", "STOPPING=1"]


def test_an_abstract_name_is_found() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0clankie-test-{os.getpid()}")
        ServiceManager({"NOTIFY_SOCKET": f"@clankie-test-{os.getpid()}"}).ready()
        assert heard(listening) == ["READY=1"]


def test_a_watchdog_is_fed_at_half_its_patience(ear: socket.socket) -> None:
    time = Time()
    manager = ServiceManager(
        {
            "NOTIFY_SOCKET": str(ear.getsockname()),
            "WATCHDOG_USEC": "10000000",
            "WATCHDOG_PID": str(os.getpid()),
        },
        time,
    )
    asked = list[float]()
    for _ in range(12):
        if manager.due():
            asked.append(time.now)
        time.now += 1.0
    assert asked == [100.0, 105.0, 110.0]


def test_it_hears_that_he_is_alive_from_a_root_that_answers_and_from_no_other(
    ear: socket.socket, tmp_path: Path
) -> None:
    manager, away, answered = ServiceManager({"NOTIFY_SOCKET": str(ear.getsockname())}), Event(), Event()

    class Deaf:
        def tell(self, tree: TreeNode, /) -> None:
            answered.set()
            away.wait(30.0)

    with local_house(load(None, kept_in(tmp_path))) as house:
        house.ask(manager)
        assert ear.recv(100) == b"WATCHDOG=1"
        house.ask(Deaf())
        assert answered.wait(10.0)
        house.ask(manager)
        assert heard(ear) == []  # its root hangs, though the thread that keeps the house open does not
        away.set()
        ear.settimeout(10.0)
        assert ear.recv(100) == b"WATCHDOG=1"


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"NOTIFY_SOCKET": "/nowhere/at/all"},
        {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "often"},
        {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "5", "WATCHDOG_PID": "1"},
    ],
)
def test_one_that_does_not_listen_is_no_reason_to_fall(environment: dict[str, str]) -> None:
    manager = ServiceManager(environment)
    manager.ready()
    manager.due()
    manager.tell(A_TREE)
    manager.stopping()
