"""Two chats in this very process: the room's own, and a lobby where whatever is written is for him."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from actors.local_room.taps import Taps
from messages.attachment import Attachment
from messages.gateway import (
    Asker,
    ButtonAnswered,
    ButtonOutcome,
    ButtonPressed,
    GatewayPortEvent,
    MessageGone,
    MessageSeen,
)
from messages.ids import ConfirmationId, GuildId, MessageId, RoleId, RoomId
from messages.mailbox import Mailbox
from messages.people import Person
from messages.tools import CreateThread, Deed, JoinThread, React, SendUpdate, Unreact

GUILD = GuildId("local")
"""The guild that every room in this process belongs to."""
LOBBY = RoomId("lobby")
REMEMBERED: Final = 500
"""So many of the latest messages can be taken back or get an emoji."""
MOST_QUESTIONS: Final = 64
NOBODY: Final = frozenset[RoleId]()


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """Something that he wrote, with the message that it answers; a `question` has two buttons."""

    room: RoomId
    text: str
    reply_to: MessageId | None = None
    attachments: tuple[Attachment, ...] = ()
    question: ConfirmationId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What waits for a yes or no, and where it is shown."""

    room: RoomId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Something that somebody else wrote."""

    room: RoomId
    author: Person
    text: str


PostTap: TypeAlias = Callable[[Posted], object]
WrittenTap: TypeAlias = Callable[[Written], object]


class Chat:
    """All that is written in one room and its lobby; any thread may call anything.

    News are told under `lock`, in order; whoever reads what he writes never waits for it. `changed` is
    called whenever he asks something, and whenever a question is over.
    """

    def __init__(
        self,
        room: RoomId,
        lock: threading.RLock,
        report: Callable[[GatewayPortEvent], None],
        changed: Callable[[], None],
    ) -> None:
        self.room = room
        self._lock, self._report, self._changed = lock, report, changed
        self._written = 0
        self._messages: deque[tuple[MessageId, RoomId]] = deque(maxlen=REMEMBERED)
        self._reactions: set[tuple[MessageId, str]] = set()
        self._questions: dict[ConfirmationId, Question] = {}
        self._settled: deque[tuple[ConfirmationId, str]] = deque(maxlen=REMEMBERED)
        self.posts = Taps[PostTap]()
        """Who reads all that he writes."""
        self.written = Taps[WrittenTap]()
        """Who reads all that others write."""

    # --- the people's side

    @property
    def reactions(self) -> frozenset[tuple[MessageId, str]]:
        """The emojis that stand under messages at present."""
        with self._lock:
            return frozenset(self._reactions)

    @property
    def emojis(self) -> tuple[str, ...]:
        """Those that stand under messages, each as often as it does."""
        return tuple(emoji for _, emoji in sorted(self.reactions))

    @property
    def settled(self) -> tuple[tuple[ConfirmationId, str], ...]:
        """What came of each question."""
        with self._lock:
            return tuple(self._settled)

    def question(self, room: RoomId) -> Question | None:
        """What he asked last in this chat, if that still waits for a yes or no."""
        with self._lock:
            name = self._latest(room)
            return None if name is None else self._questions[name]

    def write(self, room: RoomId, author: Person, text: str, roles: frozenset[RoleId] = NOBODY) -> MessageId:
        """Write in one of the two chats; in the lobby it is for him whatever it says."""
        for tap in self.written:
            tap(Written(room=room, author=author, text=text))
        with self._lock:
            self._written += 1
            message = MessageId(f"{room}-{self._written}")
            self._messages.append((message, room))
            self._report(
                MessageSeen(
                    message=message,
                    room=room,
                    guild=GUILD,
                    person=author,
                    text=text,
                    roles=roles,
                    mentions_him=room == LOBBY,
                )
            )
        return message

    def take_back(self, message: MessageId) -> None:
        """Delete one's message; one that is gone already stays gone."""
        with self._lock:
            room = self._room_of(message)
            if room is not None:
                self._messages.remove((message, room))
                self._reactions = {one for one in self._reactions if one[0] != message}
                self._report(MessageGone(room=room, message=message))

    def press(
        self,
        person: Person,
        granted: bool,
        answer: Mailbox[ButtonAnswered],
        roles: frozenset[RoleId],
        room: RoomId | None = None,
    ) -> None:
        """Say yes or no to the latest question, of one `room` or of both; without one it is over."""
        with self._lock:
            name = self._latest(room)
            if name is None:
                answer.tell(ButtonAnswered(outcome=ButtonOutcome.OVER))
                return
            self._report(
                ButtonPressed(
                    confirmation=name,
                    asker=Asker(person=person, guild=GUILD, roles=roles),
                    granted=granted,
                    reply_to=answer,
                )
            )

    # --- his side

    def has(self, room: RoomId) -> bool:
        """Whether this is one of the two chats."""
        return room in {self.room, LOBBY}

    def post(self, posted: Posted) -> None:
        """Write in one of the two chats; nowhere else is anybody to read it."""
        for tap in self.posts if self.has(posted.room) else ():
            tap(posted)

    def do(self, deed: Deed, room: RoomId, message: MessageId | None) -> str:
        """Do this and return nothing, or why it cannot be done."""
        if not self.has(room):
            return "gone"
        match deed:
            case SendUpdate():
                self.post(Posted(room=room, text=deed.text, reply_to=message))
                return ""
            case React() | Unreact():
                return self._react(deed, message)
            case CreateThread() | JoinThread():
                return "unsupported"
            case _:
                assert_never(deed)

    def _react(self, deed: React | Unreact, message: MessageId | None) -> str:
        if deed.emoji.isascii():
            return "unknown_emoji"  # no emoji was ever made here, and Unicode's are not ASCII
        with self._lock:
            if message is None or self._room_of(message) is None:
                return "gone"
            if isinstance(deed, React):
                self._reactions.add((message, deed.emoji))
            else:
                self._reactions.discard((message, deed.emoji))
            return ""

    def ask(self, confirmation: ConfirmationId, room: RoomId, text: str) -> bool:
        """Show a question; whether there was a place for it."""
        with self._lock:
            if not self.has(room) or len(self._questions) >= MOST_QUESTIONS:
                return False
            self._questions[confirmation] = Question(room=room, text=text)
            self._changed()
        self.post(Posted(room=room, text=text, question=confirmation))
        return True

    def settle(self, confirmation: ConfirmationId, outcome: str) -> None:
        """Take the buttons away."""
        with self._lock:
            if self._questions.pop(confirmation, None) is not None:
                self._settled.append((confirmation, outcome))
                self._changed()

    def _latest(self, room: RoomId | None) -> ConfirmationId | None:
        waiting = reversed(self._questions.items())
        return next((name for name, one in waiting if room in {None, one.room}), None)

    def _room_of(self, message: MessageId) -> RoomId | None:
        return next((room for one, room in self._messages if one == message), None)
