"""An overseer starts children, sees them off and knows old letters from new; others decide their fate."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar, assert_never, cast

from loguru import logger

from actors.base import Life, Worker
from messages.lifecycle import (
    CrashChild,
    Ending,
    Exited,
    Poison,
    RestartAnswered,
    RestartChild,
    RestartType,
    Scalar,
    TreeNode,
)
from messages.mailbox import Mailbox
from supervisors.child import Child, ChildSpec
from supervisors.policy import passed_down, share, spend, wants_restart
from supervisors.restarting import PassedOn, answer

if TYPE_CHECKING:
    from loguru import Logger

M = TypeVar("M")


class IntensityExceeded(Exception):
    """Children failed more often than this supervisor may mend."""


class Overseer(Worker[M], Generic[M]):
    """What static and dynamic supervisors have in common. Its children run as it runs (`life.runtime`)."""

    def __init__(self, life: Life, *, intensity: int, period: float, stop_within: float) -> None:
        super().__init__(life)
        self._intensity, self._period, self._stop_within = intensity, period, stop_within
        self._failures: tuple[float, ...] = ()
        # By path. Replaced and never changed, because the status page reads it from another thread.
        self._children: Mapping[str, Child] = {}
        self._incarnations = itertools.count(1)
        self._abandoned = self._old_letters = 0
        self._passed_on = PassedOn()

    def closed(self, ending: Ending) -> None:
        """Stop every child, for a reason that follows from `ending`, in the time that is left."""
        self._stop_all(self._running(), passed_down(ending), self._time_to_stop())

    def describe(self) -> Mapping[str, Scalar]:
        """Counters."""
        return {
            "abandoned": self._abandoned,
            "old_letters": self._old_letters,
            "recent_failures": len(self._failures),
        }

    def tree(self) -> TreeNode:
        """Itself and everyone below, without asking anyone."""
        return replace(super().tree(), children=tuple(map(_node, self._children.values())))

    def passing(self) -> Iterator[str]:
        """The paths of those below who run and are never restarted; whoever is below these goes with them."""
        for child in self._running():
            if child.spec.restart is RestartType.TEMPORARY:
                yield child.life.path
            elif isinstance(child.life.worker, Overseer):
                yield from child.life.worker.passing()

    # --- starting

    def _start_all(self, specs: Iterable[ChildSpec]) -> None:
        """Start in order, each opened before the next begins; a failure to open is spent and tried again.

        Raises IntensityExceeded. A child that is not to be restarted stays away; a stop cuts it all short.
        """
        for spec in specs:
            while not self.life.stop_asked and not self._start_once(spec):
                if not wants_restart(spec.restart, Ending.OPEN_FAILED):
                    break
                self._spend()

    def _start_once(self, spec: ChildSpec) -> bool:
        """False if the child failed to open, and is gone again."""
        path = self._path(spec.name)
        life = Life(
            path=path,
            incarnation=next(self._incarnations),
            announce=cast("Mailbox[Exited]", self.here).tell,
            runtime=self.life.runtime,
        )
        before = self._children.get(path)
        child = Child(spec=spec, life=life, restarts=before.restarts + 1 if before else 0, running=True)
        self._keep(child)
        worker = life.construct(spec.make)
        if worker is not None:
            if spec.address is not None:
                life.heir = spec.address.inherit
                spec.address.bind(worker.actor_ref)
            life.begin(worker)
        if life.wait_opened(spec.open_deadline, unless=self.life):
            if spec.address is not None:
                spec.address.settle()
            return True
        if self.life.stop_asked:
            return True  # `closed` will see it off
        self._never_opened(child)
        return False

    def _never_opened(self, child: Child) -> None:
        exited = child.life.exited
        if exited is None:
            child.life.ask_to_stop(Ending.OPEN_FAILED, 0.0)
            self._abandon(child, f"it did not open within {child.spec.open_deadline} s")
        else:
            self._log(child).warning("child did not open: {}", exited.error)
        self._is_gone(child)

    def _spend(self) -> None:
        now = self.life.runtime.now()
        self._failures, exceeded = spend(self._failures, now, self._intensity, self._period)
        if exceeded:
            raise IntensityExceeded(f"{self.life.path}: over {self._intensity} failures in {self._period} s")

    # --- stopping

    def _stop_all(self, children: Sequence[Child], ending: Ending, within: float) -> None:
        """One after the other, the last first; each has its deadline, and all together `within` seconds."""
        end = self.life.runtime.now() + within
        for waiting, child in reversed(list(enumerate(children))):
            left = end - self.life.runtime.now()
            deadline = min(child.spec.stop_deadline, share(left, waiting))
            child.life.ask_to_stop(ending, deadline)
            self._see_off(child, deadline)

    def _see_off(self, child: Child, deadline: float) -> None:
        if not child.life.wait_gone(deadline):
            self._abandon(child, f"it did not stop within {deadline:.2f} s")
        elif child.life.exited is not None and child.life.exited.error is not None:
            self._log(child).warning("child failed while it was stopping: {}", child.life.exited.error)
        self._is_gone(child)

    def _abandon(self, child: Child, why: str) -> None:
        self._abandoned += 1
        child.life.abandon()
        self._log(child).error("child abandoned: {}", why)

    def _is_gone(self, child: Child) -> None:
        if child.spec.address is not None:
            child.spec.address.unbind()
        self._keep(replace(child, running=False))
        self._passed_on.gone(child.life.path)

    def _time_to_stop(self) -> float:
        """A little less than its own supervisor waits, so that it is not itself abandoned."""
        if self.life.stop_by is None:
            return self._stop_within
        return min(self._stop_within, 0.9 * (self.life.stop_by - self.life.runtime.now()))

    # --- knowing

    def _accept(self, letter: Exited) -> Child | None:
        """The child that this letter is news of; None if it is an old one."""
        child = self._children.get(letter.child)
        if child is None or not child.running or child.life.incarnation != letter.incarnation:
            self._old_letters += 1
            logger.debug("old letter from {} #{}: {}", letter.child, letter.incarnation, letter.ending)
            return None
        self._is_gone(child)
        if letter.error is None:
            self._log(child).info("child ended: {}", letter.ending)
        else:
            self._log(child).warning("child ended: {}: {}", letter.ending, letter.error)
        return child

    def _obey(self, order: CrashChild | RestartChild) -> None:
        """Carry out an order about a child, or pass it on to the overseer who is nearer."""
        for path, child in self._children.items():
            if order.path == path:
                self._carry_out(order, child)
                return
            if order.path.startswith(f"{path}/") and isinstance(child.life.worker, Overseer):
                self._pass_on(order, child)
                return
        logger.warning("an order for {}, but there is nobody of that name", order.path)
        if isinstance(order, RestartChild):
            answer(order, restarted=False)

    def _carry_out(self, order: CrashChild | RestartChild, child: Child) -> None:
        match order:
            case CrashChild():
                child.life.send(Poison())
            case RestartChild() if child.spec.restart is RestartType.TEMPORARY:
                self._log(child).warning("an order to restart what is never restarted")
                answer(order, restarted=False)
            case RestartChild():
                before = tuple(self.passing())
                try:
                    self._restart(child)
                finally:
                    ended = tuple(path for path in before if path not in set(self.passing()))
                    answer(order, restarted=self._lives_anew(child), ended=ended)
            case _:
                assert_never(order)

    def _pass_on(self, order: CrashChild | RestartChild, child: Child) -> None:
        match order:
            case CrashChild():
                child.life.send(order)
            case RestartChild():
                here = cast("Mailbox[RestartAnswered]", self.here)
                self._passed_on.pass_on(order, child.life, here)
            case _:
                assert_never(order)

    def _lives_anew(self, before: Child) -> bool:
        now = self._children.get(before.life.path, before)
        return now.life is not before.life and now.life.wait_opened(0.0)

    @abstractmethod
    def _restart(self, child: Child) -> None:
        """Stop and start on order; nobody failed, so nothing is spent."""

    def _path(self, name: str) -> str:
        return f"{self.life.path}/{name}"

    def _running(self) -> list[Child]:
        return [child for child in self._children.values() if child.running]

    def _keep(self, child: Child) -> None:
        self._children = {**self._children, child.life.path: child}

    def _log(self, child: Child) -> Logger:
        return logger.bind(child=child.life.path, incarnation=child.life.incarnation)


def _node(child: Child) -> TreeNode:
    node = child.life.tree()
    missed = child.spec.address.missed if child.spec.address is not None else 0
    facts = {**node.facts, "letters_missed": missed} if missed else node.facts
    return replace(node, restarts=child.restarts, facts=facts)
