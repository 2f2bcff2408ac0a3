"""A room in this very process, with a door and sound in the air: whoever speaks in it needs no account."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeAlias

from actors.local_room.chat import GUILD, LOBBY, NOBODY, Chat, Posted, PostTap, Question, WrittenTap
from actors.local_room.taps import Taps
from messages.gateway import (
    ButtonAnswered,
    ConsentAnswered,
    ConsentAsked,
    ConsentOutcome,
    GatewayPortEvent,
    GatewayReady,
    MemberArrived,
    MemberDeparted,
    OwnVoiceMoved,
    Room,
    RoomRoster,
)
from messages.ids import MessageId, PersonId, RoleId, RoomId
from messages.mailbox import Mailbox
from messages.people import Person

AccountEvents: TypeAlias = Callable[[GatewayPortEvent], None]
PacketTaker: TypeAlias = Callable[[PersonId, bytes, float], None]
SpeechTap: TypeAlias = Callable[[bytes, float], None]
ChatTap: TypeAlias = Callable[[str], None]
Watcher: TypeAlias = Callable[[], object]

ACCOUNT = Person(id=PersonId("clankie"), label="Clankie", bot=True)


class LocalRoom:
    """One room. Any thread may call anything; callbacks run in the caller's thread and must not block.

    People's side: `arrive`, `depart`, `type`, `write`, `take_back`, `press`, `consent`, `kick`, `send`,
    `watch`, and the taps. His side: `attach_account`, `enter`, `exit`, `chat`, `attach_sound`, `transmit`.
    News for the account are told under a lock, in order; sound and the chat's readers never wait for it.
    """

    def __init__(self, room: RoomId) -> None:
        self.id = room
        self._lock = threading.RLock()
        self._people: dict[PersonId, Person] = {}
        self._present = False
        self._account: AccountEvents | None = None
        self.chat = Chat(room, self._lock, self._report, self._changed)
        """All that is written here, and in the lobby beside it."""
        self._watchers = Taps[Watcher]()
        # Sound never waits for the lock.
        self._listener: PacketTaker | None = None
        self._speech, self._voices = Taps[SpeechTap](), Taps[PacketTaker]()

    # --- the people's side

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody who is here, himself left out, in order of arrival."""
        with self._lock:
            return tuple(self._people.values())

    @property
    def emojis(self) -> tuple[str, ...]:
        """Those that he has put under messages."""
        return self.chat.emojis

    @property
    def present(self) -> bool:
        """Whether he is in the room."""
        return self._present

    @property
    def question(self) -> Question | None:
        """What he asked last in the room's own chat, if it still waits for a yes or no."""
        return self.chat.question(self.id)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Be told that `people`, `present` or `question` changed, to look again; call the result to stop."""
        return self._watchers.add(watcher)

    def arrive(self, person: Person) -> None:
        """Come in; whoever is here already stays as he is."""
        with self._lock:
            if person.id not in self._people:
                self._people[person.id] = person
                self._report(MemberArrived(room=self.id, person=person))
                self._changed()

    def depart(self, person: PersonId) -> None:
        """Go away; whoever is not here cannot."""
        with self._lock:
            if self._people.pop(person, None) is not None:
                self._report(MemberDeparted(room=self.id, person=person))
                self._changed()

    def type(self, person: PersonId, text: str) -> MessageId | None:
        """Write in the room's chat; only for those who are here."""
        with self._lock:
            author = self._people.get(person)
            return None if author is None else self.chat.write(self.id, author, text)

    def write(self, person: Person, text: str, roles: frozenset[RoleId] = NOBODY) -> MessageId:
        """Write to him in the lobby, where nobody has to be present; the roles are those of the author."""
        return self.chat.write(LOBBY, person, text, roles)

    def take_back(self, message: MessageId) -> None:
        """Delete what somebody wrote."""
        self.chat.take_back(message)

    def press(
        self,
        person: Person,
        granted: bool,
        reply_to: Mailbox[ButtonAnswered] | None = None,
        roles: frozenset[RoleId] = NOBODY,
        room: RoomId | None = None,
    ) -> None:
        """Say yes or no to what he asked last, in one `room` or anywhere; the answer goes to `reply_to`."""
        self.chat.press(person, granted, reply_to or _Unread(), roles, room)

    def consent(
        self, person: PersonId, granted: bool, reply_to: Mailbox[ConsentAnswered] | None = None
    ) -> None:
        """Give or take back one's own consent to be heard; what came of it goes to `reply_to`."""
        with self._lock:
            if self._account is None and reply_to is not None:
                reply_to.tell(ConsentAnswered(outcome=ConsentOutcome.NO_STAY, room=None))
            self._report(ConsentAsked(room=self.id, person=person, granted=granted, reply_to=reply_to))

    def kick(self) -> None:
        """Put him out, if he is here."""
        self._leave()

    def send(self, person: PersonId, packet: bytes) -> None:
        """Say one 20 ms Opus packet; whether anybody may hear it is not the room's to decide."""
        at = time.monotonic()
        if listener := self._listener:
            listener(person, packet, at)
        for tap in self._voices:
            tap(person, packet, at)

    def tap_speech(self, tap: SpeechTap) -> Callable[[], None]:
        """Hear his packets as they are sent, with the monotonic second; call the result to stop."""
        return self._speech.add(tap)

    def tap_people(self, tap: PacketTaker) -> Callable[[], None]:
        """Hear everybody else's packets, as people among themselves do; call the result to stop."""
        return self._voices.add(tap)

    def tap_chat(self, tap: ChatTap) -> Callable[[], None]:
        """Read the words that he posts in the room's own chat; call the result to stop."""

        def read(posted: Posted) -> None:
            if posted.room == self.id:
                tap(posted.text)

        return self.chat.posts.add(read)

    def tap_posts(self, tap: PostTap) -> Callable[[], None]:
        """Read all that he posts, with its files and in which room; call the result to stop."""
        return self.chat.posts.add(tap)

    def tap_written(self, tap: WrittenTap) -> Callable[[], None]:
        """Read all that people write, before he does; call the result to stop."""
        return self.chat.written.add(tap)

    # --- his side

    def attach_account(self, events: AccountEvents) -> None:
        """His account goes online: it is told who is here, and all that happens from now on."""
        with self._lock:
            self._account = events
            here = Room(id=self.id, guild=GUILD, name=self.id)
            self._report(GatewayReady(account=ACCOUNT, rooms=(here,)))
            self._report(RoomRoster(room=self.id, people=self.people))

    def detach_account(self) -> None:
        """His account goes offline, and with it he leaves the room."""
        with self._lock:
            self._account = None
            if self._present:
                self._present = False
                self._changed()

    def enter(self) -> None:
        """Come into the room."""
        with self._lock:
            if not self._present:
                self._present = True
                self._report(OwnVoiceMoved(guild=GUILD, room=self.id))
                self._changed()

    def exit(self) -> None:
        """Leave the room."""
        self._leave()

    def post(self, text: str) -> None:
        """Write in the room's chat."""
        self.chat.post(Posted(room=self.id, text=text))

    def attach_sound(self, on_packet: PacketTaker) -> None:
        """Be given every packet that anybody sends: person, packet, monotonic second of its arrival."""
        self._listener = on_packet

    def detach_sound(self, on_packet: PacketTaker) -> None:
        """Be given no packets any more; whoever was attached in the meantime goes on listening."""
        if self._listener == on_packet:
            self._listener = None

    def transmit(self, packet: bytes, at: float) -> None:
        """Send one of his own packets, at monotonic second `at`, to whoever listens."""
        for tap in self._speech:
            tap(packet, at)

    def _leave(self) -> None:
        with self._lock:
            if self._present:
                self._present = False
                self._report(OwnVoiceMoved(guild=GUILD, room=None))
                self._changed()

    def _report(self, event: GatewayPortEvent) -> None:
        """Under the lock, so that events reach the account in the order in which things happened."""
        if self._account is not None:
            self._account(event)

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()


class _Unread:
    """A mailbox of somebody who does not read the answer."""

    def tell(self, message: ButtonAnswered, /) -> None:
        """He saw it."""
