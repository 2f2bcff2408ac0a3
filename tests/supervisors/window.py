"""A house of which there is only the window: it shows what the test wants, and keeps what is ordered."""

from __future__ import annotations

import json
import queue
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar

from pydantic import TypeAdapter

from actors.chronicle.why import JudgedLine, Turn
from actors.console.live.guard import SERVER
from actors.console.report import StatusReport, StayStatus, WhyReport
from actors.console.settings import HOST, key_file
from actors.console.wire import to_json
from actors.console.wire_orders import answer_json
from actors.console.wire_views import status_view
from messages.console import OrderAnswer, OrderResult
from messages.ids import LineId, PersonId, RoomId, StayId, TurnId
from messages.lifecycle import LifeState, TreeNode

WHY: TypeAdapter[WhyReport] = TypeAdapter(WhyReport)
STAY = StayId("stay-0001")


class Window:
    """A server on a free port, with its key in `directory`; `orders` are those that came in."""

    def __init__(self, directory: Path, port: int = 0) -> None:
        self.report, self.why = report(), WhyReport(lines=(), turns=())
        self.answer = OrderAnswer(result=OrderResult.DONE, code="done", text="it is done")
        self.captain: list[dict[str, object]] = [{"answer": "Here I am.", "failed": "", "files": []}]
        self.captain_may_answer = Event()
        self.captain_may_answer.set()
        self.orders: queue.SimpleQueue[tuple[str, dict[str, Any]]] = queue.SimpleQueue()
        self.watched: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.asked_why: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.is_busy = False
        self.key, self.closing = "a-key", Event()
        self._views: list[queue.SimpleQueue[str | None]] = []
        self._server = ThreadingHTTPServer((HOST, port), type("Bound", (_Visit,), {"window": self}))
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        directory.mkdir(mode=0o700, exist_ok=True)
        key_file(directory, self.port).write_text(self.key)
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def show(self, *views: str) -> None:
        """These, to everybody who watches."""
        for each in self._views:
            for view in views:
                each.put(view)

    def show_status(self) -> None:
        """How things are now."""
        self.show(status_view(self.report))

    def visit(self) -> queue.SimpleQueue[str | None]:
        """Somebody comes to watch."""
        views: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        views.put(status_view(self.report))
        self._views.append(views)
        return views

    def close(self) -> None:
        """Hang up on everybody."""
        self.closing.set()
        self.captain_may_answer.set()
        for each in self._views:
            each.put(None)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class _Visit(BaseHTTPRequestHandler):
    window: ClassVar[Window]

    def version_string(self) -> str:
        """Who it is, as the real one says."""
        return SERVER

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name
        """Say nothing."""

    def do_GET(self) -> None:
        """What is to be seen."""
        path = self.path.partition("?")[0]
        if not self._has_key():
            self._says(401, '{"error": "show the key"}')
        elif path == "/status":
            self._says(200, to_json(self.window.report))
        elif path == "/why":
            self._says_why()
        elif path == "/events":
            self._shows()
        else:
            self._says(404, '{"error": "there is nothing here"}')

    def do_POST(self) -> None:
        """What is ordered."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self._has_key():
            self._says(401, '{"error": "show the key"}')
            return
        self.window.orders.put((self.path, body))
        if self.path == "/captain/ask":
            self._answers()
            return
        status = {"done": 200, "refused": 409, "gone": 410, "pending": 202}[self.window.answer.result]
        self._says(status, answer_json(self.window.answer))

    def _has_key(self) -> bool:
        return self.headers["Authorization"] == f"Bearer {self.window.key}"

    def _says(self, status: int, body: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def _says_why(self) -> None:
        if self.window.is_busy:
            self._says(503, '{"error": "too many ask at once; ask again"}')
        elif "stay=never" in self.path:
            self._says(410, '{"error": "nobody knows it; see GET /stays"}')
        else:
            self._says(200, WHY.dump_json(self.window.why).decode())
        self.window.asked_why.put(self.path)

    def _shows(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        views = self.window.visit()
        self.window.watched.put(self.path)
        try:
            while (view := views.get()) is not None:
                self.wfile.write(f"data: {view}\n\n".encode())
        except OSError:
            self.close_connection = True

    def _answers(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.end_headers()
        try:
            while not self.window.captain_may_answer.wait(0.02):
                self.wfile.write(b'{"works":true}\n')
            for each in self.window.captain:
                self.wfile.write(json.dumps(each).encode() + b"\n")
        except OSError:
            self.window.orders.put(("taken back", {}))


def node(
    path: str,
    *children: TreeNode,
    restarts: int = 0,
    waiting: int = 0,
    state: LifeState = LifeState.OPEN,
    kind: str = "",
) -> TreeNode:
    """One actor."""
    return TreeNode(
        path=path,
        kind=kind or path.rpartition("/")[2].title(),
        state=state,
        restarts=restarts,
        mailbox_depth=waiting,
        facts={},
        children=children,
    )


def report(*stays: StayStatus, tree: TreeNode | None = None) -> StatusReport:
    """A house that is well."""
    return StatusReport(
        version="0.1.0",
        uptime_s=3_725.0,
        tree=tree or node("root", node("root/evidence"), node("root/console")),
        tree_age_s=0.0,
        stays=stays,
        reasons=(),
        evidence_lost=0,
    )


def stay(stay_id: StayId = STAY, **facts: Any) -> StayStatus:
    """A stay in which all is well."""
    known: dict[str, Any] = {
        "room_id": RoomId("room-1"),
        "humans": 2,
        "consented": 1,
        "floor": "engaged",
        "link_lost": None,
        "hindrance": None,
        "last_turn": "spoke",
        "last_failure": None,
        "last_reason": None,
    }
    return StayStatus(stay_id=stay_id, **{**known, **facts})


def receipt(kind: str, **data: str | float) -> str:
    """A view of a receipt."""
    line = {
        "schemaVersion": 1,
        "id": "r-1",
        "occurredAt": "2026-01-02T03:04:05.678Z",
        "type": kind,
        "data": {"type": kind.rpartition(".")[2], "origin": "live", **data},
    }
    return json.dumps({"view": "receipt", "receipt": line})


def line(decision: str = "wake", at: float = 1_000.0) -> JudgedLine:
    """A line that was judged."""
    return JudgedLine(
        at=at,
        stay_id=STAY,
        line_id=LineId("line-1"),
        person_id=PersonId("person-1234567890"),
        heard_as="addressed",
        decision=decision,
        rule="name",
        turn_id=None,
    )


def turn(at: float = 1_001.0, **facts: Any) -> Turn:
    """A turn."""
    return Turn(turn_id=TurnId("turn-1"), stay_id=STAY, at=at, **facts)


def words_view(text: str, **facts: object) -> str:
    """A view of words."""
    known: Mapping[str, object] = {
        "view": "words",
        "at": 1_000.5,
        "stay_id": STAY,
        "person_id": "person-1",
        "label": "Anna",
        "text": text,
        "typed": False,
        "his": False,
        "whole": True,
    }
    return json.dumps({**known, **facts})


def orders_of(window: Window, count: int, seconds: float = 5.0) -> Iterable[tuple[str, dict[str, Any]]]:
    """The next so many orders."""
    return [window.orders.get(timeout=seconds) for _ in range(count)]
