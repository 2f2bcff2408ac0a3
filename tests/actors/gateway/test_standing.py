"""Which guild somebody asks in is the room's; roles are learnt where they count, or there are none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.gateway.core import stopped
from actors.gateway.decisions import AnswerAskers, Decision, LookUp, Wake
from actors.gateway.standing import MOST_LOOKED_UP
from messages.captain import AskersKnown
from messages.gateway import Asker, GatewayAway, GatewayGone, RolesKnown, RolesOverdue, WhoAsks
from messages.ids import GuildId, HandoffId, PersonId, RoleId, RoomId
from messages.people import Person
from tests.actors.gateway.scene import (
    ANNA,
    BAR,
    BERT,
    CLEO,
    CLUB,
    DEN,
    DJ,
    HOME,
    NOW,
    ONLINE,
    OWNED,
    ROBOT,
    after,
    asker,
    start,
)
from tests.actors.gateway.writing import Lane
from tests.probe import Probe

CAPTAIN = Probe[AskersKnown]()
H1, H2 = HandoffId("h1"), HandoffId("h2")
DORA = Person(id=PersonId("104"), label="Dora")
LOOK = LookUp(guild=HOME, person=CLEO.id)


def online() -> Lane:
    return Lane(after(*ONLINE)[0])


def who(*people: Person, handoff: HandoffId = H1, room: RoomId = DEN) -> WhoAsks:
    return WhoAsks(handoff=handoff, room=room, people=people, reply_to=CAPTAIN)


def known(*askers: Asker, handoff: HandoffId = H1) -> AnswerAskers:
    return AnswerAskers(asker=CAPTAIN, answer=AskersKnown(handoff=handoff, askers=askers))


def roles(person: Person, *held: RoleId, guild: GuildId = HOME) -> RolesKnown:
    return RolesKnown(guild=guild, person=person.id, roles=frozenset(held))


def timer(handoff: HandoffId = H1) -> Wake:
    return Wake(seconds=3.0, message=RolesOverdue(handoff=handoff))


def test_who_needs_no_role_is_known_at_once() -> None:
    assert online().see(who(ANNA, BERT, ROBOT)) == (known(asker(ANNA), asker(BERT), asker(ROBOT)),)
    assert online().see(who(BERT, room=BAR)) == (known(asker(BERT, CLUB)),)


def test_where_no_role_counts_none_is_learnt() -> None:
    gateway = Lane(after(*ONLINE, state=start(replace(OWNED, ambient_roles=())))[0])
    assert gateway.see(who(CLEO)) == (known(asker(CLEO)),)


def test_a_room_that_nobody_knows_is_in_no_guild() -> None:
    assert online().see(who(CLEO, room=RoomId("99"))) == (known(asker(CLEO, GuildId(""))),)


def test_whose_roles_may_count_is_looked_at_first() -> None:
    gateway = online()
    assert gateway.see(who(ANNA, CLEO, DORA)) == (LOOK, LookUp(guild=HOME, person=DORA.id), timer())
    assert gateway.see(roles(DORA)) == ()
    assert gateway.see(roles(CLEO, DJ, guild=CLUB)) == ()
    assert gateway.see(roles(CLEO, DJ)) == (known(asker(ANNA), asker(CLEO, HOME, DJ), asker(DORA)),)
    assert gateway.see(roles(CLEO, DJ)) == gateway.see(RolesOverdue(handoff=H1)) == ()


def test_roles_that_cannot_be_learnt_or_come_too_late_are_none() -> None:
    gateway = online()
    gateway.see(who(CLEO))
    nothing = RolesKnown(guild=HOME, person=CLEO.id, roles=None)
    assert gateway.see(nothing) == (known(asker(CLEO)),)
    gateway.see(who(CLEO, DORA))
    gateway.see(roles(CLEO, DJ))
    assert gateway.see(RolesOverdue(handoff=H1)) == (known(asker(CLEO, HOME, DJ), asker(DORA)),)
    assert gateway.see(roles(DORA, DJ)) == ()


def test_one_look_is_enough_for_all_who_wait_for_it() -> None:
    gateway = online()
    gateway.see(who(CLEO))
    assert gateway.see(who(CLEO, handoff=H2)) == (timer(H2),)
    one = asker(CLEO, HOME, DJ)
    assert gateway.see(roles(CLEO, DJ)) == (known(one), known(one, handoff=H2))


def test_what_was_not_looked_up_for_somebody_changes_nothing_for_him() -> None:
    gateway = online()
    gateway.see(who(BERT, CLEO))
    assert gateway.see(roles(BERT, DJ)) == ()
    assert gateway.see(roles(CLEO)) == (known(asker(BERT), asker(CLEO)),)


def test_without_a_connection_nobody_waits_for_roles() -> None:
    gateway = online()
    gateway.see(GatewayAway(reason="reconnecting"))
    assert gateway.see(who(CLEO)) == (known(asker(CLEO)),)


def test_so_many_may_wait_and_on_top_of_them_nobody_has_a_role() -> None:
    gateway = online()
    for number in range(MOST_LOOKED_UP):
        assert timer(HandoffId(str(number))) in gateway.see(who(CLEO, handoff=HandoffId(str(number))))
    assert gateway.see(who(DORA)) == (known(asker(DORA)),)


@pytest.mark.parametrize("gone", [True, False])
def test_whoever_waits_when_the_account_or_this_life_ends_has_no_roles(gone: bool) -> None:
    gateway = online()
    gateway.see(who(CLEO))
    decisions: tuple[Decision, ...]
    if gone:
        decisions = gateway.see(GatewayGone(reason="bad_token", remedy="Enter another token."))
        assert gateway.see(roles(CLEO, DJ)) == ()
    else:
        decisions = stopped(gateway.state, NOW, "crashed")
    assert known(asker(CLEO)) in decisions
