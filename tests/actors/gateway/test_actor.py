"""The shell of the gateway passes orders to the account and answers to whoever asked."""

import re

from loguru import logger

from actors.base import Life
from actors.gateway.actor import Gateway
from actors.gateway.local import LocalAccount
from actors.gateway.port import GatewayPort
from actors.gateway.settings import AuthoritySettings, GatewaySettings, TextSettings
from actors.local_room import GUILD, LocalRoom
from messages.authority import Surface, Tier
from messages.captain import AskersKnown, AskInText, CaptainMessage, Confirmed, ForgetInMind
from messages.evidence import (
    BridgeReady,
    BridgeStopped,
    EvidenceMessage,
    Failed,
    PurgePerson,
    TextIngress,
    TextReply,
)
from messages.gateway import (
    AskedBy,
    Asker,
    ButtonAnswered,
    ButtonOutcome,
    ButtonPressed,
    ConfirmAsked,
    ConsentAnswered,
    ConsentAsked,
    ConsentOutcome,
    DeedAnswered,
    DeedAsked,
    ForgetAsked,
    GatewayGone,
    GatewayReady,
    JoinAnswer,
    Joined,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MessageSeen,
    PostText,
    RefusedJoin,
    RolesKnown,
    Room,
    StatusAnswered,
    StatusAsked,
    StayEnded,
    StayJoined,
    StayOpened,
    TextAnswered,
    WatchAnswered,
    WatchAsked,
    WhoAsks,
)
from messages.ids import ConfirmationId, HandoffId, MessageId, OrderId, PersonId, RoomId
from messages.lifecycle import Ending, Open
from messages.orders import Interrupt, OrderCode, StayOrderAnswered, StayOrdered
from messages.people import Person
from messages.stay import BeginStay, EndStay, PersonArrived, RemovedFromRoom, RosterKnown, StayMessage
from messages.tools import React
from tests.actors.gateway.fake import FakeAccount
from tests.clock import ManualClock
from tests.probe import Probe

DEN = RoomId("den")
ANNA = Person(id=PersonId("anna"), label="Anna")


class House:
    def __init__(self, port: GatewayPort, authority: AuthoritySettings | None = None) -> None:
        self.stays, self.evidence = Probe[Open[BeginStay]](), Probe[EvidenceMessage]()
        self.stay, self.asker, self.leaver = Probe[StayMessage](), Probe[JoinAnswer](), Probe[LeaveAnswered]()
        self.captain = Probe[CaptainMessage]()
        self.clock = ManualClock()
        self.gateway = Gateway(
            Life.alone("gateway"),
            stays=self.stays,
            captain=self.captain,
            evidence=self.evidence,
            clock=self.clock,
            port=port,
            settings=GatewaySettings(),
            authority=authority or AuthoritySettings(),
            text=TextSettings(),
            names=("Clankie",),
            home=GUILD,
        )
        self.gateway.opened()
        self.read()

    def read(self) -> None:
        """An unstarted actor has a mailbox that nobody reads."""
        while not self.gateway.actor_inbox.empty():
            self.gateway.on_receive(self.gateway.actor_inbox.get().message)

    def join(self) -> BeginStay:
        self.gateway.on_receive(JoinVoice(room=DEN, asked_by=AskedBy.OPERATOR, reply_to=self.asker))
        begun: Open[BeginStay] = self.stays.expect(Open)
        return begun.request

    def open(self) -> BeginStay:
        begun = self.join()
        self.gateway.on_receive(StayOpened(stay=begun.stay, room=DEN, mailbox=self.stay))
        self.read()
        return begun


def test_the_log_says_in_words_what_was_answered() -> None:
    lines: list[str] = []
    sink = logger.add(lines.append, format="{message}", filter=lambda line: "asked" in line["message"])
    try:
        house = House(LocalAccount(LocalRoom(DEN)))
        house.gateway.on_receive(StayJoined(stay=house.open().stay))
        other = House(LocalAccount(LocalRoom(DEN)))
        other.gateway.on_receive(StayEnded(stay=other.open().stay, failed="not_ready"))
    finally:
        logger.remove(sink)
    assert lines == ["asked to come: he is in den\n", "asked to come: he does not come: failed not_ready\n"]


def test_he_comes_into_the_local_room_and_goes_again() -> None:
    room = LocalRoom(DEN)
    room.arrive(ANNA)
    house = House(LocalAccount(room))
    begun = house.open()
    assert house.stay.expect(RosterKnown).people == (ANNA,)
    assert room.present
    house.gateway.on_receive(StayJoined(stay=begun.stay))
    assert house.asker.expect(Joined).stay == begun.stay
    assert house.gateway.describe()["joined"] == 1
    house.gateway.on_receive(LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=house.leaver))
    assert house.leaver.expect(LeaveAnswered).room == DEN
    house.stay.expect(EndStay)
    house.gateway.on_receive(StayEnded(stay=begun.stay, failed=None))
    assert not room.present
    house.gateway.closed(Ending.SHUTDOWN)


def test_what_happens_in_the_room_reaches_the_stay() -> None:
    room = LocalRoom(DEN)
    house = House(LocalAccount(room))
    house.open()
    room.arrive(ANNA)
    room.kick()
    house.read()
    assert house.stay.expect(PersonArrived).person == ANNA
    house.stay.expect(RemovedFromRoom)


def test_he_writes_into_his_own_room_and_no_other() -> None:
    room, posted = LocalRoom(DEN), list[str]()
    room.tap_chat(posted.append)
    account = LocalAccount(room)
    attic = RoomId("attic")
    account.enter(attic)
    account.post(attic, "hello", None)
    room.enter()
    account.leave(attic)
    house = House(account)
    house.gateway.on_receive(PostText(room=DEN, text="hi"))
    assert (room.present, posted) == (True, ["hi"])


def test_a_stay_that_never_answers_is_refused_to_the_asker_when_the_time_is_up() -> None:
    port = FakeAccount()
    house = House(port)
    house.gateway.on_receive(GatewayGone(reason="bad_token", remedy="Enter another."))
    house.gateway.on_receive(JoinVoice(room=DEN, asked_by=AskedBy.OPERATOR, reply_to=house.asker))
    assert house.asker.expect(JoinRefused).detail == "account_not_ready"
    house = House(LocalAccount(LocalRoom(DEN)))
    house.join()
    house.clock.advance(40.0)
    house.read()
    assert house.asker.expect(JoinRefused).detail == "join_overdue"
    assert house.evidence.expect(Failed).reason == "join_overdue"


def test_a_gateway_that_crashes_still_answers_whoever_asked() -> None:
    house = House(LocalAccount(LocalRoom(DEN)))
    house.join()
    house.gateway.closed(Ending.CRASHED)
    assert house.asker.expect(JoinRefused).detail == "gateway_lost"


def test_whoever_waits_is_answered_before_the_account_closes_that_has_to_carry_it() -> None:
    answered: list[JoinAnswer] = []

    class Door(FakeAccount):
        def close(self) -> None:
            answered.extend(house.asker.received())

    house = House(Door())
    rooms = (Room(id=DEN, guild=GUILD, name="den"),)
    house.gateway.on_receive(GatewayReady(account=ANNA, rooms=rooms))
    house.join()
    house.gateway.closed(Ending.CRASHED)
    assert answered == [JoinRefused(reason=RefusedJoin.FAILED, detail="gateway_lost")]


def test_whoever_asks_is_answered_at_the_address_that_he_gave() -> None:
    port, told = FakeAccount(), Probe[object]()
    house = House(port)
    who = Asker(person=ANNA, guild=GUILD)
    for order in (
        StatusAsked(asker=who, reply_to=told),
        ForgetAsked(asker=who, reply_to=told),
        WatchAsked(asker=who, start=True, reply_to=told),
        ConsentAsked(person=ANNA.id, granted=True, guild=GUILD, reply_to=told),
    ):
        house.gateway.on_receive(order)
    told.expect(StatusAnswered)
    assert house.captain.expect(ForgetInMind).reply_to is told
    assert house.evidence.expect(PurgePerson).receipts is False
    assert told.expect(WatchAnswered).refused == "authority"
    assert told.expect(ConsentAnswered).outcome is ConsentOutcome.NO_STAY


def test_the_account_is_asked_to_open_the_play_surface_and_the_local_room_has_none() -> None:
    anyone = AuthoritySettings(join_policy="guild_members")
    room = LocalRoom(DEN)
    room.arrive(ANNA)
    house = House(LocalAccount(room), anyone)
    house.gateway.on_receive(StayJoined(stay=house.open().stay))
    watcher = Probe[WatchAnswered]()
    order = WatchAsked(asker=Asker(person=ANNA, guild=GUILD), start=True, reply_to=watcher)
    house.gateway.on_receive(order)
    house.read()
    assert watcher.expect(WatchAnswered).refused == "unsupported"


def test_a_local_account_takes_no_notice_of_typing_and_of_what_was_never_open() -> None:
    account = LocalAccount(LocalRoom(DEN))
    account.typing(DEN, True)
    account.watch(DEN, False)


def test_what_is_written_to_him_is_asked_of_the_captain_and_answered_while_he_is_seen_typing() -> None:
    port = FakeAccount()
    house = House(port)
    message = MessageId("m1")
    seen = MessageSeen(message=message, room=DEN, guild=GUILD, person=ANNA, text="Clankie, hello")
    house.gateway.on_receive(seen)
    assert house.captain.expect(AskInText).request == "Clankie, hello"
    assert house.evidence.expect(TextIngress).outcome == "admitted"
    house.clock.advance(2.0)
    house.gateway.on_receive(TextAnswered(room=DEN, message=message, text="Hi."))
    assert house.evidence.expect(TextReply).latency_ms == 2_000
    assert port.asked[1:] == [("typing", DEN, True), ("post", DEN, "Hi.", message), ("typing", DEN, False)]


def test_the_record_tells_from_when_to_when_the_account_was_connected() -> None:
    house = House(LocalAccount(LocalRoom(DEN)))
    assert house.evidence.expect(BridgeReady).rooms == 1
    house.gateway.closed(Ending.SHUTDOWN)
    assert house.evidence.expect(BridgeStopped).reason == "shutdown"


def test_the_account_is_told_what_the_captain_wants_done_and_what_it_answers_is_passed_on() -> None:
    port, told = FakeAccount(), Probe[object]()
    house = House(port, AuthoritySettings(owner=101, ambient_roles=(7,)))
    house.gateway.on_receive(GatewayReady(account=ANNA, rooms=(Room(id=DEN, guild=GUILD, name="den"),)))
    message, button, handoff = MessageId("m1"), ConfirmationId("c1"), HandoffId("h1")
    who = Asker(person=ANNA, guild=GUILD)
    react = React(emoji=":)")
    for event in (
        WhoAsks(handoff=handoff, room=DEN, people=(ANNA,), reply_to=told),
        DeedAsked(deed=react, room=DEN, message=message, askers=(who,), surface=Surface.TEXT, reply_to=told),
        ConfirmAsked(
            confirmation=button, room=DEN, guild=GUILD, text="Really?", tier=Tier.EVERYONE, reply_to=told
        ),
        RolesKnown(guild=GUILD, person=ANNA.id, roles=frozenset()),
        ButtonPressed(confirmation=button, asker=who, granted=True, reply_to=told),
    ):
        house.gateway.on_receive(event)
    house.clock.advance(15.0)
    house.read()
    deed = str(port.asked[2][1])
    assert re.fullmatch("deed-[0-9a-f]{12}-1", deed), "two lives do not give two deeds one name"
    assert port.asked[1:] == [
        ("look_up", GUILD, ANNA.id),
        ("do", deed, react, DEN, message),
        ("confirm", button, DEN, "Really?"),
        ("settle", button, "granted"),
    ]
    assert told.expect(AskersKnown).askers == (who,)
    assert told.expect(ButtonAnswered).outcome is ButtonOutcome.GRANTED
    assert told.expect(Confirmed).refused == ""
    assert told.expect(DeedAnswered).refused == "timeout"


def test_a_stay_answers_the_gateway_and_the_gateway_the_operator() -> None:
    house, desk = House(LocalAccount(LocalRoom(DEN))), Probe[StayOrderAnswered]()
    begun = house.open()
    order = Interrupt(order=OrderId("o"), reply_to=desk)
    house.gateway.on_receive(StayOrdered(stay=None, order=order))
    assert house.stay.expect(Interrupt).reply_to is house.gateway.here
    answer = StayOrderAnswered(order=order.order, code=OrderCode.DONE, stay=begun.stay)
    house.gateway.on_receive(answer)
    assert desk.received() == [answer]
