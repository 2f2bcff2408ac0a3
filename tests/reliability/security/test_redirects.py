"""A peer that says "go there instead" is not followed with a key in the hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from actors.meter.live_collector import Collector
from actors.meter.settings import TelemetrySettings
from actors.meter.spans import Span
from actors.net.cable import Limits, Refused, connected
from actors.net.checkup.elevenlabs import ElevenLabsDesk
from actors.net.line import Target
from actors.net.sdk import openai_client
from actors.net.service import Service

KEY = "sk-for-one-peer-alone"
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


@dataclass
class Peers:
    """One whom he asks, who sends everybody to another; `asked` are the headers that each has got."""

    address: str = ""
    asked: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)


@contextmanager
def serving(heard: list[str], leads_to: str | None) -> Generator[int]:
    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def answer(self) -> None:
            heard.append(str(self.headers))
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.send_response(404 if leads_to is None else 307)
            if leads_to is not None:
                self.send_header("Location", leads_to)
            self.end_headers()

        do_GET = do_POST = answer  # noqa: N815 - the library's names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name for it
            """To nobody."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        server.daemon_threads = False
        turning = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        turning.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            turning.join()


@pytest.fixture
def peers() -> Generator[Peers]:
    found = Peers()
    with (
        serving(found.elsewhere, None) as there,
        serving(found.asked, f"http://localhost:{there}/taken") as here,
    ):
        found.address = f"http://127.0.0.1:{here}"
        yield found


async def a_socket(address: str) -> None:
    with pytest.raises(Refused):
        await connected(
            Target(url=address.replace("http", "ws"), headers={"xi-api-key": KEY}), Limits(open=5.0)
        )


async def openai(address: str) -> None:
    client = openai_client(Service(base_url=f"{address}/v1", key=KEY), 5.0)
    try:
        with pytest.raises(Exception, match="307"):
            await client.models.list()
    finally:
        await client.close()


async def elevenlabs(address: str) -> None:
    desk = ElevenLabsDesk(Service(base_url=address, key=KEY), 5.0)
    try:
        with pytest.raises(Exception, match="307"):
            await desk.account()
    finally:
        await desk.close()


@pytest.mark.parametrize("ask", [a_socket, openai, elevenlabs], ids=lambda ask: ask.__name__)
def test_a_provider_that_sends_him_elsewhere_is_not_followed(
    peers: Peers, ask: Callable[[str], Coroutine[None, None, None]]
) -> None:
    asyncio.run(ask(peers.address))
    assert KEY in peers.asked[0]
    assert peers.elsewhere == []


def test_a_collector_that_sends_him_elsewhere_is_not_followed(
    peers: Peers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", f"x-api-key={KEY}")
    collector = Collector(TelemetrySettings(otlp_endpoint=f"{peers.address}/v1/traces"))
    collector.add(Span(name="turn", began=1.0, ended=2.0, attributes={}, children=()))
    collector.close()
    assert KEY in peers.asked[0]
    assert peers.elsewhere == []


def test_the_token_of_the_account_goes_to_the_host_that_was_asked_alone(
    peers: Peers, monkeypatch: pytest.MonkeyPatch
) -> None:
    import discord
    import discord.http

    monkeypatch.setattr(discord.http.Route, "BASE", peers.address)

    async def log_in() -> None:
        async with discord.Client(intents=discord.Intents.none()) as client:
            with suppress(discord.HTTPException):
                await client.login(TOKEN)

    asyncio.run(log_in())
    assert TOKEN in peers.asked[0]
    assert [one for one in peers.elsewhere if TOKEN in one] == []
