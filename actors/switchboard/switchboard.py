"""The account knows where he is and the link needs to know, but neither waits for the other.

Between the two stands one switchboard for the whole house. The account's side tells it what Discord says
of his own voice and carries out its orders; the link's side asks it for credentials. It decides in `core`,
under a lock, and calls out without one, in order, one call at a time.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias, assert_never

from actors.switchboard import core
from actors.switchboard.acts import Act, Dial, HangUp, TellServer, TellState, TellUnreachable
from actors.switchboard.core import Call
from messages.ids import RoomId

ANSWER_SECONDS = 5.0
"""How long op 4 may stay unanswered before the account calls `overdue`."""


Told: TypeAlias = TellState | TellServer | TellUnreachable


class CallListener(Protocol):
    """The link's side of one call. Called from any thread; must not block or raise."""

    def state(self, session: str | None, room: RoomId | None) -> None:
        """Where he is in this guild now; no session and no room: somebody put him out."""

    def server(self, token: str, endpoint: str | None) -> None:
        """A voice server for the last state that was told; without an endpoint: wait for the next."""

    def unreachable(self, reason: str) -> None:
        """Nobody answers, or nobody wants him there: `no_answer`, `left` or `account_gone`."""


class Account(Protocol):
    """The account's side. Called from any thread; must not block or raise."""

    def dial(self, guild: int, channel: int) -> None:
        """Send op 4 for this channel, and call `overdue` if it is not answered in ANSWER_SECONDS."""

    def hang_up(self, guild: int) -> None:
        """Send op 4 without a channel, and call `overdue` likewise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who he is on this call: three Discord ids."""

    user: int
    guild: int
    channel: int


class Switchboard:
    """Every method may be called from any thread, and again from within a listener or an account."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._account: Account | None = None
        self._newest = 0
        self._user: int | None = None
        self._rooms: dict[RoomId, int] = {}
        self._calls: dict[int, Call] = {}
        self._listeners: dict[int, CallListener] = {}
        self._waiting: deque[Callable[[], None]] = deque()
        self._calling = False

    # --- the link's side --------------------------------------------------------------------------

    def connect(self, room: RoomId, listener: CallListener) -> Caller | None:
        """Have a fresh state and server told to `listener`, who takes the place of an earlier one.

        None, and nothing will be told, while the account is not ready or does not see the room.
        """
        with self._lock:
            guild = self._rooms.get(room)
            if self._user is None or guild is None:
                return None
            caller = Caller(user=self._user, guild=guild, channel=int(room))
            self._listeners[guild] = listener
            self._take(guild, core.connect(self._call(guild), caller.channel))
        self._call_out()
        return caller

    def redial(self, room: RoomId, listener: CallListener) -> None:
        """What was told is used up: have him leave, come back, and be told anew."""
        with self._lock:
            guild = self._rooms.get(room)
            if guild is not None and self._listeners.get(guild) is listener:
                self._take(guild, core.redial(self._call(guild)))
        self._call_out()

    def disconnect(self, listener: CallListener) -> None:
        """That listener hears no more, once a call that is being made returns; he stays in the channel."""
        with self._lock:
            for guild, known in list(self._listeners.items()):
                if known is listener:
                    del self._listeners[guild]
                    self._calls[guild] = replace(self._call(guild), listening=False)

    # --- the account's side -----------------------------------------------------------------------

    def enlist(self) -> int:
        """A place in the line of accounts: the newest counts, however late an earlier one gets ready."""
        with self._lock:
            self._newest += 1
            return self._newest

    def attach(self, account: Account, place: int | None = None) -> bool:
        """This account carries out the orders from now on; false if another one has enlisted since."""
        with self._lock:
            newest = place is None or place == self._newest
            self._account = account if newest else self._account
            return newest

    def detach(self, account: Account) -> None:
        """It does no longer: every call is over, and its listener is told so."""
        with self._lock:
            if self._account is account:
                for guild in list(self._listeners):
                    self._later(guild, TellUnreachable(reason="account_gone"))
                self._account, self._user = None, None
                self._rooms, self._calls, self._listeners = {}, {}, {}
        self._call_out()

    def enter(self, room: RoomId) -> None:
        """Have him in this room; again is no harm, and a room that nobody sees is nowhere."""
        with self._lock:
            if (guild := self._rooms.get(room)) is not None:
                self._take(guild, core.enter(self._call(guild), int(room)))
        self._call_out()

    def leave(self, room: RoomId) -> None:
        """Have him in no room of this room's guild."""
        with self._lock:
            if (guild := self._rooms.get(room)) is not None:
                self._take(guild, core.leave(self._call(guild)))
        self._call_out()

    def ready(self, user: int, rooms: Mapping[RoomId, int]) -> None:
        """The account is connected as `user` and sees these rooms, each in its guild."""
        with self._lock:
            self._user, self._rooms = user, dict(rooms)

    def sees(self, room: RoomId, guild: int) -> None:
        """There is one more room."""
        with self._lock:
            self._rooms[room] = guild

    def found(self, guild: int, session: str | None, channel: int | None) -> bool:
        """After `ready`, once for every guild: where he is; true if that is news for the gateway.

        Where nobody wants him he hangs up, and where he is wanted he is asked for once more.
        """
        return self._hear(guild, lambda call: core.found(call, session, channel))

    def heard_state(self, guild: int, session: str | None, channel: int | None) -> bool:
        """Discord told his own voice state; true if that is news for the gateway."""
        return self._hear(guild, lambda call: core.state(call, session, channel))

    def heard_server(self, guild: int, token: str, endpoint: str | None) -> None:
        """Discord told a voice server."""
        with self._lock:
            self._take(guild, core.server(self._call(guild), token, endpoint))
        self._call_out()

    def order(self, guild: int) -> int:
        """Return the name of the last order to this guild, for `overdue`."""
        with self._lock:
            return self._call(guild).order

    def overdue(self, guild: int, order: int) -> None:
        """ANSWER_SECONDS have passed since that order; if it still is the last, it is given once more."""
        with self._lock:
            self._take(guild, core.overdue(self._call(guild), order))
        self._call_out()

    def resumed(self) -> None:
        """The account is back in its old session, and has heard all that was said meanwhile."""
        with self._lock:
            for guild, call in list(self._calls.items()):
                self._take(guild, core.resumed(call))
        self._call_out()

    # --- inside -----------------------------------------------------------------------------------

    def _call(self, guild: int) -> Call:
        return self._calls.get(guild, Call())

    def _hear(self, guild: int, step: Callable[[Call], core.Heard]) -> bool:
        with self._lock:
            call, acts, news = step(self._call(guild))
            self._take(guild, (call, acts))
        self._call_out()
        return news

    def _take(self, guild: int, step: core.Step) -> None:
        self._calls[guild], acts = step
        for act in acts:
            self._later(guild, act)

    def _later(self, guild: int, act: Act) -> None:
        account, listener = self._account, self._listeners.get(guild)
        match act:
            case Dial(channel=channel):
                if account is not None:
                    self._waiting.append(lambda: account.dial(guild, channel))
            case HangUp():
                if account is not None:
                    self._waiting.append(lambda: account.hang_up(guild))
            case TellState() | TellServer() | TellUnreachable():
                if listener is not None:
                    self._waiting.append(lambda: self._tell(guild, listener, act))
            case _:
                assert_never(act)

    def _tell(self, guild: int, listener: CallListener, act: Told) -> None:
        with self._lock:
            gone = isinstance(act, TellUnreachable) and self._account is None
            if self._listeners.get(guild) is not listener and not gone:
                return
        match act:
            case TellState(session=session, room=room):
                listener.state(session, room)
            case TellServer(token=token, endpoint=endpoint):
                listener.server(token, endpoint)
            case TellUnreachable(reason=reason):
                listener.unreachable(reason)
            case _:
                assert_never(act)

    def _call_out(self) -> None:
        """Make the calls that wait, unless somebody is at it: he makes ours too."""
        while True:
            with self._lock:
                if self._calling or not self._waiting:
                    return
                self._calling = True
                call = self._waiting.popleft()
            try:
                call()
            finally:
                with self._lock:
                    self._calling = False
