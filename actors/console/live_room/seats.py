"""Whoever takes a seat is in the room: he hears everybody but himself, and is heard once he says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from actors.local_room import LocalRoom
from actors.net.loop import IoLoop

if TYPE_CHECKING:
    from aiohttp import web


class Seats:
    """All seats at one window; but for the constructor, everything is for the thread of all sockets."""

    def __init__(self, loop: IoLoop, room: LocalRoom, opus_library: str | None = None) -> None:
        """Without `opus_library`, a path, libopus is looked for."""
        self._loop, self._room, self._opus_library = loop, room, opus_library

    async def sit(self, request: web.BaseRequest) -> web.StreamResponse:
        """Stay with one who was admitted until he leaves or vanishes; the connection has to be let last."""
        raise NotImplementedError

    async def close(self) -> None:
        """Let everybody go, within half a second; whoever comes later is sent away."""
