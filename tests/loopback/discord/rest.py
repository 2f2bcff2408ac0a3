"""The REST side: who asks what, how he is refused on demand, and what nobody here answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import unquote

from aiohttp import web

from tests.loopback.discord.board import Board
from tests.loopback.discord.body import Body, decode, encode
from tests.loopback.discord.calls import Calls
from tests.loopback.discord.gateway import Gateway
from tests.loopback.discord.ground import Ground
from tests.loopback.discord.interactions import Desk
from tests.loopback.discord.place import VoicePlace
from tests.loopback.discord.world import ChannelState, GuildState, World

BASE = "/api/v10"


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """The rooms of this Discord, for those who answer requests and for the handles."""

    ground: Ground
    world: World
    gateway: Gateway
    calls: Calls
    board: Board
    desk: Desk
    place: VoicePlace


class Refusal(Exception):
    """An error as Discord puts it: the HTTP status, its own code, and words for the developer."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a request is answered; a body of None is an empty answer."""

    status: int = 200
    body: object = None


NOTHING = Result(status=204)


@dataclass(slots=True, kw_only=True)
class Request:
    """One request as it came, and the status that it was answered."""

    method: str
    path: str
    """Without the base and the query."""
    query: dict[str, str]
    body: Body
    listed: list[Body]
    """The body where it is a list."""
    files: tuple[tuple[str, bytes], ...] = ()
    """The names and contents of what was sent along."""
    status: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request with the names in its path, for the function that answers it."""

    front: Front
    request: Request
    names: dict[str, str]

    @property
    def body(self) -> Body:
        """What was sent."""
        return self.request.body

    def id(self, name: str) -> int:
        """An id in the path; something else is an unknown thing."""
        return int(self.names[name]) if self.names[name].isdecimal() else 0

    def guild(self) -> GuildState:
        """The guild in the path."""
        guild = self.front.world.guilds.get(self.id("guild"))
        if guild is None:
            raise Refusal(404, 10004, "Unknown Guild")
        return guild

    def channel(self, *needs: str) -> ChannelState:
        """The channel in the path, if the bot has these permissions in it."""
        world = self.front.world
        channel = world.channels.get(self.id("channel"))
        if channel is None:
            raise Refusal(404, 10003, "Unknown Channel")
        if not world.may(world.bot.id, channel, "view_channel"):
            raise Refusal(403, 50001, "Missing Access")
        if not all(world.may(world.bot.id, channel, need) for need in needs):
            raise Refusal(403, 50013, "Missing Permissions")
        return channel


Answering: TypeAlias = Callable[[Asked], Result]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path with names in braces, and who answers."""

    method: str
    path: str
    answer: Answering

    def names(self, method: str, path: str) -> dict[str, str] | None:
        """The names in a path of this route, or None if it is another one's."""
        if method != self.method:
            return None
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.path)
        match = re.fullmatch(pattern, path)
        return {name: unquote(value) for name, value in match.groupdict().items()} if match else None


@dataclass(slots=True, kw_only=True)
class Fault:
    """How the next requests to some paths are refused."""

    method: str
    path: re.Pattern[str]
    refusal: Refusal
    retry_after: float | None
    times: int


@dataclass(slots=True)
class Rest:
    """Answers requests on the loop; faults may be asked for from any thread."""

    front: Front
    token: str
    routes: Sequence[Route]
    requests: list[Request] = field(default_factory=list)
    """Every request, in order."""
    unknown: list[Request] = field(default_factory=list)
    """Those to routes that this Discord does not have."""
    _faults: list[Fault] = field(default_factory=list)

    def refuse(
        self, method: str, path: str, status: int, code: int = 0, message: str = "refused", times: int = 1
    ) -> None:
        """Refuse the next requests of a method whose path matches a regular expression."""
        fault = Fault(
            method=method,
            path=re.compile(path),
            refusal=Refusal(status, code, message),
            retry_after=None,
            times=times,
        )
        self.front.ground.run(lambda: self._faults.append(fault))

    def limit(self, method: str, path: str, retry_after: float = 0.05, times: int = 1) -> None:
        """Answer the next requests with 429 and the seconds to wait."""
        refusal = Refusal(429, 0, "You are being rate limited.")
        fault = Fault(
            method=method, path=re.compile(path), refusal=refusal, retry_after=retry_after, times=times
        )
        self.front.ground.run(lambda: self._faults.append(fault))

    async def serve(self, raw: web.Request) -> web.Response:
        """One request, answered in Discord's exact content type."""
        text, files = await _sent(raw)
        body = decode(text)
        request = Request(
            method=raw.method,
            path=raw.rel_url.raw_path.removeprefix(BASE),
            query=dict(raw.query),
            body=body,
            files=files,
            listed=decode(b'{"items":' + text + b"}").bodies("items") if text.startswith(b"[") else [],
        )
        with self.front.ground.changing():
            response = self._respond(request, raw.headers.get("Authorization", ""))
            request.status = response.status
            self.requests.append(request)
        return response

    def _respond(self, request: Request, authorization: str) -> web.Response:
        fault = next((f for f in self._faults if _hits(f, request)), None)
        if fault:
            fault.times -= 1
            return _limited(fault) if fault.retry_after is not None else _refused(fault.refusal)
        try:
            reply = self._answer(request, authorization)
        except Refusal as refusal:
            return _refused(refusal)
        if reply.body is None:
            return web.Response(status=reply.status)
        return _json(reply.status, reply.body)

    def _answer(self, request: Request, authorization: str) -> Result:
        by_token = request.path.startswith(("/interactions/", "/webhooks/"))
        if not by_token and authorization != f"Bot {self.token}":
            raise Refusal(401, 0, "401: Unauthorized")
        for route in self.routes:
            names = route.names(request.method, request.path)
            if names is not None:
                return route.answer(Asked(front=self.front, request=request, names=names))
        self.unknown.append(request)
        raise Refusal(404, 0, "404: Not Found")


async def _sent(raw: web.Request) -> tuple[bytes, tuple[tuple[str, bytes], ...]]:
    """The JSON of a request, and the files that came with it."""
    if raw.content_type != "multipart/form-data":
        return await raw.read(), ()
    parts = await raw.post()
    files = [part for part in parts.values() if isinstance(part, web.FileField)]
    named = tuple((part.filename, part.file.read()) for part in files)
    return str(parts.get("payload_json", "")).encode(), named


def _hits(fault: Fault, request: Request) -> bool:
    return fault.times > 0 and fault.method == request.method and bool(fault.path.search(request.path))


def _json(status: int, body: object) -> web.Response:
    # With a charset behind it, a client would take the body for text.
    return web.Response(status=status, body=encode(body), headers={"Content-Type": "application/json"})


def _refused(refusal: Refusal) -> web.Response:
    return _json(refusal.status, {"message": refusal.message, "code": refusal.code})


def _limited(fault: Fault) -> web.Response:
    body = {"message": fault.refusal.message, "retry_after": fault.retry_after, "global": False}
    response = _json(429, body)
    seconds = str(fault.retry_after)
    # Without Via a client takes it for a ban by the gate in front of Discord.
    response.headers.update(
        {
            "Via": "1.1 loopback",
            "Retry-After": seconds,
            "X-RateLimit-Scope": "user",
            "X-RateLimit-Reset-After": seconds,
        }
    )
    return response
