"""An ElevenLabs of ours on 127.0.0.1: both socket dialects and the plain requests, by the vendor's rules."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Self

from aiohttp import web
from aiohttp.typedefs import Handler

from actors.net.service import Service
from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.elevenlabs import asked
from tests.loopback.elevenlabs.catalogue import VOICES, Dialect
from tests.loopback.elevenlabs.place import Manners, Place, detail
from tests.loopback.elevenlabs.rest import Rest
from tests.loopback.elevenlabs.session import Session
from tests.loopback.humming import Speak, hum
from tests.loopback.providers import Frame, Ground, Parting

KEY = "xi-loopback-key"
PROSE = "prose that must not surface"


class ElevenLabs:
    """Up inside its `with` statement; everything may be called from any thread.

    `manners` are switches that hold from then on, `parting` is what sockets do when a client closes them.
    """

    def __init__(self, *, key: str = KEY, speak: Speak = hum, voices: Mapping[str, str] = VOICES) -> None:
        self._place = Place(key, speak, voices)
        self._rest = Rest(self._place)
        application = self._place.application
        application.middlewares.append(self._guard)
        application.router.add_get("/v1/text-to-speech/{voice}/multi-stream-input", self._speech)
        application.router.add_get("/v1/text-to-dialogue/multi-stream-input", self._dialogue)
        self._rest.add_to(application.router)

    def __enter__(self) -> Self:
        self._place.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._place.close()

    @property
    def service(self) -> Service:
        """Where it is, and its key."""
        return Service(base_url=f"http://127.0.0.1:{self._place.port}", key=self._place.key)

    @property
    def ground(self) -> Ground:
        """The thread and the port."""
        return self._place

    @property
    def violations(self) -> list[str]:
        """The rules that were broken, whether or not they were answered with an error."""
        return self._place.violations

    @property
    def sessions(self) -> list[Session]:
        """Every websocket that was ever opened, in order."""
        return [socket for socket in self._place.sockets if isinstance(socket, Session)]

    @property
    def requests(self) -> list[Frame]:
        """The bodies of the requests for speech, each with its `path` and `output_format`."""
        return list(self._rest.requests)

    @property
    def characters(self) -> int:
        """How many were spoken."""
        return self._place.characters

    @property
    def manners(self) -> Manners:
        """How it behaves."""
        return self._place.manners

    @property
    def parting(self) -> Parting:
        """What sockets that are opened from now on do when their client closes them."""
        return self._place.parting

    @parting.setter
    def parting(self, parting: Parting) -> None:
        self._place.parting = parting

    def session(self, number: int = -1, seconds: float = DEADLINE_SECONDS) -> Session:
        """Return a websocket by its place in the order of opening; waits for it to open."""
        socket = self._place.socket(number, seconds)
        assert isinstance(socket, Session)
        return socket

    def wait_until(self, true: Callable[[], object], seconds: float = DEADLINE_SECONDS) -> None:
        """Wait until something is true of this ElevenLabs; AssertionError after `seconds`."""
        self._place.until(true, seconds)

    def refuse_next(self, status: int, code: str, message: str = PROSE, *, times: int = 1) -> None:
        """Refuse the next requests and handshakes with a status and a body that names `code`."""
        self._place.refuse_next(status, detail(code, message), times=times)

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse who is to be refused, and whoever has a wrong key; only a socket may do without at first."""
        if (refused := await self._place.refusal(request)) is not None:
            return refused
        key = request.headers.get("xi-api-key")
        if key is None and "multi-stream-input" not in request.path:
            prose = "Neither authorization header nor xi-api-key received, please provide one."
            return web.json_response(detail("needs_authorization", prose), status=401)
        if key is not None and key != self._place.key:
            return web.json_response(detail("invalid_api_key", "Invalid API key"), status=401)
        try:
            return await handler(request)
        except asked.Refused as error:
            return web.json_response(detail(error.code, error.message), status=error.status)

    async def _speech(self, request: web.Request) -> web.StreamResponse:
        return await self._converse(request, Dialect.SPEECH, request.match_info["voice"])

    async def _dialogue(self, request: web.Request) -> web.StreamResponse:
        most = self._place.manners.most_at_once
        others = [one for one in self.sessions if one.dialect is Dialect.DIALOGUE and not one.over]
        if most is not None and len(others) >= most:
            raise asked.Refused(429, "too_many_concurrent_requests", PROSE)
        return await self._converse(request, Dialect.DIALOGUE, "")

    def _converse(
        self, request: web.Request, dialect: Dialect, voice: str
    ) -> Awaitable[web.WebSocketResponse]:
        wishes = asked.read(dialect, request.query, self._place.break_rule)
        if wishes.output_format in self._place.manners.forbidden_formats:
            raise asked.Refused(403, "output_format_not_allowed", PROSE)
        return Session(self._place, request, dialect, wishes, voice).converse()
