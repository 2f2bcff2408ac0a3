"""One actor's life, so that no other file has to think about how an actor can die."""

from __future__ import annotations

import logging
import queue
from abc import abstractmethod
from collections.abc import Mapping
from types import TracebackType
from typing import Any, ClassVar, Generic, NoReturn, Self, TypeVar, cast

import pykka
from pykka import messages as pykka_messages

from actors.life import Life, blame
from messages.lifecycle import Ending, Poison, Scalar, TreeNode
from messages.mailbox import Mailbox

__all__ = ["Interrupted", "Life", "Poisoned", "ProxyRefused", "Worker", "blame"]

M = TypeVar("M")
_PROXY_MESSAGES = (pykka_messages.ProxyCall, pykka_messages.ProxyGetAttr, pykka_messages.ProxySetAttr)
_STOP = pykka_messages._ActorStop  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001
_PYKKAS_OWN = frozenset((*_PROXY_MESSAGES, _STOP))


class Poisoned(Exception):
    """Somebody ordered this crash."""


class ProxyRefused(TypeError):
    """Somebody called into an actor instead of writing to it."""


class Interrupted(Exception):
    """Given to an asker in place of a BaseException, which must not travel between actors."""


class _Here(Generic[M]):
    """The mailbox of one life; letters after its end are dropped and counted."""

    __slots__ = ("_life", "_ref")

    def __init__(self, ref: pykka.ActorRef[Any], life: Life) -> None:
        self._ref, self._life = ref, life

    def tell(self, message: M, /) -> None:
        try:
            self._ref.tell(message)
        except pykka.ActorDeadError:
            self._life.count_dropped(1)


class Worker(pykka.ThreadingActor, Generic[M]):
    """An actor. Rooms override `opened`, `receive`, `closed` and `describe`, and nothing of Pykka's.

    However it ends, `closed` has run once, and then its last act is to announce `Exited` on its life.
    """

    # A stuck actor is abandoned by its supervisor; it must not keep the program from exiting.
    use_daemon_thread: ClassVar[bool] = True
    _create_actor_inbox = staticmethod(queue.SimpleQueue[Any])

    def __init__(self, life: Life) -> None:
        super().__init__()
        self.life = life
        self.here: Mailbox[M] = _Here(self.actor_ref, life)
        self._finishing = False
        life.belongs_to(self)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Refuse a subclass that would break Pykka by reusing one of its names."""
        super().__init_subclass__(**kwargs)
        theirs = {name for kind in pykka.ThreadingActor.__mro__[:-1] for name in vars(kind)}
        reused = sorted(name for name in theirs & set(vars(cls)) if not name.startswith("__"))
        if reused:
            raise TypeError(f"{cls.__name__} redefines what belongs to Pykka: {', '.join(reused)}")

    # --- what rooms override

    def opened(self) -> None:
        """Acquire what this actor needs, in its own thread, before its first message."""

    @abstractmethod
    def receive(self, message: M) -> None:
        """Act on one message; whatever it raises crashes this life and nothing else."""

    def closed(self, ending: Ending) -> None:
        """Release everything; called exactly once, also after a failed `opened`."""

    def describe(self) -> Mapping[str, Scalar]:
        """Facts for the status page. Called from other threads: read only what is frozen."""
        return {}

    # --- what rooms use

    def finish(self) -> None:
        """End this life, as FINISHED, right after the current message; from the actor's own thread only."""
        self._finishing = True

    # --- what supervisors and tests use

    def begin(self) -> pykka.ActorRef[Self]:
        """Start the thread of this already constructed actor."""
        pykka.ActorRegistry.register(self.actor_ref)
        self._start_actor_loop()
        return self.actor_ref

    def tree(self) -> TreeNode:
        """This actor as it stands, from any thread."""
        try:
            facts: dict[str, Scalar] = dict(self.describe())
        except Exception as failure:
            facts = {"describe_failed": blame(failure)}
        if self.life.dropped:
            facts["letters_dropped"] = self.life.dropped
        return TreeNode(
            path=self.life.path,
            kind=type(self).__name__,
            state=self.life.state,
            restarts=0,
            mailbox_depth=self.unread(),
            facts=facts,
        )

    def unread(self) -> int:
        """How many messages wait."""
        return cast("queue.SimpleQueue[object]", self.actor_inbox).qsize()

    def fail_to_open(self, failure: BaseException) -> None:
        """End a life whose thread could not even be started."""
        self._conclude(Ending.OPEN_FAILED, failure)

    # --- Pykka's hooks

    def on_start(self) -> None:
        """Open; a failure to do so is an ending like any other."""
        try:
            self.opened()
        except BaseException as failure:  # Pykka would lose it, and this thread, without a word
            self._conclude(Ending.OPEN_FAILED, failure)
            return
        self.life.mark_opened()
        if self._finishing:
            self._conclude(Ending.FINISHED)

    def on_receive(self, message: M) -> None:
        """Handle one message; a failure crashes this life, whether it was told or asked."""
        if not self.life.undisturbed:
            self._refuse_if_over()
        try:
            if type(message) is Poison:
                _die()
            self.receive(message)
        except BaseException as failure:
            self._conclude(Ending.CRASHED, failure)
            if isinstance(failure, Exception):
                raise
            raise Interrupted(type(failure).__name__) from None
        if self._finishing:
            self._conclude(Ending.FINISHED)

    def on_stop(self) -> None:
        """Somebody asked for the end."""
        self._conclude(self.life.ending_when_stopped)

    def _handle_receive(self, message: Any) -> Any:
        # Most letters are a room's: they pay for one look here instead of Pykka's four.
        if type(message) not in _PYKKAS_OWN:
            return self.on_receive(message)
        if isinstance(message, _PROXY_MESSAGES):
            raise ProxyRefused("actors are written to, not called")
        return super()._handle_receive(message)

    def on_failure(
        self,
        exception_type: type[BaseException] | None,
        exception_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Only a deferred proxy call comes here with the life still going on."""
        self._conclude(Ending.CRASHED, exception_value)

    def _refuse_if_over(self) -> None:
        if self.life.hurried:
            self._conclude(self.life.ending_when_stopped)
        if self.life.over:
            self.life.count_dropped(1)
            raise pykka.ActorDeadError(f"{self.life.path} ended before this message")

    def _conclude(self, ending: Ending, failure: BaseException | None = None) -> None:
        """The one way out: refuse letters, close, announce. Pykka then answers those who still wait."""
        if not self.life.mark_closing():
            return
        self.actor_stopped.set()
        pykka.ActorRegistry.unregister(self.actor_ref)
        errors = [] if failure is None else [blame(failure)]
        try:
            self.closed(ending)
        except BaseException as late:  # the announcement below must come
            errors.append(f"{blame(late)} while closing")
        self.life.count_dropped(self._left_unread())
        self.life.mark_gone(ending, "; then ".join(errors) or None)

    def _left_unread(self) -> int:
        """Leave to the next life what it may have; how much is lost. Pykka answers whoever asked."""
        inbox = self.actor_inbox
        letters = [inbox.get() for _ in range(self.unread())]
        asked = [letter for letter in letters if letter.reply_to is not None]
        for letter in asked:
            inbox.put(letter)
        return len(asked) + self.life.heir([one.message for one in letters if one.reply_to is None])


def _die() -> NoReturn:
    raise Poisoned


class _OneLineFromPykka(logging.Filter):
    """Supervisors report every crash themselves, and a traceback may quote what people said."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info:
            record.exc_info = None
            record.levelno, record.levelname = logging.DEBUG, "DEBUG"
        return record.levelno >= logging.getLogger(record.name).getEffectiveLevel()


logging.getLogger("pykka").addFilter(_OneLineFromPykka())
