"""An address outlives its tenant: letters sent while nobody is home are kept or counted, not thrown back."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar, cast

import pykka

M_contra = TypeVar("M_contra", contravariant=True)
MOST_KEPT: Final = 1024
"""So many letters wait for the next tenant; what comes on top is counted."""


class Address(Generic[M_contra]):
    """A mailbox that stays the same over every restart of the actor behind it.

    Letters of the kinds that it `keeps` are no older for a crash: they wait, in order, for the next tenant.
    """

    def __init__(self, keeps: tuple[type, ...] = ()) -> None:
        self._lock = threading.Lock()
        self._keeps, self._kept = keeps, deque[M_contra]()
        # Any: Pykka's reference is typed by the actor's class, which an address must not know.
        self._tenant: pykka.ActorRef[Any] | None = None
        self._settled = False
        self._heir: Callable[[M_contra], object] | None = None
        self._missed = 0

    def tell(self, message: M_contra, /) -> None:
        """Deliver to whoever lives here now; never raises, and keeps it or counts if that is nobody."""
        if isinstance(message, self._keeps):
            self._tell_or_keep(message)
        elif not self._delivered(message):
            with self._lock:
                self._missed += 1

    def inherit(self, unread: Sequence[M_contra]) -> int:
        """Take what a tenant leaves unread, which is older than what is kept already; how many are lost."""
        useful = [message for message in unread if isinstance(message, self._keeps)]
        with self._lock:
            heir = self._heir
            # Whoever was abandoned ends late: somebody else may live here.
            waiting = [] if heir is not None else [one for one in useful if not self._handed_over(one)]
            kept = waiting[: MOST_KEPT - len(self._kept)]
            self._kept.extendleft(reversed(kept))
        if heir is not None:
            for message in useful:
                heir(message)
        return len(unread) - len(useful) + len(waiting) - len(kept)

    def bind(self, ref: pykka.ActorRef[Any]) -> None:
        """Let `ref` move in; the tenant before it gets no more letters."""
        with self._lock:
            self._tenant, self._settled = ref, False

    def settle(self) -> None:
        """The tenant has opened: what was kept is his."""
        with self._lock:
            self._settled = True
            while self._kept and self._delivered(self._kept[0]):
                self._kept.popleft()

    def unbind(self) -> None:
        """Nobody lives here until the next `bind`."""
        with self._lock:
            self._tenant, self._settled = None, False

    def retire(self, heir: Callable[[M_contra], object]) -> None:
        """Nobody moves in any more: what was kept goes to `heir`, and what is to be kept from now on."""
        with self._lock:
            self._heir, kept = heir, tuple(self._kept)
            self._kept.clear()
        for message in kept:
            heir(message)

    @property
    def missed(self) -> int:
        """How many messages found nobody home, and have not found anybody since."""
        return self._missed + len(self._kept)

    def depth(self) -> int:
        """How many messages the present tenant has not read yet."""
        tenant = self._tenant
        return 0 if tenant is None else cast("queue.SimpleQueue[object]", tenant.actor_inbox).qsize()

    def _tell_or_keep(self, message: M_contra) -> None:
        with self._lock:
            if self._handed_over(message):
                return
            heir = self._heir
            if heir is None and not self._keep(message):
                self._missed += 1
        if heir is not None:
            heir(message)

    def _handed_over(self, message: M_contra) -> bool:
        return self._settled and self._delivered(message)

    def _delivered(self, message: M_contra) -> bool:
        tenant = self._tenant
        if tenant is None:
            return False
        try:
            tenant.tell(message)
        except pykka.ActorDeadError:
            return False
        return True

    def _keep(self, message: M_contra) -> bool:
        if len(self._kept) >= MOST_KEPT:
            return False
        self._kept.append(message)
        return True
