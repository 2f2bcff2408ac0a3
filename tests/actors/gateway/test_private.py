"""Who writes to him in private is in no guild: he is followed where he is, and only the owner sends away."""

from __future__ import annotations

import pytest

from actors.gateway.core import step
from actors.gateway.decisions import AnswerJoin, AnswerLeave, AnswerWatch, Begin, Decision, Watch
from actors.gateway.joining import MOST_ASKERS
from actors.gateway.settings import AuthoritySettings
from actors.gateway.state import State
from messages.gateway import (
    AskedBy,
    Joined,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MemberArrived,
    MemberDeparted,
    RefusedJoin,
    RefusedLeave,
    WatchAnswered,
    WatchAsked,
)
from messages.ids import GuildId, RoomId
from messages.people import Person
from messages.stay import EndStay, LeftReason
from tests.actors.gateway.scene import (
    ANNA,
    ASKER,
    ATTIC,
    BAR,
    BERT,
    CLEO,
    DEN,
    LEAVER,
    NOW,
    ONLINE,
    S1,
    S2,
    SECOND,
    after,
    asker,
    decided,
    in_both,
    inside,
    join,
    leave,
    refused,
    start,
    told,
)
from tests.probe import Probe

NOWHERE = GuildId("")
GOODBYE = EndStay(reason=LeftReason.CAPTAIN, after_speech=True)
ANNA_IN_BAR = MemberArrived(room=BAR, person=ANNA)


def come(person: Person = ANNA, room: RoomId | None = None) -> JoinVoice:
    return join(person, NOWHERE, room=room)


def go(person: Person = ANNA) -> LeaveVoice:
    return leave(person, NOWHERE, by=AskedBy.CAPTAIN)


def begins(decisions: tuple[Decision, ...]) -> list[RoomId]:
    return [one.stay.room for one in decisions if isinstance(one, Begin)]


def left(room: RoomId, name: str) -> AnswerLeave:
    return AnswerLeave(asker=LEAVER, answer=LeaveAnswered(room=room, name=name))


def stayed(why: RefusedLeave) -> tuple[AnswerLeave]:
    return (AnswerLeave(asker=LEAVER, answer=LeaveAnswered(room=None, refused=why)),)


def test_he_comes_to_where_whoever_asks_in_private_is() -> None:
    online, _ = after(*ONLINE)
    assert begins(decided(online, come())) == [DEN]
    assert begins(decided(online, come(BERT))) == [BAR]


@pytest.mark.parametrize(
    ("who", "reason"),
    [(CLEO, RefusedJoin.AUTHORITY), (ANNA, RefusedJoin.NOT_IN_VOICE), (BERT, RefusedJoin.AMBIGUOUS)],
)
def test_he_does_not_come_to_a_stranger_to_nowhere_or_to_two_rooms(who: Person, reason: RefusedJoin) -> None:
    away, twice = MemberDeparted(room=DEN, person=ANNA.id), MemberArrived(room=ATTIC, person=BERT)
    online, _ = after(*ONLINE, away, twice)
    assert decided(online, come(who)) == (refused("", reason),)


def test_a_private_word_leads_nowhere_that_is_not_allowed() -> None:
    listed, _ = after(*ONLINE, state=start(AuthoritySettings(owner=101, guilds=(2,))))
    assert decided(listed, come()) == (refused("", RefusedJoin.NOT_IN_VOICE),)
    assert begins(decided(after(ANNA_IN_BAR, state=listed)[0], come())) == [BAR]
    online, _ = after(*ONLINE)
    assert decided(online, come(room=DEN)) == (refused("", RefusedJoin.AUTHORITY),)


def test_of_two_rooms_it_is_the_one_that_he_is_in_already() -> None:
    state, _ = inside(ANNA_IN_BAR)
    joined = AnswerJoin(asker=ASKER, answer=Joined(room=DEN, stay=S1, name="den"))
    assert decided(state, come()) == (joined,)


def test_in_private_the_owner_has_him_leave_the_room_that_both_are_in() -> None:
    assert decided(in_both(), go()) == (left(DEN, "den"), *told(GOODBYE))
    moved = (MemberDeparted(room=DEN, person=ANNA.id), ANNA_IN_BAR)
    state, _ = after(*moved, state=in_both())
    assert decided(state, go()) == (left(BAR, "bar"), *told(GOODBYE, stay=SECOND))


def test_in_private_an_owner_who_is_elsewhere_ends_the_only_stay_and_never_one_of_two() -> None:
    away = MemberDeparted(room=DEN, person=ANNA.id)
    assert decided(inside(away)[0], go()) == (left(DEN, "den"), *told(GOODBYE))
    both, _ = step(in_both(), away, NOW, S2)
    assert decided(both, go()) == stayed(RefusedLeave.NOT_IN_VOICE)
    assert decided(after(*ONLINE)[0], go()) == stayed(RefusedLeave.NOT_IN_VOICE)


def test_in_private_nobody_else_has_him_leave() -> None:
    state, _ = inside(MemberArrived(room=DEN, person=BERT))
    assert decided(state, go(BERT)) == stayed(RefusedLeave.AUTHORITY)


def test_the_play_surface_opens_where_both_are() -> None:
    watcher = Probe[WatchAnswered]()
    order = WatchAsked(asker=asker(ANNA, NOWHERE), start=True, reply_to=watcher)
    assert decided(inside()[0], order)[0] == Watch(room=DEN, start=True)
    away, _ = inside(MemberDeparted(room=DEN, person=ANNA.id))
    refusal = AnswerWatch(asker=watcher, answer=WatchAnswered(refused="not_active"))
    assert decided(away, order) == (refusal,)


def crowded(order: JoinVoice | WatchAsked, state: State) -> tuple[Decision, ...]:
    for _ in range(MOST_ASKERS):
        state, _ = step(state, order, NOW, S2)
    return decided(state, order)


def test_so_many_may_wait_for_him_and_for_the_play_surface() -> None:
    busy = JoinRefused(reason=RefusedJoin.FAILED, detail="busy")
    assert crowded(join(), after(*ONLINE)[0]) == (AnswerJoin(asker=ASKER, answer=busy),)
    watcher = Probe[WatchAnswered]()
    order = WatchAsked(asker=asker(ANNA), start=True, reply_to=watcher)
    full = AnswerWatch(asker=watcher, answer=WatchAnswered(refused="busy"))
    assert crowded(order, inside()[0]) == (full,)
