"""A room whose seats can be taken over a real socket, and guests who sit in them."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections import defaultdict
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final

from aiohttp import web
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from actors.audio.pcm import FRAME_SECONDS, RATE, SAMPLE_BYTES
from actors.console.live_room import Seats
from actors.local_room import LocalRoom
from actors.net.loop import IoLoop
from messages.ids import RoomId

HOST: Final = "127.0.0.1"
PATIENCE: Final = 5.0
"""How long we are willing to fail."""


class Chairs:
    """Seats at a port, and the room that they are in."""

    def __init__(self, room: LocalRoom | None = None, opus_library: str | None = None) -> None:
        self.loop, self.room = IoLoop(), room or LocalRoom(RoomId("den"))
        self._guests = ExitStack()
        self.loop.start()
        self.seats = Seats(self.loop, self.room, opus_library)
        self.port = self.loop.submit(self._open()).result(PATIENCE)

    async def _open(self) -> int:
        server = web.Server(self.seats.sit, access_log=None, handler_cancellation=True)
        self._runner = web.ServerRunner(server, shutdown_timeout=0.5)
        await self._runner.setup()
        self._listener = await asyncio.get_running_loop().create_server(server, HOST, 0)
        port: int = self._listener.sockets[0].getsockname()[1]
        return port

    async def _close(self) -> None:
        await self.seats.close()
        self._listener.close()
        await self._runner.cleanup()

    def close(self) -> None:
        """Let everybody go."""
        self._guests.close()
        self.loop.submit(self._close()).result(PATIENCE)
        assert self.loop.stop(PATIENCE)

    def guest(self) -> Guest:
        """One who has come, and not yet said who he is."""
        url = f"ws://{HOST}:{self.port}/room"
        coming = connect(
            url,
            compression=None,
            subprotocols=[Subprotocol("clankie")],
            max_queue=None,
            close_timeout=1.0,
        )
        return Guest(self._guests.enter_context(coming))

    def seated(self, name: str, rate: int = RATE, **more: object) -> Guest:
        """One who has a seat."""
        guest = self.guest()
        guest.tell(type="join", name=name, rate=rate, **more)
        guest.welcome = guest.expect("welcome")
        return guest

    def raw(self) -> socket.socket:
        """One who has a seat and does nothing any more; there is little room for what he is told."""
        peer = socket.socket()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        peer.settimeout(PATIENCE)
        peer.connect((HOST, self.port))
        peer.sendall(
            f"GET /room HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        join = json.dumps({"type": "join", "name": "Mute", "rate": RATE}).encode()
        peer.sendall(bytes((0x81, 0x80 | len(join), 0, 0, 0, 0)) + join)
        return peer

    def wait_for_people(self, count: int) -> None:
        """Until so many are in the room."""
        changed = asyncio.Event()

        async def until() -> None:
            untap = self.room.watch(lambda: self.loop.call(changed.set))
            try:
                async with asyncio.timeout(PATIENCE):
                    while len(self.room.people) != count:
                        await changed.wait()
                        changed.clear()
            finally:
                untap()

        self.loop.submit(until()).result(2 * PATIENCE)


class Guest:
    """One browser's end, read when something is expected of it."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.welcome: dict[str, Any] = {}
        self.sounds: defaultdict[int, list[bytes]] = defaultdict(list)
        """The frames of each slot so far."""
        self._texts: list[dict[str, Any]] = []

    @property
    def person(self) -> str:
        """Who he is here."""
        return str(self.welcome["person"])

    def tell(self, **said: object) -> None:
        """Say something in JSON."""
        self.line.send(json.dumps(said))

    def speak(self, pcm: bytes) -> None:
        """Send this sound at once, in pieces."""
        for at in range(0, len(pcm), 1_000):
            self.line.send(pcm[at : at + 1_000])

    def stream(self, pcm: bytes, rate: int = RATE) -> None:
        """Send this sound in real time, and read what comes meanwhile."""
        began, size = time.monotonic(), rate // 50 * SAMPLE_BYTES
        for number, at in enumerate(range(0, len(pcm), size)):
            self.line.send(pcm[at : at + size])
            with suppress(TimeoutError):
                while True:
                    self._take(began + (number + 1) * FRAME_SECONDS)

    def until_silent(self, slot: int, seconds: float = 0.5) -> list[bytes]:
        """The sound of this slot, when nothing has come of it or any other for so long."""
        with suppress(TimeoutError):
            while True:
                self._take(time.monotonic() + seconds)
        return self.sounds[slot]

    def expect(self, kind: str, **wanted: object) -> dict[str, Any]:
        """The next frame of this kind, with these values, that was not expected before."""
        end = time.monotonic() + PATIENCE
        while True:
            for text in self._texts:
                if text["type"] == kind and wanted.items() <= text.items():
                    self._texts.remove(text)
                    return text
            self._read(end)

    def hear(self, slot: int, frames: int, seconds: float = PATIENCE) -> list[bytes]:
        """The sound of this slot, as soon as there are so many frames of it."""
        end = time.monotonic() + seconds
        while len(self.sounds[slot]) < frames:
            self._read(end)
        return self.sounds[slot]

    def ended(self) -> tuple[int, str]:
        """The code with which the server hangs up, and the error before that, or nothing."""
        with suppress(ConnectionClosed):
            while True:
                self._read(time.monotonic() + PATIENCE)
        errors = [text["error"] for text in self._texts if text["type"] == "error"]
        assert len(errors) < 2
        return self.line.close_code or 0, "".join(errors)

    def close(self) -> None:
        """Hang up."""
        self.line.close()

    def _read(self, end: float) -> None:
        try:
            self._take(end)
        except TimeoutError:
            raise AssertionError(f"not in time; what came: {self._texts}") from None

    def _take(self, end: float) -> None:
        came = self.line.recv(max(0.0, end - time.monotonic()))
        if isinstance(came, str):
            self._texts.append(json.loads(came))
        else:
            assert len(came) == 961
            self.sounds[came[0]].append(came[1:])


@contextmanager
def chairs(room: LocalRoom | None = None) -> Generator[Chairs]:
    """Seats that are taken away at the end."""
    opened = Chairs(room)
    try:
        yield opened
    finally:
        opened.close()
