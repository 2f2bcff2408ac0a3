"""One websocket as a seat needs it: what comes is a frame of ours, sound, or the reason to hang up."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from actors.console.live_room.allowance import Allowance
from actors.console.live_room.wire import LONGEST_LINE, LONGEST_NAME, Error, Leave, Said, read, text_of

if TYPE_CHECKING:
    from aiohttp import web

PROTOCOL: Final = "clankie"
"""What a browser names beside the key, and is answered."""
MOST_BYTES: Final = 65_536
"""Of a frame; one of more than twice as much is not read to its end."""
SILENT_SECONDS: Final = 10.0
"""How long nothing may come from one who is pinged every five."""
CLOSE_SECONDS: Final = 0.3
UNREAD_BYTES: Final = 16_384
"""How much sound may wait outside of the outbox, where it could not be dropped: a third of a second."""
TEXTS_A_SECOND: Final = 4.0
TEXTS_AT_ONCE: Final = 40.0
SAY: Final = (
    f"join (with a name of 1 to {LONGEST_NAME} characters, a rate of 8000 to 96000 "
    "and, if it likes, a token of 32 to 128 hexadecimal digits), consent, "
    f"line (with 1 to {LONGEST_LINE} characters), press or leave"
)

Heard: TypeAlias = Said | bytes


class Refused(Exception):
    """He did what no page of ours does; the sentence tells him what to do instead."""


class Vanished(Exception):
    """Nothing has come from him for too long."""


class Line:
    """The server's end; for the thread of all sockets."""

    def __init__(self, request: web.BaseRequest) -> None:
        from aiohttp import web

        self._request = request
        self.socket = web.WebSocketResponse(
            protocols=(PROTOCOL,),
            compress=False,
            timeout=CLOSE_SECONDS,
            max_msg_size=2 * MOST_BYTES,
            writer_limit=UNREAD_BYTES,
        )
        self._texts = Allowance(TEXTS_A_SECOND, TEXTS_AT_ONCE)

    async def open(self) -> None:
        """Shake hands, and let nothing pile up where it can not be dropped."""
        await self.socket.prepare(self._request)
        if (transport := self._request.transport) is not None:
            cast(asyncio.WriteTransport, transport).set_write_buffer_limits(high=UNREAD_BYTES)
            peer = cast("socket.socket | None", transport.get_extra_info("socket"))
            if peer is not None:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES)

    async def next(self) -> Heard:
        """The next thing that he says, `Leave` if he hangs up; raises Refused and Vanished."""
        from aiohttp import WSMsgType

        try:
            message = await self.socket.receive(timeout=SILENT_SECONDS)
        except TimeoutError:
            raise Vanished from None
        match message.type:
            case WSMsgType.BINARY:
                return _sound(message.data)
            case WSMsgType.TEXT:
                if self._texts.take(1, time.monotonic()):
                    return _said(message.data)
                raise Refused(
                    f"More than {TEXTS_A_SECOND:.0f} frames of text a second are too many; send fewer."
                )
            case _:
                return Leave(type="leave")

    async def close(self, code: int, error: str = "") -> None:
        """Say why, if there is a reason, and hang up."""
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(2 * CLOSE_SECONDS):
                if error:
                    await self.socket.send_str(text_of(Error(error=error)))
                await self.socket.close(code=code)
                return
        self.abort()

    def abort(self) -> None:
        """Hang up at once."""
        if (transport := self._request.transport) is not None:
            transport.abort()


def _sound(data: bytes) -> bytes:
    if not data or len(data) % 2 or len(data) > MOST_BYTES:
        raise Refused(f"Send sound as whole 16-bit samples, at most {MOST_BYTES} bytes at once.")
    return data


def _said(text: str) -> Said:
    if len(text) > MOST_BYTES or (said := read(text)) is None:
        raise Refused(f"This is no frame of a seat; send {SAY}.")
    return said
