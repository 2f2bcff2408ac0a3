"""What a service manager is told over its socket: ready, still alive, on the way out."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from messages.lifecycle import TreeNode

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
ALIVE: Final = "WATCHDOG=1"
SEND_SECONDS: Final = 0.5


class ServiceManager:
    """The one that started this program, if it wants to be told; with systemd that is `Type=notify`."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, now: Callable[[], float] = time.monotonic
    ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # An abstract name is written with an @, and meant with a zero.
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._now = now
        self._every = _half(environment)
        self._asked_at = float("-inf")

    def ready(self) -> None:
        """The house is open."""
        self._tell(READY)

    def stopping(self) -> None:
        """The house is being closed."""
        self._tell(STOPPING)

    def due(self) -> bool:
        """Whether its watchdog wants a sign of life; True once for each that it wants."""
        if self._every is None or self._now() - self._asked_at < self._every:
            return False
        self._asked_at = self._now()
        return True

    def tell(self, tree: TreeNode, /) -> None:
        """Still there: whoever looks after all the others has read a letter and answered it."""
        del tree
        self._tell(ALIVE)

    def _tell(self, what: str) -> None:
        """Without a word if nobody listens: a service manager that is gone is no reason to fall."""
        if not self._address:
            return
        with (
            suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line,
        ):
            line.settimeout(SEND_SECONDS)
            line.sendto(what.encode(), self._address)


def _half(environment: Mapping[str, str]) -> float | None:
    """Half of the watchdog's patience in seconds; None if there is none, or it is another process's."""
    text = environment.get("WATCHDOG_USEC", "")
    ours = environment.get("WATCHDOG_PID", "") in {"", str(os.getpid())}
    return int(text) / 2_000_000 if ours and text.isdecimal() and int(text) else None
