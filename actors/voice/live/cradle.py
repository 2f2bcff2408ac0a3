"""There is at most one media process for a link, and when it has died there may be another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from actors.net.loop import IoLoop
from actors.voice.live.child import Child
from actors.voice.media import ipc, mail
from actors.voice.settings import VoiceSettings
from messages.lifecycle import Scalar

HELLO_SECONDS: Final = 5.0
SCHEDULING: Final = {
    "fifo": "in real time",
    "nice": "before other programs",
    "none": "like any other program",
}


class Cradle:
    """Any thread may call anything; `news` and `died` are told on the loop's thread."""

    def __init__(
        self,
        loop: IoLoop,
        begin: mail.Begin,
        program: Sequence[str],
        *,
        news: Callable[[mail.News], None],
        died: Callable[[], None],
    ) -> None:
        self._loop, self._begin, self._program = loop, begin, program
        self._news, self._died = news, died
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._dying: tuple[Child, ...] = ()
        self._lives = 0

    @property
    def alive(self) -> bool:
        """Whether there is a process."""
        return self._child is not None

    def be_born(self) -> bool:
        """Have a process; whether it is a new one, which knows nothing. OSError where none can be started."""
        with self._lock:
            if self._child is not None:
                return False
            self._lives += 1
            self._child = Child(
                self._loop,
                self._begin,
                news=self._news,
                died=self._buried,
                hello_seconds=HELLO_SECONDS,
                program=self._program,
            )
        return True

    def send(self, order: mail.Order) -> None:
        """Tell it, if there is one."""
        child = self._child
        if child is not None:
            child.send(order)

    def end(self, seconds: float) -> None:
        """Let it say goodbye, or end it; blocks for so long."""
        with self._lock:
            children, self._dying = (*self._dying, self._child), ()
        for child in children:
            if child is not None:
                child.end(seconds)

    def describe(self) -> Mapping[str, Scalar]:
        """What it is and what it can do."""
        child = self._child
        hello = None if child is None else child.hello
        return {
            "media_process": None if child is None else child.pid,
            "media_processes": self._lives,
            "scheduling": None if hello is None else SCHEDULING.get(hello.priority, hello.priority),
            "opus": None if hello is None else hello.opus,
            "pipe_dropped": 0 if child is None else child.dropped,
        }

    def _buried(self, child: Child) -> None:
        with self._lock:
            if child is not self._child:
                return
            self._dying = (*(one for one in self._dying if not one.is_buried), child)
            self._child = None
        self._died()


def begin(
    settings: VoiceSettings, *, ca_file: Path | None, proxy: str | None, opus_library: str | None
) -> mail.Begin:
    """What a process has to know from the beginning."""
    return mail.Begin(
        version=ipc.VERSION,
        ca_file=None if ca_file is None else str(ca_file.absolute()),
        proxy=proxy or None,
        opus_library=opus_library,
        bitrate=settings.bitrate,
        complexity=settings.complexity,
        trailing_silence_frames=settings.trailing_silence_frames,
        audible_dbfs=settings.audible_dbfs,
        queue_seconds=settings.queue_seconds,
        starved_seconds=settings.starved_seconds,
        dave_seconds=settings.dave_seconds,
        secure_seconds=settings.secure_seconds,
    )
