"""One websocket to a provider: it follows no redirect, writes no log and is never waited for in vain."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast
from urllib.parse import urlsplit

from loguru import logger
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidProxy, InvalidStatus, ProxyError
from websockets.frames import CloseCode
from websockets.protocol import State

from actors.net.line import Ended, EndedBy, Target
from actors.net.reasons import TIMEOUT, code_of, of_status
from actors.net.ways import authorities, proxy_for, why_unreached

LARGEST_REFUSAL: Final = 64 << 10
"""The body of a refused handshake is not looked into beyond so many bytes."""

_SILENT: Final = logging.getLogger("actors.net.silence")
"""The library would write down keys and frames."""
_SILENT.setLevel(logging.CRITICAL + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long a line may take for what, in seconds, and how much may wait on it.

    A peer that is gone without a word is noticed within `ping` + `pong` + `close` seconds. What waits may be
    35 s of speech, 2.3 MB as base64, of somebody who spoke before the line stood.
    """

    open: float = 5.0
    ping: float = 5.0
    pong: float = 3.5
    close: float = 1.0
    send: float = 2.0
    waiting_bytes: int = 4 << 20
    untaken_bytes: int = 32 << 10
    frame_bytes: int = 16 << 20


class Refused(Exception):
    """There is no line, and this is how it ended."""

    def __init__(self, by: EndedBy, reason: str) -> None:
        super().__init__(reason)
        self.ended = Ended(by=by, reason=reason)


class Cable(ClientConnection):
    """A connection that says when its peer takes too little, and cannot be kept open by one that said bye."""

    pressure: Callable[[bool], object] | None = None
    """Called with true when too much is untaken, with false when there is room again."""
    _leaving: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """More than `untaken_bytes` wait for the peer."""
        super().pause_writing()
        if self.pressure is not None:
            self.pressure(True)

    def resume_writing(self) -> None:
        """There is room again."""
        super().resume_writing()
        if self.pressure is not None:
            self.pressure(False)

    def data_received(self, data: bytes) -> None:
        """After a close frame nothing else is due but the end, soon."""
        super().data_received(data)
        if self.state is State.CLOSING:
            self._expect_end()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        if self._leaving is not None:
            self._leaving.cancel()
        super().connection_lost(exc)

    def hang_up(self, farewell: str | None) -> None:
        """Say a last thing, a frame or else a close frame, and be gone within the limit; never waits."""
        if farewell is not None:
            self.put(farewell)
        elif self.state is State.OPEN:
            self.protocol.send_close(CloseCode.NORMAL_CLOSURE)
            self.send_data()
        self._expect_end()

    def put(self, frame: str) -> None:
        """Send without a wait; nothing happens where it is closed."""
        if self.state is State.OPEN:
            self.protocol.send_text(frame.encode())
            self.send_data()

    def _expect_end(self) -> None:
        if self._leaving is None and self.close_timeout is not None:
            self._leaving = self.loop.call_later(self.close_timeout, self.transport.abort)


class _Straight(connect):
    """Follows no redirect: a key that is not called Authorization would go along to wherever it leads."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Whatever the peer answered is its answer."""
        return exc


async def connected(target: Target, limits: Limits) -> Cable:
    """Connect, through the environment's proxy unless to this machine; raises nothing but Refused."""
    address = urlsplit(target.url)
    try:
        cable = await _Straight(
            target.url,
            additional_headers=target.headers,
            create_connection=Cable,
            compression=None,
            logger=_SILENT,
            proxy=proxy_for(target.url),
            open_timeout=limits.open,
            ping_interval=limits.ping,
            ping_timeout=limits.pong,
            close_timeout=limits.close,
            max_size=limits.frame_bytes,
            write_limit=limits.untaken_bytes,
            ssl=authorities() if address.scheme == "wss" else None,
        )
    except InvalidStatus as refusal:
        response = refusal.response
        raise Refused(EndedBy.PEER, of_status(response.status_code, code_in(response.body))) from None
    except TimeoutError:
        raise Refused(EndedBy.FAULT, TIMEOUT) from None
    except Exception as failure:  # names, sockets, certificates, proxies: each library has its own errors
        logger.debug("no line to {}: {}", address.hostname, type(failure).__name__)
        reason = why_unreached(failure, target.url, InvalidProxy, ProxyError)
        raise Refused(EndedBy.FAULT, reason) from None
    return cast(Cable, cable)


def code_in(body: bytes | bytearray | None) -> str | None:
    """What the JSON of a refusal names as its cause; None where there is none."""
    if body is None or len(body) > LARGEST_REFUSAL:
        return None
    try:
        return code_of(json.loads(body))
    except (ValueError, RecursionError):
        return None


def parted(closed: ConnectionClosed) -> Ended:
    """How a connection that stood has ended, if its owner did not end it."""
    if closed.sent is not None and not closed.rcvd_then_sent:
        is_silent = closed.sent.code == CloseCode.INTERNAL_ERROR
        return Ended(by=EndedBy.FAULT, reason="keepalive" if is_silent else "bad_frame")
    if closed.rcvd is None:
        return Ended(by=EndedBy.PEER, reason="aborted", code=CloseCode.ABNORMAL_CLOSURE)
    code = int(closed.rcvd.code)
    is_plain = code == CloseCode.NORMAL_CLOSURE
    return Ended(by=EndedBy.PEER, reason="closed" if is_plain else f"closed_{code}", code=code)
