"""A life is one incarnation of one actor, seen from outside: has it opened, has it gone, what was it told."""

from __future__ import annotations

import contextlib
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pykka

from messages.lifecycle import Ending, Exited, LifeState, TreeNode

if TYPE_CHECKING:
    from actors.base import Worker

W = TypeVar("W", bound="Worker[Any]")

# One lock for the turning points of every life: they are rare, and only supervisors wait for them.
_turn = threading.Condition()
_ROOT = str(Path(__file__).parents[1])
_OURS = tuple(f"{_ROOT}/{folder}/" for folder in ("messages", "actors", "supervisors", "tests"))


def blame(failure: BaseException) -> str:
    """An exception's type and innermost place in our code; never its text: it may hold words or keys."""
    place = "an unknown place"
    for frame, line in traceback.walk_tb(failure.__traceback__):
        if frame.f_code.co_filename.startswith(_OURS):
            place = f"{frame.f_code.co_filename.removeprefix(_ROOT + '/')}:{line}"
    return f"{type(failure).__name__} at {place}"


class Runtime(Protocol):
    """How workers are brought to run: a thread each, or all on one stage."""

    def now(self) -> float:
        """Monotonic seconds."""
        ...

    def begin(self, worker: Worker[Any]) -> None:
        """Let a constructed worker open and receive."""
        ...

    def halt(self, worker: Worker[Any]) -> None:
        """Ask a worker to stop once it has read what it was told before."""
        ...


class Threads:
    """The real runtime."""

    def now(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

    def begin(self, worker: Worker[Any]) -> None:
        """Start its thread."""
        worker.begin()

    def halt(self, worker: Worker[Any]) -> None:
        """Put Pykka's stop message at the end of its mailbox."""
        with contextlib.suppress(pykka.ActorDeadError):
            worker.stop()


class Life:
    """One incarnation of one child: its worker reports here, its supervisor waits here."""

    def __init__(
        self, *, path: str, incarnation: int, announce: Callable[[Exited], None], runtime: Runtime
    ) -> None:
        self.path = path
        self.incarnation = incarnation
        self.announce = announce
        self.runtime = runtime
        self.ending_when_stopped = Ending.SHUTDOWN
        self.stop_by: float | None = None
        """When the worker must have closed, once it was asked to stop; on the runtime's clock."""
        self.dropped = 0
        """Messages that came too late for this life."""
        self.heir: Callable[[Sequence[Any]], int] = len
        """Takes the letters that this life leaves unread for the next one; how many of them are lost."""
        self.exited: Exited | None = None
        """What it announced, once it is gone."""
        self.undisturbed = True
        """Whether nobody has asked for its end and none has begun: looked at before each letter."""
        self._hurry_from: float | None = None
        self._state = LifeState.OPENING
        self._opened = self._abandoned = False
        self._kind = "nobody"
        self._worker: Worker[Any] | None = None
        self._thread: threading.Thread | None = None

    @classmethod
    def alone(cls, path: str = "test", announce: Callable[[Exited], None] | None = None) -> Life:
        """A life without a supervisor: for the root, and for tests."""
        return cls(path=path, incarnation=1, announce=announce or _nobody_cares, runtime=Threads())

    # --- the supervisor's side

    def construct(self, make: Callable[[Life], W]) -> W | None:
        """Make the worker; a failing constructor is announced as OPEN_FAILED, and is None here."""
        try:
            return make(self)
        except BaseException as failure:  # a child's constructor must not crash its supervisor
            self.mark_gone(Ending.OPEN_FAILED, blame(failure))
            return None

    def begin(self, worker: Worker[Any]) -> None:
        """Let the worker open."""
        try:
            self.runtime.begin(worker)
        except Exception as failure:
            worker.fail_to_open(failure)

    def wait_opened(self, deadline: float, unless: Life | None = None) -> bool:
        """Wait up to `deadline` seconds, or until `unless` is asked to stop; true if it has opened."""

        def decided() -> bool:
            return self._opened or self._state is LifeState.GONE or (unless is not None and unless.stop_asked)

        with _turn:
            _turn.wait_for(decided, deadline)
            return self._opened

    def ask_to_stop(self, ending: Ending, within: float) -> None:
        """Ask for the end. From half of `within` seconds on, the worker drops what it has not read yet."""
        with _turn:
            now = self.runtime.now()
            self.ending_when_stopped = ending
            self.stop_by, self._hurry_from = now + within, now + within / 2
            self.undisturbed = False
            _turn.notify_all()
            worker = self._worker
        if worker is not None:
            self.runtime.halt(worker)

    def wait_gone(self, deadline: float) -> bool:
        """Wait up to `deadline` seconds; true once everything it held is closed and its thread has ended."""
        end = time.monotonic() + deadline
        with _turn:
            gone = _turn.wait_for(lambda: self._state is LifeState.GONE, deadline)
            thread = self._thread
        if gone and thread is not None and thread is not threading.current_thread():
            thread.join(max(0.0, end - time.monotonic()))
        return gone

    def abandon(self) -> None:
        """Give up waiting."""
        self._abandoned = True

    def send(self, message: object) -> None:
        """Leave a supervisor's order with the worker, if there is one; never raises."""
        worker = self._worker
        if worker is not None:
            worker.here.tell(message)

    @property
    def worker(self) -> Worker[Any] | None:
        """Who lives this life; None before its construction and after its end."""
        return self._worker

    @property
    def stop_asked(self) -> bool:
        """Whether somebody wants it to end."""
        return self.stop_by is not None

    @property
    def state(self) -> LifeState:
        """How far it has come."""
        return LifeState.ABANDONED if self._abandoned else self._state

    def tree(self) -> TreeNode:
        """The actor of this life as it stands, from any thread."""
        worker = self._worker
        if worker is not None:
            return worker.tree()
        return TreeNode(
            path=self.path, kind=self._kind, state=self.state, restarts=0, mailbox_depth=0, facts={}
        )

    # --- the worker's side

    def belongs_to(self, worker: Worker[Any]) -> None:
        """A worker was constructed for this life."""
        self._worker, self._kind = worker, type(worker).__name__

    def mark_opened(self) -> None:
        """`opened` has returned."""
        with _turn:
            self._opened, self._state = True, LifeState.OPEN
            _turn.notify_all()

    def mark_closing(self) -> bool:
        """The end begins; false if it had begun already."""
        with _turn:
            if self.over:
                return False
            self._state, self._thread = LifeState.CLOSING, threading.current_thread()
            self.undisturbed = False
            return True

    def mark_gone(self, ending: Ending, error: str | None) -> None:
        """The end is complete: let go of the worker and announce it."""
        exited = Exited(child=self.path, incarnation=self.incarnation, ending=ending, error=error)
        with _turn:
            self._state, self._worker, self.exited = LifeState.GONE, None, exited
            _turn.notify_all()
        self.announce(exited)

    def count_dropped(self, letters: int) -> None:
        """Messages came too late."""
        with _turn:
            self.dropped += letters

    @property
    def over(self) -> bool:
        """Whether the end has begun."""
        return self._state in (LifeState.CLOSING, LifeState.GONE)

    @property
    def hurried(self) -> bool:
        """Whether half of the time to stop has passed."""
        return self._hurry_from is not None and self.runtime.now() >= self._hurry_from


def _nobody_cares(exited: Exited) -> None:
    """The end of a life without a supervisor."""
