"""A client that breaks off leaves no line in a server's log; what is wrong with the server does."""

from __future__ import annotations

import logging
import socket

import pytest
from aiohttp import ClientConnectionResetError, web

from tests.loopback.providers import Ground

SECONDS = 10.0


@pytest.mark.parametrize(
    ("fault", "lines"), [(ClientConnectionResetError("gone"), 0), (ValueError("a fault of ours"), 1)]
)
def test_only_what_is_wrong_with_the_server_is_told(
    fault: Exception, lines: int, caplog: pytest.LogCaptureFixture
) -> None:
    ground = Ground("hangups")

    async def broken(_request: web.Request) -> web.StreamResponse:
        raise fault

    ground.application.router.add_get("/", broken)
    ground.open()
    try:
        with (
            caplog.at_level(logging.ERROR, "aiohttp.server"),
            socket.create_connection(("127.0.0.1", ground.port), SECONDS) as client,
        ):
            client.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
            while _read(client):
                pass
    finally:
        ground.close()
    assert len([one for one in caplog.records if one.name == "aiohttp.server"]) == lines


def _read(client: socket.socket) -> bytes:
    try:
        return client.recv(1 << 12)
    except ConnectionResetError:
        return b""
