"""The local room tells his account what happened, in order, and carries sound both ways."""

import threading

from actors.local_room import ACCOUNT, GUILD, LocalRoom
from messages.gateway import (
    ConsentAsked,
    GatewayPortEvent,
    GatewayReady,
    MemberArrived,
    MemberDeparted,
    MessageSeen,
    OwnVoiceMoved,
    Room,
    RoomRoster,
)
from messages.ids import MessageId, PersonId, RoomId
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
        GatewayReady(account=ACCOUNT, rooms=(Room(id=DEN, guild=GUILD, name="den"),)),
        RoomRoster(room=DEN, people=(ANNA,)),
        ConsentAsked(room=DEN, person=ANNA.id, granted=True),
        MessageSeen(message=MessageId("den-1"), room=DEN, guild=GUILD, person=ANNA, text="hello"),
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
    assert heard == [OwnVoiceMoved(guild=GUILD, room=DEN), OwnVoiceMoved(guild=GUILD, room=None)]


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

    def hear(person: PersonId, packet: bytes, _at: float) -> None:
        said.append((person, packet))

    room.attach_sound(hear)
    room.detach_sound(lambda *_: None)
    room.send(ANNA.id, b"kept")
    room.detach_sound(hear)
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


def test_an_account_that_is_slow_to_listen_holds_up_neither_sound_nor_the_chat() -> None:
    room, stuck, go_on = LocalRoom(DEN), threading.Event(), threading.Event()
    carried = list[object]()

    def listen(event: GatewayPortEvent) -> None:
        if isinstance(event, MemberArrived):
            stuck.set()
            go_on.wait(5.0)

    room.attach_account(listen)
    room.attach_sound(lambda _person, packet, _at: carried.append(packet))
    room.tap_speech(lambda packet, _at: carried.append(packet))
    room.tap_chat(carried.append)
    arriving = threading.Thread(target=room.arrive, args=(ANNA,))
    arriving.start()
    assert stuck.wait(5.0)
    room.send(ANNA.id, b"hers")
    room.transmit(b"his", 1.0)
    room.post("hi")
    assert arriving.is_alive()
    go_on.set()
    arriving.join(5.0)
    assert carried == [b"hers", b"his", "hi"]


def test_what_an_account_does_while_it_is_told_something_does_not_lock_it_out() -> None:
    room, heard = LocalRoom(DEN), list[type[GatewayPortEvent]]()

    def listen(event: GatewayPortEvent) -> None:
        heard.append(type(event))
        if isinstance(event, MemberArrived):
            room.enter()

    room.attach_account(listen)
    room.arrive(ANNA)
    assert heard[2:] == [MemberArrived, OwnVoiceMoved]
