"""The door to Discord: opened once, closed once, and in between nobody has to know what stands behind it."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from actors.gateway.live.replies import Disclosure
from actors.net.loop import IoLoop
from actors.switchboard import Switchboard
from messages.attachment import Attachment
from messages.gateway import GatewayGone, GatewayPortEvent
from messages.ids import ConfirmationId, DeedId, GuildId, MessageId, PersonId, RoomId
from messages.tools import Deed

if TYPE_CHECKING:
    from actors.gateway.live.session import Session

CLOSE_SECONDS = 1.0


class LiveAccount:
    """A bot account on Discord; a GatewayPort.

    `ca_file` names authorities to trust instead of this machine's (a proxy that looks inside), `activity`
    is the application id of the play surface, `message_content` whether he reads what is not written to him
    (a privileged intent), `join_seconds` how long the gateway may take to answer an order to join.
    """

    def __init__(
        self,
        loop: IoLoop,
        switchboard: Switchboard,
        token: str,
        *,
        proxy: str | None = None,
        ca_file: Path | None = None,
        activity: int | None = None,
        message_content: bool = True,
        disclosure: Disclosure | None = None,
        join_seconds: float = 40.0,
    ) -> None:
        self._loop, self._board, self._token = loop, switchboard, token
        self._proxy, self._ca_file, self._activity = proxy, ca_file, activity
        self._message_content, self._join_seconds = message_content, join_seconds
        self._disclosure = disclosure or Disclosure()
        self._place = switchboard.enlist()
        self._lock = threading.Lock()
        self._events: Callable[[GatewayPortEvent], None] | None = None
        self._session: Session | None = None

    def open(self, events: Callable[[GatewayPortEvent], None], /) -> None:
        """Go online soon."""
        # discord.py takes its second to import, and must not take it from the thread of all sockets.
        from actors.gateway.live.session import Access, Session

        self._events = events
        access = Access(
            token=self._token,
            proxy=self._proxy,
            ca_file=self._ca_file,
            message_content=self._message_content,
            activity=self._activity,
            disclosure=self._disclosure,
            join_seconds=self._join_seconds,
        )
        try:
            self._session = Session(access, loop=self._loop, board=self._board, tell=self._tell)
        except OSError as failure:
            remedy = f"see that {self._ca_file} can be read and holds certificates (PEM)"
            self._tell(GatewayGone(reason=type(failure).__name__, remedy=remedy))
            return
        # A life that took too long to open was given up, and another one is the account by now.
        if self._board.attach(self._session.orders, self._place):
            self._loop.submit(self._session.run())

    def enter(self, room: RoomId) -> None:
        """Have the account seen in this room."""
        self._board.enter(room)

    def leave(self, room: RoomId) -> None:
        """Have the account seen there no longer."""
        self._board.leave(room)

    def post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...] = ()
    ) -> None:
        """Write into a channel."""
        if self._session is not None:
            self._loop.call(self._session.post, room, text, reply_to, attachments)

    def typing(self, room: RoomId, on: bool) -> None:
        """Show that he writes."""
        if self._session is not None:
            self._loop.call(self._session.typing, room, on)

    def watch(self, room: RoomId, start: bool) -> None:
        """Open or close the play surface."""
        if self._session is not None:
            self._loop.call(self._session.surface.watch, room, start)

    def do(self, name: DeedId, deed: Deed, room: RoomId, message: MessageId | None) -> None:
        """Do this in a chat."""
        if self._session is not None:
            self._loop.call(self._session.hands.do, name, deed, room, message)

    def look_up(self, guild: GuildId, person: PersonId) -> None:
        """Learn the roles of somebody."""
        if self._session is not None:
            self._loop.call(self._session.hands.look_up, guild, person)

    def confirm(self, confirmation: ConfirmationId, room: RoomId, text: str) -> None:
        """Show this with two buttons."""
        if self._session is not None:
            self._loop.call(self._session.buttons.confirm, confirmation, room, text)

    def settle(self, confirmation: ConfirmationId, outcome: str) -> None:
        """Take the buttons away."""
        if self._session is not None:
            self._loop.call(self._session.buttons.settle, confirmation, outcome)

    def close(self) -> None:
        """Go offline and be told nothing more."""
        with self._lock:
            self._events = None
        if self._session is not None:
            self._board.detach(self._session.orders)
            # With the loop gone, or stuck, the sockets are not ours to close any more.
            concurrent.futures.wait([self._loop.submit(self._session.stop())], CLOSE_SECONDS)

    def _tell(self, event: GatewayPortEvent) -> None:
        with self._lock:
            if self._events is not None:
                self._events(event)
