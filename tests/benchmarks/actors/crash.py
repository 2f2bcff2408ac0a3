"""A child is crashed again and again: how long after that its next life reads a letter from outside."""

from __future__ import annotations

import sys
import threading
import time
from typing import Final

from actors.base import Life, Worker
from messages.lifecycle import Ending, Poison, RestartType
from supervisors.address import Address
from supervisors.child import ChildSpec
from supervisors.cli import SWITCH_SECONDS
from supervisors.logs import configure
from supervisors.settings import LogSettings
from supervisors.supervisor import Supervisor
from tests.benchmarks.bench import tell
from tests.benchmarks.figures import Values, percentile

DEADLINE_SECONDS: Final = 5.0


class Phoenix(Worker[threading.Event]):
    """Tells of each of its lives, and sets whatever it is given."""

    def __init__(self, life: Life, lives: threading.Semaphore) -> None:
        super().__init__(life)
        self._lives = lives

    def opened(self) -> None:
        self._lives.release()

    def receive(self, message: threading.Event) -> None:
        message.set()


def crashed(times: int) -> Values:
    """Milliseconds from each order to crash to the first letter that the next life has handled."""
    lives, address = threading.Semaphore(0), Address[threading.Event | Poison]()
    spec = ChildSpec(
        name="phoenix",
        make=lambda life: Phoenix(life, lives),
        restart=RestartType.PERMANENT,
        address=address,
    )
    # Every restart is a first one: without an intensity that allows for all of them he would give up.
    root = Supervisor(Life.alone("root"), children=(spec,), intensity=times, period=60.0)
    root.life.begin(root)
    try:
        _await(lives)
        again = [_once(address, lives) for _ in range(times)]
    finally:
        root.life.ask_to_stop(Ending.SHUTDOWN, DEADLINE_SECONDS)
        root.life.wait_gone(DEADLINE_SECONDS)
    return {
        "p50_ms": 1e3 * percentile(again, 50),
        "p99_ms": 1e3 * percentile(again, 99),
        "max_ms": 1e3 * max(again),
    }


def _once(address: Address[threading.Event | Poison], lives: threading.Semaphore) -> float:
    handled = threading.Event()
    began = time.monotonic()
    address.tell(Poison())
    _await(lives)
    address.tell(handled)
    if not handled.wait(DEADLINE_SECONDS):
        raise TimeoutError("the next life read nothing")
    return time.monotonic() - began


def _await(lives: threading.Semaphore) -> None:
    if not lives.acquire(timeout=DEADLINE_SECONDS):
        raise TimeoutError("there was no next life")


def main(times: str) -> None:
    """Crash it so many times, with a log as the house writes it."""
    configure(LogSettings())
    sys.setswitchinterval(SWITCH_SECONDS)
    tell(crashed(int(times)))


if __name__ == "__main__":
    main(*sys.argv[1:])
