"""The house as a thing to switch on and off: what everybody shares, then the tree, and back in reverse."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable
from types import TracebackType
from typing import Self

from actors.base import Life
from actors.clock import Clock, SystemClock
from actors.floor.words import load_words
from messages.captain import AskAsOperator
from messages.evidence import Watch
from messages.gateway import GatewayMessage
from messages.ids import RoomId
from messages.lifecycle import CrashChild, DescribeTree, Ending, Exited, TreeNode
from messages.mailbox import Mailbox
from supervisors import tree
from supervisors.doors import HouseDoors
from supervisors.settings import Settings
from supervisors.wiring import Equipment, Ports

START_SECONDS = 60.0
STOP_SECONDS = 5.0
NOT_IN_TIME = f"not within {START_SECONDS:g} s; let this machine do less, and see the warnings above"
LOOK_SECONDS = 0.5


class HouseNeverOpened(Exception):
    """The tree did not come up; the text says why."""


class NobodyOfThatName(LookupError):
    """No actor, or more than one, has a path that ends like this; the text lists the candidates."""


class House:
    """One supervisor tree and its clock; a context manager that starts both and stops both.

    `ports` makes each room's port for each of its lives; `close` lets go of what they share, last of all.
    """

    def __init__(
        self,
        settings: Settings,
        ports: Ports,
        clock: SystemClock,
        close: Callable[[], object] | None = None,
        home: RoomId | None = None,
    ) -> None:
        self._clock = clock
        self._close = close
        self._doors = HouseDoors()
        self._doors.exit.bind(self.interrupt)
        self._kit = Equipment(
            clock=clock,
            words=load_words(settings.floor.language),
            settings=settings,
            ports=ports,
            home=home,
        )
        self._ended: queue.SimpleQueue[Exited | None] = queue.SimpleQueue()
        self._life = Life.alone("root", announce=self._ended.put)

    @property
    def evidence(self) -> Mailbox[Watch]:
        """Where the record can be watched, over every restart of it."""
        return self._doors.audience

    @property
    def gateway(self) -> Mailbox[GatewayMessage]:
        """Where orders to join and to leave go."""
        return self._doors.gateway

    @property
    def captain(self) -> Mailbox[AskAsOperator]:
        """Where whoever has the machine asks."""
        return self._doors.captain

    @property
    def clock(self) -> Clock:
        """The time of this house."""
        return self._clock

    def __enter__(self) -> Self:
        """Start the clock, then every actor in order; raises HouseNeverOpened."""
        with contextlib.ExitStack() as undo:
            undo.callback(self._stop)
            self._clock.start()
            root = tree.house(self._life, self._kit, self._doors)
            self._doors.root.bind(root.actor_ref)
            self._life.begin(root)
            if not self._life.wait_opened(START_SECONDS):
                error = self._life.exited.error if self._life.exited else NOT_IN_TIME
                raise HouseNeverOpened(f"the house did not open: {error}")
            undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop every actor in reverse order, within STOP_SECONDS in all, then the clock."""
        self._stop()

    def wait(self, pulse: Callable[[], object] = lambda: None) -> bool:
        """Wait until `interrupt` or until the root gives up; whether it ended by order.

        Meanwhile `pulse` is called every LOOK_SECONDS.
        """
        while True:
            pulse()
            # A signal may reach another thread, and would not wake this one: hence not for ever.
            with contextlib.suppress(queue.Empty):
                return self._ended.get(timeout=LOOK_SECONDS) is None

    def interrupt(self) -> None:
        """Let `wait` return; may be called from a signal handler."""
        self._ended.put(None)

    def trouble(self) -> str:
        """Return why nobody is in it any more, in words; empty while somebody is."""
        exited = self._life.exited
        return (
            "" if exited is None else f"the root supervisor gave up ({exited.error or exited.ending.value})"
        )

    def tree(self) -> TreeNode:
        """Return every actor as it stands."""
        return self._life.tree()

    def ask(self, reply_to: Mailbox[TreeNode]) -> None:
        """Let the root tell how everybody is; one that hangs does not."""
        self._doors.root.tell(DescribeTree(reply_to=reply_to))

    def crash(self, name: str) -> None:
        """Let the one actor whose path ends in `name` crash; raises NobodyOfThatName."""
        paths = [node.path for node in self.tree().every() if f"/{node.path}".endswith(f"/{name}")]
        if len(paths) != 1:
            known = ", ".join(paths or sorted(node.path for node in self.tree().every()))
            raise NobodyOfThatName(f"{name!r} is not the end of exactly one path; there are: {known}")
        self._doors.root.tell(CrashChild(path=paths[0]))

    def _stop(self) -> None:
        self._life.ask_to_stop(Ending.SHUTDOWN, STOP_SECONDS)
        self._life.wait_gone(STOP_SECONDS)
        self._clock.stop(1.0)
        if self._close is not None:
            self._close()
