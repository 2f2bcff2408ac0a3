"""A house of paper: it serves the page, says what the test wants it to say, and keeps what it was told."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final, Self

from aiohttp import WSMsgType, web

from actors.console.live.assets import Assets
from tests.probe import Probe

KEY: Final = "a-key-of-paper"
DONE: Final = {"result": "done", "code": "done", "text": "it is done", "facts": {}}
SECONDS: Final = 5.0


class Told:
    """One order or one thing that was said at a seat."""

    def __init__(self, where: str, body: Any) -> None:
        self.where, self.body = where, body

    def __repr__(self) -> str:
        return f"{self.where} {self.body}"


class Sound:
    """One chunk of a microphone."""

    def __init__(self, pcm: bytes) -> None:
        self.pcm = pcm


class Stub:
    """Runs in a thread of its own while entered."""

    def __init__(self, status: dict[str, Any]) -> None:
        self.status, self.key, self.present = status, KEY, True
        self.why: dict[str, Any] = {"lines": [], "turns": []}
        self.answers: dict[str, tuple[int, dict[str, Any]]] = {}
        self.people: list[dict[str, Any]] = []
        self.refusal = ""
        """Why nobody may sit down, if so."""
        self.told: Probe[Told | Sound] = Probe()
        self._viewers: set[web.WebSocketResponse] = set()
        self._seats: set[web.WebSocketResponse] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="stub")
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS)
        self._loop.close()

    @property
    def url(self) -> str:
        """The page, without its key."""
        return f"http://127.0.0.1:{self.port}/"

    @property
    def bare(self) -> str:
        """A page of the house on which nothing runs."""
        return f"{self.url}bare"

    @property
    def link(self) -> str:
        """The page with its key, as `clankie page` opens it."""
        return f"{self.url}#key={self.key}"

    def open(self) -> None:
        """Listen, where it did before if it did."""
        self._run(self._open())

    def close(self) -> None:
        """Hang up on everybody and do not answer any more."""
        self._run(self._close())

    def show(self, *views: dict[str, Any]) -> None:
        """Show this to everybody who watches."""
        self._run(self._send(self._viewers, views))

    def say(self, *said: dict[str, Any] | bytes) -> None:
        """Say this at every seat, text or sound."""
        self._run(self._send(self._seats, said))

    def here(self) -> None:
        """Tell every seat who is here."""
        self.say({"type": "people", "people": self.people, "present": self.present})

    def _run(self, doing: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(doing, self._loop).result(SECONDS)

    async def _open(self) -> None:
        assets, app = Assets(), web.Application(middlewares=[self._admit])
        get: list[tuple[str, Callable[[web.Request], Any]]] = [
            ("/", assets.page),
            ("/assets/{name}", assets.asset),
            ("/bare", self._bare),
            ("/events", self._events),
            ("/room", self._room),
            ("/status", self._status),
            ("/why", self._why),
        ]
        app.router.add_routes(
            [*(web.get(path, answer) for path, answer in get), web.post("/{path:.+}", self._order)]
        )
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        self._site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        await self._site.start()
        self.port = self._runner.addresses[0][1]

    async def _close(self) -> None:
        await self._site.stop()
        # Whom it has just let in becomes a connection first, or nobody would hang up on it.
        for task in asyncio.all_tasks():
            if "accept_connection" in str(task.get_coro()):
                await task
        await self._runner.cleanup()
        # What a browser has not read of an answer would outlive the loop.
        for transport in tuple(vars(self._loop)["_transports"].values()):
            transport.abort()
        await asyncio.sleep(0)

    @web.middleware
    async def _admit(self, request: web.Request, handler: Callable[[web.Request], Any]) -> web.StreamResponse:
        shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
        offered = request.headers.get("Sec-WebSocket-Protocol", "")
        is_open = request.path in {"/", "/bare"} or request.path.startswith("/assets/")
        if not is_open and shown != self.key and f"key.{self.key}" not in offered:
            return web.json_response({"error": "show the key"}, status=401)
        response: web.StreamResponse = await handler(request)
        return response

    async def _bare(self, _: web.Request) -> web.Response:
        return web.Response(text='<!doctype html><link rel="icon" href="data:,">', content_type="text/html")

    async def _status(self, _: web.Request) -> web.Response:
        return web.json_response(self.status)

    async def _why(self, _: web.Request) -> web.Response:
        return web.json_response(self.why)

    async def _order(self, request: web.Request) -> web.Response:
        self.told.tell(Told(request.path, await request.json()))
        if request.path == "/captain/ask":
            lines = [
                {"tool": "look_up", "outcome": "done"},
                {"answer": "It is noon.", "failed": "", "files": []},
            ]
            return web.Response(text="".join(json.dumps(line) + "\n" for line in lines))
        status, said = self.answers.get(request.path, (200, DONE))
        return web.json_response(said, status=status)

    async def _events(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(protocols=("clankie",))
        await socket.prepare(request)
        self.told.tell(Told("/events", dict(request.query)))
        await socket.send_json({"view": "status", "status": self.status})
        self._viewers.add(socket)
        async for _ in socket:
            pass
        self._viewers.discard(socket)
        return socket

    async def _room(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(protocols=("clankie",))
        await socket.prepare(request)
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                self.told.tell(Sound(message.data))
                continue
            said = json.loads(message.data)
            self.told.tell(Told("/room", said))
            await self._answer(socket, said)
        self._seats.discard(socket)
        return socket

    async def _answer(self, socket: web.WebSocketResponse, said: dict[str, Any]) -> None:
        match said["type"]:
            case "join" if self.refusal:
                await socket.send_json({"type": "error", "error": self.refusal})
                await socket.close()
            case "join":
                self._seats.add(socket)
                own = {"person": "web-own", "name": said["name"], "slot": 9}
                self.people = [own, *(one for one in self.people if one["person"] != "web-own")]
                about = {"people": self.people, "present": self.present}
                await socket.send_json(
                    {"type": "welcome", "person": "web-own", "name": said["name"], "rate": 24000, **about}
                )
            case "consent":
                outcome = "granted" if said["granted"] else "withdrawn"
                await socket.send_json({"type": "consent", "outcome": outcome})
            case "line":
                await socket.send_json({"type": "line", "name": "Anna", "text": said["text"], "his": False})
            case _:
                pass

    async def _send(self, sockets: set[web.WebSocketResponse], all_said: tuple[Any, ...]) -> None:
        for socket in list(sockets):
            for said in all_said:
                await (socket.send_bytes(said) if isinstance(said, bytes) else socket.send_json(said))
