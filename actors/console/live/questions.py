"""How things are and why, for whoever asks once; what is the same for a second is asked once a second."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from actors.console.health import health
from actors.console.live.admission import Refused
from actors.console.live.bell import Bell
from actors.console.live.guard import SERVER
from actors.console.live.routes import A_NAME, MOST_WHY
from actors.console.report import Health, StatusReport
from actors.console.wire import health_json, parse, stays_json, tree_json, whole
from actors.console.wire_bodies import LONGEST_NAME
from messages.console import StatusAsked, WhyAsked
from messages.ids import StayId

if TYPE_CHECKING:
    from aiohttp import web

ANSWER_SECONDS = 2.0
"""How long somebody who asks is kept waiting for the console."""
METRICS_SECONDS = 2.0
FRESH_SECONDS: Final = 1.0
NO_STORE: Final = {"Cache-Control": "no-store", "Server": SERVER}
_DEAF = Health(healthy=False, because=("the console does not answer",))


class Questions:
    """Everybody at the window who wants to know something; for the thread of all sockets."""

    def __init__(self, bell: Bell, metrics: Callable[[], str] | None) -> None:
        self._bell, self._metrics = bell, metrics
        self._health: asyncio.Task[Health] | None = None
        self._asked_at = float("-inf")

    async def status(self, _: web.BaseRequest) -> web.Response:
        """Answer GET /status."""
        return told(await self._status())

    async def tree(self, _: web.BaseRequest) -> web.Response:
        """Answer GET /tree."""
        report = await self._report()
        if report.tree is None:
            raise Refused(503, "the house has not described itself yet; ask again")
        return told(tree_json(report))

    async def stays(self, _: web.BaseRequest) -> web.Response:
        """Answer GET /stays."""
        return told(stays_json(await self._report()))

    async def why(self, request: web.BaseRequest) -> web.Response:
        """Answer GET /why."""
        stay, most = _which(query_of(request, "stay", "most"))
        why: str = await self._bell.ring(
            lambda answer: WhyAsked(stay=stay, most=most, answer=answer), ANSWER_SECONDS
        )
        if not why:
            raise Refused(410, "nothing is known here of such a stay; see GET /stays, or the report")
        return told(why)

    async def health(self, _: web.BaseRequest) -> web.Response:
        """Answer GET /health; without a key the house is made to look around once a second at most."""
        now = asyncio.get_running_loop().time()
        if self._health is None or (self._health.done() and now - self._asked_at >= FRESH_SECONDS):
            self._health, self._asked_at = asyncio.create_task(self._look()), now
        found = await asyncio.shield(self._health)
        return told(health_json(found), 200 if found.healthy else 503)

    async def metrics(self, _: web.BaseRequest) -> web.Response:
        """Answer GET /metrics; what counts may take its time, elsewhere."""
        from aiohttp import web

        if self._metrics is None:
            raise Refused(404, "this house counts nothing for Prometheus; see [meter] in its settings")
        try:
            text = await asyncio.wait_for(asyncio.to_thread(self._metrics), METRICS_SECONDS)
        except TimeoutError:
            raise Refused(503, "the numbers are not ready; ask again") from None
        kind = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
        return web.Response(body=text.encode(), headers=NO_STORE | kind)

    async def _status(self) -> str:
        return await self._bell.ring(lambda answer: StatusAsked(answer=answer), ANSWER_SECONDS)

    async def _report(self) -> StatusReport:
        report = parse((await self._status()).encode())
        if report is None:
            raise Refused(503, "the console does not know how things are; ask again")
        return report

    async def _look(self) -> Health:
        try:
            return health(await self._report())
        except Refused:
            return _DEAF


def told(body: str, status: int = 200) -> web.Response:
    """An answer in JSON that nobody keeps."""
    from aiohttp import web

    return web.Response(status=status, text=body, content_type="application/json", headers=NO_STORE)


def query_of(request: web.BaseRequest, *names: str) -> dict[str, str]:
    """What stands behind the question mark; raises Refused where that is anything but these, once each."""
    query = request.query
    if len(query) != len(set(query)) or not set(query) <= set(names):
        raise Refused(422, f"behind the question mark may stand only, and once each: {', '.join(names)}")
    return dict(query)


def _which(query: dict[str, str]) -> tuple[StayId | None, int]:
    stay, most = query.get("stay"), query.get("most", "50")
    # A query may hold halves of signs as well, of which no id is made.
    if stay is not None and not (len(stay) <= LONGEST_NAME and re.fullmatch(A_NAME, whole(stay))):
        raise Refused(422, f"stay must be the id of a stay, with 1 to {LONGEST_NAME} signs; see GET /stays")
    if not (most.isascii() and most.isdecimal() and len(most) <= 3 and 1 <= int(most) <= MOST_WHY):
        raise Refused(422, f"most must be a number from 1 to {MOST_WHY}")
    return None if stay is None else StayId(whole(stay)), int(most)
