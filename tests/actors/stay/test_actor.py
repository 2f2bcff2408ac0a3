"""The shell of a stay: who gets its letters."""

from __future__ import annotations

from dataclasses import dataclass, field

from actors.base import Life
from actors.stay.actor import Stay
from actors.stay.settings import StaySettings
from messages.captain import CaptainMessage, StayIsOver
from messages.evidence import EvidenceMessage, Joined, Left
from messages.floor import FloorMessage, JustJoined, RosterTold
from messages.gateway import GatewayMessage, StayChanged, StayEnded, StayJoined, StayOpened
from messages.ids import OrderId, PersonId, RoomId, StayId
from messages.lifecycle import Close, Ending, Open
from messages.orders import Hush, OrderCode, StayOrderAnswered
from messages.people import Person
from messages.realtime import RealtimeMessage, RoomObserved
from messages.stay import (
    ConsentGiven,
    ConversationOpened,
    EarsOpened,
    FloorOpened,
    LinkClosed,
    LinkOpened,
    LinkReady,
    OpenEar,
    RemovedFromRoom,
    RosterKnown,
)
from messages.voice import CloseLink, OpenLink, VoiceMessage
from tests.clock import ManualClock
from tests.probe import Probe

ANNA = Person(id=PersonId("anna"), label="Anna")


@dataclass
class Neighbours:
    gateway: Probe[GatewayMessage] = field(default_factory=Probe)
    voice: Probe[VoiceMessage] = field(default_factory=Probe)
    ears: Probe[Open[OpenEar] | Close] = field(default_factory=Probe)
    floor: Probe[FloorMessage] = field(default_factory=Probe)
    realtime: Probe[RealtimeMessage] = field(default_factory=Probe)
    captain: Probe[CaptainMessage] = field(default_factory=Probe)
    evidence: Probe[EvidenceMessage] = field(default_factory=Probe)


def stay_among(neighbours: Neighbours) -> Stay:
    stay = Stay(
        Life.alone("stay"),
        stay_id=StayId("s1"),
        room=RoomId("den"),
        gateway=neighbours.gateway,
        voice=neighbours.voice,
        ears=neighbours.ears,
        floor=neighbours.floor,
        realtime=neighbours.realtime,
        captain=neighbours.captain,
        evidence=neighbours.evidence,
        clock=ManualClock(),
        settings=StaySettings(),
    )
    stay.opened()
    return stay


def join(stay: Stay) -> None:
    for message in (FloorOpened(), EarsOpened(), RosterKnown(people=(ANNA,)), LinkReady(encryption="local")):
        stay.receive(message)
    stay.receive(ConversationOpened())


def test_a_stay_reaches_each_neighbour_and_is_described_in_words() -> None:
    house = Neighbours()
    stay = stay_among(house)
    assert house.gateway.expect(StayOpened).mailbox is stay.here
    stay.receive(LinkOpened())
    join(stay)
    assert house.voice.received() == [OpenLink(room=RoomId("den"))]
    assert [type(one) for one in house.floor.received()] == [RosterTold, RosterTold, JustJoined]
    stay.receive(ConsentGiven(person=ANNA.id))
    assert house.ears.expect(Open).request.person == ANNA
    house.realtime.expect(RoomObserved)
    assert stay.describe()["phase"] == "active"
    stay.receive(RemovedFromRoom())
    house.voice.expect(CloseLink)
    stay.receive(LinkClosed(counts=()))
    stay.closed(Ending.FINISHED)
    told = [type(one) for one in house.gateway.received() if not isinstance(one, StayChanged)]
    assert told == [StayOpened, StayJoined, StayEnded]
    assert house.captain.received() == [StayIsOver(stay=StayId("s1"))]
    kinds = [type(one) for one in house.evidence.received()]
    assert kinds[0] is Joined
    assert kinds.count(Left) == 1


def test_a_crashed_stay_says_that_it_left() -> None:
    house = Neighbours()
    stay = stay_among(house)
    join(stay)
    stay.closed(Ending.CRASHED)
    assert house.evidence.expect(Left).reason == "crashed"


def test_the_floor_answers_the_stay_and_the_stay_whoever_asked() -> None:
    house, desk = Neighbours(), Probe[StayOrderAnswered]()
    stay = stay_among(house)
    join(stay)
    stay.receive(Hush(order=OrderId("o"), seconds=9.0, reply_to=desk))
    order = house.floor.expect(Hush)
    assert order.reply_to is stay.here
    stay.receive(StayOrderAnswered(order=order.order, code=OrderCode.DONE))
    assert desk.received() == [StayOrderAnswered(order=order.order, code=OrderCode.DONE, stay=StayId("s1"))]
