"""One hand holds the switchboard, the other the media process: credentials go through, troubles come back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from actors.switchboard import Caller, Switchboard
from actors.voice.live.call import SAME_MOVE_SECONDS, STATE_SECONDS, Call, Elsewhere
from actors.voice.media import mail
from actors.voice.media.close_codes import Plan
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, RoomId
from messages.voice import LinkDown, LinkFaltered, LinkUp, VoicePortEvent


class Dialling:
    """The switchboard's listener for one link, over all its connections; any thread may call anything.

    `after` calls back on the loop's thread. `moved` is told at once when he is in another room than he was.
    """

    def __init__(
        self,
        switchboard: Switchboard,
        settings: VoiceSettings,
        *,
        send: Callable[[mail.Order], None],
        tell: Callable[[VoicePortEvent], None],
        after: Callable[[float, Callable[[], None]], None],
        moved: Callable[[], None],
    ) -> None:
        self._switchboard = switchboard
        self._settings = settings
        self._send, self._tell, self._after, self._moved = send, tell, after, moved
        # Never held while the switchboard is asked, which calls back.
        self._lock = threading.RLock()
        self._call: Call | None = None
        self._caller: Caller | None = None
        self._elsewhere: Elsewhere | None = None
        self._last_server: tuple[str, str] | None = None
        self._served_at = float("-inf")

    # --- what the voice room asks

    def connect(self, connection: Connection, room: RoomId) -> None:
        """Get credentials for this room, and a line with them."""
        with self._lock:
            call = self._call = Call(connection=connection, room=room)
            self._last_server = None
            adopted = self._adopt(call)
        if adopted:
            self._after(STATE_SECONDS, lambda: self._unanswered(call, 0))
        else:
            self._introduce(call, self._switchboard.connect(room, self))
        self._after(self._settings.ready_seconds, lambda: self._overdue(call, 0))

    def disconnect(self, connection: Connection) -> None:
        """Let go of the credentials; what was said of a room that he was moved to is kept for it."""
        with self._lock:
            if self._call is None or self._call.connection != connection:
                return
            self._call = None
            if self._elsewhere is not None:
                return
        self._switchboard.disconnect(self)

    def close(self) -> None:
        """Hear nothing any more."""
        with self._lock:
            self._call = self._elsewhere = None
        self._switchboard.disconnect(self)

    # --- what the switchboard says

    def state(self, session: str | None, room: RoomId | None) -> None:
        """Where he is."""
        with self._lock:
            call, self._elsewhere = self._call, None
            if session is None or room is None:
                self._last_server = None
                self._pass(lambda one: mail.VoiceState(connection=one.connection, session=None))
                return
            if call is not None and call.room == room:
                self._pass(lambda one: mail.VoiceState(connection=one.connection, session=session))
                return
            recent = time.monotonic() - self._served_at < SAME_MOVE_SECONDS
            server = self._last_server if recent else None
            self._elsewhere = Elsewhere(room=room, session=session, server=server)
        self._moved()

    def server(self, token: str, endpoint: str | None) -> None:
        """Where to connect to."""
        known = None if endpoint is None else (token, endpoint)
        with self._lock:
            if self._elsewhere is not None:
                self._elsewhere.server = known
                return
            self._last_server, self._served_at = known, time.monotonic()
            self._pass(
                lambda one: mail.VoiceServer(connection=one.connection, token=token, endpoint=endpoint)
            )

    def unreachable(self, reason: str) -> None:
        """Nothing will come."""
        with self._lock:
            call = self._call
        if call is not None:
            self._down(call, reason, terminal=False)

    # --- what the media process says

    def reached(self, connection: int) -> None:
        """A line is up."""
        with self._lock:
            if (call := self._of(connection)) is not None:
                call.reached, call.reached_at = True, time.monotonic()

    def up(self, letter: mail.Up) -> None:
        """Sound flows."""
        with self._lock:
            call = self._of(letter.connection)
            if call is None or call.down or (call.up and not call.faltering):
                return
            call.up, call.faltering = True, False
        encryption = "dave" if letter.dave_version else "transport"
        self._tell(LinkUp(connection=call.connection, encryption=encryption))

    def lost(self, letter: mail.Lost) -> None:
        """The newest line is gone."""
        with self._lock:
            call = self._of(letter.connection)
            if call is None:
                return
            wait = call.next_try(time.monotonic())
            attempt = call.attempt
            again = letter.plan == Plan.FRESH_ONCE and call.turned_away == letter.reason
            call.turned_away = letter.reason if letter.plan == Plan.FRESH_ONCE else call.turned_away
        if letter.plan == Plan.TERMINAL or again:
            self._down(call, letter.reason, terminal=True)
        elif letter.plan == Plan.WAIT_FOR_STATE:
            self._after(STATE_SECONDS, lambda: self._missed(call, attempt, letter.reason))
        elif wait is None:
            self._down(call, letter.reason, terminal=False)
        else:
            self._falter(call, letter.reason)
            self._after(wait, lambda: self._redial(call, attempt))

    def died(self) -> None:
        """The media process itself is gone, and every line with it."""
        with self._lock:
            call = self._call
        if call is not None:
            self._down(call, "media_process", terminal=False)

    # --- inside

    def _adopt(self, call: Call) -> bool:
        """Take over what was said of this room when he was moved into it; nobody need leave and come back."""
        elsewhere, self._elsewhere = self._elsewhere, None
        if elsewhere is None or elsewhere.room != call.room or self._caller is None:
            return False
        call.letters.append(mail.VoiceState(connection=call.connection, session=elsewhere.session))
        if elsewhere.server is not None:
            token, endpoint = elsewhere.server
            call.letters.append(mail.VoiceServer(connection=call.connection, token=token, endpoint=endpoint))
        self._introduce(call, replace(self._caller, channel=int(call.room)))
        return True

    def _introduce(self, call: Call, caller: Caller | None) -> None:
        """Now that it is known who he is there, the media process may know it, and what has come since."""
        if caller is None:
            self._down(call, "account_not_ready", terminal=False)
            return
        with self._lock:
            if call is not self._call:
                return
            call.caller = self._caller = caller
            self._send(
                mail.Open(
                    connection=call.connection,
                    user=caller.user,
                    guild=caller.guild,
                    channel=caller.channel,
                )
            )
            for letter in call.letters:
                self._send(letter)
            call.letters = []

    def _pass(self, letter: Callable[[Call], mail.VoiceState | mail.VoiceServer]) -> None:
        call = self._call
        if call is None:
            return
        if call.caller is None:
            call.letters.append(letter(call))
        else:
            self._send(letter(call))

    def _redial(self, call: Call, attempt: int) -> None:
        if self._waits(call, attempt):
            self._switchboard.redial(call.room, self)
            self._after(self._settings.ready_seconds, lambda: self._overdue(call, attempt))

    def _unanswered(self, call: Call, attempt: int) -> None:
        """No line came of what was said when he was moved."""
        if self._waits(call, attempt):
            self._switchboard.redial(call.room, self)

    def _overdue(self, call: Call, attempt: int) -> None:
        self._missed(call, attempt, "not_ready")

    def _missed(self, call: Call, attempt: int, reason: str) -> None:
        if self._waits(call, attempt):
            self._down(call, reason, terminal=False)

    def _waits(self, call: Call, attempt: int) -> bool:
        """Whether it is still this line of this call that is missing."""
        with self._lock:
            return call is self._call and not call.down and not call.reached and call.attempt == attempt

    def _falter(self, call: Call, reason: str) -> None:
        with self._lock:
            if call.down or call.faltering:
                return
            call.faltering = call.up
        self._tell(LinkFaltered(connection=call.connection, reason=reason))

    def _down(self, call: Call, reason: str, *, terminal: bool) -> None:
        with self._lock:
            if call is not self._call or call.down:
                return
            call.down = True
        self._tell(LinkDown(connection=call.connection, reason=reason, terminal=terminal))

    def _of(self, connection: int) -> Call | None:
        return self._call if self._call is not None and self._call.connection == connection else None
