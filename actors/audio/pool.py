"""Models think on two threads of their own; what nobody waits for any more is never thought."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import Final, TypeVar

from loguru import logger

R = TypeVar("R")

BOUND: Final = 32


class Urgency(IntEnum):
    """The order of what waits; within one urgency, first come, first served."""

    FINAL = 0
    """Somebody has stopped speaking and waits for an answer."""
    PARTIAL = 1
    """Somebody is speaking; a newer partial makes this one worthless."""
    IDLE = 2


class FailedBecause(Enum):
    """Why a job has no result."""

    RAISED = "raised"
    REPLACED = "replaced"
    DROPPED = "dropped"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFailure:
    """What a callback gets in place of a result; `detail` is an exception's type and text, or empty."""

    why: FailedBecause
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Job:
    urgency: Urgency
    key: Hashable
    ticket: int
    run: Callable[[], None]
    give_up: Callable[[FailedBecause], None]


class ModelPool:
    """A few threads and a bounded list of jobs, most urgent first.

    Every submitted job is answered exactly once through its callback: on a pool thread with its result or a
    failure, or on the thread of whoever displaced it. Callbacks are short: a `tell`.
    """

    def __init__(self, workers: int = 1, bound: int = BOUND, name: str = "models") -> None:
        self._bound = bound
        self._changed = threading.Condition()
        self._waiting: list[_Job] = []
        self._tickets = 0
        self._closing = False
        self.replaced = 0
        """How many jobs gave way to a newer one with the same key."""
        self.dropped = 0
        """How many jobs fell out because the list was full."""
        # Daemons: a pool that an error kept from being closed must not keep the program from ending.
        self._threads = [
            threading.Thread(target=self._labour, name=f"{name}-{i}", daemon=True) for i in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self,
        work: Callable[[], R],
        done: Callable[[R | PoolFailure], None],
        *,
        urgency: Urgency,
        key: Hashable = None,
    ) -> None:
        """Queue `work`; a waiting one with this key, unless more urgent, gives way to it. Never blocks.

        When the list is full the oldest of the least urgent jobs falls out, which may be this one.
        """

        def run() -> None:
            _answer(done, _outcome(work))

        def give_up(why: FailedBecause) -> None:
            _answer(done, PoolFailure(why=why))

        with self._changed:
            self._tickets += 1
            job = _Job(urgency=urgency, key=key, ticket=self._tickets, run=run, give_up=give_up)
            displaced = self._admit(job)
            self._changed.notify()
        if displaced is not None:
            loser, why = displaced
            loser.give_up(why)

    def close(self, deadline: float) -> bool:
        """Refuse new jobs, answer the waiting CLOSED, let the running end within `deadline` seconds.

        False when a job was still running then; its thread ends with the job.
        """
        with self._changed:
            self._closing = True
            waiting, self._waiting = self._waiting, []
            self._changed.notify_all()
        for job in waiting:
            job.give_up(FailedBecause.CLOSED)
        end = time.monotonic() + deadline
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _admit(self, job: _Job) -> tuple[_Job, FailedBecause] | None:
        if self._closing:
            return job, FailedBecause.CLOSED
        for place, older in enumerate(self._waiting):
            if job.key is not None and older.key == job.key and older.urgency >= job.urgency:
                self._waiting[place] = replace(job, ticket=older.ticket)
                self.replaced += 1
                return older, FailedBecause.REPLACED
        self._waiting.append(job)
        if len(self._waiting) <= self._bound:
            return None
        loser = max(self._waiting, key=lambda waiting: (waiting.urgency, -waiting.ticket))
        self._waiting.remove(loser)
        self.dropped += 1
        return loser, FailedBecause.DROPPED

    def _labour(self) -> None:
        while (job := self._next()) is not None:
            job.run()

    def _next(self) -> _Job | None:
        with self._changed:
            while not self._waiting:
                if self._closing:
                    return None
                self._changed.wait()
            job = min(self._waiting, key=lambda waiting: (waiting.urgency, waiting.ticket))
            self._waiting.remove(job)
            return job


def _outcome(work: Callable[[], R]) -> R | PoolFailure:
    try:
        return work()
    except Exception as error:
        return PoolFailure(why=FailedBecause.RAISED, detail=f"{type(error).__name__}: {error}")


def _answer(done: Callable[[R | PoolFailure], None], outcome: R | PoolFailure) -> None:
    try:
        done(outcome)
    except Exception as error:
        logger.warning("whoever asked the model pool cannot take the answer: {}", type(error).__name__)
