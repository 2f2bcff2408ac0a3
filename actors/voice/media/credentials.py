"""Discord names the session in one message and the server in another, in either order, and both go stale."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

RECENT: Final = 1.0
"""A state that came so shortly before a server belongs to it."""
PATIENCE: Final = 0.15
"""So long a server waits for the state that may belong to it, where none was recent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What one new line needs."""

    session: str = field(repr=False)
    token: str = field(repr=False)
    endpoint: str


class Desk:
    """Takes states and servers as they come; whatever returns credentials asks for a new line with them.

    No clock: `now` is monotonic seconds. `due` is when `tick` has to be called, None while nothing waits.
    """

    def __init__(self) -> None:
        self._session: str | None = None
        self._stated_at = float("-inf")
        self._server: tuple[str, str] | None = None
        self.due: float | None = None

    def state(self, session: str | None, now: float) -> Credentials | None:
        """His own state; None is out of voice, with which the session and a server that waits are void."""
        if session is None:
            self._session, self._server, self.due = None, None, None
            return None
        self._session, self._stated_at = session, now
        return self._pair()

    def server(self, token: str, endpoint: str | None, now: float) -> Credentials | None:
        """A server; without an endpoint another one will be told."""
        self.due = None
        if endpoint is None:
            self._server = None
            return None
        self._server = (token, endpoint)
        if self._session is not None and now - self._stated_at > RECENT:
            self.due = now + PATIENCE
            return None
        return self._pair()

    def tick(self, now: float) -> Credentials | None:
        """Nothing newer came: the session that is known must do."""
        if self.due is None or now < self.due:
            return None
        return self._pair()

    def _pair(self) -> Credentials | None:
        if self._session is None or self._server is None:
            return None
        (token, endpoint), self._server, self.due = self._server, None, None
        return Credentials(session=self._session, token=token, endpoint=endpoint)
