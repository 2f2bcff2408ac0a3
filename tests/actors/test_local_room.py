"""The local room tells his account what happened, in order, and carries sound both ways."""

from actors.local_room import LocalRoom
from messages.gateway import (
    ConsentAsked,
    GatewayPortEvent,
    GatewayReady,
    MemberArrived,
    MemberDeparted,
    MemberTyped,
    OwnVoiceMoved,
    RoomRoster,
)
from messages.ids import PersonId, RoomId
from messages.people import Person

DEN = RoomId("den")
ANNA = Person(id=PersonId("anna"), label="Anna")


def test_the_account_is_told_who_is_here_and_then_what_happens() -> None:
    room, heard = LocalRoom(DEN), list[GatewayPortEvent]()
    room.arrive(ANNA)
    room.attach_account(heard.append)
    room.consent(ANNA.id, True)
    room.type(ANNA.id, "hello")
    room.depart(ANNA.id)
    assert heard == [
        GatewayReady(rooms=(DEN,)),
        RoomRoster(room=DEN, people=(ANNA,)),
        ConsentAsked(room=DEN, person=ANNA.id, granted=True),
        MemberTyped(room=DEN, person=ANNA, text="hello"),
        MemberDeparted(room=DEN, person=ANNA.id),
    ]


def test_nobody_arrives_twice_or_leaves_or_writes_without_being_here() -> None:
    room, heard = LocalRoom(DEN), list[GatewayPortEvent]()
    room.attach_account(heard.append)
    heard.clear()
    room.depart(ANNA.id)
    room.type(ANNA.id, "hello")
    room.arrive(ANNA)
    room.arrive(ANNA)
    assert heard == [MemberArrived(room=DEN, person=ANNA)]
    assert room.people == (ANNA,)


def test_his_own_coming_and_going_is_told_once_each() -> None:
    room, heard = LocalRoom(DEN), list[GatewayPortEvent]()
    room.attach_account(heard.append)
    heard.clear()
    room.kick()
    room.enter()
    room.enter()
    assert room.present
    room.kick()
    room.exit()
    assert heard == [OwnVoiceMoved(room=DEN), OwnVoiceMoved(room=None)]


def test_an_account_that_went_offline_is_told_nothing_and_is_not_here() -> None:
    room, heard = LocalRoom(DEN), list[GatewayPortEvent]()
    room.attach_account(heard.append)
    room.enter()
    room.detach_account()
    heard.clear()
    room.arrive(ANNA)
    assert heard == []
    assert not room.present


def test_packets_reach_whoever_listens_and_taps_can_be_taken_out() -> None:
    room = LocalRoom(DEN)
    said, spoken, posted = list[tuple[PersonId, bytes]](), list[tuple[bytes, float]](), list[str]()
    room.send(ANNA.id, b"lost")
    room.attach_sound(lambda person, packet, _at: said.append((person, packet)))
    room.send(ANNA.id, b"kept")
    room.detach_sound()
    room.send(ANNA.id, b"lost")
    untap_speech = room.tap_speech(lambda packet, at: spoken.append((packet, at)))
    untap_chat = room.tap_chat(posted.append)
    room.transmit(b"his", 2.0)
    room.post("hi")
    untap_speech()
    untap_chat()
    room.transmit(b"his", 3.0)
    room.post("ho")
    assert (said, spoken, posted) == ([(ANNA.id, b"kept")], [(b"his", 2.0)], ["hi"])
