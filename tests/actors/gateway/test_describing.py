"""What the captain may know of a room: who is there, who is heard, and where he is himself."""

from __future__ import annotations

from actors.gateway.decisions import AnswerRoom
from messages.gateway import MemberArrived, RoomAsked, RoomDescribed, RoomRoster, StayChanged
from messages.ids import GuildId, PersonId, RoomId
from messages.people import Person, Presence
from tests.actors.gateway.scene import (
    ANNA,
    ATTIC,
    BAR,
    BERT,
    CLUB,
    DEN,
    HOME,
    ONLINE,
    OPENED,
    ROBOT,
    S1,
    after,
    facts,
    inside,
    join,
)
from tests.actors.gateway.writing import LOBBY, PRIVATE, Lane
from tests.probe import Probe

CAPTAIN = Probe[RoomDescribed]()
HEARD = StayChanged(facts=facts(S1, DEN, "active", ANNA.id))


def described(gateway: Lane, room: RoomId | None, guild: GuildId | None = None) -> RoomDescribed:
    (answer,) = gateway.see(RoomAsked(room=room, guild=guild, reply_to=CAPTAIN))
    assert isinstance(answer, AnswerRoom)
    return answer.answer


def nowhere(room: str = "", *people: Presence) -> RoomDescribed:
    return RoomDescribed(room=room, stay=None, stay_room="", phase="", people=people, humans=len(people))


def presence(person: Person, consented: bool = False) -> Presence:
    return Presence(person=person, consented=consented)


def test_the_room_that_he_is_in_is_described_with_who_is_heard() -> None:
    state, _ = inside(*(MemberArrived(room=DEN, person=one) for one in (BERT, ROBOT)), HEARD)
    assert described(Lane(state), DEN, HOME) == RoomDescribed(
        room="den",
        stay=S1,
        stay_room="den",
        phase="active",
        people=(presence(ANNA, True), presence(BERT), presence(ROBOT)),
        humans=2,
    )


def test_from_another_room_of_the_guild_it_is_still_his_that_is_described() -> None:
    gateway = Lane(inside(HEARD)[0])
    for room, name in ((ATTIC, "attic"), (LOBBY, ""), (None, "")):
        found = described(gateway, room, HOME)
        assert (found.room, found.stay, found.stay_room, found.humans) == (name, S1, "den", 1)


def test_another_guild_hears_nothing_of_it() -> None:
    gateway = Lane(inside(HEARD)[0])
    assert described(gateway, BAR, CLUB) == nowhere("bar", presence(BERT))
    assert described(gateway, LOBBY, CLUB) == nowhere()
    assert described(gateway, BAR, HOME) == nowhere("bar", presence(BERT))
    assert described(gateway, PRIVATE) == described(gateway, PRIVATE, GuildId("")) == nowhere()


def test_an_operator_is_told_of_the_room_that_he_is_in_if_he_is_in_one() -> None:
    assert described(Lane(inside(HEARD)[0]), None).stay == S1
    assert described(Lane(after(*ONLINE)[0]), None) == nowhere()


def test_a_room_that_he_is_on_his_way_to_is_described_as_far_as_it_is_known() -> None:
    found = described(Lane(after(*ONLINE, join(), OPENED)[0]), DEN, HOME)
    assert (found.phase, found.people) == ("joining", (presence(ANNA),))


def test_of_a_crowd_twenty_five_are_named_and_all_are_counted() -> None:
    crowd = tuple(Person(id=PersonId(str(number)), label="x") for number in range(30))
    found = described(Lane(after(*ONLINE, RoomRoster(room=DEN, people=crowd))[0]), DEN, HOME)
    assert (len(found.people), found.humans) == (25, 30)
