"""What the main gateway asks of the voice servers, and a voice server that nobody can reach."""

from __future__ import annotations

import secrets
import ssl
from typing import Protocol


class VoicePlace(Protocol):
    """The voice servers as the gateway knows them; called on the loop's thread only."""

    without_dave: set[int]
    """Channels that have no end-to-end encryption, as stages have none."""

    def admit(self, guild: int, channel: int, user: int, session: str) -> tuple[str, str]:
        """Expect this user's connection: the token that he must show and the endpoint, `localhost:PORT`."""
        ...

    def dismiss(self, guild: int, user: int) -> None:
        """He has left or was moved away: close his voice websocket with 4014 if it is still open."""
        ...

    async def open(self, tls: ssl.SSLContext) -> None:
        """Start to listen on 127.0.0.1 with this certificate."""
        ...

    async def close(self) -> None:
        """Close every connection and every socket."""
        ...


class NoVoice:
    """Hands out tokens for a voice server that is not there, and remembers who would be expected."""

    def __init__(self) -> None:
        self.without_dave: set[int] = set()
        self.admitted: list[tuple[int, int, int, str]] = []
        self.dismissed: list[tuple[int, int]] = []

    def admit(self, guild: int, channel: int, user: int, session: str) -> tuple[str, str]:
        """Make up a token; nothing listens at port 1."""
        self.admitted.append((guild, channel, user, session))
        return secrets.token_hex(8), "localhost:1"

    def dismiss(self, guild: int, user: int) -> None:
        """Remember it."""
        self.dismissed.append((guild, user))

    async def open(self, tls: ssl.SSLContext) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""
