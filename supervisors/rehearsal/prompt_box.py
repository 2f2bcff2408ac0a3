"""A house that is rehearsed in its own process has a prompter under the stage: orders in, news out."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from typing import Protocol, assert_never

from messages.captain import AskAsOperator
from messages.console import OperatorAnswered, OperatorNews, OperatorTold
from messages.evidence import BridgeReady, HeardWords, PrivateWords, Recorded, SpokenWords, Watch
from messages.gateway import (
    AskedBy,
    GatewayMessage,
    JoinAnswer,
    Joined,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
)
from messages.ids import HandoffId, RoomId
from messages.lifecycle import TreeNode
from messages.mailbox import Mailbox
from supervisors.rehearsal import wire
from supervisors.rehearsal.minds import Scripted

SCRIPT_SECONDS = 10.0
CLOSE_SECONDS = 2.0
MOST_WAITING = 10_000
"""News that wait for the theatre to read them; more than that, and it is not reading."""


class House(Protocol):
    """A running supervisor tree, as the prompter needs it."""

    @property
    def evidence(self) -> Mailbox[Watch]:
        """Where a watcher registers."""
        ...

    @property
    def gateway(self) -> Mailbox[GatewayMessage]:
        """Where he is asked to join."""
        ...

    @property
    def captain(self) -> Mailbox[AskAsOperator]:
        """Where whoever has the machine asks."""
        ...

    def tree(self) -> TreeNode:
        """Everybody in it."""
        ...

    def crash(self, name: str, /) -> None:
        """Crash somebody; LookupError where there is nobody."""

    def interrupt(self) -> None:
        """Begin to close."""


class PromptBox:
    """The house's end of the socket; `watch` before that opens, `serve` once it is open, `close` in the end.

    The theatre is told once that the house is open: when the account is ready for the first time.
    When the theatre hangs up the house is interrupted: it has nobody to play for.
    """

    def __init__(self, theatre: socket.socket) -> None:
        self._theatre = theatre
        self._news: queue.Queue[wire.FromHouse | None] = queue.Queue(MOST_WAITING)
        self._lines = theatre.makefile("rb")
        self._threads: tuple[threading.Thread, ...] = ()
        self._opened = False

    def script(self) -> tuple[Scripted, ...]:
        """Wait for the script; raises NotOurs, and TimeoutError after SCRIPT_SECONDS."""
        self._theatre.settimeout(SCRIPT_SECONDS)
        first = wire.to_house(self._lines.readline())
        self._theatre.settimeout(None)
        if not isinstance(first, wire.Script):
            raise wire.NotOurs("a rehearsal begins with a script")
        return (*first.replies, *first.captain)

    def watch(self, house: House) -> None:
        """Keep the news, also of a house that is not open yet: its account may be ready before it is."""
        house.evidence.tell(Watch(watcher=self, may_see_words=True))

    def serve(self, house: House) -> None:
        """Pass on orders and news, each in a thread of its own."""
        self._threads = (
            threading.Thread(target=self._read, args=(house,), name="prompt-box-in", daemon=True),
            threading.Thread(target=self._write, name="prompt-box-out", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def say(self, news: wire.FromHouse) -> None:
        """Leave news for the theatre; from any thread, never waits."""
        try:
            self._news.put_nowait(news)
        except queue.Full:
            with suppress(OSError):
                self._theatre.shutdown(socket.SHUT_RDWR)

    def tell(self, message: Recorded | PrivateWords | JoinAnswer | LeaveAnswered | OperatorNews, /) -> None:
        """Pass on what a watcher or an asker is told."""
        match message:
            case Recorded():
                if isinstance(message.receipt, BridgeReady) and not self._opened:
                    self._opened = True
                    self.say(wire.Opened())
                self.say(wire.Receipted(at=message.at, line=message.json_line))
            case HeardWords():
                self.say(wire.Heard(**asdict(message)))
            case SpokenWords():
                self.say(wire.Spoke(**asdict(message)))
            case Joined():
                self.say(wire.Came(room=message.room, stay=message.stay))
            case OperatorTold():
                self.say(wire.Told(**asdict(message)))
            case OperatorAnswered():
                self.say(wire.Answered(**asdict(message)))
            case JoinRefused():
                self.say(wire.Came(refused=message.reason.value, detail=message.detail))
            case LeaveAnswered():
                pass
            case _:
                assert_never(message)

    def close(self) -> None:
        """Say what is still to be said, then hang up."""
        if self._threads:
            with suppress(queue.Full):
                self._news.put_nowait(None)
            self._threads[1].join(CLOSE_SECONDS)
        with suppress(OSError):
            self._theatre.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(CLOSE_SECONDS)
        self._lines.close()
        self._theatre.close()

    def _read(self, house: House) -> None:
        try:
            for order in self._orders():
                self._obey(order, house)
        finally:
            house.interrupt()

    def _orders(self) -> Iterator[wire.ToHouse]:
        try:
            for text in self._lines:
                yield wire.to_house(text)
        except OSError:
            return

    def _obey(self, order: wire.ToHouse, house: House) -> None:
        match order:
            case wire.Join():
                joining = JoinVoice(room=RoomId(order.room), asked_by=AskedBy.OPERATOR, reply_to=self)
                house.gateway.tell(joining)
            case wire.Leave():
                house.gateway.tell(LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=self))
            case wire.Ask():
                name = HandoffId(order.handoff)
                house.captain.tell(AskAsOperator(handoff=name, request=order.request, reply_to=self))
            case wire.Crash():
                self.say(wire.Crashed(problem=_crashed(house, order.name)))
            case wire.Look():
                self.say(wire.Seen(tree=house.tree()))
            case wire.Script():
                raise wire.NotOurs("a rehearsal has one script")

    def _write(self) -> None:
        try:
            while (news := self._news.get()) is not None:
                self._theatre.sendall(wire.line(news))
        except OSError:
            return


def _crashed(house: House, name: str) -> str:
    try:
        house.crash(name)
    except LookupError as error:
        return str(error.args[0])
    return ""
