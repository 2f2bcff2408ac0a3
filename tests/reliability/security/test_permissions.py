"""Every privileged act is allowed exactly where the operator was promised that it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from actors.authority import Authority
from actors.gateway.core import step
from actors.gateway.decisions import AnswerJoin, AnswerLeave, Begin, Decision, TellStay
from actors.gateway.settings import GatewaySettings
from actors.gateway.state import State
from messages.authority import Need, Sort, Standing, Surface, Tier
from messages.gateway import (
    AskedBy,
    Asker,
    JoinAnswer,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    RoomRoster,
    StayJoined,
    StayOpened,
)
from messages.ids import GuildId, PersonId, RoleId, RoomId, StayId
from messages.people import Person
from messages.stay import EndStay, StayMessage
from tests.actors.gateway.scene import ATTIC, CLUB, DEN, HOME, NOW, READY, S1
from tests.probe import Probe
from tests.reliability.security import permissions as model

NAMES, ROLES = ("101", "102", "103", "104"), ("7", "8")
names, some_roles = st.sampled_from(NAMES), st.frozensets(st.sampled_from(ROLES))
people = st.builds(model.Somebody, name=names, roles=some_roles, bot=st.booleans())
laws = st.builds(
    model.Law,
    owner=st.none() | names,
    system=st.frozensets(names, max_size=2),
    ambient=st.frozensets(names, max_size=2),
    roles=some_roles,
    guilds=st.frozensets(st.sampled_from((str(HOME), str(CLUB)))),
    channels=st.frozensets(st.sampled_from((str(DEN), str(ATTIC)))),
    members_may_move=st.booleans(),
    owners_alone=st.booleans(),
    voice=st.booleans(),
)


def authority(law: model.Law) -> Authority:
    return Authority(
        home=GuildId("local"),
        owner=None if law.owner is None else PersonId(law.owner),
        system=frozenset(map(PersonId, law.system)),
        ambient=frozenset(map(PersonId, law.ambient)),
        roles=frozenset(map(RoleId, law.roles)),
        guilds=frozenset(map(GuildId, law.guilds)),
        channels=frozenset(map(RoomId, law.channels)),
        open_to_members=law.members_may_move,
        owner_only=law.owners_alone,
        voice_enabled=law.voice,
    )


def asker(one: model.Somebody, guild: GuildId = HOME) -> Asker:
    person = Person(id=PersonId(one.name), label=one.name, bot=one.bot)
    return Asker(person=person, guild=guild, roles=frozenset(map(RoleId, one.roles)))


def test_every_act_of_every_tier_by_every_way_is_ruled_as_promised() -> None:
    yes_or_no = (False, True)
    for tier, surface, sort, need in product(Tier, Surface, Sort, Tier):
        for weighty, wary, swayed, members, alone in product(yes_or_no, repeat=5):
            law = model.Law(members_may_move=members, owners_alone=alone)
            ruling = authority(law).rule(
                Need(sort=sort, tier=need, weighty=weighty, wary=wary),
                Standing(tier=tier, surface=surface, swayed=swayed),
            )
            expected = model.verdict(
                law,
                surface.value,
                tier.value,
                sort.value,
                need.value,
                weighty=weighty,
                doubted=swayed and wary,
            )
            assert ruling.value == expected, (tier, surface, sort, need, weighty, wary, swayed, law)


@given(laws, st.lists(people, max_size=4))
def test_a_turn_of_several_people_has_the_least_of_their_tiers(
    law: model.Law, several: list[model.Somebody]
) -> None:
    found = authority(law).least(tuple(map(asker, several)))
    assert found.value == model.together(law, several)


@given(laws, people, st.sampled_from(Tier))
def test_a_button_is_pressed_by_nobody_below_its_tier(
    law: model.Law, one: model.Somebody, tier: Tier
) -> None:
    alone = law.owners_alone and one.name != law.owner
    allowed = not one.bot and not alone and model.rank(law, one) >= tier
    assert authority(law).may_confirm(asker(one), tier) is allowed


def house(law: model.Law, one: model.Somebody, where: RoomId | None) -> State:
    state = State(settings=GatewaySettings(), authority=authority(law))
    state, _ = step(state, READY, NOW, S1)
    if where is not None:
        state, _ = step(state, RoomRoster(room=where, people=(asker(one).person,)), NOW, S1)
    return state


def became(decisions: tuple[Decision, ...]) -> str:
    if any(isinstance(one, Begin) for one in decisions):
        return "begins"
    (answer,) = [one.answer for one in decisions if isinstance(one, AnswerJoin)]
    assert isinstance(answer, JoinRefused)
    return answer.reason.value


@given(
    laws,
    people,
    st.sampled_from((None, DEN, ATTIC)),
    st.sampled_from((AskedBy.SLASH, AskedBy.CAPTAIN)),
)
def test_he_comes_for_whom_and_where_he_was_promised_to(
    law: model.Law, one: model.Somebody, where: RoomId | None, by: AskedBy
) -> None:
    order = JoinVoice(asked_by=by, asker=asker(one), reply_to=Probe[JoinAnswer]())
    _, decisions = step(house(law, one, where), order, NOW, S1)
    expected = model.comes(law, one, str(HOME), None if where is None else str(where))
    assert became(decisions) == expected
    heard = [begun.stay for begun in decisions if isinstance(begun, Begin)]
    assert len(heard) == (expected == "begins")


@given(laws, people)
def test_nobody_without_the_right_and_no_turn_without_a_speaker_moves_him(
    law: model.Law, one: model.Somebody
) -> None:
    in_den = house(model.Law(guilds=frozenset({str(HOME)}), members_may_move=True), MOVER, DEN)
    stay = Probe[StayMessage]()
    for event in (
        JoinVoice(asked_by=AskedBy.SLASH, asker=asker(MOVER), reply_to=Probe[JoinAnswer]()),
        StayOpened(stay=S1, room=DEN, mailbox=stay),
        StayJoined(stay=S1),
    ):
        in_den, _ = step(in_den, event, NOW, StayId("s1"))
    in_den = replace(in_den, authority=authority(law))
    for who, by in (
        (one, AskedBy.SLASH),
        (one, AskedBy.CAPTAIN),
        (None, AskedBy.CAPTAIN),
        (None, AskedBy.SLASH),
    ):
        order = LeaveVoice(
            asked_by=by, asker=None if who is None else asker(who), reply_to=Probe[LeaveAnswered]()
        )
        _, decisions = step(in_den, order, NOW, S1)
        ended = any(isinstance(told, TellStay) and isinstance(told.message, EndStay) for told in decisions)
        assert ended is (who is not None and model.may_move(law, who)), by
        assert any(isinstance(told, AnswerLeave) for told in decisions)


MOVER = model.Somebody(name="104")
