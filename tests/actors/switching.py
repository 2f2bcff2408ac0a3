"""Both ends of a switchboard, for tests: an account that notes its orders, and a listener its news."""

from __future__ import annotations

from actors.switchboard import Switchboard
from messages.ids import RoomId

HOME, GENERAL, MUSIC = 1, RoomId("10"), RoomId("11")
ELSEWHERE, LOBBY = 2, RoomId("20")
ROOMS = {GENERAL: HOME, MUSIC: HOME, LOBBY: ELSEWHERE}
ME = 99


class Orders:
    """An account that notes what it is to send."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, int | None]] = []

    def dial(self, guild: int, channel: int) -> None:
        self.sent.append((guild, channel))

    def hang_up(self, guild: int) -> None:
        self.sent.append((guild, None))

    def take(self) -> list[tuple[int, int | None]]:
        taken, self.sent = self.sent, []
        return taken


class Ear:
    """A listener that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str | None, ...]] = []

    def state(self, session: str | None, room: RoomId | None) -> None:
        self.told.append(("state", session, room))

    def server(self, token: str, endpoint: str | None) -> None:
        self.told.append(("server", token, endpoint))

    def unreachable(self, reason: str) -> None:
        self.told.append(("unreachable", reason))

    def take(self) -> list[tuple[str | None, ...]]:
        taken, self.told = self.told, []
        return taken


class Talk:
    """A switchboard with an account that is ready, and Discord's side of it."""

    def __init__(self) -> None:
        self.board, self.orders, self.ear = Switchboard(), Orders(), Ear()
        self.board.attach(self.orders)
        self.board.ready(ME, ROOMS)

    def state(self, session: str | None, channel: int | None) -> bool:
        return self.board.heard_state(HOME, session, channel)

    def answer(self, session: str = "s1", channel: int = 10, pair: str = "t1") -> bool:
        """Discord does what was ordered."""
        news = self.state(session, channel)
        self.board.heard_server(HOME, pair, "voice:1")
        return news

    def overdue(self) -> None:
        self.board.overdue(HOME, self.board.order(HOME))


PAIR = [("state", "s1", "10"), ("server", "t1", "voice:1")]
OUT = ("state", None, None)
