"""A server of tools over HTTP that answers by hand, and badly where it is told to."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, cast

from actors.captain.settings import McpServer

TOKEN: Final = "a-token-of-ours"
CHAT: Final = b'data: {"jsonrpc": "2.0", "method": "notifications/message", "params": {}}\n\n'


class Desk(ThreadingHTTPServer):
    """What it is told, it keeps: the method, the path and the Authorization of each request."""

    daemon_threads = True

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.asked: list[tuple[str, str, str]] = []
        self.farewell = threading.Event()
        super().__init__(("127.0.0.1", 0), _Answers)

    @property
    def server(self) -> McpServer:
        """As the settings name it."""
        return McpServer(url=f"http://127.0.0.1:{self.server_port}/mcp")


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is written down."""

    def do_GET(self) -> None:
        self._note()
        self._send(405, b"")

    def do_DELETE(self) -> None:
        desk = self._note()
        desk.farewell.set()
        if desk.mode == "clings":
            self.send_response(200)
            self.send_header("Content-Length", "1")
            self.end_headers()
            self._wait()
        else:
            self._send(204, b"")

    def do_POST(self) -> None:
        desk = self._note()
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method = message.get("method")
        if desk.mode.isdecimal():
            self._send(int(desk.mode), b"no")
        elif desk.mode == "elsewhere":
            self._send(307, b"", Location="/other")
        elif desk.mode == "session" and method == "tools/call":
            desk.mode = ""
            self._send(404, b"")
        elif "id" not in message:
            self._send(202, b"")
        elif message.get("params", {}).get("arguments") == {"late": True}:
            self._wait()
        elif message.get("params", {}).get("arguments") == {"half": True}:
            self._send(200, b"{", **{"Content-Type": "application/json", "Content-Length": "2"})
            self.close_connection = True
        else:
            self._result(desk.mode, message["id"], method)

    def _result(self, mode: str, number: int, method: str) -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": number, "result": _result(method, mode)}).encode()
        kind, extra = "application/json", {"Mcp-Session-Id": "s"}
        if mode == "large events" and method == "tools/call":
            kind, body = "text/event-stream", b"data: " + body + b"\n\n"
        if mode == "chatty" and method == "tools/call":
            kind, body = "text/event-stream", CHAT * 6_000 + b"data: " + body + b"\n\n"
        if mode == "packed":
            body, extra = gzip.compress(body), {**extra, "Content-Encoding": "gzip"}
        self._send(200, body, **{"Content-Type": kind, **extra})

    def _wait(self) -> None:
        """Until whoever asked has gone."""
        self.rfile.read(1)
        self.close_connection = True

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True

    def _note(self) -> Desk:
        desk = cast(Desk, self.server)
        desk.asked.append((self.command, self.path, self.headers.get("Authorization", "")))
        return desk


def _result(method: str, mode: str) -> dict[str, Any]:
    match method:
        case "initialize":
            about = {"name": "desk", "version": "1"}
            return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": about}
        case "tools/list":
            return {"tools": [{"name": "ring", "inputSchema": {"type": "object"}}]}
        case _:
            size = 13 * 2**20 if mode.startswith("large") else 4
            blocks = 6_000 if mode == "fine" else 1
            return {"content": [{"type": "text", "text": "x" * size}] * blocks}


@contextmanager
def attended(mode: str = "") -> Generator[Desk]:
    """A desk with somebody behind it."""
    with Desk(mode) as desk:
        thread = threading.Thread(target=desk.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield desk
        finally:
            desk.shutdown()
            thread.join()
