"""The way to a provider is by TLS and through the proxy that the environment names, if there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import web

from actors.net.cable import Limits
from actors.net.checkup.elevenlabs import ElevenLabsDesk
from actors.net.checkup.openai import OpenAiDesk
from actors.net.line import Ended, EndedBy, Line
from actors.net.service import Service
from actors.net.ways import NoWay, authorities, proxy_for
from tests.actors.net.world import KEY, NewLoop, World
from tests.loopback.discord.tls import certify

CLOSED = Ended(by=EndedBy.OWNER, reason="closed")


def fault(reason: str) -> Ended:
    return Ended(by=EndedBy.FAULT, reason=reason)


VARIABLES = [f"{name}_PROXY" for name in ("HTTP", "HTTPS", "ALL", "WS", "WSS", "SOCKS", "NO")]


class Proxy:
    """A CONNECT proxy that leads everywhere to one port of this machine."""

    def __init__(self, world: World, port: int) -> None:
        self._peer, self._to = world.peer, port
        self.asked: list[str] = []
        self._server = world.peer.finish(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        self._peer.run(self._server.close)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
        there_reader, there = await asyncio.open_connection("127.0.0.1", self._to)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await asyncio.gather(_pass_on(reader, there), _pass_on(there_reader, writer))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(65536):
            writer.write(piece)
    except ConnectionError:
        pass
    finally:
        writer.close()


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def proxy(world: World) -> Iterator[Proxy]:
    with closing(Proxy(world, world.peer.port)) as proxy:
        yield proxy


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_spoken_to_without_a_proxy(
    world: World, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES[:-1]:
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    line, ear = world.dials(world.at(f"ws://{host}:{world.peer.port}/line"))
    ear.waits_open()
    world.on_thread(line.close)
    assert ear.waits_end() == CLOSED


def test_everybody_else_is_reached_through_it_and_it_sees_no_key(
    world: World, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
    line, ear = world.dials(world.at("ws://provider.example:8080/line?model=secret-model"))
    ear.waits_open()
    assert proxy.asked[0].startswith("CONNECT provider.example:8080 HTTP/1.1\r\n")
    assert not any(secret in proxy.asked[0] for secret in (KEY, "secret-model"))
    world.on_thread(line.close)
    assert ear.waits_end() == CLOSED


@pytest.mark.parametrize(
    ("environment", "url", "proxy"),
    [
        ({"HTTPS_PROXY": "http://a:1", "ALL_PROXY": "http://b:1"}, "https://provider.example", "http://a:1"),
        ({"HTTPS_PROXY": "http://a:1"}, "wss://provider.example/line", "http://a:1"),
        ({"HTTPS_PROXY": "http://a:1"}, "http://provider.example", None),
        ({"all_proxy": "https://b"}, "wss://provider.example", "https://b"),
        ({"ALL_PROXY": "b:3128"}, "https://provider.example", "http://b:3128"),
        ({"HTTPS_PROXY": "http://a:1", "NO_PROXY": "example"}, "https://provider.example/v1", None),
        ({"HTTPS_PROXY": "http://a:1", "NO_PROXY": "provider.example:443"}, "wss://provider.example", None),
        ({"HTTPS_PROXY": "http://a:1", "NO_PROXY": "other"}, "wss://provider.example", "http://a:1"),
        ({"HTTPS_PROXY": "socks5://a:1"}, "https://localhost/v1", None),
        ({"HTTPS_PROXY": "socks5://a:1", "NO_PROXY": "*"}, "https://provider.example", None),
        ({"WSS_PROXY": "http://a:1", "SOCKS_PROXY": "a:1"}, "wss://provider.example", None),
    ],
)
def test_every_library_takes_the_proxy_that_the_environment_names(
    environment: dict[str, str], url: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_for(url) == proxy


@pytest.mark.parametrize("named", ["socks5://me:secret@a:1", "gopher://a", "http://", "http://a:port"])
def test_what_is_no_http_proxy_is_refused_and_not_repeated(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", named)
    with pytest.raises(NoWay, match=r"ALL_PROXY names no HTTP proxy$"):
        proxy_for("wss://provider.example")


@pytest.mark.parametrize("proxy_url", ["http://127.0.0.1:1", "gopher://127.0.0.1", "socks5h://127.0.0.1:1"])
def test_a_proxy_that_does_not_work_is_told_as_such(
    world: World, proxy_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", proxy_url)
    assert world.dials(world.at("wss://provider.example/line"))[1].waits_end() == fault("proxy_unreachable")
    far = Service(base_url="https://provider.example/v1", key=KEY)
    if proxy_url.startswith("http"):
        assert world.io.submit(asked_of_openai(far)).result(15.0) == "proxy_unreachable"
        assert world.io.submit(asked_of_elevenlabs(far)).result(15.0) == "proxy_unreachable"


class Sealed:
    """The same peer behind TLS at a port of its own, and whom to trust for it."""

    def __init__(self, world: World, folder: Path) -> None:
        self.authority, self._tls = certify(folder)
        self._world = world
        self._application = web.Application()
        self._application.router.add_get("/line", world.peer.answer)
        self.port = world.peer.finish(self._listen())

    def close(self) -> None:
        for socket in self._world.peer.sockets:
            socket.abort()
        self._world.peer.finish(self._runner.cleanup())

    async def _listen(self) -> int:
        self._runner = web.AppRunner(self._application, shutdown_timeout=0.5, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._tls)
        await site.start()
        return int(self._runner.addresses[0][1])


@pytest.fixture
def sealed(
    tmp_path: Path, new_loop: NewLoop, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[World, Sealed]]:
    world = World(new_loop, Limits(close=0.3, send=0.3, waiting_bytes=32 << 20))
    world.open()
    with closing(Sealed(world, tmp_path)) as peer:
        monkeypatch.setenv("SSL_CERT_FILE", str(peer.authority))
        authorities.cache_clear()
        yield world, peer
        authorities.cache_clear()
    world.close()


def test_by_tls_it_is_the_same(sealed: tuple[World, Sealed]) -> None:
    world, peer = sealed
    line, ear = world.dials(world.at(f"wss://127.0.0.1:{peer.port}/line"))
    ear.waits_open()
    socket = world.peer.socket()
    world.on_thread(line.send, '{"text": "a"}')
    socket.wait_for("text")
    socket.send({"text": "b"})
    assert ear.waits_frame() == {"text": "b"}
    socket.close(1008)
    assert ear.waits_end() == Ended(by=EndedBy.PEER, reason="closed_1008", code=1008)


def fill(line: Line) -> None:
    for _ in range(300):
        line.send('{"audio": "' + "A" * 60_000 + '"}')


def test_by_tls_too_a_peer_that_takes_nothing_is_noticed(sealed: tuple[World, Sealed]) -> None:
    world, peer = sealed
    line, ear = world.dials(world.at(f"wss://127.0.0.1:{peer.port}/line"))
    ear.waits_open()
    world.peer.socket().stall()
    world.on_thread(fill, line)
    assert ear.waits_end() == Ended(by=EndedBy.FAULT, reason="send_stalled")


@pytest.mark.parametrize("takes_nothing", [True, False])
def test_by_tls_too_a_peer_cannot_hold_up_the_owners_close(
    sealed: tuple[World, Sealed], takes_nothing: bool
) -> None:
    world, peer = sealed
    line, ear = world.dials(world.at(f"wss://127.0.0.1:{peer.port}/line"))
    ear.waits_open()
    world.peer.socket().freeze()
    if takes_nothing:
        world.on_thread(fill, line)
    world.on_thread(line.close)
    assert ear.waits_end() == CLOSED


def test_a_certificate_of_nobody_we_trust_is_told_as_such(
    sealed: tuple[World, Sealed], monkeypatch: pytest.MonkeyPatch
) -> None:
    world, peer = sealed
    monkeypatch.delenv("SSL_CERT_FILE")
    authorities.cache_clear()
    ended = world.dials(world.at(f"wss://127.0.0.1:{peer.port}/line"))[1].waits_end()
    assert ended == fault("certificate_refused")
    near = Service(base_url=f"https://127.0.0.1:{peer.port}/v1", key=KEY)
    assert world.io.submit(asked_of_openai(near)).result(15.0) == "certificate_refused"
    assert world.io.submit(asked_of_elevenlabs(near)).result(15.0) == "certificate_refused"


@pytest.mark.parametrize("variable", ["https_proxy", "all_proxy"])
def test_by_tls_through_a_proxy(
    sealed: tuple[World, Sealed], variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, peer = sealed
    with closing(Proxy(world, peer.port)) as proxy:
        monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.port}")
        line, ear = world.dials(world.at("wss://discord.com/line"))
        ear.waits_open()
        assert proxy.asked[0].startswith("CONNECT discord.com:443 HTTP/1.1\r\n")
        world.on_thread(line.close)
        assert ear.waits_end() == CLOSED


async def asked_of_openai(service: Service) -> str:
    desk = OpenAiDesk(service, 5.0)
    try:
        await desk.complete("anything", with_tool=False)
    except Exception as error:
        return desk.reason_of(error)
    finally:
        await desk.close()
    return ""


async def asked_of_elevenlabs(service: Service) -> str:
    desk = ElevenLabsDesk(service, 5.0)
    try:
        await desk.account()
    except Exception as error:
        return desk.reason_of(error)
    finally:
        await desk.close()
    return ""


@pytest.mark.parametrize("ask", [asked_of_openai, asked_of_elevenlabs])
def test_who_asks_by_http_goes_the_same_way(
    sealed: tuple[World, Sealed],
    ask: Callable[[Service], Coroutine[object, object, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, peer = sealed
    with closing(Proxy(world, peer.port)) as proxy:
        monkeypatch.setenv("all_proxy", f"http://127.0.0.1:{proxy.port}")
        far = Service(base_url="https://discord.com/v1", key=KEY)
        assert world.io.submit(ask(far)).result(15.0) == "not_found"  # the peer has only /line
        assert proxy.asked[0].startswith("CONNECT discord.com:443 HTTP/1.1\r\n")
        assert KEY not in proxy.asked[0]
        monkeypatch.setenv("all_proxy", "http://127.0.0.1:1")
        near = Service(base_url=f"https://127.0.0.1:{peer.port}/v1", key=KEY)
        assert world.io.submit(ask(near)).result(15.0) == "not_found"
