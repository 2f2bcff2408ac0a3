"""What a port may ask of the I/O thread: a callback, a timer, and a line that ends exactly once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ParamSpec, Protocol, TypeVar

E = TypeVar("E")
E_contra = TypeVar("E_contra", contravariant=True)
P = ParamSpec("P")


class Timer(Protocol):
    """A callback that is due at some time."""

    def cancel(self) -> None:
        """Never call it; harmless when it has been called."""
        ...


class Loop(Protocol):
    """The one thread on which all that a live port remembers is looked at and changed."""

    def call(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Run a short function on the thread soon, in order, from any thread; false where nothing runs."""
        ...

    def after(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Run a short function later; only to be called on the thread itself."""
        ...

    def now(self) -> float:
        """Monotonic seconds of the timers."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a line leads. `headers` hold the key, and are in no repr."""

    url: str
    headers: Mapping[str, str] = field(repr=False, default_factory=dict)


class EndedBy(StrEnum):
    """Who ended a line."""

    OWNER = "owner"
    PEER = "peer"
    FAULT = "fault"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A line is over. `reason` is a bounded code, never the provider's prose; `code` a close code if any."""

    by: EndedBy
    reason: str
    code: int | None = None


class Listener(Protocol[E_contra]):
    """Who is told of a line; always on the I/O thread."""

    def opened(self) -> None:
        """The line stands; said at most once, before any frame."""
        ...

    def came(self, frame: E_contra) -> None:
        """A frame, decoded; never after `close` and never after `ended`."""
        ...

    def ended(self, ended: Ended) -> None:
        """It is over, whether it ever stood or not: exactly once, and the last thing said."""
        ...


class Line(Protocol):
    """One connection; all methods are for the I/O thread, and none of them waits."""

    def send(self, frame: str) -> None:
        """Send in order, also before it stands. Too many waiting, or one that is not taken, is a fault."""
        ...

    def close(self, farewell: str | None = None) -> None:
        """End it: nothing more is reported but the end, which comes within a second or so.

        `farewell` is a last frame, after which the peer may close by itself.
        """
        ...


class Dial(Protocol):
    """Opens lines; on the I/O thread, at once, whether anybody answers or not."""

    def __call__(self, target: Target, listener: Listener[E], decode: Callable[[str], E]) -> Line:
        """Connect. What `decode` raises as ValueError is a fault named `bad_frame`."""
        ...
