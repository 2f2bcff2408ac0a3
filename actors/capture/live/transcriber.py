"""An ear that is lent: the line to it opens with the first voice, and its loss is told once or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from loguru import logger

from actors.capture.decisions import Ask
from actors.capture.live.hello import hello, target
from actors.capture.live.listeners import Listeners
from actors.capture.live.outlet import SENT_AT_ONCE
from actors.capture.live.session import Session
from actors.capture.settings import CaptureSettings
from actors.net.line import Dial, Loop
from actors.net.service import Service
from messages.capture import CapturePortEvent, ListenerLost
from messages.ids import Connection, SegmentId

RENEWED_SECONDS: Final = 55 * 60.0
"""A line older than this is replaced between two segments; the provider ends it at an hour."""
TOO_MANY: Final = "too_many_listeners"
"""The reason of a loss that is no fault of the provider's: everybody else is speaking."""


class LiveTranscriber:
    """OpenAI's transcription of one person. What it remembers is looked at on the I/O thread only.

    The core's connection outlives its lines: one that ends while there is nothing to write down is
    replaced at the next segment, and nobody hears of it.
    """

    def __init__(
        self,
        loop: Loop,
        dial: Dial,
        service: Service,
        settings: CaptureSettings,
        listeners: Listeners,
        names: tuple[str, ...],
    ) -> None:
        self._loop, self._dial, self._listeners = loop, dial, listeners
        # Waking the I/O thread costs more than all else that is done to a frame. The actor's thread alone
        # looks at what it has gathered.
        self._gathered = bytearray()
        self._early, self._hello = settings.commit_early, hello(settings, names)
        self._model = settings.model
        self._target = target(service)
        self._events: Callable[[CapturePortEvent], None] = _to_nobody
        self._connection: Connection | None = None
        self._session: Session | None = None
        self._dialled_at = 0.0
        self._active_at = 0.0

    # --- actors.capture.port.TranscriberPort, from the actor's thread

    def open(self, events: Callable[[CapturePortEvent], None]) -> None:
        """Learn where to report."""
        self._loop.call(self._open, events)

    def connect(self, connection: Connection) -> None:
        """Begin a connection, whose line is opened by its first segment."""
        self._loop.call(self._connect, connection)

    def disconnect(self, connection: Connection) -> None:
        """End a connection, without a word."""
        self._loop.call(self._disconnect, connection)

    def begin(self, connection: Connection, segment: SegmentId) -> None:
        """A segment begins: open the line, if there is none."""
        self._gathered.clear()
        self._loop.call(self._begin, connection, segment)

    def append(self, segment: SegmentId, pcm: bytes) -> None:
        """Send more sound, or keep it until the line stands."""
        self._gathered += pcm
        if len(self._gathered) >= SENT_AT_ONCE:
            self._hand_over(segment)

    def ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        """Have what was sent written down."""
        self._hand_over(segment)
        self._loop.call(self._ask, segment, ask, settled)

    def drop(self, segment: SegmentId) -> None:
        """Let go of a segment."""
        self._loop.call(self._drop, segment)

    def close(self) -> None:
        """Let go of everything, also of sound that was not sent yet; after this nothing is reported."""
        self._gathered.clear()
        self._loop.call(self._close)

    def _hand_over(self, segment: SegmentId) -> None:
        if self._gathered:
            self._loop.call(self._append, segment, bytes(self._gathered))
            self._gathered.clear()

    # --- the same, on the I/O thread

    def _open(self, events: Callable[[CapturePortEvent], None]) -> None:
        self._events = events

    def _connect(self, connection: Connection) -> None:
        self._connection = connection

    def _disconnect(self, connection: Connection) -> None:
        if connection == self._connection:
            self._connection = None
            self.rest()

    def _begin(self, connection: Connection, segment: SegmentId) -> None:
        if connection != self._connection:
            return
        now = self._loop.now()
        session = self._session
        if session is not None and not session.busy and self._is_worn(session, now):
            self.rest()
        if self._session is None:
            if not self._listeners.admit(self):
                self._lost(connection, TOO_MANY)
                return
            self._session, self._dialled_at = self._dialled(connection), now
        self._active_at = now
        self._session.begin(segment)

    def _append(self, segment: SegmentId, pcm: bytes) -> None:
        if self._session is not None:
            self._session.append(segment, pcm)

    def _ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        if self._session is not None:
            self._session.ask(segment, ask, settled)

    def _drop(self, segment: SegmentId) -> None:
        if self._session is not None:
            self._session.drop(segment)

    def _close(self) -> None:
        self._events, self._connection = _to_nobody, None
        self.rest()

    def _dialled(self, connection: Connection) -> Session:
        return Session(
            connection,
            self._dial,
            self._target,
            model=self._model,
            hello=self._hello,
            early=self._early,
            owner=self,
        )

    def _is_worn(self, session: Session, now: float) -> bool:
        return session.tired or now - self._dialled_at > RENEWED_SECONDS

    # --- actors.capture.live.session.Owner

    def tell(self, session: Session, event: CapturePortEvent) -> None:
        """Report what this session says, if it is the one that stands."""
        if session is self._session:
            self._active_at = self._loop.now()
            self._events(event)

    def over(self, session: Session, reason: str) -> None:
        """Its end is a loss only to those who were being heard."""
        if session is not self._session:
            return
        busy = session.busy
        logger.info("a line to an ear is over: {} ({})", reason, "in use" if busy else "idle")
        self.rest()
        if busy:
            self._lost(session.connection, reason)

    def _lost(self, connection: Connection, reason: str) -> None:
        self._connection = None
        self._events(ListenerLost(connection=connection, reason=reason))

    # --- actors.capture.live.listeners.Sitter

    def idle_since(self) -> float | None:
        """Since when there has been nothing to hear and nothing owed."""
        return None if self._session is not None and self._session.busy else self._active_at

    def rest(self) -> None:
        """Close the line until the next segment."""
        session, self._session = self._session, None
        self._listeners.leave(self)
        if session is not None:
            session.close()


def _to_nobody(_: CapturePortEvent) -> None:
    """Before it is open and once it is closed, nobody listens."""
