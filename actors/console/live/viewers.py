"""Whoever watches is shown everything once, and whoever looks away for too long is dropped."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from loguru import logger

from actors.console.live.admission import Refused
from actors.console.live.guard import Guests
from actors.console.live.logs import LogTail
from actors.console.live.questions import query_of
from actors.console.live.viewing import over_stream, over_websocket
from actors.console.port import ConsoleEvent, View
from actors.net.loop import IoLoop
from messages.console import ViewersChanged

if TYPE_CHECKING:
    from aiohttp import web

MOST_VIEWERS: Final = 16
MOST_WAITING: Final = 256
"""How many views may wait for one who does not look; with one more, he is dropped."""
_FELL_BEHIND: Final = "you do not read fast enough; watch again, and read all the time"
_CLOSED: Final = "the house closes; watch again when it is open"


class Viewer:
    """One who watches, and what he has not seen yet."""

    def __init__(self, *, words: bool, logs: bool) -> None:
        self.words, self.logs = words, logs
        self._views: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self._over = self.looked_away = False

    def show(self, view: bytes) -> bool:
        """One more; false if there is no room for it."""
        if self._views.full():
            return False
        self._views.put_nowait(view)
        return True

    def end(self, why: str) -> None:
        """Nothing more, and nothing of what waits, but why."""
        while not self._views.empty():
            self._views.get_nowait()
        self._views.put_nowait(json.dumps({"error": why}).encode())
        self._over = True

    async def next(self) -> bytes | None:
        """The next view; None after the last one."""
        if self._over and self._views.empty():
            return None
        return await self._views.get()


class Viewers:
    """Everybody who watches; but for `publish`, for the thread of all sockets."""

    def __init__(self, loop: IoLoop, guests: Guests, events: Callable[[ConsoleEvent], None]) -> None:
        self._loop, self._guests, self._events = loop, guests, events
        self._viewers = set[Viewer]()
        self._log = LogTail(loop, self._show_line)
        self._status: bytes | None = None
        self._closed = False
        self.dropped = 0

    def publish(self, view: View, body: str) -> None:
        """Show this to everybody; from any thread, and for next to nothing while nobody watches."""
        if self._viewers:
            self._loop.call(self._show, view, body)

    async def watch(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer GET /events, until either side has had enough."""
        query = query_of(request, "words", "logs")
        if not set(query.values()) <= {"0", "1"}:
            raise Refused(422, "words and logs must be 0 or 1")
        if self._closed:
            raise Refused(503, _CLOSED)
        if len(self._viewers) >= MOST_VIEWERS:
            raise Refused(429, f"{MOST_VIEWERS} watch already; let one of them go, and watch again")
        over = over_websocket if "Upgrade" in request.headers else over_stream
        viewer = Viewer(words=query.get("words") == "1", logs=query.get("logs") == "1")
        with self._guests.staying(request.transport), self._watching(viewer):
            return await over(request, viewer)

    def close(self) -> None:
        """Tell everybody that it is over."""
        self._closed = True
        for viewer in self._viewers:
            viewer.end(_CLOSED)

    @contextmanager
    def _watching(self, viewer: Viewer) -> Generator[None]:
        if self._status is not None:
            viewer.show(self._status)
        self._viewers.add(viewer)
        self._changed()
        try:
            yield
        finally:
            if viewer in self._viewers:
                self._viewers.discard(viewer)
                if viewer.looked_away:
                    self._drop(1)
                self._changed()

    def _show(self, view: View, body: str) -> None:
        """Make it bytes once, and hand these to everybody."""
        raw = body.encode()
        if view is View.STATUS:
            self._status = raw
        self._to([each for each in self._viewers if each.words or view is not View.WORDS], raw)

    def _show_line(self, body: str) -> None:
        self._to([each for each in self._viewers if each.logs], body.encode())

    def _to(self, viewers: list[Viewer], raw: bytes) -> None:
        late = [viewer for viewer in viewers if not viewer.show(raw)]
        for viewer in late:
            viewer.end(_FELL_BEHIND)
            self._viewers.discard(viewer)
        if late:
            self._drop(len(late))
            self._changed()

    def _drop(self, many: int) -> None:
        self.dropped += many
        logger.warning("{} at the window did not look for too long, {} so far", many, self.dropped)

    def _changed(self) -> None:
        if not self._viewers:
            self._status = None
        self._log.keep(any(viewer.logs for viewer in self._viewers))
        wanting = sum(viewer.words for viewer in self._viewers)
        self._events(ViewersChanged(viewers=len(self._viewers), wanting_words=wanting))
