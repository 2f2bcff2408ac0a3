"""Five people may talk at once on one socket, and nobody is let in before somebody has said his last word."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

MOST = 5
"""How many contexts a socket may have; one counts until its final frame went out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An error frame, after which the socket is closed with `code`."""

    error: str
    message: str
    code: int = 1008
    param: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Generate:
    """There is something to generate for a context that generates nothing now."""

    context: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver:
    """The sound of one explicit flush of a dialogue is out."""

    context: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The final frame of a context is due; `Contexts.finalized` when it went out."""

    context: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Farewell:
    """The client is done with the socket, and nothing is generated any more: close it in order."""


Step = Refusal | Generate | TurnOver | Final | Farewell


@dataclass(slots=True, kw_only=True)
class Batch:
    """Text that is generated in one go, even if its context is closed where it is `flushed`."""

    text: str
    flushed: bool
    ends_turn: bool


@dataclass(slots=True, kw_only=True)
class Context:
    """One stream of speech; all that was said and has not sounded yet is somewhere in it."""

    name: str
    heard: float
    voices: tuple[str, ...] = ()
    schedule: tuple[int, ...] = ()
    generations: int = 0
    pending: str = ""
    waiting: deque[Batch] = field(default_factory=deque[Batch])
    running: Batch | None = None
    closing: bool = False
    final_due: bool = False
    grace: int | None = None
    """How many more chunks of the running batch go out, once it is cut."""

    def hand_over(self, *, flushed: bool) -> None:
        """Let what is pending be generated; an explicit flush is remembered even when nothing is."""
        if self.pending.strip() or flushed:
            self.waiting.append(Batch(text=self.pending, flushed=flushed, ends_turn=flushed))
            self.generations += 1
            self.pending = ""

    def seal(self) -> None:
        """Make everything that was said until now part of an explicit flush."""
        for batch in (*self.waiting, self.running):
            if batch is not None:
                batch.flushed = True

    def cut(self, *, flushed_too: bool) -> None:
        """Drop what has not begun; of what has, one more chunk trails."""
        self.pending = ""
        self.waiting = deque(batch for batch in self.waiting if batch.flushed and not flushed_too)
        if self.running is not None and (flushed_too or not self.running.flushed):
            self.grace = 1


class Contexts:
    """The contexts of a socket, without a socket, a clock or a sound.

    `now` is in seconds. `turns` is whether flushes are acknowledged, as in a dialogue; `inactivity` how long
    a context or the socket may be left alone.
    """

    def __init__(self, *, turns: bool, inactivity: float, break_rule: Callable[[str], object]) -> None:
        self.live: dict[str, Context] = {}
        self.break_rule = break_rule
        self._turns = turns
        self._inactivity = inactivity
        self._heard = 0.0
        self._leaving = self._over = False

    @property
    def generating(self) -> int:
        """How many contexts are being generated."""
        return sum(context.running is not None for context in self.live.values())

    def hear(self, now: float, name: str | None = None) -> None:
        """Something was said on the socket, and of this context."""
        self._heard = now
        if name in self.live:
            self.live[name].heard = now

    def open(self, name: str, now: float) -> Context | Refusal:
        """Take a slot, or refuse."""
        if len(self.live) >= MOST:
            self.break_rule("a sixth context was opened")
            return Refusal(
                error="max_active_conversations",
                message=f"Maximum simultaneous contexts per WebSocket connection exceeded ({MOST})."
                " Please close an existing context before opening a new one.",
            )
        context = self.live[name] = Context(name=name, heard=now)
        return context

    def close(self, context: Context, *, discard: bool) -> tuple[Step, ...]:
        """Close a context; what was flushed still sounds, unless it is to be discarded as well."""
        context.closing = True
        context.cut(flushed_too=discard)
        return self._next(context)

    def leave(self) -> tuple[Step, ...]:
        """Close everything and then the socket; what was flushed still sounds."""
        self._leaving = True
        steps = [
            step
            for context in tuple(self.live.values())
            if not context.closing
            for step in self.close(context, discard=False)
        ]
        return (*steps, *self._farewell())

    def urge(self, context: Context) -> tuple[Step, ...]:
        """Say what there is to do for a context to which something was added."""
        return self._next(context)

    def begin(self, name: str) -> Batch:
        """Start the batch that a Generate was said for."""
        context = self.live[name]
        context.running, context.grace = context.waiting.popleft(), None
        return context.running

    def goes_on(self, name: str) -> bool:
        """Whether another chunk of the running batch goes out; to be asked once for each."""
        context = self.live[name]
        if context.grace is None:
            return True
        context.grace -= 1
        return context.grace >= 0

    def generated(self, name: str, now: float) -> tuple[Step, ...]:
        """The running batch is out, or cut off."""
        context = self.live[name]
        batch, context.running = context.running, None
        self.hear(now, name)
        turn_over = self._turns and batch is not None and batch.ends_turn and context.grace is None
        acknowledged = (TurnOver(context=name),) if turn_over else ()
        return (*acknowledged, *self._next(context), *self._farewell())

    def finalized(self, name: str) -> None:
        """The final frame went out: the slot is free."""
        del self.live[name]

    def due(self) -> float:
        """When `idle` is to be asked next."""
        left = [context.heard for context in self.live.values() if not context.closing]
        return min((self._heard, *left)) + self._inactivity

    def idle(self, now: float) -> tuple[Step, ...]:
        """End what was left alone for too long; while something is generated, nothing is."""
        if self.generating:
            self.hear(now)
            for context in self.live.values():
                context.heard = now
            return ()
        if now - self._heard >= self._inactivity:
            return (idle_refusal(self._inactivity),)
        stale = [one for one in self.live.values() if now - one.heard >= self._inactivity]
        return tuple(step for context in stale for step in self.close(context, discard=True))

    def _next(self, context: Context) -> tuple[Step, ...]:
        if context.running is not None:
            return ()
        if context.waiting:
            return (Generate(context=context.name),)
        if context.closing and not context.final_due:
            context.final_due = True
            return (Final(context=context.name),)
        return ()

    def _farewell(self) -> tuple[Step, ...]:
        busy = any(not context.final_due for context in self.live.values())
        if not self._leaving or self._over or busy:
            return ()
        self._over = True
        return (Farewell(),)


def idle_refusal(seconds: float) -> Refusal:
    """What is said to a client that says nothing."""
    return Refusal(
        error="input_timeout_exceeded",
        message=f"Have not received a new text input within the timeout of {seconds} seconds."
        " Streaming input terminated. Please make sure to send either text input or an empty string.",
    )
