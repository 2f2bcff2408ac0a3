"""A server that is a program: born into a group of its own, shown none of our secrets, and buried whole."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Final

from actors.captain.settings import McpServer

PASSED_ON: Final = frozenset(
    {"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "SHELL", "TMPDIR", "LD_LIBRARY_PATH"}
)
"""Of the environment, which holds secrets, a server sees this and the LC_ variables."""
POLITE_SECONDS: Final = 0.5
"""How long it may take to go once it is told nothing more, and as long again once it is told to."""
REAP_SECONDS: Final = 0.5


def surroundings(configured: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a server."""
    passed_on = {name: value for name, value in os.environ.items() if _may_pass(name)}
    return {**passed_on, **configured}


def _may_pass(name: str) -> bool:
    return name in PASSED_ON or name.startswith("LC_")


class Program:
    """One life of it; all but the birth itself happens on the loop's thread."""

    def __init__(self, server: McpServer) -> None:
        self._server = server
        self._lock = threading.Lock()
        self._popen: subprocess.Popen[bytes] | None = None
        self._bare: list[IO[bytes]] = []
        self._unwanted = False
        self._watch: int | None = None
        self.exited = asyncio.Event()
        """Set when it has exited, as far as the system tells of it."""

    async def begin(self, gone: Callable[[], None]) -> None:
        """Start it; raises OSError. `gone` is told its exit.

        Whoever stops waiting must call `end` none the less.
        """
        popen = await asyncio.to_thread(self._be_born)
        if popen is None:
            raise OSError("nobody wants it any more")
        with suppress(OSError):  # a system without pidfds: it is gone when it has closed its output
            self._watch = os.pidfd_open(popen.pid)
            asyncio.get_running_loop().add_reader(self._watch, self._note_exit, gone)

    def take(self) -> IO[bytes]:
        """First what it says, then what it hears; whoever takes a pipe closes it."""
        return self._bare.pop(0)

    def _be_born(self) -> subprocess.Popen[bytes] | None:
        environment = surroundings(self._server.env)
        command = shutil.which(self._server.command, path=environment.get("PATH", os.defpath))
        if command is None:
            raise FileNotFoundError("there is no such program")
        with self._lock:
            if not self._unwanted:
                self._popen = subprocess.Popen(
                    (command, *self._server.args),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=environment,
                    start_new_session=True,
                    bufsize=0,
                )
                self._bare = [pipe for pipe in (self._popen.stdout, self._popen.stdin) if pipe is not None]
            return self._popen

    def _note_exit(self, gone: Callable[[], None]) -> None:
        self._close_watch()
        self.exited.set()
        gone()

    def _close_watch(self) -> None:
        if self._watch is not None:
            asyncio.get_running_loop().remove_reader(self._watch)
            os.close(self._watch)
            self._watch = None

    async def end(self) -> None:
        """See it gone with all its children, within two seconds; close before what you took."""
        with self._lock:
            self._unwanted, popen = True, self._popen
        if popen is None:
            return
        for pipe in self._bare:
            pipe.close()
        try:
            if not await self._goes():
                _signal_group(popen, signal.SIGTERM)
                await self._goes()
        finally:
            # Its number stays its group's as long as it is not waited for, so this strikes nobody else.
            _signal_group(popen, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                popen.wait(REAP_SECONDS)
            self._close_watch()

    async def _goes(self) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(POLITE_SECONDS):
                await self.exited.wait()
        return self.exited.is_set()


def _signal_group(popen: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(popen.pid, number)
