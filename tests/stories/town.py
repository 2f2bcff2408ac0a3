"""A town for stories: two guilds with their rooms, their people, and an account that can be thrown out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from actors.realtime.script import Script, ScriptedReply
from messages.attachment import Attachment
from messages.gateway import (
    AskedBy,
    Asker,
    ConsentAsked,
    DeedDone,
    GatewayPortEvent,
    GatewayReady,
    JoinAnswer,
    JoinVoice,
    MemberArrived,
    MemberDeparted,
    OwnVoiceMoved,
    RolesKnown,
    Room,
    RoomRoster,
)
from messages.ids import ConfirmationId, Connection, DeedId, GuildId, MessageId, PersonId, RoomId
from messages.people import Person
from messages.tools import Deed, SendUpdate
from supervisors.settings import Settings, load
from tests.probe import Probe
from tests.stories.sound import CHUNK_SECONDS, Air, Link, after, chunks_of
from tests.stories.staged import Staged

HOME, CLUB = GuildId("1"), GuildId("2")
DEN, ATTIC, CELLAR, BAR = RoomId("11"), RoomId("12"), RoomId("13"), RoomId("21")
PLACES: Mapping[RoomId, GuildId] = {DEN: HOME, ATTIC: HOME, CELLAR: HOME, BAR: CLUB}
_HIM = Person(id=PersonId("9"), label="Clankie", bot=True)


@cache
def _settings(policy: str) -> Settings:
    """He may be in three of the four rooms, one of each guild at a time; Anna and Ben may move him."""
    authority = {"owner": 101, "ambient_users": (102,), "guilds": (1, 2), "channels": (11, 12, 21)}
    return load(
        None,
        {"authority": authority, "gateway": {"max_stays": 2}, "stay": {"consent_policy": policy}},
    )


class Account:
    """A GatewayPort that knows who is where; everything is told at once."""

    def __init__(self, posts: list[tuple[RoomId, str]]) -> None:
        self.posts = posts
        self.people: dict[RoomId, list[Person]] = {room: [] for room in PLACES}
        self.inside: dict[GuildId, RoomId] = {}
        self.late = False
        self.answered: tuple[MessageId, ...] = ()
        self.deeds: list[tuple[Deed, MessageId | None]] = []
        self.answers_deeds = True
        self.shown: list[ConfirmationId] = []
        self.settled: list[tuple[ConfirmationId, str]] = []
        self._events: Callable[[GatewayPortEvent], None] | None = None

    def open(self, events: Callable[[GatewayPortEvent], None], /) -> None:
        """Be connected, unless that takes longer."""
        self._events = events
        if not self.late:
            self.ready()

    def ready(self) -> None:
        """Be connected, perhaps anew."""
        rooms = tuple(Room(id=room, guild=guild, name=room) for room, guild in PLACES.items())
        self.tell(GatewayReady(account=_HIM, rooms=rooms))
        for room, people in self.people.items():
            self.tell(RoomRoster(room=room, people=tuple(people)))

    def tell(self, event: GatewayPortEvent) -> None:
        """Report."""
        if self._events is not None:
            self._events(event)

    def see(self, guild: GuildId, room: RoomId | None) -> None:
        """He is seen there, whoever brought that about."""
        if self.inside.get(guild) != room:
            self.inside.pop(guild, None)
            if room is not None:
                self.inside[guild] = room
            self.tell(OwnVoiceMoved(guild=guild, room=room))

    def enter(self, room: RoomId) -> None:
        """Come in."""
        self.see(PLACES[room], room)

    def leave(self, room: RoomId) -> None:
        """Go."""
        if self.inside.get(PLACES[room]) == room:
            self.see(PLACES[room], None)

    def post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...] = ()
    ) -> None:
        """Write."""
        self.posts.append((room, text))
        self.answered += () if reply_to is None else (reply_to,)

    def typing(self, room: RoomId, on: bool) -> None:
        """Nobody looks."""

    def watch(self, room: RoomId, start: bool) -> None:
        """Nobody plays."""

    def do(self, name: DeedId, deed: Deed, room: RoomId, message: MessageId | None) -> None:
        """It is done at once, and told when `answers_deeds`."""
        self.deeds.append((deed, message))
        if isinstance(deed, SendUpdate):
            self.post(room, deed.text, message)
        if self.answers_deeds:
            self.tell(DeedDone(deed=name))

    def look_up(self, guild: GuildId, person: PersonId) -> None:
        """Nobody has any."""
        self.tell(RolesKnown(guild=guild, person=person, roles=frozenset()))

    def confirm(self, confirmation: ConfirmationId, room: RoomId, text: str) -> None:
        """Show it."""
        self.shown.append(confirmation)

    def settle(self, confirmation: ConfirmationId, outcome: str) -> None:
        """Show what came of it."""
        self.settled.append((confirmation, outcome))

    def close(self) -> None:
        """Be connected no longer."""
        self._events = None
        self.inside.clear()


class TownLink(Link):
    """A voice port that carries the sound of the room that it is connected to."""

    def __init__(self, airs: Mapping[RoomId, Air]) -> None:
        super().__init__(airs[DEN])
        self._airs = airs

    def connect(self, connection: Connection, room: RoomId) -> None:
        """From now on it is this room's."""
        self._air = self._airs[room]
        super().connect(connection, room)


class Town(Staged):
    """Everything outside him, and the whole of him, from one seed. Use as a context manager."""

    def __init__(
        self,
        seed: int,
        *,
        replies: Sequence[ScriptedReply] = (),
        policy: str = "explicit",
        **people: RoomId,
    ) -> None:
        super().__init__(seed)
        self.chat: list[tuple[RoomId, str]] = []
        self.account = Account(self.chat)
        self.airs = {room: Air(self.clock) for room in PLACES}
        self.answers: Probe[JoinAnswer] = Probe()
        self.where = people
        for name, room in people.items():
            self.account.people[room].append(self.person(name))
        self.open(
            Script(list(replies)),
            _settings(policy),
            gateway=lambda: self.account,
            voice=lambda: TownLink(self.airs),
        )
        self.run(0.1)

    def person(self, name: str) -> Person:
        """Anna is 101, Ben 102, Cleo 103 and Dan 104."""
        number = 101 + ("anna", "ben", "cleo", "dan").index(name)
        return Person(id=PersonId(str(number)), label=name.title())

    def join(self, name: str, by: AskedBy = AskedBy.SLASH) -> None:
        """Somebody asks him to where they are."""
        self.account.tell(
            JoinVoice(
                asked_by=by,
                asker=Asker(person=self.person(name), guild=PLACES[self.where[name]]),
                reply_to=self.answers,
            )
        )
        self.run(1.0)

    def consent(self, name: str, granted: bool = True) -> None:
        """Somebody lets himself be heard, or does not."""
        guild = PLACES[self.where[name]]
        self.account.tell(ConsentAsked(person=self.person(name).id, granted=granted, guild=guild))
        self.run(0.5)

    def goes(self, name: str, room: RoomId) -> None:
        """Somebody goes to another room."""
        person, before = self.person(name), self.where[name]
        self.where = {**self.where, name: room}
        self.account.people[before].remove(person)
        self.account.people[room].append(person)
        self.account.tell(MemberDeparted(room=before, person=person.id))
        self.account.tell(MemberArrived(room=room, person=person))

    def say(self, name: str, words: str) -> None:
        """Somebody says something, from now on."""
        air, person = self.airs[self.where[name]], self.person(name).id
        for number, chunk in enumerate(chunks_of(words)):
            after(
                self.clock,
                number * CHUNK_SECONDS,
                lambda chunk=chunk: air.carry(person, chunk),  # type: ignore[misc]
            )

    def heard_in(self, room: RoomId) -> list[str]:
        """Return the words of his that were sent into this room, each as its sound began."""
        begun = [chunk.partition(b"\0")[0] for _, chunk in self.airs[room].spoken]
        return [word.decode() for word in begun if word.isascii() and word[:1].isalpha()]

    def posted(self, room: RoomId) -> list[str]:
        """Return what he wrote there."""
        return [text for at, text in self.chat if at == room]
