"""Discord says why it hangs up; discord.py forgets it if the line is dead before the goodbye is returned.

It then takes a refusal for an accident and logs in again every five seconds, until Discord, at a thousand
logins, takes the token away. Nothing of discord.py is changed for it but the one object that opens this
client's connections: where a connection is read, there is no other place to listen.
"""

from __future__ import annotations

import aiohttp
import discord
from discord.http import HTTPClient

HOPELESS = frozenset({4004, 4010, 4011, 4012, 4013, 4014})
"""Close codes of the gateway after which every further login is refused as well."""


def heed_last_words(http: HTTPClient) -> None:
    """Have a connection end with ConnectionClosed where Discord refuses this account for good."""
    connect = http.ws_connect

    async def connected(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        socket = await connect(url, compress=compress)
        _listen(socket)
        return socket

    http.ws_connect = connected  # type: ignore[method-assign]


def _listen(socket: aiohttp.ClientWebSocketResponse) -> None:
    receive = socket.receive

    async def received(timeout: float | None = None) -> aiohttp.WSMessage:  # noqa: ASYNC109
        message = await receive(timeout)
        if message.type is aiohttp.WSMsgType.CLOSE and message.data in HOPELESS:
            raise discord.ConnectionClosed(socket, shard_id=None, code=message.data)
        return message

    socket.receive = received  # type: ignore[method-assign]
