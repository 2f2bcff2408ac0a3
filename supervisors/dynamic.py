"""A dynamic supervisor has no family until somebody asks for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar, assert_never

from actors.base import Life
from messages.lifecycle import (
    Close,
    CrashChild,
    DescribeTree,
    Ending,
    Exited,
    Open,
    OpenRefused,
    Refusal,
    RestartAnswered,
    RestartChild,
    Scalar,
)
from messages.mailbox import Mailbox
from supervisors.child import Child, ChildSpec
from supervisors.overseer import Overseer
from supervisors.policy import passed_down, wants_restart

R = TypeVar("R")

DynamicMessage: TypeAlias = (
    Open[R] | Close | Exited | DescribeTree | CrashChild | RestartChild | RestartAnswered
)


class DynamicSupervisor(Overseer[DynamicMessage[R]], Generic[R]):
    """Children on demand, independent of each other. A child that ends for good is forgotten.

    `make_child` turns a request into a spec, whose name tells the children apart. At most `max_children` run
    at a time; a request too many, or for a name that runs already, is counted and told to `refused`. `exits`
    hears once of every child that is gone while this supervisor goes on, those that never opened included.
    `ready` is called in every life as soon as requests are taken.
    """

    def __init__(
        self,
        life: Life,
        *,
        make_child: Callable[[R], ChildSpec],
        max_children: int,
        refused: Mailbox[OpenRefused[R]] | None = None,
        exits: Mailbox[Exited] | None = None,
        ready: Callable[[], None] | None = None,
        intensity: int = 3,
        period: float = 60.0,
        stop_within: float = 5.0,
    ) -> None:
        super().__init__(life, intensity=intensity, period=period, stop_within=stop_within)
        self._make_child = make_child
        self._max_children = max_children
        self._refused = refused
        self._exits = exits
        self._ready = ready
        self._refusals = 0

    def opened(self) -> None:
        """Say that requests are taken from now on."""
        if self._ready is not None:
            self._ready()

    def receive(self, message: DynamicMessage[R]) -> None:
        """Open, close, mend, describe, obey."""
        match message:
            case Open():
                self._open(message.request)
            case Close():
                self._close(message.name)
            case Exited():
                child = self._accept(message)
                if child is not None:
                    self._mend(child, message)
            case DescribeTree():
                message.reply_to.tell(self.tree())
            case CrashChild() | RestartChild():
                self._obey(message)
            case RestartAnswered():
                self._passed_on.answered(message)
            case _:
                assert_never(message)

    def closed(self, ending: Ending) -> None:
        """Ask everyone, the youngest first, and then wait for all at once: they do not know each other."""
        within = self._time_to_stop()
        end = self.life.runtime.now() + within
        leaving = self._running()[::-1]
        for child in leaving:
            child.life.ask_to_stop(passed_down(ending), min(child.spec.stop_deadline, within))
        for child in leaving:
            self._see_off(child, max(0.0, min(child.spec.stop_deadline, end - self.life.runtime.now())))

    def describe(self) -> dict[str, Scalar]:
        """Counters."""
        return {**super().describe(), "children": len(self._children), "refused": self._refusals}

    def _open(self, request: R) -> None:
        spec = self._make_child(request)
        if self._path(spec.name) in self._children:
            self._refuse(request, Refusal.ALREADY_OPEN)
        elif len(self._children) >= self._max_children:
            self._refuse(request, Refusal.FULL)
        else:
            self._start_all([spec])
            self._forget_if_gone(self._path(spec.name))

    def _refuse(self, request: R, refusal: Refusal) -> None:
        self._refusals += 1
        if self._refused is not None:
            self._refused.tell(OpenRefused(request=request, refusal=refusal))

    def _close(self, name: str) -> None:
        child = self._children.get(self._path(name))
        if child is not None:
            self._stop_all([child], Ending.REMOVED, child.spec.stop_deadline)
            self._forget_if_gone(child.life.path)

    def _mend(self, child: Child, exited: Exited) -> None:
        if wants_restart(child.spec.restart, exited.ending):
            self._spend()
            self._start_all([child.spec])
        self._forget_if_gone(child.life.path)

    def _restart(self, child: Child) -> None:
        self._stop_all([child], Ending.ORDERED, child.spec.stop_deadline)
        self._start_all([child.spec])
        self._forget_if_gone(child.life.path)

    def _forget_if_gone(self, path: str) -> None:
        child = self._children[path]
        if child.running:
            return
        self._children = {at: other for at, other in self._children.items() if at != path}
        if self._exits is not None:
            self._exits.tell(child.life.exited or _never_said_goodbye(child))


def _never_said_goodbye(child: Child) -> Exited:
    """The news of a child that was abandoned, in its own name."""
    return Exited(
        child=child.life.path,
        incarnation=child.life.incarnation,
        ending=child.life.ending_when_stopped,
        error="abandoned",
    )
