"""A window with real sockets and nobody behind it but the test, and a stranger on a port of his own."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

from actors.console.knock import Reply, reply_in
from actors.console.live.server import LiveConsole
from actors.console.live.window import Seats
from actors.console.port import ConsoleEvent
from actors.console.report import WhyReport
from actors.console.settings import HOST, ConsoleSettings, key_file
from actors.console.wire import to_json, why_json
from actors.net.loop import IoLoop
from messages.console import (
    OrderAnswer,
    OrderGiven,
    OrderResult,
    ServerReady,
    StatusAsked,
    ViewersChanged,
    WhyAsked,
)
from tests.actors.console.test_silence import REPORT
from tests.probe import Probe

DEADLINE = 5.0
WHY = WhyReport(lines=(), turns=())
DONE = OrderAnswer(result=OrderResult.DONE, code="done", text="He says it.", facts={"stay": "s1"})


class Window:
    """A console that is open on a free port; while `answers`, it tells REPORT, WHY and `answer`."""

    def __init__(
        self,
        loop: IoLoop,
        directory: Path,
        metrics: Callable[[], str] | None = None,
        room: Seats | None = None,
    ) -> None:
        self.answers, self.directory, self.report, self.answer = True, directory, REPORT, DONE
        self.told = Probe[ConsoleEvent]()
        settings = ConsoleSettings(port=0, directory=directory)
        self.console = LiveConsole(loop, settings, room=room, metrics=metrics)
        self.console.open(self._hear)
        self.port = self.told.expect(ServerReady).port

    def _hear(self, event: ConsoleEvent) -> None:
        self.told.tell(event)
        if not self.answers:
            return
        match event:
            case StatusAsked():
                event.answer(to_json(self.report))
                event.answer("once too often")
            case WhyAsked():
                event.answer("" if event.stay == "never" else why_json(WHY))
            case OrderGiven():
                event.answer(self.answer)
            case _:
                pass

    @property
    def key(self) -> str:
        return key_file(self.directory, self.port).read_text()

    def viewers(self) -> tuple[int, int]:
        """How many watch, and want words, as it is told next."""
        told = self.told.expect(ViewersChanged, DEADLINE)
        return told.viewers, told.wanting_words

    @contextmanager
    def line(self, said: str, body: bytes | None = None, **headers: str | None) -> Generator[HTTPResponse]:
        """Say this with all the right headers but those that are named; None leaves one out."""
        wanted: dict[str, str | None] = {
            "Host": f"{HOST}:{self.port}",
            "Authorization": f"Bearer {self.key}",
        }
        if body is not None:
            wanted |= {"Content_Type": "application/json", "Content_Length": str(len(body))}
        given = {name: value for name, value in (wanted | headers).items() if value is not None}
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in given.items()]
        with socket.create_connection((HOST, self.port), timeout=DEADLINE) as peer:
            peer.sendall("\r\n".join([f"{said} HTTP/1.1", *lines, "", ""]).encode() + (body or b""))
            with HTTPResponse(peer, method=said.partition(" ")[0]) as response:
                response.begin()
                yield response

    def says(self, said: str, body: bytes | None = None, **headers: str | None) -> Reply:
        """Say this, and what is said to it."""
        with self.line(said, body, **headers) as response:
            return reply_in(response)

    def asks(self, path: str) -> Any:
        """What is told there, out of its JSON."""
        reply = self.says(f"GET {path}")
        assert reply.status == 200, reply
        return json.loads(reply.body)


class Stranger:
    """Another program on a port; says one thing to the first who comes, or nothing at all."""

    def __init__(self, says: bytes | None) -> None:
        self._says = says
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._gone = threading.Event()
        self._thread = threading.Thread(target=self._receive)
        self._thread.start()

    def _receive(self) -> None:
        line, _ = self._listener.accept()
        with line:
            line.recv(65536)
            if self._says is None:
                self._gone.wait(10)
            else:
                line.sendall(self._says)

    def close(self) -> None:
        self._gone.set()
        self._thread.join(5)
        self._listener.close()
