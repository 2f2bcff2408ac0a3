"""A websocket to a voice server opens through a proxy if need be, tells its end once and waits for nobody."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Iterator

import pytest

from actors.voice.media.web import MOST_UNSENT, Network, Web
from tests.loopback.discord.server import Discord

DEADLINE = 5.0


class Listener:
    def __init__(self) -> None:
        self.told: list[str] = []
        self.codes: list[int | None] = []
        self.changed = asyncio.Event()

    def connected(self) -> None:
        self._tell("connected")

    def text(self, message: str) -> None:
        self._tell(f"op {json.loads(message)['op']}")

    def binary(self, message: bytes) -> None:
        self._tell(f"{len(message)} bytes")

    def closed(self, code: int | None) -> None:
        self.codes.append(code)
        self._tell("closed")

    def _tell(self, what: str) -> None:
        self.told.append(what)
        self.changed.set()

    async def wait(self, what: str) -> None:
        async with asyncio.timeout(DEADLINE):
            while what not in self.told:
                self.changed.clear()
                await self.changed.wait()


class Bench:
    def __init__(self, discord: Discord, endpoint: str, proxy: str | None) -> None:
        self.listener, self.webs = Listener(), set[Web]()
        tls = ssl.create_default_context(cafile=discord.ca_file)
        self.web = Web(endpoint, Network(tls=tls, proxy=proxy, webs=self.webs), self.listener)

    async def over(self) -> None:
        await asyncio.wait([self.web.task], timeout=DEADLINE)
        await asyncio.sleep(0)
        assert not self.webs


@pytest.fixture
def discord() -> Iterator[Discord]:
    with Discord() as discord:
        yield discord


def port(discord: Discord) -> int:
    return discord.voice.endpoints[0].port


def test_a_proxy_is_not_asked_for_this_very_machine(discord: Discord) -> None:
    async def scene() -> None:
        bench = Bench(discord, f"localhost:{port(discord)}", "http://127.0.0.1:1")
        await bench.listener.wait("op 8")
        assert bench.listener.told[0] == "connected"
        bench.web.close()
        await bench.over()
        assert bench.listener.codes == []

    asyncio.run(scene())


def test_a_proxy_is_asked_for_everybody_else(discord: Discord) -> None:
    async def scene() -> None:
        bench = Bench(discord, "c-fra01.discord.media:443", discord.proxy)
        await bench.listener.wait("closed")
        await bench.over()

    asyncio.run(scene())
    # This proxy leads to nobody who is not on this machine.
    assert discord.network.refused == ["c-fra01.discord.media:443"]


def test_a_server_that_is_not_there_is_a_close_without_a_code(discord: Discord) -> None:
    async def scene() -> None:
        bench = Bench(discord, "localhost:1", None)
        await bench.listener.wait("closed")
        await bench.over()
        assert (bench.listener.told, bench.listener.codes) == (["closed"], [None])

    asyncio.run(scene())


def test_the_code_of_the_server_is_told(discord: Discord) -> None:
    async def scene() -> None:
        bench = Bench(discord, f"localhost:{port(discord)}", None)
        await bench.listener.wait("op 8")
        bench.web.send(json.dumps({"op": 0, "d": {"token": "wrong"}}))
        await bench.listener.wait("closed")
        await bench.over()
        (code,) = bench.listener.codes
        assert code is not None
        assert code >= 4000

    asyncio.run(scene())


@pytest.mark.parametrize("opened", [False, True])
def test_nothing_is_told_of_a_websocket_that_was_dropped(discord: Discord, opened: bool) -> None:
    async def scene() -> None:
        bench = Bench(discord, f"localhost:{port(discord)}", None)
        if opened:
            await bench.listener.wait("op 8")
        else:
            await asyncio.sleep(0)
        before = list(bench.listener.told)
        bench.web.abort()
        await bench.over()
        assert bench.listener.told == before

    asyncio.run(scene())


def test_a_peer_that_reads_nothing_is_gone(discord: Discord) -> None:
    async def scene() -> None:
        bench = Bench(discord, f"localhost:{port(discord)}", None)
        for _ in range(MOST_UNSENT + 1):
            bench.web.send("x")
        assert bench.listener.codes == [None]
        await bench.over()

    asyncio.run(scene())
