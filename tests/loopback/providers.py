"""What every provider on loopback stands on: a thread, a port, and sockets that go wrong when told to."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Self, TypeAlias, TypeVar

from aiohttp import WSMsgType, web

from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.discord.ground import Ground as LoopThread
from tests.loopback.hangups import until_broken_off

T = TypeVar("T")
Frame: TypeAlias = dict[str, object]
"""A JSON object."""

KEPT = 8_192
"""How many frames of a socket are remembered."""
LARGEST_FRAME = 32 << 20
_RECEIVE_BUFFER = 32 << 10
"""Small, so that a client notices soon that nobody reads."""
_TURNS_TO_COME_IN = 2
"""So many turns of the loop after the door was shut everybody who got in is known, and can be shown out."""
NEVER = 0
"""The status of a refusal that is no answer at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What a request or a handshake is answered with instead; NEVER leaves it waiting."""

    status: int
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Refusing:
    """Every request is refused whose path, with what stands behind the question mark, has `address` in it."""

    address: str
    refusal: Refusal
    times: int = 0
    """How often that was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parting:
    """What a server does when the client closes: first `frames` as they are, then it ends the connection.

    It answers with `code`, or the client's own one; or it breaks the connection (`abort`); or it ignores the
    close and keeps the connection for so many seconds, unless the client breaks it (`ignore`).
    """

    frames: tuple[str, ...] = ()
    code: int | None = None
    reason: str = ""
    abort: bool = False
    ignore: float = 0.0


class Ground(LoopThread):
    """One asyncio loop in one thread, and an HTTP application on a free port of 127.0.0.1.

    Add routes to `application` before `open`. A handler is cancelled when its client goes.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._thread.name = f"loopback-{name}"
        self.application = web.Application(client_max_size=LARGEST_FRAME, middlewares=(until_broken_off,))
        self.port = 0
        """Where it listens; may be chosen before `open`."""
        self.sockets: list[Socket] = []
        """Every websocket that was ever opened, in order."""
        self.violations: list[str] = []
        """The rules of the provider that were broken, in its own words."""
        self.parting = Parting()
        """What sockets that are opened from now on do when they are closed."""
        self.refusing: list[Refusing] = []
        """What is refused for as long as it stands here."""
        self._refusals: deque[Refusal] = deque()
        self._door: socket.socket | None = None
        self._runner: web.AppRunner | None = None

    def open(self) -> None:
        """Start the thread and listen."""
        self.start()
        try:
            self.finish(self._listen())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Break every connection, then end the listener, the loop and its thread."""
        try:
            self.finish(self._leave())
        finally:
            self.stop()

    def until(self, predicate: Callable[[], T], seconds: float = DEADLINE_SECONDS, what: str = "that") -> T:
        """Wait until something is true and return it; AssertionError after `seconds`. For other threads."""
        return self.wait(predicate, seconds, what)

    def socket(self, number: int = -1, seconds: float = DEADLINE_SECONDS) -> Socket:
        """Return the websocket of this place in order of opening, and wait for it if it must still come."""
        enough = number + 1 if number >= 0 else -number
        self.until(lambda: len(self.sockets) >= enough, seconds, f"websocket {number}")
        return self.sockets[number]

    def break_rule(self, rule: str) -> None:
        """Remember that a client broke a rule."""
        with self.changing():
            self.violations.append(rule)

    def refuse_next(
        self, status: int, body: object = None, *, headers: Mapping[str, str] | None = None, times: int = 1
    ) -> None:
        """Refuse the next requests that ask `refusal`."""
        refusal = Refusal(status=status, body=body, headers=headers or {})
        self.run(lambda: self._refusals.extend([refusal] * times))

    async def refusal(self, request: web.Request) -> web.Response | None:
        """Return the answer to refuse this request with, if it is to be refused; may never return."""
        refusing = next((one for one in tuple(self.refusing) if one.address in request.path_qs), None)
        if refusing is not None:
            refusing.times += 1
            refusal = refusing.refusal
        elif self._refusals:
            refusal = self._refusals.popleft()
        else:
            return None
        if refusal.status == NEVER:
            await asyncio.Event().wait()
        return web.json_response(refusal.body, status=refusal.status, headers=refusal.headers)

    async def _listen(self) -> None:
        self._runner = web.AppRunner(
            self.application, access_log=None, shutdown_timeout=0.5, handler_cancellation=True
        )
        await self._runner.setup()
        door = socket.socket()
        door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(("127.0.0.1", self.port))
        self.port = int(door.getsockname()[1])
        await web.SockSite(self._runner, door).start()
        self._door = door

    async def _leave(self) -> None:
        if self._door is not None:
            self.loop.remove_reader(self._door)
        for _ in range(_TURNS_TO_COME_IN):
            await asyncio.sleep(0)
        for one in self.sockets:
            one.abort()
        if self._runner:
            await self._runner.cleanup()


class Socket:
    """One websocket of a client, for any thread; nothing waits but `wait_*`.

    A provider's handler does `await socket.open()`, then `return await socket.serve(came)`.
    """

    def __init__(self, ground: Ground, request: web.Request) -> None:
        self.path = request.path
        self.query = dict(request.query)
        self.headers = dict(request.headers)
        self.response = web.WebSocketResponse(
            timeout=1.0, autoclose=False, compress=False, max_msg_size=LARGEST_FRAME
        )
        self.parting = ground.parting
        self.closed_by_client: int | None = None
        """The code with which the client closed it, if it did so first."""
        self.over = False
        """Whether the connection is gone."""
        self._ground = ground
        self._request = request
        self._kept: deque[tuple[int, Frame]] = deque(maxlen=KEPT)
        self._count = 0
        self._taken: set[int] = set()
        self._outgoing: asyncio.Queue[str | bytes | tuple[int, str]] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self._frozen = self._stalled = False

    # --- what came ---------------------------------------------------------------------------------

    @property
    def received(self) -> list[Frame]:
        """The frames of the client, in order, as the provider chose to remember them."""
        with self._ground.changing():
            return [frame for _, frame in self._kept]

    def keep(self, frame: Frame) -> None:
        """Remember a frame of the client's."""
        with self._ground.changing():
            self._kept.append((self._count, frame))
            self._count += 1

    def wait_for(self, kind: str | Callable[[Frame], object], seconds: float = DEADLINE_SECONDS) -> Frame:
        """Return the first frame of this `type` (or with this key) that no earlier call returned."""
        name = kind if isinstance(kind, str) else "a frame"
        found: list[Frame] = []
        self._ground.until(lambda: self._take(kind, found), seconds, name)
        return found[0]

    def wait_over(self, seconds: float = DEADLINE_SECONDS) -> None:
        """Wait until the connection is gone."""
        self._ground.until(lambda: self.over, seconds, "the end of a connection")

    def wait_closed_by_client(self, seconds: float = DEADLINE_SECONDS) -> int:
        """Wait until the client closed it, and return its code."""
        self._ground.until(lambda: self.closed_by_client is not None, seconds, "a client's close")
        assert self.closed_by_client is not None
        return self.closed_by_client

    # --- what goes ---------------------------------------------------------------------------------

    def send(self, frame: Mapping[str, object]) -> None:
        """Send a frame."""
        self._put(json.dumps(frame))

    def send_text(self, raw: str) -> None:
        """Send a text as it is, JSON or not."""
        self._put(raw)

    def send_binary(self, raw: bytes) -> None:
        """Send a binary frame."""
        self._put(raw)

    # --- what goes wrong ----------------------------------------------------------------------------

    def close(self, code: int = 1000, reason: str = "") -> None:
        """Close it in order, after what was sent before."""
        self._put((code, reason))

    def abort(self) -> None:
        """Break the connection, without a close frame and without what was not yet sent."""
        self._ground.run(self._abort)

    def freeze(self) -> None:
        """Be half open from now on: read nothing, answer no ping, send nothing, and keep the connection."""

        def change() -> None:
            self._frozen = True
            self._stop_reading()

        self._ground.run(change)

    def stall(self) -> None:
        """Read no more, so that what the client sends backs up; what is sent still arrives."""
        self._ground.run(self._stop_reading)

    # --- for the provider, on the loop ---------------------------------------------------------------

    async def open(self) -> Self:
        """Answer the handshake."""
        with self._ground.changing():  # before the client can know, so that nobody looks for it in vain
            self._ground.sockets.append(self)
        await self.response.prepare(self._request)
        self._writer = self._ground.spawn(self._write())
        return self

    async def serve(self, came: Callable[[str], None]) -> web.WebSocketResponse:
        """Tell `came` of every text, while everybody who waits is held still, until the connection is over.

        A binary frame is a broken rule. What is to be done afterwards belongs into a `finally`.
        """
        try:
            while (text := await self._receive()) is not None:
                with self._ground.changing():
                    came(text)
            return self.response
        finally:
            self._end()

    # --- inside -------------------------------------------------------------------------------------

    def _take(self, kind: str | Callable[[Frame], object], found: list[Frame]) -> bool:
        for number, frame in self._kept:
            wanted = frame.get("type") == kind or kind in frame if isinstance(kind, str) else kind(frame)
            if wanted and number not in self._taken:
                self._taken.add(number)
                found.append(frame)
                return True
        return False

    def _put(self, outgoing: str | bytes | tuple[int, str]) -> None:
        self._ground.run(lambda: None if self._frozen else self._outgoing.put_nowait(outgoing))

    async def _receive(self) -> str | None:
        """Return the next text; None when either side closed, and the other one is done with it."""
        while True:
            message = await self.response.receive()
            if self._stalled:
                await asyncio.Event().wait()
            match message.type:
                case WSMsgType.TEXT:
                    return str(message.data)
                case WSMsgType.BINARY:
                    self._ground.break_rule("a binary frame was sent")
                case WSMsgType.CLOSE:
                    await self._part(int(message.data or 1005))
                    return None
                case _:
                    await self._written()
                    return None

    async def _part(self, code: int) -> None:
        with self._ground.changing():
            self.closed_by_client = code
        parting = self.parting
        for frame in parting.frames:
            self._outgoing.put_nowait(frame)
        if parting.ignore:
            await self._written(parting.ignore)
        elif not parting.abort:
            echo = 1000 if code == 1005 else code
            self._outgoing.put_nowait((parting.code or echo, parting.reason))
            await self._written()
        self._abort()

    async def _written(self, seconds: float = 2.0) -> None:
        """Wait until a close has been written and answered, for so long at most."""
        assert self._writer is not None
        await asyncio.wait({self._writer}, timeout=seconds)

    async def _write(self) -> None:
        try:
            while True:
                match await self._outgoing.get():
                    case str(text):
                        await self.response.send_str(text)
                    case bytes(raw):
                        await self.response.send_bytes(raw)
                    case (code, reason):
                        await self.response.close(code=code, message=reason.encode())
                        return
        except ConnectionError:  # the client is gone, which whoever reads notices
            return

    def _stop_reading(self) -> None:
        self._stalled = True
        if (transport := self._request.transport) is not None:
            transport.pause_reading()

    def _abort(self) -> None:
        if (transport := self._request.transport) is not None:
            transport.abort()

    def _end(self) -> None:
        with self._ground.changing():
            self.over = True
        if self._writer is not None:
            self._writer.cancel()


async def pause(seconds: float) -> None:
    """Let time pass on the loop; whoever waits is cancelled when his client goes or the server ends."""
    if seconds > 0:
        over = asyncio.Event()
        timer = asyncio.get_running_loop().call_later(seconds, over.set)
        try:
            await over.wait()
        finally:
            timer.cancel()
