"""The door to the local room: it is there where the house has one, for as many as there are seats."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from actors.console.live import guard
from actors.console.live import window as sill
from actors.console.live.window import MOST_SEATS
from actors.console.settings import HOST
from actors.net.loop import IoLoop
from tests.actors.console.window import DEADLINE, Window

UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13"}


class Bench:
    """Seats that say one word to each who sits down; everybody stays until the bench is closed."""

    def __init__(self) -> None:
        self.over, self.closes = asyncio.Event(), True

    async def sit(self, request: web.BaseRequest) -> web.StreamResponse:
        line = web.WebSocketResponse(protocols=("clankie",))
        await line.prepare(request)
        await line.send_str("welcome")
        await self.over.wait()
        await line.close()
        return line

    async def close(self) -> None:
        if self.closes:
            self.over.set()
        else:
            await asyncio.Event().wait()


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def hall(loop: IoLoop, tmp_path: Path, bench: Bench) -> Iterator[Window]:
    hall = Window(loop, tmp_path, room=bench)
    yield hall
    hall.console.close()


@contextmanager
def sits(hall: Window) -> Generator[ClientConnection]:
    """Somebody who has sat down."""
    protocols: Any = ["clankie", f"key.{hall.key}"]
    with connect(f"ws://{HOST}:{hall.port}/room", subprotocols=protocols, close_timeout=0.2) as line:
        assert line.recv(DEADLINE) == "welcome"
        yield line


def test_a_house_without_a_room_says_so(window: Window) -> None:
    reply = window.says("GET /room", None, **UPGRADE)
    assert (reply.status, "no room of its own" in reply.error) == (404, True)


def test_a_seat_is_there_over_a_websocket_only(hall: Window) -> None:
    with hall.line("GET /room") as response:
        assert (response.status, response.getheader("Upgrade")) == (426, "websocket")
    assert hall.says("GET /room", None, **UPGRADE).status == 400


def test_whoever_sits_may_stay(hall: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LIFE_SECONDS", 0.05)
    with sits(hall) as line, pytest.raises(TimeoutError):
        line.recv(0.2)


def test_there_are_so_many_seats_and_no_more(hall: Window, bench: Bench) -> None:
    with ExitStack() as sitting:
        for _ in range(MOST_SEATS):
            sitting.enter_context(sits(hall))
        reply = hall.says("GET /room", None, **UPGRADE, Sec_WebSocket_Key="AAAAAAAAAAAAAAAAAAAAAA==")
        assert (reply.status, "seats are taken" in reply.error) == (429, True)
        assert hall.says("GET /status").status == 200
        hall.console._loop.call(bench.over.set)
        until = time.monotonic() + DEADLINE
        while hall.says("GET /room", None, **UPGRADE).status == 429:
            assert time.monotonic() < until
    with sits(hall):
        pass


@pytest.mark.parametrize("closes", [True, False], ids=["politely", "never"])
def test_whoever_sits_when_the_house_closes_gets_up(
    hall: Window, bench: Bench, closes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sill, "SEATS_SECONDS", 0.1)
    bench.closes = closes
    with sits(hall) as line:
        closing = threading.Thread(target=hall.console.close)
        closing.start()
        with pytest.raises(ConnectionClosed):
            line.recv(DEADLINE)
        closing.join(DEADLINE)
        assert not closing.is_alive()
