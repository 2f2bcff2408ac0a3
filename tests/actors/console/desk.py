"""A console whose captain is the test, and people who come to its window with a key or without."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

from actors.base import Life
from actors.clock import SystemClock
from actors.console.caller import ask
from actors.console.live.server import LiveConsole
from actors.console.settings import HOST, ConsoleSettings, key_file
from actors.console.wire import Answered, Used
from actors.net.loop import IoLoop
from messages.captain import AskAsOperator, TakeBack
from messages.console import OperatorAnswered, OperatorTold
from messages.lifecycle import Ending
from tests.actors.console.neighbours import Neighbours

DEADLINE = 5.0


class Desk:
    """A console in its thread, with a real window on a free port."""

    def __init__(self, loop: IoLoop, directory: Path, ask_seconds: float = 60.0) -> None:
        self.directory, self.neighbours = directory, Neighbours()
        self.captain = self.neighbours.captain
        self._clock = SystemClock()
        self._clock.start()
        settings = ConsoleSettings(port=0, directory=directory, ask_seconds=ask_seconds)
        self.console = self.neighbours.console(
            Life.alone("root/console"),
            clock=self._clock,
            port=LiveConsole(loop, settings),
            settings=settings,
        )
        self.console.begin()
        while not (server := str(self.console.describe()["server"])).startswith("port "):
            assert server == "not listening yet"
        self.port = int(server.removeprefix("port "))

    @property
    def key(self) -> str:
        return key_file(self.directory, self.port).read_text()

    def asks(self, request: str, seconds: float = DEADLINE) -> Generator[Used | Answered]:
        return ask(self.port, self.directory, request, seconds=seconds)

    def asked(self) -> AskAsOperator:
        return self.captain.expect(AskAsOperator, DEADLINE)

    def took_back(self) -> TakeBack:
        return self.captain.expect(TakeBack, DEADLINE)

    @contextmanager
    def posts(
        self,
        body: bytes = b'{"request": "come here"}',
        *,
        line: str = "POST /captain/ask",
        length: int | None = None,
        **headers: str | None,
    ) -> Generator[HTTPResponse]:
        """Say this much, with all the right headers but those that are named; None leaves one out."""
        wanted: Mapping[str, str | None] = {
            "Host": f"{HOST}:{self.port}",
            "Authorization": f"Bearer {self.key}",
            "Content_Type": "application/json",
            "Content_Length": str(len(body) if length is None else length),
        } | headers
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in wanted.items() if value is not None]
        head = "\r\n".join([f"{line} HTTP/1.1", *lines, "", ""]).encode()
        with socket.create_connection((HOST, self.port), timeout=DEADLINE) as peer:
            peer.sendall(head + body)
            with HTTPResponse(peer, method="POST") as response:
                response.begin()
                yield response

    def close(self) -> None:
        self.console.life.ask_to_stop(Ending.SHUTDOWN, DEADLINE)
        assert self.console.life.wait_gone(DEADLINE)
        assert self._clock.stop(2)


def tells(asked: AskAsOperator, tool: str, outcome: str) -> None:
    asked.reply_to.tell(OperatorTold(handoff=asked.handoff, tool=tool, outcome=outcome))


def answers(asked: AskAsOperator, text: str, failed: str = "", *files: str) -> None:
    asked.reply_to.tell(OperatorAnswered(handoff=asked.handoff, text=text, failed=failed, files=files))


def line_in(response: HTTPResponse) -> dict[str, Any]:
    """The next line."""
    line: dict[str, Any] = json.loads(response.readline())
    return line
