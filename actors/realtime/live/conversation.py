"""OpenAI's Realtime as a mind that answers in text: one line for one conversation, kept by nobody else."""

from __future__ import annotations

import time
from collections.abc import Callable

from actors.net.line import Dial, Loop
from actors.net.service import Service
from actors.realtime.items import Item, Seed, TurnBrief
from actors.realtime.live.actions import Action
from actors.realtime.live.letters import MODEL, target
from actors.realtime.live.session import Session
from actors.realtime.live.talk import Talk
from actors.realtime.live.wire import decode
from actors.realtime.live.wording import VERSION
from actors.realtime.settings import RealtimeSettings
from messages.ids import Connection, ResponseId
from messages.realtime import RealtimePortEvent


class LiveConversation:
    """Fulfils RealtimePort; `wall` is what the provider's times are compared with, in epoch seconds."""

    def __init__(
        self,
        loop: Loop,
        dial: Dial,
        service: Service,
        settings: RealtimeSettings,
        *,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._loop, self._dial, self._service = loop, dial, service
        self._settings, self._wall = settings, wall
        self._model = settings.model or MODEL
        # Both are looked at and changed on the I/O thread only.
        self._events: Callable[[RealtimePortEvent], None] | None = None
        self._talk: Talk | None = None

    def open(self, events: Callable[[RealtimePortEvent], None]) -> None:
        """Learn where to report."""
        self._loop.call(self._open, events)

    def connect(self, connection: Connection, seed: Seed) -> None:
        """Dial, and write at once what the conversation begins with."""
        self._loop.call(self._connect, connection, seed)

    def add(self, connection: Connection, item: Item) -> None:
        """Put one thing into the conversation."""
        self._loop.call(self._order, connection, lambda session: session.add(item))

    def respond(self, connection: Connection, response: ResponseId, brief: TurnBrief) -> None:
        """Ask for one response."""
        self._loop.call(self._order, connection, lambda session: session.respond(response, brief))

    def cancel(self, connection: Connection, response: ResponseId) -> None:
        """Nobody wants this response any more."""
        self._loop.call(self._order, connection, lambda session: session.cancel(response))

    def disconnect(self, connection: Connection) -> None:
        """End a conversation, silently."""
        self._loop.call(self._disconnect, connection)

    def close(self) -> None:
        """Let go of everything."""
        self._loop.call(self._close)

    def describe(self) -> str:
        """Such as "gpt-realtime-2.1 of OpenAI's Realtime, told conversation/1"."""
        return f"{self._model} of OpenAI's Realtime, told {VERSION}"

    # --- on the I/O thread

    def _open(self, events: Callable[[RealtimePortEvent], None]) -> None:
        self._events = events

    def _connect(self, connection: Connection, seed: Seed) -> None:
        self._hang_up()
        if self._events is None:
            return
        session = Session(connection, self._settings)
        talk = Talk(connection, session, self._events, self._renewal, self._loop)
        self._talk = talk
        talk.begin(self._dial(target(self._service, self._model), talk, decode), seed)

    def _order(self, connection: Connection, order: Callable[[Session], list[Action]]) -> None:
        if self._talk is not None and self._talk.connection == connection:
            self._talk.order(order)

    def _disconnect(self, connection: Connection) -> None:
        if self._talk is not None and self._talk.connection == connection:
            self._hang_up()

    def _close(self) -> None:
        self._hang_up()
        self._events = None

    def _hang_up(self) -> None:
        if self._talk is not None:
            self._talk.hang_up()
        self._talk = None

    def _renewal(self, expires_at: float) -> float | None:
        return renewal(expires_at - self._wall(), self._settings.renew_seconds)


def renewal(left: float, early: float) -> float | None:
    """In how many seconds a session is given up that has so many left; None for one that should be over.

    One that is over as it begins comes of clocks that differ, and is left to the provider.
    """
    if left <= 0:
        return None
    return left - early if left > 2 * early else left / 2
