"""What every provider on loopback can do wrong, seen by a client that knows how it should be."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
from collections.abc import Awaitable, Callable, Iterator

import pytest
from aiohttp import web
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.loopback.providers import NEVER, Ground, Parting, Socket

SECONDS = 5.0
Talk = Callable[[ClientConnection], Awaitable[None]]


@pytest.fixture
def ground() -> Iterator[Ground]:
    """A provider that sends back what it is sent."""
    ground = Ground("echo")

    async def serve(request: web.Request) -> web.StreamResponse:
        if (refused := await ground.refusal(request)) is not None:
            return refused
        socket = await Socket(ground, request).open()

        def came(text: str) -> None:
            socket.keep(json.loads(text))
            socket.send_text(text)

        return await socket.serve(came)

    ground.application.router.add_get("/", serve)
    ground.open()
    yield ground
    ground.close()


def talk(
    ground: Ground, do: Talk, *, ping: float | None = None, open_: float = 2.0, close: float = 0.3
) -> None:
    """Connect, do something and close, all within the deadline."""

    async def run() -> None:
        line = connect(
            f"ws://127.0.0.1:{ground.port}/",
            proxy=None,
            compression=None,
            ping_interval=ping,
            ping_timeout=ping,
            open_timeout=open_,
            close_timeout=close,
        )
        async with asyncio.timeout(SECONDS), line as opened:
            await do(opened)

    asyncio.run(run())


async def code_of(line: ClientConnection) -> int | None:
    """The close code that the server ends the connection with."""
    try:
        while True:
            await line.recv()
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


async def pour(line: ClientConnection) -> None:
    """Send for as long as it is taken."""
    while True:
        await line.send("x" * 65_536)


async def on_thread(work: Callable[[], object]) -> None:
    """Do what waits beside the client's loop."""
    await asyncio.to_thread(work)


def test_what_is_sent_comes_back_and_is_remembered(ground: Ground) -> None:
    async def do(line: ClientConnection) -> None:
        await line.send('{"type": "hello"}')
        assert json.loads(await line.recv()) == {"type": "hello"}

    talk(ground, do)
    socket = ground.socket()
    assert socket.wait_for("hello") == {"type": "hello"}
    assert socket.wait_closed_by_client() == 1000
    socket.wait_over()
    assert socket.received == [{"type": "hello"}]
    assert ground.violations == []


def test_a_frame_that_was_waited_for_is_not_found_twice(ground: Ground) -> None:
    async def do(line: ClientConnection) -> None:
        await line.send('{"text": "a"}')
        await line.send('{"text": "b"}')
        socket = ground.sockets[-1]
        await on_thread(lambda: socket.wait_for("text"))
        await on_thread(lambda: socket.wait_for(lambda frame: frame["text"] == "b"))
        with pytest.raises(AssertionError):
            await on_thread(lambda: socket.wait_for("text", 0.05))

    talk(ground, do)


@pytest.mark.parametrize("code", [1000, 1001, 1008, 1011, 4000])
def test_a_server_closes_with_its_code_after_what_it_sent_before(ground: Ground, code: int) -> None:
    async def do(line: ClientConnection) -> None:
        socket = ground.sockets[-1]
        await on_thread(lambda: socket.send({"type": "last"}))
        await on_thread(lambda: socket.close(code, "prose"))
        assert json.loads(await line.recv()) == {"type": "last"}
        assert await code_of(line) == code

    talk(ground, do)
    ground.socket().wait_over()
    assert ground.socket().closed_by_client is None


def test_an_aborted_connection_has_no_close_frame(ground: Ground) -> None:
    async def do(line: ClientConnection) -> None:
        await on_thread(ground.sockets[-1].abort)
        assert await code_of(line) is None

    talk(ground, do)
    ground.socket().wait_over()


def test_a_frozen_server_answers_neither_a_ping_nor_a_close_and_sends_nothing(ground: Ground) -> None:
    async def do(line: ClientConnection) -> None:
        socket = ground.sockets[-1]
        await on_thread(socket.freeze)
        await on_thread(lambda: socket.send_text("unheard"))
        with pytest.raises(ConnectionClosed) as closed:
            await line.recv()
        assert closed.value.rcvd is None
        assert not socket.over

    talk(ground, do, ping=0.1)
    assert ground.socket().received == []
    assert ground.socket().closed_by_client is None


def test_a_stalled_server_backs_up_what_the_client_sends_and_still_speaks(ground: Ground) -> None:
    async def do(line: ClientConnection) -> None:
        socket = ground.sockets[-1]
        await on_thread(socket.stall)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(pour(line), 0.3)
        await on_thread(lambda: socket.send_text("still here"))
        assert await line.recv() == "still here"
        line.transport.abort()

    talk(ground, do)
    assert ground.socket().received == []


def test_the_handshake_is_refused_as_often_as_asked(ground: Ground) -> None:
    ground.refuse_next(401, {"error": {"code": "invalid_api_key"}})
    ground.refuse_next(429, headers={"retry-after": "1"})

    async def nothing(_: ClientConnection) -> None: ...

    for status in (401, 429):
        with pytest.raises(InvalidStatus) as caught:
            talk(ground, nothing)
        assert caught.value.response.status_code == status
    talk(ground, nothing)
    assert len(ground.sockets) == 1


def test_a_handshake_may_stay_without_an_answer(ground: Ground) -> None:
    ground.refuse_next(NEVER)

    async def nothing(_: ClientConnection) -> None: ...

    with pytest.raises(TimeoutError):
        talk(ground, nothing, open_=0.1)
    assert ground.sockets == []


def test_a_server_may_speak_once_more_when_it_is_closed(ground: Ground) -> None:
    ground.parting = Parting(frames=('{"type": "error"}',), code=1008, reason="prose")
    seen: list[str | bytes] = []

    async def do(line: ClientConnection) -> None:
        closing = asyncio.create_task(line.close())
        seen.append(await line.recv())
        await closing

    talk(ground, do, close=2.0)
    assert seen == ['{"type": "error"}']
    ground.socket().wait_over()


@pytest.mark.parametrize("parting", [Parting(abort=True), Parting(ignore=9.0)])
def test_a_server_may_leave_a_close_without_an_answer(ground: Ground, parting: Parting) -> None:
    ground.parting = parting

    async def do(line: ClientConnection) -> None:
        await line.close()

    talk(ground, do)
    assert ground.socket().wait_closed_by_client() == 1000
    ground.socket().wait_over()  # the client broke it, long before nine seconds


def test_what_a_server_does_after_a_close_that_it_ignores_still_arrives(ground: Ground) -> None:
    ground.parting = Parting(ignore=9.0)
    seen: list[str | bytes] = []

    async def do(line: ClientConnection) -> None:
        closing = asyncio.create_task(line.close())
        socket = ground.sockets[-1]
        await on_thread(socket.wait_closed_by_client)
        socket.send_text("late")
        socket.close(1008)
        seen.append(await line.recv())
        await closing

    talk(ground, do, close=3.0)
    assert seen == ["late"]


def test_a_binary_frame_is_a_broken_rule(ground: Ground) -> None:
    async def do(line: ClientConnection) -> None:
        await line.send(b"\0")
        await on_thread(lambda: ground.until(lambda: ground.violations))

    talk(ground, do)
    assert ground.violations == ["a binary frame was sent"]


def test_whoever_knocks_as_it_closes_is_shown_out() -> None:
    for _ in range(10):
        ground = Ground("closing")
        ground.open()
        knocks = [socket.create_connection(("127.0.0.1", ground.port)) for _ in range(3)]
        ground.close()
        for one in knocks:
            one.close()
        del ground
    gc.collect()  # which would tell of transports that nobody closed


def test_nothing_can_be_changed_after_it_was_closed() -> None:
    ground = Ground("shut")
    ground.open()
    ground.close()
    with pytest.raises(RuntimeError, match="loopback-shut is not up"):
        ground.refuse_next(401)
