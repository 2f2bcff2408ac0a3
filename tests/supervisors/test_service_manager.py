"""A service manager hears that he is ready, alive and on his way out, and one that is deaf harms nobody."""

from __future__ import annotations

import os
import socket
from collections.abc import Generator
from pathlib import Path

import pytest

from supervisors.service_manager import ServiceManager


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
    manager.alive()  # it has no watchdog
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
    for _ in range(12):
        manager.alive()
        time.now += 1.0
    assert heard(ear) == ["WATCHDOG=1"] * 3


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
    manager.alive()
    manager.stopping()
