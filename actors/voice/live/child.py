"""The media process seen from the house: born with a pipe, asked whether it lives, and buried once."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from loguru import logger

from actors.net.loop import IoLoop
from actors.seclusion import DEBUG_VARIABLE
from actors.voice.media import ipc, mail
from actors.voice.media.pipe import Pipe, PipeClosed, socket_pair

ROOT: Final = Path(__file__).resolve().parents[3]
"""Where `actors` is found."""
PROGRAM: Final = (sys.executable, "-m", "actors.voice.media")
PASSED_ON: Final = frozenset(
    {"PATH", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", DEBUG_VARIABLE}
    | {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
)
"""Of the environment, which holds secrets, the media process sees this and the LC_ variables."""
LEAN: Final = {"MALLOC_ARENA_MAX": "1", "PYTHONNODEBUGRANGES": "1"}
"""What keeps it half a megabyte smaller."""
PING_SECONDS: Final = 1.0
MOST_UNANSWERED: Final = 3
REAP_SECONDS: Final = 0.01
MOST_REAPING: Final = 500


class Child:
    """One life of the media process; `news` and, once and last, `died` are told on the loop's thread."""

    def __init__(
        self,
        loop: IoLoop,
        begin: mail.Begin,
        *,
        news: Callable[[mail.News], None],
        died: Callable[[Child], None],
        hello_seconds: float,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        """Raises OSError where no process can be started."""
        self._popen, near = _born(program)
        self._io = loop
        self._news, self._died = news, died
        self._hello_seconds = hello_seconds
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._unanswered = 0
        self._reaping = 0
        self._pipe = Pipe(near, self._waits)
        self.hello: mail.Hello | None = None
        self.gone = threading.Event()
        self.send(begin)
        if not self._io.call(self._attach):
            self._popen.kill()
            self._popen.wait()
            self._pipe.close()
            raise OSError("the loop that would listen to the media process has stopped")

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    @property
    def dropped(self) -> int:
        """Letters of sound that did not fit into the pipe."""
        return self._pipe.dropped

    def send(self, order: mail.Order) -> None:
        """From any thread, with one system call; only sound may get lost."""
        self._pipe.send(ipc.encode(order), sound=isinstance(order, mail.Sound))

    def kill(self) -> None:
        """End it at once; `died` follows."""
        self._popen.kill()

    def end(self, seconds: float) -> None:
        """Let it say goodbye, and see that it is gone and buried when this returns; blocks for so long."""
        deadline = time.monotonic() + seconds
        if not self.gone.is_set():
            self.send(mail.Bye())
            self.gone.wait(seconds)
        try:
            self._popen.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self._io.call(self._bury)

    @property
    def is_buried(self) -> bool:
        """Whether the system has forgotten it."""
        return self._popen.returncode is not None

    def _waits(self) -> None:
        self._io.call(self._flush)

    # --- on the loop

    def _attach(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._pipe.fileno(), self._readable)
        self._beat = self._loop.call_later(self._hello_seconds, self._silent)

    def _silent(self) -> None:
        logger.warning("the media process {} does not answer: ended", self.pid)
        self.kill()

    def _ping(self) -> None:
        if self._loop is None:
            return
        if self._unanswered >= MOST_UNANSWERED:
            self._silent()
            return
        self._unanswered += 1
        self.send(mail.Ping(token=self._unanswered))
        self._beat = self._loop.call_later(PING_SECONDS, self._ping)

    def _flush(self) -> None:
        if self._loop is None or self.gone.is_set():
            return
        if self._pipe.flush():
            self._loop.remove_writer(self._pipe.fileno())
        else:
            self._loop.add_writer(self._pipe.fileno(), self._flush)

    def _readable(self) -> None:
        try:
            for message in self._pipe.each():
                self._read(message)
        except PipeClosed:
            self._bury()

    def _read(self, message: bytes) -> None:
        try:
            letter = ipc.decode(message)
        except ipc.Garbled as garbled:
            logger.warning("news of the media process was garbled: {}", garbled)
            return
        self._take(letter)

    def _take(self, letter: mail.Letter) -> None:
        if isinstance(letter, mail.Ping):
            self._unanswered = 0
        elif isinstance(letter, mail.Hello):
            self._greet(letter)
        elif isinstance(letter, mail.Note):
            logger.bind(media=self.pid).info("{}", letter.text)
        elif ipc.is_news(letter):
            self._news(letter)

    def _greet(self, hello: mail.Hello) -> None:
        if hello.version != ipc.VERSION:
            logger.error("the media process speaks version {}, not {}", hello.version, ipc.VERSION)
            self.kill()
            return
        self.hello = hello
        if self._beat is not None:
            self._beat.cancel()
        self._ping()

    def _bury(self) -> None:
        """The other end is gone: so is the process, or it will be."""
        if self._loop is None or self.gone.is_set():
            return
        self._loop.remove_reader(self._pipe.fileno())
        self._loop.remove_writer(self._pipe.fileno())
        if self._beat is not None:
            self._beat.cancel()
        self._pipe.close()
        self._reap()
        self.gone.set()
        self._died(self)

    def _reap(self) -> None:
        """A child that is not waited for stays in the system's books."""
        self._reaping += 1
        if self._popen.poll() is None and self._loop is not None and self._reaping < MOST_REAPING:
            if self._reaping == MOST_REAPING // 5:
                self._popen.kill()
            self._loop.call_later(REAP_SECONDS, self._reap)


def _born(program: Sequence[str]) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A process, and this end of the pipe to it; raises OSError."""
    near, far = socket_pair()
    passed_on = {name: value for name, value in os.environ.items() if _may_pass(name)}
    try:
        popen = subprocess.Popen(
            (*program, str(far.fileno())),
            pass_fds=(far.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
            env={**passed_on, **LEAN},
        )
    except OSError:
        near.close()
        raise
    finally:
        # As long as this end were open here too, the other's end would never be seen.
        far.close()
    return popen, near


def _may_pass(name: str) -> bool:
    return name in PASSED_ON or name.startswith("LC_")
