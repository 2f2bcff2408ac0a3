"""Whoever orders a restart is answered once, also where it was ordered of somebody further down."""

from __future__ import annotations

from dataclasses import replace

from actors.base import Life
from messages.lifecycle import RestartAnswered, RestartChild
from messages.mailbox import Mailbox


def answer(order: RestartChild, *, restarted: bool, ended: tuple[str, ...] = ()) -> None:
    """Tell whoever gave this order, if he wants to know."""
    if order.reply_to is not None:
        order.reply_to.tell(RestartAnswered(path=order.path, restarted=restarted, ended=ended))


class PassedOn:
    """The orders that an overseer has passed on to one who is nearer, in their order."""

    def __init__(self) -> None:
        self._orders: tuple[RestartChild, ...] = ()

    def pass_on(self, order: RestartChild, to: Life, here: Mailbox[RestartAnswered]) -> None:
        """Whom it is passed on to answers `here`; orders that nobody waits for are only passed on."""
        if order.reply_to is None:
            to.send(order)
            return
        self._orders = (*self._orders, order)
        to.send(replace(order, reply_to=here))

    def answered(self, news: RestartAnswered) -> None:
        """The first order of this path is done with; news of none is old."""
        order = next((one for one in self._orders if one.path == news.path), None)
        if order is not None:
            self._orders = tuple(one for one in self._orders if one is not order)
            answer(order, restarted=news.restarted, ended=news.ended)

    def gone(self, path: str) -> None:
        """Nobody at `path` answers any more."""
        lost = tuple(one for one in self._orders if one.path.startswith(f"{path}/"))
        self._orders = tuple(one for one in self._orders if one not in lost)
        for order in lost:
            answer(order, restarted=False)
