"""The sill of the window: whoever is admitted gets his answer, and whoever is not a sentence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from actors.console.live.admission import Admission, Refused
from actors.console.live.asks import Asks
from actors.console.live.assets import Assets
from actors.console.live.bell import Bell
from actors.console.live.guard import Guests
from actors.console.live.key import Key
from actors.console.live.openapi import document
from actors.console.live.orders import Orders
from actors.console.live.questions import NO_STORE, Questions, told
from actors.console.live.routes import ASSETS
from actors.console.live.viewers import Viewers
from actors.console.port import ConsoleEvent
from actors.console.wire_bodies import BODIES
from actors.net.loop import IoLoop

if TYPE_CHECKING:
    from aiohttp import web

MOST_SEATS: Final = 8
SEATS_SECONDS: Final = 0.5
Answer: TypeAlias = "Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]"


class Seats(Protocol):
    """Whoever lets people from a browser sit in the local room; for the thread of all sockets."""

    async def sit(self, request: web.BaseRequest) -> web.StreamResponse:
        """Stay with one who was admitted until he leaves or vanishes."""
        ...

    async def close(self) -> None:
        """Let everybody go, within half a second."""
        ...


class Window:
    """All that is answered; but for `viewers.publish`, for the thread of all sockets."""

    def __init__(
        self,
        loop: IoLoop,
        key: Key,
        guests: Guests,
        events: Callable[[ConsoleEvent], None],
        *,
        seats: Seats | None,
        metrics: Callable[[], str] | None,
    ) -> None:
        bell, assets = Bell(loop, events), Assets()
        self.viewers = Viewers(loop, guests, events)
        self._admission, self._guests, self._seats = Admission(key, assets.has), guests, seats
        self._seated = 0
        self._answers = self._table(
            assets, Questions(bell, metrics), Orders(bell, guests), Asks(loop, guests, events)
        )

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request, whatever it is."""
        try:
            route = self._admission.admitted(request)
            if not route.is_open:
                self._guests.known(request.transport)
            return await self._answers[route.path](request)
        except Refused as no:
            return _sentence(no)

    async def close(self) -> None:
        """Tell those who stay that it is over."""
        self.viewers.close()
        if self._seats is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._seats.close(), SEATS_SECONDS)

    def _table(
        self, assets: Assets, questions: Questions, orders: Orders, asks: Asks
    ) -> Mapping[str, Answer]:
        """Whoever answers at each path of the routes."""
        return {
            "/": assets.page,
            ASSETS: assets.asset,
            "/health": questions.health,
            "/openapi.json": _openapi,
            "/status": questions.status,
            "/tree": questions.tree,
            "/stays": questions.stays,
            "/why": questions.why,
            "/metrics": questions.metrics,
            "/captain/ask": asks.answer,
            "/events": self.viewers.watch,
            "/room": self._room,
            **dict.fromkeys(BODIES, orders.give),
        }

    async def _room(self, request: web.BaseRequest) -> web.StreamResponse:
        from aiohttp import web

        if self._seats is None:
            raise Refused(404, "this house has no room of its own; talk to him on Discord")
        if request.headers.get("Upgrade", "").lower() != "websocket":
            raise Refused(426, "a seat is there over a websocket only; open the page", Upgrade="websocket")
        if self._seated >= MOST_SEATS:
            raise Refused(429, f"all {MOST_SEATS} seats are taken; wait until somebody leaves")
        self._seated += 1
        try:
            with self._guests.staying(request.transport):
                return await self._seats.sit(request)
        except web.HTTPException:
            raise Refused(400, "this is no handshake of a websocket, version 13; open the page") from None
        finally:
            self._seated -= 1


async def _openapi(_: web.BaseRequest) -> web.Response:
    return told(document())


def _sentence(no: Refused) -> web.Response:
    from aiohttp import web

    text = json.dumps({"error": no.text}, ensure_ascii=False)
    response = web.Response(
        status=no.status, text=text, content_type="application/json", headers=NO_STORE | no.headers
    )
    # What nobody wants to read of a body goes with its connection.
    response.force_close()
    return response
