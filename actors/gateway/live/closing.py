"""Discord says why it hangs up; discord.py forgets it if the line is dead before the goodbye is returned.

It then takes a refusal for an accident and logs in again every five seconds, until Discord, at a thousand
logins, takes the token away.
"""

from __future__ import annotations

import aiohttp
from discord.http import HTTPClient

HOPELESS = frozenset({4004, 4010, 4011, 4012, 4013, 4014})
"""Close codes of the gateway after which every further login is refused as well."""


class LastWord:
    """Listens in on the gateway's connections for the code that they are closed with."""

    def __init__(self, http: HTTPClient) -> None:
        self.code: int | None = None
        connect = http.ws_connect

        async def connected(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
            socket = await connect(url, compress=compress)
            self._listen(socket)
            return socket

        http.ws_connect = connected  # type: ignore[method-assign]

    @property
    def hopeless(self) -> bool:
        """Whether Discord will not let him in, however often he tries."""
        return self.code in HOPELESS

    def _listen(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        receive = socket.receive

        async def received(timeout: float | None = None) -> aiohttp.WSMessage:  # noqa: ASYNC109
            message = await receive(timeout)
            if message.type is aiohttp.WSMsgType.CLOSE and isinstance(message.data, int):
                self.code = message.data
            return message

        socket.receive = received  # type: ignore[method-assign]
