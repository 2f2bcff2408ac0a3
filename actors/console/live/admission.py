"""Who may say what at the window: whoever asks from elsewhere, or without the key, is told so and no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from actors.console.live.key import Key
from actors.console.live.routes import ASSETS, ROUTES, Route
from actors.console.wire import is_our_host

if TYPE_CHECKING:
    from aiohttp import web

MOST_BYTES: Final = 64 * 1024
SUBPROTOCOL: Final = "clankie"
"""What a browser offers for a websocket, beside its key: it can send no Authorization there."""
_HANDSHAKE: Final = (
    *("Upgrade", "Connection"),
    *(f"Sec-WebSocket-{name}" for name in ("Key", "Version", "Protocol", "Extensions")),
)
_KEY_PREFIX: Final = "key."


class Refused(Exception):
    """It is not done, with this status and a sentence that says what to do instead."""

    def __init__(self, status: int, text: str, **headers: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Admission:
    """Looks at everybody before he is answered; for the thread of all sockets."""

    def __init__(self, key: Key, has_asset: Callable[[str], bool]) -> None:
        self._key, self._has_asset = key, has_asset

    def admitted(self, request: web.BaseRequest) -> Route:
        """What this request wants; raises Refused unless it may have that."""
        host = request.headers.get("Host")
        if not is_our_host(host):
            raise Refused(403, "this is not the host you asked for; use 127.0.0.1 or localhost")
        if any(origin != f"http://{host}" for origin in request.headers.getall("Origin", ())):
            raise Refused(403, "pages of other sites may not ask; open the page of this address itself")
        if not all(request.headers.get(name, "").isascii() for name in _HANDSHAKE):
            raise Refused(400, "a websocket is asked for in plain letters; mend its headers")
        route = self._route(request.path)
        if not route.is_open and not self._shows_key(request, route):
            sentence = "show the key: Authorization: Bearer, and what is in the console's key file"
            raise Refused(401, sentence, WWW_Authenticate="Bearer")
        if request.method not in route.methods:
            allowed = ", ".join(route.methods)
            raise Refused(405, f"{route.path} takes only {allowed}", Allow=allowed)
        return route

    def _route(self, path: str) -> Route:
        asset = path.startswith("/assets/") and self._has_asset(path.removeprefix("/assets/"))
        route = ROUTES.get(ASSETS if asset else path)
        if route is None or (path == ASSETS and not asset):
            raise Refused(404, "there is nothing of that name here; GET /openapi.json says what there is")
        return route

    def _shows_key(self, request: web.BaseRequest, route: Route) -> bool:
        offered = [name.strip() for name in request.headers.get("Sec-WebSocket-Protocol", "").split(",")]
        if offered != [""] and SUBPROTOCOL not in offered:
            # Whatever else is offered would be written into a log by the library, a key among it.
            return False
        header = request.headers.get("Authorization")
        if header is None and route.takes_websockets:
            keys = [name.removeprefix(_KEY_PREFIX) for name in offered if name.startswith(_KEY_PREFIX)]
            header = f"Bearer {keys[0]}" if keys else None
        return self._key.opens_for(header)


async def json_in(request: web.BaseRequest) -> bytes:
    """The whole body; raises Refused, with the rest unread, once it is too much or where it is no JSON."""
    body = bytearray()
    if (request.content_length or 0) > MOST_BYTES:
        raise _too_much()
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > MOST_BYTES:
            raise _too_much()
    if request.content_type != "application/json":
        raise Refused(415, "only application/json is read; say so in Content-Type")
    return bytes(body)


def _too_much() -> Refused:
    return Refused(413, f"more than {MOST_BYTES} bytes are not read; send less")
