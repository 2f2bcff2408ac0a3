"""Orders at the window: one is read, given, and answered with what became of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from actors.console.live.admission import Refused, json_in
from actors.console.live.bell import Bell
from actors.console.live.guard import Guests
from actors.console.live.questions import told
from actors.console.wire_orders import Malformed, answer_json, order_in, status_of
from messages.console import Order, OrderAnswer, OrderGiven
from messages.ids import OrderId, new_id

if TYPE_CHECKING:
    from aiohttp import web

ORDER_SECONDS: Final = 50.0
"""The console itself gives up earlier."""


class Orders:
    """Everybody at the window who has given an order; for the thread of all sockets."""

    def __init__(self, bell: Bell, guests: Guests) -> None:
        self._bell, self._guests = bell, guests

    async def give(self, request: web.BaseRequest) -> web.Response:
        """Answer one POST; whoever goes away meanwhile takes nothing back."""
        order = order_in(request.path, await json_in(request))
        if isinstance(order, Malformed):
            raise Refused(422, order.sentence)
        if isinstance(order, OrderAnswer):
            return _response(order)
        return await self._given(request, order)

    async def _given(self, request: web.BaseRequest, order: Order) -> web.Response:
        number = OrderId(new_id())

        def given(answer: Callable[[OrderAnswer], None]) -> OrderGiven:
            return OrderGiven(id=number, order=order, answer=answer)

        with self._guests.staying(request.transport):
            return _response(await self._bell.ring(given, ORDER_SECONDS))


def _response(answer: OrderAnswer) -> web.Response:
    return told(answer_json(answer), status_of(answer))
