"""Whom a killed house has heard is told so once by the next one, and then it is on record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.gateway.bereft import AGAIN_SECONDS, CONSENTS_NOTICE, MOST_BEREFT
from actors.gateway.decisions import Decision, Do, Record, Wake
from messages.evidence import Consent
from messages.gateway import ConsentsLost, DeedDone, GatewayAway, GatewayBack, NoticeDue, TurnLost
from messages.ids import DeedId, HandoffId, MessageId, PersonId, StayId
from messages.tools import SendUpdate
from tests.actors.gateway.scene import DEN, ONLINE, READY, after, start
from tests.actors.gateway.writing import Lane

OLD = StayId("old")
ADA, BEN = PersonId("ada"), PersonId("ben")
LOST = ConsentsLost(stay=OLD, room=DEN, people=(ADA, BEN))
NAME = DeedId("lost-old")
NOTICE = Do(name=NAME, deed=SendUpdate(text=CONSENTS_NOTICE), room=DEN, message=None)
ON_RECORD = tuple(Record(receipt=Consent(stay_id=OLD, person_id=who, phase="lost")) for who in (ADA, BEN))


def deeds(decisions: tuple[Decision, ...]) -> list[Do]:
    return [one for one in decisions if isinstance(one, Do)]


def test_the_room_is_told_once_there_is_an_account_and_on_record_is_what_was_told() -> None:
    gateway = Lane(start())
    assert gateway.see(LOST) == ()
    assert deeds(gateway.see(READY)) == [NOTICE]
    assert gateway.see(DeedDone(deed=NAME)) == ON_RECORD
    assert gateway.see(DeedDone(deed=NAME)) == ()
    assert deeds(gateway.see(READY)) == []


def test_an_account_that_is_there_tells_it_at_once_and_twice_is_once() -> None:
    gateway = Lane(after(*ONLINE)[0])
    assert gateway.see(LOST) == (NOTICE,)
    assert gateway.see(LOST) == (NOTICE,)
    assert gateway.see(DeedDone(deed=NAME)) == ON_RECORD


@pytest.mark.parametrize("failed", ["gateway_lost", "busy"])
def test_what_discord_was_not_asked_is_tried_again_under_the_same_name(failed: str) -> None:
    gateway = Lane(after(*ONLINE)[0])
    gateway.see(LOST)
    again = NoticeDue(deed=NAME)
    assert gateway.see(DeedDone(deed=NAME, failed=failed)) == (Wake(seconds=AGAIN_SECONDS, message=again),)
    assert gateway.see(again) == (NOTICE,)
    gateway.see(GatewayAway(reason="disconnected"))
    assert gateway.see(DeedDone(deed=NAME, failed=failed)) == gateway.see(again) == ()
    assert gateway.see(GatewayBack()) == (NOTICE,)
    gateway.see(DeedDone(deed=NAME))
    assert gateway.see(again) == ()


def test_what_is_being_told_is_not_told_again_with_something_else() -> None:
    gateway = Lane(after(*ONLINE)[0])
    gateway.see(LOST)
    other = TurnLost(handoff=HandoffId("other"), room=DEN, message=MessageId("m1"))
    assert [one.name for one in deeds(gateway.see(other))] == ["over-other"]


def test_where_he_may_not_write_it_is_on_record_all_the_same() -> None:
    gateway = Lane(after(*ONLINE)[0])
    gateway.see(LOST)
    assert gateway.see(DeedDone(deed=NAME, failed="forbidden")) == ON_RECORD
    assert gateway.see(replace(LOST, room=None)) == ON_RECORD


def test_so_many_rooms_are_told_and_no_more() -> None:
    gateway = Lane(start())
    for number in range(MOST_BEREFT + 1):
        gateway.see(replace(LOST, stay=StayId(str(number))))
    told = deeds(gateway.see(READY))
    assert [one.name for one in told] == [f"lost-{number}" for number in range(1, MOST_BEREFT + 1)]
