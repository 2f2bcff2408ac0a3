"""Two guilds, the people in them, and an account as far as a test needs it."""

from __future__ import annotations

from actors.gateway.authority import authority_of
from actors.gateway.core import step
from actors.gateway.decisions import AnswerJoin, Decision, TellStay
from actors.gateway.settings import AuthoritySettings, GatewaySettings
from actors.gateway.state import State
from messages.gateway import (
    AskedBy,
    Asker,
    GatewayMessage,
    GatewayReady,
    JoinAnswer,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MessageSeen,
    OwnVoiceMoved,
    RefusedJoin,
    Room,
    RoomRoster,
    StayFacts,
    StayJoined,
    StayOpened,
)
from messages.ids import GuildId, MessageId, PersonId, RoleId, RoomId, StayId
from messages.people import Person
from messages.stay import StayMessage
from tests.probe import Probe

HOME, CLUB = GuildId("1"), GuildId("2")
DEN, ATTIC, BAR = RoomId("11"), RoomId("12"), RoomId("21")
S1, S2 = StayId("s1"), StayId("s2")
NOW = 100.0
ANNA = Person(id=PersonId("101"), label="Anna")
BERT = Person(id=PersonId("102"), label="Bert")
CLEO = Person(id=PersonId("103"), label="Cleo")
ROBOT = Person(id=PersonId("900"), label="Robot", bot=True)
DJ = RoleId("7")
ROOMS = tuple(
    Room(id=room, guild=guild, name=name)
    for room, guild, name in ((DEN, HOME, "den"), (ATTIC, HOME, "attic"), (BAR, CLUB, "bar"))
)

ASKER, OTHER = Probe[JoinAnswer](), Probe[JoinAnswer]()
LEAVER = Probe[LeaveAnswered]()
STAY, SECOND = Probe[StayMessage](), Probe[StayMessage]()

OWNED = AuthoritySettings(owner=101, ambient_users=(102,), ambient_roles=(7,), guilds=(1, 2))
READY = GatewayReady(account=ROBOT, rooms=ROOMS)
ONLINE = (
    READY,
    RoomRoster(room=DEN, people=(ANNA,)),
    RoomRoster(room=ATTIC, people=()),
    RoomRoster(room=BAR, people=(BERT,)),
)
OPENED = StayOpened(stay=S1, room=DEN, mailbox=STAY)


def asker(person: Person, guild: GuildId = HOME, *roles: RoleId) -> Asker:
    return Asker(person=person, guild=guild, roles=frozenset(roles))


def join(
    person: Person = ANNA,
    guild: GuildId = HOME,
    by: AskedBy = AskedBy.CAPTAIN,
    to: Probe[JoinAnswer] = ASKER,
    room: RoomId | None = None,
) -> JoinVoice:
    return JoinVoice(asked_by=by, asker=asker(person, guild), reply_to=to, room=room)


def operator(room: RoomId | None = None) -> JoinVoice:
    return JoinVoice(asked_by=AskedBy.OPERATOR, reply_to=ASKER, room=room)


def leave(person: Person | None = None, guild: GuildId = HOME, by: AskedBy = AskedBy.OPERATOR) -> LeaveVoice:
    who = None if person is None else asker(person, guild)
    return LeaveVoice(asked_by=by, asker=who, reply_to=LEAVER)


def start(authority: AuthoritySettings = OWNED, max_stays: int = 1) -> State:
    return State(
        settings=GatewaySettings(max_stays=max_stays),
        authority=authority_of(authority, GuildId("local")),
    )


def after(
    *events: GatewayMessage, state: State | None = None, name: StayId = S1
) -> tuple[State, tuple[Decision, ...]]:
    state, decisions = state or start(), tuple[Decision, ...]()
    for event in events:
        state, decisions = step(state, event, NOW, name)
    return state, decisions


def inside(*events: GatewayMessage, state: State | None = None) -> tuple[State, tuple[Decision, ...]]:
    """In the den, seen there, and joined."""
    came = (*ONLINE, join(), OPENED, StayJoined(stay=S1), seen(DEN))
    return after(*came, *events, state=state)


def in_both() -> State:
    """In the den and in the bar of the other guild, seen in both, and joined."""
    bert = join(BERT, CLUB)
    opened = StayOpened(stay=S2, room=BAR, mailbox=SECOND)
    state, _ = inside(state=start(max_stays=2))
    return after(bert, opened, StayJoined(stay=S2), seen(BAR, CLUB), state=state, name=S2)[0]


def decided(state: State, event: GatewayMessage) -> tuple[Decision, ...]:
    return step(state, event, NOW, S2)[1]


def seen(room: RoomId | None, guild: GuildId = HOME) -> OwnVoiceMoved:
    return OwnVoiceMoved(guild=guild, room=room)


def told(*messages: StayMessage, stay: Probe[StayMessage] = STAY) -> tuple[Decision, ...]:
    return tuple(TellStay(mailbox=stay, message=message) for message in messages)


def tells(decisions: tuple[Decision, ...]) -> tuple[Decision, ...]:
    """What of this is told to stays."""
    return tuple(one for one in decisions if isinstance(one, TellStay))


def refused(
    detail: str, reason: RefusedJoin = RefusedJoin.FAILED, to: Probe[JoinAnswer] = ASKER
) -> AnswerJoin:
    return AnswerJoin(asker=to, answer=JoinRefused(reason=reason, detail=detail))


def wrote(person: Person, text: str, room: RoomId = DEN, name: str = "m1", images: int = 0) -> MessageSeen:
    return MessageSeen(
        message=MessageId(name), room=room, guild=HOME, person=person, text=text, images=images
    )


def facts(stay: StayId = S1, room: RoomId = DEN, phase: str = "active", *heard: PersonId) -> StayFacts:
    return StayFacts(
        stay=stay, room=room, phase=phase, encryption="dave", privacy_code="1", humans=1, heard=heard
    )
