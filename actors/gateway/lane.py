"""What is known of the text lane: who waits for an answer, and where he is in a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from actors.gateway.settings import TextSettings
from messages.ids import MessageId, RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """One admitted message, from monotonic second `since` until it has an answer, which may be silence."""

    message: MessageId
    room: RoomId
    since: float


MOST_SEEN = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLane:
    """Everything written that is not for the floor."""

    settings: TextSettings = field(default_factory=TextSettings)
    names: tuple[str, ...] = ()
    """What he is called, in the order of the settings."""
    account: str = ""
    """What the account is called, as a mention of it reads."""
    seen: tuple[MessageId, ...] = ()
    """The latest messages, so that none is read twice."""
    waiting: tuple[Unanswered, ...] = ()
    engaged: Mapping[RoomId, int] = field(default_factory=dict)
    """How many more messages of a room he reads, whoever they are for; the latest room last."""
    noticed: Mapping[RoomId, float] = field(default_factory=dict)
    """When a room was last told that something went wrong, in monotonic seconds."""
    dropped: int = 0
    """How many found too many waiting."""

    def unanswered(self, message: MessageId) -> Unanswered | None:
        """The message, if it waits for an answer."""
        return next((one for one in self.waiting if one.message == message), None)

    def waits(self, room: RoomId) -> bool:
        """Whether anybody in this room waits for an answer."""
        return any(one.room == room for one in self.waiting)
