"""A supervisor mends what can be mended by beginning again, and admits what cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from actors.base import Life
from messages.lifecycle import (
    CrashChild,
    DescribeTree,
    Ending,
    Exited,
    RestartAnswered,
    RestartChild,
    RestartType,
    Strategy,
)
from supervisors.child import Child, ChildSpec
from supervisors.overseer import IntensityExceeded, Overseer
from supervisors.policy import affected, wants_restart

Mended: TypeAlias = Callable[[str, Ending], object]
"""Told of every child that ended and lives again: its path, and how it ended."""

__all__ = ["ChildSpec", "IntensityExceeded", "SignificantChildNeverOpened", "Supervisor", "SupervisorMessage"]

SupervisorMessage: TypeAlias = Exited | DescribeTree | CrashChild | RestartChild | RestartAnswered


class SignificantChildNeverOpened(Exception):
    """The family exists for one child, and that one is not coming."""


class Supervisor(Overseer[SupervisorMessage]):
    """A fixed family. The strategy, intensity and period are OTP's; times are in seconds.

    It opens when every child has opened; `mended` hears of each that failed and lives again. More than
    `intensity` failures within `period` crash it, after its children were stopped as GIVEN_UP, so that its
    own supervisor sees CRASHED (or OPEN_FAILED).
    """

    def __init__(
        self,
        life: Life,
        *,
        children: Sequence[ChildSpec],
        strategy: Strategy = Strategy.ONE_FOR_ONE,
        intensity: int = 3,
        period: float = 60.0,
        stop_within: float = 5.0,
        mended: Mended = lambda *_: None,
        gone: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(life, intensity=intensity, period=period, stop_within=stop_within)
        self._mended, self._gone = mended, gone
        self._strategy = strategy
        self._specs = {self._path(spec.name): spec for spec in children}
        if len(self._specs) < len(children):
            raise ValueError(f"{life.path}: two children of one name")

    def opened(self) -> None:
        """Start everyone in order."""
        self._start_all(self._specs.values())
        for child in self._children.values():
            if child.spec.significant and not child.running:
                raise SignificantChildNeverOpened(child.life.path)

    def closed(self, ending: Ending) -> None:
        """Stop everyone; `gone` is called when they are."""
        super().closed(ending)
        self._gone()

    def receive(self, message: SupervisorMessage) -> None:
        """Mend, describe, obey."""
        match message:
            case Exited():
                child = self._accept(message)
                if child is not None:
                    self._mend(child, message.ending)
            case DescribeTree():
                message.reply_to.tell(self.tree())
            case CrashChild() | RestartChild():
                self._obey(message)
            case RestartAnswered():
                self._passed_on.answered(message)
            case _:
                assert_never(message)

    def _mend(self, child: Child, ending: Ending) -> None:
        if wants_restart(child.spec.restart, ending):
            self._spend()
            self._start_again(child, Ending.SIBLING_FAILED)
            if self._lives_anew(child):
                self._mended(child.life.path, ending)
        elif child.spec.significant:
            self.finish()

    def _restart(self, child: Child) -> None:
        self._start_again(child, Ending.ORDERED)

    def _start_again(self, child: Child, ending: Ending) -> None:
        """Begin again with `child` and those who share its fate; a temporary sibling stays away."""
        fate = affected(self._strategy, tuple(self._specs), child.life.path)
        running = [self._children[path] for path in fate if self._children[path].running]
        self._stop_all(running, ending, self._stop_within)
        self._start_all(
            self._specs[path]
            for path in fate
            if path == child.life.path or self._specs[path].restart is not RestartType.TEMPORARY
        )
