"""What he writes while there is no connection waits for the next one, if that comes soon enough."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final, Protocol

from loguru import logger

from messages.attachment import Attachment
from messages.ids import MessageId, RoomId

MOST_KEPT: Final = 64
"""So many posts may wait; of more, the oldest is dropped, counted and logged."""
KEPT_SECONDS: Final = 60.0
"""What is older is no answer to anything any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """One thing to be written."""

    room: RoomId
    text: str = field(repr=False)
    reply_to: MessageId | None
    attachments: tuple[Attachment, ...] = field(repr=False)


class Writer(Protocol):
    """Whoever can write."""

    def post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...] = ()
    ) -> None:
        """Write after what was written before in this room."""


class Unsent:
    """Posts in their order; everything is called on the loop."""

    def __init__(self) -> None:
        self._posts: deque[tuple[float, Post]] = deque()
        self.dropped = 0

    def keep(self, post: Post, now: float) -> None:
        """Nobody can write it at the moment."""
        if len(self._posts) >= MOST_KEPT:
            self._posts.popleft()
            self._drop(1, "too many wait for the connection")
        self._posts.append((now, post))

    def hand_over(self, writer: Writer, now: float) -> None:
        """Somebody can."""
        posts, self._posts = self._posts, deque()
        fresh = [one for at, one in posts if now - at <= KEPT_SECONDS]
        if late := len(posts) - len(fresh):
            self._drop(late, "the connection was away for too long")
        for one in fresh:
            writer.post(one.room, one.text, one.reply_to, one.attachments)

    def _drop(self, many: int, why: str) -> None:
        self.dropped += many
        logger.warning("{} of what he wrote was dropped: {}", many, why)
