"""One line and the conversation on it: letters come in, letters and reports go out, and then it is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from loguru import logger

from actors.net.line import Ended, Line, Loop, Timer
from actors.realtime.items import Seed
from actors.realtime.live.actions import Action, Close, Expires, Report, Send
from actors.realtime.live.session import Session
from actors.realtime.live.wire import Complaint, Frame
from messages.ids import Connection
from messages.realtime import RealtimePortEvent


class Talk:
    """Listens to its line, on the I/O thread; `renewal` says in how many seconds to give up a session.

    `renewal` is told the epoch second at which the provider ends it.
    """

    def __init__(
        self,
        connection: Connection,
        session: Session,
        events: Callable[[RealtimePortEvent], None],
        renewal: Callable[[float], float | None],
        loop: Loop,
    ) -> None:
        self.connection = connection
        self._session, self._events = session, events
        self._renewal, self._loop = renewal, loop
        # None from the moment on when it is over.
        self._line: Line | None = None
        self._timer: Timer | None = None

    def begin(self, line: Line, seed: Seed) -> None:
        """This is the line; it need not stand yet."""
        self._line = line
        self._carry_out(line, self._session.begin(seed))

    def order(self, order: Callable[[Session], list[Action]]) -> None:
        """Do something to the conversation."""
        if self._line is not None:
            self._carry_out(self._line, order(self._session))

    def hang_up(self) -> None:
        """It is over; nothing more is reported of it."""
        line, self._line = self._line, None
        if line is not None:
            line.close()
        if self._timer is not None:
            self._timer.cancel()

    # --- actors.net.line.Listener

    def opened(self) -> None:
        """All that was to be said has been written already."""

    def came(self, frame: Frame) -> None:
        """A letter."""
        if isinstance(frame, Complaint):
            logger.debug("the provider of the conversation complains: {}", frame.reason)
        self.order(lambda session: session.came(frame))

    def ended(self, ended: Ended) -> None:
        """The line is over, which is news only if it was not hung up."""
        self.order(lambda session: session.ended(ended.reason, ended.code))

    def _carry_out(self, line: Line, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Send():
                    line.send(action.letter)
                case Report():
                    self._events(action.event)
                case Expires():
                    self._expires(action.at)
                case Close():
                    self.hang_up()
                case _:
                    assert_never(action)

    def _expires(self, at: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        seconds = self._renewal(at)
        if seconds is not None:
            self._timer = self._loop.after(seconds, lambda: self.order(lambda session: session.retire()))
