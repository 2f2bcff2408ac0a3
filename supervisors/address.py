"""An address outlives its tenant: letters sent while nobody is home are counted, not thrown back."""

from __future__ import annotations

import queue
import threading
from typing import Any, Generic, TypeVar, cast

import pykka

M_contra = TypeVar("M_contra", contravariant=True)


class Address(Generic[M_contra]):
    """A mailbox that stays the same over every restart of the actor behind it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Any: Pykka's reference is typed by the actor's class, which an address must not know.
        self._tenant: pykka.ActorRef[Any] | None = None
        self._missed = 0

    def tell(self, message: M_contra, /) -> None:
        """Deliver to whoever lives here now; never raises, and counts if that is nobody."""
        tenant = self._tenant
        if tenant is not None:
            try:
                tenant.tell(message)
                return
            except pykka.ActorDeadError:
                pass
        with self._lock:
            self._missed += 1

    def bind(self, ref: pykka.ActorRef[Any]) -> None:
        """Let `ref` move in; the tenant before it gets no more letters."""
        self._tenant = ref

    def unbind(self) -> None:
        """Nobody lives here until the next `bind`."""
        self._tenant = None

    @property
    def missed(self) -> int:
        """How many messages found nobody home."""
        return self._missed

    def depth(self) -> int:
        """How many messages the present tenant has not read yet."""
        tenant = self._tenant
        return 0 if tenant is None else cast("queue.SimpleQueue[object]", tenant.actor_inbox).qsize()
