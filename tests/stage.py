"""A stage plays a whole house on one thread; who speaks next is chance, and the chance is a seed."""

from __future__ import annotations

import contextlib
import queue
import random
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

import pykka
from pykka.messages import _ActorStop

from actors.base import Life, Poisoned, Worker
from messages.lifecycle import Ending, Exited, Poison, Strategy
from supervisors.address import Address
from supervisors.supervisor import ChildSpec, Supervisor
from tests.clock import ManualClock
from tests.probe import Probe

W = TypeVar("W", bound=Worker[Any])
_A_STORM = 10_000


class _Inbox(queue.SimpleQueue[Any]):
    """A mailbox that tells the stage whom something is put into it for, and holds nobody in memory."""

    def __init__(self, reader: Worker[Any], mail: dict[Worker[Any], None]) -> None:
        self._reader, self._readers = weakref.ref(reader), mail

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        super().put(item)
        if (reader := self._reader()) is not None:
            self._readers.setdefault(reader)


class Stage:
    """Runs real, unstarted workers, supervisors and their children included, in an order drawn from `seed`.

    Order inside a mailbox is kept. Time stands still while anybody has mail. Usable as a context manager.
    """

    def __init__(self, seed: int = 0) -> None:
        self.clock = ManualClock()
        self.exited: Probe[Exited] = Probe()
        """What those who have no supervisor announced."""
        self.crashes: list[BaseException] = []
        """What was raised and not ordered; a test that expects it clears it, else `close` raises it."""
        self._chance = random.Random(seed)
        self._workers: dict[str, Worker[Any]] = {}
        self._mail: dict[Worker[Any], None] = {}
        """Whoever was written to, in order, and may not have read it yet."""
        self._alone: list[Life] = []

    # --- the cast

    def add(self, name: str, make: Callable[[Life], W], address: Address[Any] | None = None) -> W:
        """Open a worker that has no supervisor on the stage; its path is `name`."""
        life = Life(path=name, incarnation=1, announce=self.exited.tell, runtime=self)
        worker = make(life)
        if address is not None:
            address.bind(worker.actor_ref)
        self._alone.append(life)
        self.begin(worker)
        if life.exited is not None and life.exited.ending is Ending.OPEN_FAILED:
            self.crashes.append(AssertionError(f"{name} did not open: {life.exited.error}"))
        return worker

    def host(
        self,
        name: str,
        children: Sequence[ChildSpec],
        *,
        strategy: Strategy = Strategy.ONE_FOR_ONE,
        intensity: int = 3,
        period: float = 60.0,
    ) -> Supervisor:
        """Open a family under a real supervisor; its children are at `name/child`."""

        def make(life: Life) -> Supervisor:
            return Supervisor(life, children=children, strategy=strategy, intensity=intensity, period=period)

        return self.add(name, make)

    def worker(self, path: str) -> Worker[Any]:
        """Whoever plays this part now; KeyError if nobody does."""
        return {at: worker for at, worker in self._workers.items() if not worker.life.over}[path]

    def living(self) -> tuple[str, ...]:
        """The paths of all who play now."""
        return tuple(path for path, worker in self._workers.items() if not worker.life.over)

    # --- the play

    def run(self, seconds: float = 0.0) -> None:
        """Let everybody read their mail, and `seconds` pass."""
        end = self.clock.now() + seconds
        letters = 0
        while True:
            while (worker := self._next_reader()) is not None:
                self._deliver(worker)
                letters += 1
                assert letters < _A_STORM, f"{letters} letters at one moment: the stage never falls silent"
            due = self.clock.next_due()
            if due is None or due > end:
                break
            self.clock.advance_to(due)
            letters = 0
        self.clock.advance_to(end)

    def crash(self, path: str) -> None:
        """Crash this actor before its next message."""
        self._hand(self.worker(path), Poison())

    def close(self) -> None:
        """End everybody, the last first; raises what crashed unexpectedly."""
        for life in reversed(self._alone):
            life.ask_to_stop(Ending.SHUTDOWN, 5.0)
        self._alone.clear()
        if self.crashes:
            raise BaseExceptionGroup("crashes on the stage", self.crashes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- actors.life.Runtime

    def now(self) -> float:
        """The stage's time."""
        return self.clock.now()

    def begin(self, worker: Worker[Any]) -> None:
        """Let it open."""
        self._workers[worker.life.path] = worker
        before, inbox = worker.actor_inbox, _Inbox(worker, self._mail)
        worker.actor_inbox = worker.actor_ref.actor_inbox = inbox
        while not before.empty():
            inbox.put(before.get())
        worker.on_start()

    def halt(self, worker: Worker[Any]) -> None:
        """Let it read what it has, and stop."""
        while not worker.life.over and worker.unread():
            self._deliver(worker)
        worker.on_stop()

    def _next_reader(self) -> Worker[Any] | None:
        """One of those who have mail, drawn by chance."""
        while self._mail:
            worker = self._chance.choice(tuple(self._mail))
            if not worker.life.over and worker.unread():
                return worker
            del self._mail[worker]
        return None

    def _deliver(self, worker: Worker[Any]) -> None:
        letter = worker.actor_inbox.get()
        if isinstance(letter.message, _ActorStop):
            worker.on_stop()
        else:
            self._hand(worker, letter.message)

    def _hand(self, worker: Worker[Any], message: object) -> None:
        try:
            with contextlib.suppress(Poisoned, pykka.ActorDeadError):
                worker.on_receive(message)
        except Exception as failure:
            self.crashes.append(failure)
