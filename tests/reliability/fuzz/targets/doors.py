"""What comes over the console's socket, in whatever form: requests, orders, frames of a seat, and junk."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from actors.console.live.server import LiveConsole
from actors.console.live_room import Seats, wire
from actors.console.live_room.names import printable
from actors.console.port import ConsoleEvent
from actors.console.settings import HOST, ConsoleSettings, key_file
from actors.console.wire import parse, parse_health, parse_why, read_line, request_in, to_json, why_json
from actors.console.wire_bodies import BODIES
from actors.console.wire_orders import Malformed, order_in, parse_answer
from actors.console.wire_views import parse_view
from actors.local_room import LocalRoom
from messages.console import OrderGiven, ServerReady, StatusAsked, WhyAsked
from messages.ids import RoomId
from supervisors.rehearsal.wire import NotOurs, from_house, to_house
from tests.actors.console.test_silence import REPORT
from tests.actors.console.window import DONE, WHY
from tests.reliability.fuzz.target import Broken, Form, Target, pack, unpack
from tests.reliability.fuzz.told import writable

T = TypeVar("T")
SECONDS: Final = 0.1
"""So long an answer is waited for: half a question has none, and a stream of events never ends."""
HEALTHY_SECONDS: Final = 10.0
_KEY, _PORT = b"@KEY@", b"@PORT@"
_CONSOLE: Final = "actors/console/"


# --- bodies and lines of JSON ---------------------------------------------------------------------------


def _bodies(data: bytes) -> None:
    for path in BODIES:
        found = order_in(path, data)
        if isinstance(found, Malformed) and not (found.sentence.isprintable() and len(found.sentence) < 600):
            raise Broken("a sentence of no use")
        writable(found)
    writable(request_in(data))
    for read in (parse, parse_health, parse_why, parse_answer, read_line, parse_view):
        writable(read(data))
    for reads in (to_house, from_house):
        with suppress(NotOurs):
            writable(reads(data))
    said = wire.read(data.decode("utf-8", "replace"))
    writable(said)
    if isinstance(said, wire.Join) and not printable(said.name).isprintable():
        raise Broken("a name that does more than stand there")


def _body_seeds() -> list[bytes]:
    bodies: tuple[dict[str, object], ...] = (
        {"room": "5"}, {"stay": "s1"}, {"text": "Hello.", "stay": "s1"}, {"seconds": 30.0},
        {"person": "7", "granted": False}, {"path": "root/evidence"}, {"person": "7"}, {},
        {"request": "come here"}, {"type": "join", "name": "Ada", "rate": 48_000, "token": "a" * 32},
        {"type": "consent", "granted": True}, {"type": "line", "text": "Hello."},
        {"type": "press", "granted": True}, {"type": "leave"}, {"answer": "x", "failed": "", "files": ["a"]},
        {"kind": "script", "replies": [{"heard": "x", "text": "y"}], "captain": []},
        {"kind": "receipted", "at": 1.5, "line": "{}"},
        {"kind": "heard", "stay_id": "s", "person_id": "p", "label": "A", "text": "x", "typed": False},
        {"result": "done", "code": "x", "text": "y", "facts": {"a": 1}},
    )  # fmt: skip
    return [*(json.dumps(one).encode() for one in bodies), to_json(REPORT).encode(), why_json(WHY).encode()]


# --- the socket -------------------------------------------------------------------------------------------


class _Here:
    """An I/O thread that is this one, whenever an input is read."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.complaints: list[str] = []
        self.loop.set_exception_handler(self._complains)

    def _complains(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        failure = context.get("exception")
        self.complaints.append(type(failure).__name__ if failure else str(context.get("message"))[:60])

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        """As an IoLoop has it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def call(self, callback: Callable[..., object], *args: object, **kwargs: object) -> bool:
        """As an IoLoop has it."""
        self.loop.call_soon_threadsafe(lambda: callback(*args, **kwargs))
        return True

    def after(self, seconds: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        """As an IoLoop has it."""
        return self.loop.call_later(seconds, callback)


class _Front:
    """A real console at a real port, and somebody who answers."""

    def __init__(self, folder: Path) -> None:
        self.here, self.port, self._ready = _Here(), 0, asyncio.Event()
        self.room = LocalRoom(RoomId("den"))
        seats = Seats(self.here, self.room)  # type: ignore[arg-type]
        settings = ConsoleSettings(port=0, directory=folder)
        self.console = LiveConsole(self.here, settings, room=seats, metrics=lambda: "up 1\n")  # type: ignore[arg-type]
        self.console.open(self._hear)
        self.run(self._opened())
        self.key = key_file(folder, self.port).read_text()

    def run(self, work: Coroutine[object, object, T]) -> T:
        """Turn the loop until this is done."""
        return self.here.loop.run_until_complete(work)

    def close(self) -> None:
        """Let go of the port."""
        starting = self.console._starting
        if starting is not None:
            self.run(self.console._stop(starting))
        self.run(self.here.loop.shutdown_asyncgens())
        self.run(self.here.loop.shutdown_default_executor())
        self.here.loop.close()

    async def _opened(self) -> None:
        async with asyncio.timeout(10):
            await self._ready.wait()

    def _hear(self, event: ConsoleEvent) -> None:
        match event:
            case ServerReady():
                self.port = event.port
                self._ready.set()
            case StatusAsked():
                event.answer(to_json(REPORT))
            case WhyAsked():
                event.answer("" if event.stay == "never" else why_json(WHY))
            case OrderGiven():
                event.answer(DONE)
            case _:
                pass

    async def raw(self, data: bytes, seconds: float = SECONDS) -> bytes:
        """All that is answered to these bytes within a moment."""
        reader, writer = await asyncio.open_connection(HOST, self.port)
        said = bytearray()
        try:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(seconds):
                    writer.write(data)
                    while piece := await reader.read(65_536):
                        said += piece
        finally:
            writer.transport.abort()
            await asyncio.sleep(0)
        return bytes(said)

    async def health(self) -> bytes:
        """Whether the window still opens."""
        asked = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        return await self.raw(asked, HEALTHY_SECONDS)

    async def sit(self, parts: list[bytes]) -> None:
        """Take a seat, and say all this in frames."""
        protocols = [Subprotocol("clankie"), Subprotocol(f"key.{self.key}")]
        with suppress(WebSocketException, OSError, TimeoutError):
            async with (
                asyncio.timeout(3.0),
                connect(f"ws://{HOST}:{self.port}/room", subprotocols=protocols, compression=None,
                        close_timeout=0.2, proxy=None) as line,
            ):  # fmt: skip
                for part in parts:
                    await line.send(part.decode("utf-8", "replace") if part[:1] in b'{["' else part)
                    await asyncio.sleep(0)


_FRONT: list[_Front] = []


@contextmanager
def _open() -> Generator[None]:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        front = _Front(Path(folder))
        _FRONT.append(front)
        try:
            yield
        finally:
            _FRONT.remove(front)
            front.close()


def _holds(front: _Front) -> None:
    if b"HTTP/1.1 200" not in (said := front.run(front.health())) and b"HTTP/1.1 503" not in said:
        raise Broken("the window does not answer any more")
    if front.here.complaints:
        raise Broken(f"the I/O thread complains: {front.here.complaints.pop()}")


def _http(data: bytes) -> None:
    front = _FRONT[-1]
    said = front.run(
        front.raw(data.replace(_KEY, front.key.encode()).replace(_PORT, str(front.port).encode()))
    )
    if said and not said.startswith(b"HTTP/"):  # who names no version is answered in that of the library
        raise Broken("an answer that is no HTTP")
    if said[8:12] == b" 500" or front.key.encode() in said.partition(b"\r\n\r\n")[2]:
        raise Broken("a mistake, or the key, was answered")
    _holds(front)


def _seat(data: bytes) -> None:
    front = _FRONT[-1]
    front.run(front.sit(unpack(data)))
    _holds(front)
    if len(front.room.people) > 8:
        raise Broken("more people than seats")


def _requests() -> list[bytes]:
    head = b"Host: localhost:@PORT@\r\nAuthorization: Bearer @KEY@\r\n"
    found = [
        b"GET %s HTTP/1.1\r\n%sConnection: close\r\n\r\n" % (path, head)
        for path in (
            b"/",
            b"/status",
            b"/why?stay=s1&most=5",
            b"/metrics",
            b"/events?words=1",
            b"/openapi.json",
        )
    ]
    orders = {
        b"/say": b'{"text": "Hello."}',
        b"/hush": b'{"seconds": 5}',
        b"/captain/ask": b'{"request": "x"}',
    }
    for path, body in orders.items():
        sized = b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(body)
        found.append(b"POST %s HTTP/1.1\r\n%s%s\r\n%s" % (path, head, sized, body))
    chunked = b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    found.append(b"POST /evidence/flush HTTP/1.1\r\n%s%s" % (head, chunked))
    upgrade = (
        b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: clankie, key.@KEY@\r\n\r\n"
    )
    joins = b'{"type":"leave"}'
    frame = bytes([0x81, 0x80 | len(joins)]) + bytes(4) + joins
    talk = upgrade + frame + b"\x88\x80" + bytes(4)
    found += [
        b"GET %s HTTP/1.1\r\nHost: localhost:@PORT@\r\n%s" % (path, talk) for path in (b"/room", b"/events")
    ]
    return found


def _seat_seeds() -> list[bytes]:
    says = [
        {"type": "join", "name": "Ada", "rate": 48_000}, {"type": "consent", "granted": True},
        {"type": "line", "text": "Hello."}, {"type": "press", "granted": True}, {"type": "leave"},
    ]  # fmt: skip
    frames = [json.dumps(one).encode() for one in says]
    sound = b"\1\0" * 960
    return [pack([frames[0], sound, *frames[1:]]), pack([frames[0], sound, sound[:-1]]), pack(frames[1:])]


_LIVE: Final = tuple(
    f"{_CONSOLE}live/{one}.py"
    for one in ("admission", "guard", "orders", "questions", "viewers", "viewing", "window", "asks", "key")
)
TARGETS: Final = (
    Target(
        name="console-bodies",
        of="console",
        feed=_bodies,
        seeds=_body_seeds,
        readers=(
            f"{_CONSOLE}wire.py",
            f"{_CONSOLE}wire_orders.py",
            f"{_CONSOLE}wire_views.py",
            f"{_CONSOLE}live_room/wire.py",
            "supervisors/rehearsal/wire.py",
        ),
        form=Form.JSON,
    ),
    Target(
        name="console-http",
        of="console",
        feed=_http,
        seeds=_requests,
        readers=_LIVE,
        around=_open,
        times=400,
        few=20,
    ),
    Target(
        name="console-seats",
        of="console",
        feed=_seat,
        seeds=_seat_seeds,
        readers=tuple(
            f"{_CONSOLE}live_room/{one}.py"
            for one in ("wire", "line", "seat", "seats", "microphone", "names")
        ),
        form=Form.JSON,
        sequence=True,
        around=_open,
        seconds=3.0,
        times=400,
        few=6,
    ),
)
