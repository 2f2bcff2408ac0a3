"""Letters to a house in another process go on over the socket; its answers come back as if it were here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from messages.console import OperatorAnswered, OperatorNews, OperatorTold
from messages.gateway import JoinAnswer, Joined, JoinRefused, RefusedJoin
from messages.ids import HandoffId, RoomId, StayId
from supervisors.rehearsal import wire

M = TypeVar("M")


class Door(Generic[M]):
    """A mailbox of this process that hands everything on."""

    def __init__(self, take: Callable[[M], None]) -> None:
        self._take = take

    def tell(self, message: M, /) -> None:
        """Hand it on."""
        self._take(message)


def came(news: wire.Came) -> JoinAnswer:
    """What whoever asked him to come is answered."""
    if news.refused:
        return JoinRefused(reason=RefusedJoin(news.refused), detail=news.detail)
    return Joined(room=RoomId(news.room), stay=StayId(news.stay))


def for_operator(news: wire.Told | wire.Answered) -> OperatorNews:
    """What the operator is told."""
    name = HandoffId(news.handoff)
    if isinstance(news, wire.Told):
        return OperatorTold(handoff=name, tool=news.tool, outcome=news.outcome)
    return OperatorAnswered(handoff=name, text=news.text, failed=news.failed, files=news.files)
