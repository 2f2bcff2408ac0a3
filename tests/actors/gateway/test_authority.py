"""Who may have him come and go, and the one sequence in which an order is looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.gateway.authority import authority_of
from actors.gateway.core import step
from actors.gateway.decisions import AnswerJoin, AnswerLeave, Begin, Decision
from actors.gateway.live.phrases import FAILED
from actors.gateway.settings import AuthoritySettings, GatewaySettings
from messages.authority import Tier
from messages.gateway import (
    AskedBy,
    ConsentAsked,
    GatewayReady,
    Joined,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MemberArrived,
    MemberDeparted,
    RefusedJoin,
    RefusedLeave,
    Room,
    RoomSeen,
    StayJoined,
)
from messages.ids import GuildId, RoleId, RoomId
from messages.people import Person
from messages.stay import ConsentGiven, EndStay, LeftReason
from tests.actors.gateway.scene import (
    ANNA,
    ASKER,
    ATTIC,
    BAR,
    BERT,
    CLEO,
    CLUB,
    DEN,
    DJ,
    HOME,
    LEAVER,
    NOW,
    ONLINE,
    OPENED,
    OWNED,
    ROBOT,
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
    operator,
    refused,
    start,
    told,
)

LOCAL = GuildId("local")
OWNER_ONLY = AuthoritySettings(owner=101, guilds=(1,), channels=(11,), profile="owner")
SLASH = EndStay(reason=LeftReason.SLASH, after_speech=False)
CAPTAIN = EndStay(reason=LeftReason.CAPTAIN, after_speech=True)
OPERATOR = EndStay(reason=LeftReason.OPERATOR, after_speech=False)


def begins(decisions: tuple[Decision, ...]) -> list[RoomId]:
    return [one.stay.room for one in decisions if isinstance(one, Begin)]


def joined(*, opted_in: bool = False) -> AnswerJoin:
    return AnswerJoin(asker=ASKER, answer=Joined(room=DEN, stay=S1, name="den", opted_in=opted_in))


def of(*decisions: Decision) -> RefusedJoin | None:
    (answer,) = (one.answer for one in decisions if isinstance(one, AnswerJoin))
    return answer.reason if isinstance(answer, JoinRefused) else None


# --- tiers


def test_tiers_are_a_ladder() -> None:
    authority = authority_of(replace(OWNED, system_actors=(103,)), LOCAL)
    nobody = frozenset[RoleId]()
    assert [authority.tier(one.id, nobody) for one in (ANNA, CLEO, BERT, ROBOT)] == [
        Tier.OWNER,
        Tier.SYSTEM,
        Tier.AMBIENT,
        Tier.EVERYONE,
    ]
    assert authority.tier(ROBOT.id, frozenset({DJ})) is Tier.AMBIENT


def test_who_may_move_him_by_name_by_role_and_by_policy() -> None:
    authority = authority_of(OWNED, LOCAL)
    assert [authority.may_move(asker(one)) for one in (ANNA, BERT, CLEO)] == [True, True, False]
    assert authority.may_move(asker(CLEO, HOME, DJ))
    assert not authority.may_move(asker(ROBOT, HOME, DJ))
    assert authority_of(replace(OWNED, join_policy="guild_members"), LOCAL).may_move(asker(CLEO))
    personal = authority_of(replace(OWNER_ONLY, join_policy="guild_members"), LOCAL)
    assert [personal.may_move(asker(one)) for one in (ANNA, BERT)] == [True, False]


def test_the_allowlist_is_never_skipped_and_the_room_in_this_process_needs_none() -> None:
    nowhere = authority_of(AuthoritySettings(), LOCAL)
    assert nowhere.allows(LOCAL, RoomId("local"))
    assert not nowhere.allows(HOME, DEN)
    assert authority_of(OWNED, LOCAL).allows(HOME, ATTIC)
    listed = authority_of(replace(OWNED, channels=(11,)), LOCAL)
    assert [listed.allows(HOME, DEN), listed.allows(HOME, ATTIC)] == [True, False]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"join_policy": "everybody"}, 'join_policy must be "ambient" or "guild_members"'),
        ({"profile": "user"}, 'profile must be "bot" or "owner"'),
        ({"profile": "owner", "owner": 1}, "needs owner, guilds and channels"),
    ],
)
def test_an_authority_that_nobody_can_mean_is_refused(wrong: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        AuthoritySettings(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_stays": 0},
        {"join_seconds": 0.5},
        {"watch_open_seconds": 0.5},
        {"watch_seconds": 1.0},
        {"confirm_seconds": 1.0},
        {"confirm_seconds": 61.0},
    ],
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be between"):
        GatewaySettings(**wrong)  # type: ignore[arg-type]


# --- the sequence


def test_every_refusal_has_its_reason() -> None:
    online, _ = after(*ONLINE)
    assert of(*decided(online, join(CLEO))) is RefusedJoin.AUTHORITY
    mute, _ = after(*ONLINE, state=start(replace(OWNED, voice_enabled=False)))
    assert of(*decided(mute, join())) is RefusedJoin.VOICE_DISABLED
    assert of(*decided(online, join(BERT))) is RefusedJoin.NOT_IN_VOICE
    listed, _ = after(*ONLINE, state=start(replace(OWNED, guilds=(2,))))
    assert of(*decided(listed, join())) is RefusedJoin.ALLOWLIST
    assert of(*decided(listed, operator(DEN))) is RefusedJoin.ALLOWLIST
    assert of(*inside(join(BERT, CLUB))[1]) is RefusedJoin.OTHER_GUILD
    unowned, _ = after(*ONLINE, state=start(replace(OWNED, owner=None)))
    assert of(*decided(unowned, operator())) is RefusedJoin.NO_OWNER


def test_an_order_without_an_asker_is_an_operators_or_nobodys() -> None:
    online, _ = after(*ONLINE)
    for door in (AskedBy.SLASH, AskedBy.CAPTAIN):
        anonymous = JoinVoice(asked_by=door, reply_to=ASKER, room=DEN)
        assert of(*decided(online, anonymous)) is RefusedJoin.AUTHORITY


def test_nobody_can_name_a_room_of_another_guild() -> None:
    online, _ = after(*ONLINE)
    assert of(*decided(online, join(room=BAR))) is RefusedJoin.AUTHORITY
    assert begins(decided(online, join(room=ATTIC))) == [ATTIC]


def test_an_operators_order_follows_the_owner_within_the_allowlist() -> None:
    online, _ = after(*ONLINE)
    assert begins(decided(online, operator())) == [DEN]
    away, _ = after(*ONLINE, MemberDeparted(room=DEN, person=ANNA.id))
    assert of(*decided(away, operator())) is RefusedJoin.NOT_IN_VOICE
    twice = MemberArrived(room=BAR, person=ANNA)
    two, _ = after(*ONLINE, twice)
    assert of(*decided(two, operator())) is RefusedJoin.AMBIGUOUS
    near, _ = after(*ONLINE, twice, state=start(replace(OWNED, guilds=(1,))))
    assert begins(decided(near, operator())) == [DEN]
    assert inside(twice, operator())[1] == (joined(),)


def test_in_a_house_of_one_room_an_operator_without_an_owner_means_that_room() -> None:
    unowned = start(replace(OWNED, owner=None))
    hall = Room(id=RoomId("hall"), guild=LOCAL, name="hall")
    alone, _ = after(GatewayReady(account=ROBOT, rooms=(hall,)), state=unowned)
    assert begins(decided(alone, operator())) == [hall.id]
    for rooms in ((hall, replace(hall, id=RoomId("cellar"))), (replace(hall, guild=HOME),), ()):
        other, _ = after(GatewayReady(account=ROBOT, rooms=rooms), state=unowned)
        assert of(*decided(other, operator())) is RefusedJoin.NO_OWNER
    away, _ = after(GatewayReady(account=ROBOT, rooms=(hall,)))
    assert of(*decided(away, operator())) is RefusedJoin.NOT_IN_VOICE


people = st.sampled_from([ANNA, BERT, CLEO, ROBOT])
guilds = st.sampled_from([HOME, CLUB])


@given(
    who=people,
    guild=guilds,
    roles=st.sets(st.sampled_from([DJ, RoleId("8")])),
    ambient=st.sets(st.sampled_from([101, 102, 103])),
    wide=st.booleans(),
    voice=st.booleans(),
    allowed=st.sets(st.sampled_from([1, 2])),
    channels=st.sets(st.sampled_from([11, 12, 21])),
    active=st.booleans(),
)
def test_the_first_thing_in_the_way_is_the_answer(
    who: Person,
    guild: GuildId,
    roles: set[RoleId],
    ambient: set[int],
    wide: bool,
    voice: bool,
    allowed: set[int],
    channels: set[int],
    active: bool,
) -> None:
    settings = AuthoritySettings(
        ambient_users=tuple(ambient),
        ambient_roles=(7,),
        join_policy="guild_members" if wide else "ambient",
        guilds=tuple(allowed),
        channels=tuple(channels),
        voice_enabled=voice,
    )
    where = {(ANNA.id, HOME): DEN, (BERT.id, CLUB): BAR}.get((who.id, guild))
    named = int(who.id) in ambient or DJ in roles
    expected = (
        RefusedJoin.AUTHORITY
        if who.bot or not (named or wide)
        else RefusedJoin.VOICE_DISABLED
        if not voice
        else RefusedJoin.NOT_IN_VOICE
        if where is None
        else RefusedJoin.ALLOWLIST
        if int(guild) not in allowed or (channels and int(where) not in channels)
        else RefusedJoin.OTHER_GUILD
        if active and where != DEN
        else None
    )
    state, _ = inside() if active else after(*ONLINE)
    state = replace(state, authority=authority_of(settings, LOCAL))
    order = JoinVoice(asked_by=AskedBy.CAPTAIN, asker=asker(who, guild, *roles), reply_to=ASKER)
    decisions = decided(state, order)
    if expected is None:
        assert decisions == (joined(),) if active else begins(decisions) == [where]
    else:
        assert of(*decisions) is expected


# --- whose microphone an order opens


def test_a_slash_join_opts_in_who_sent_it_and_nobody_else() -> None:
    _, decisions = after(*ONLINE, MemberArrived(room=DEN, person=BERT), join(by=AskedBy.SLASH), OPENED)
    given_consents = [
        one for one in decisions if one in told(*(ConsentGiven(person=p.id) for p in (ANNA, BERT)))
    ]
    assert given_consents == list(told(ConsentGiven(person=ANNA.id)))
    _, decisions = after(*ONLINE, join(by=AskedBy.SLASH), OPENED, StayJoined(stay=S1))
    assert decisions == (joined(opted_in=True),)


def test_consent_does_not_outlive_the_stay_that_it_was_given_to() -> None:
    came = (*ONLINE, MemberArrived(room=DEN, person=BERT), join(by=AskedBy.SLASH), OPENED)
    given_later = ConsentAsked(room=DEN, person=BERT.id, granted=True)
    _, decisions = after(*came, StayJoined(stay=S1), given_later, OPENED)
    assert not [one for one in decisions if one in told(*(ConsentGiven(person=p.id) for p in (ANNA, BERT)))]


def test_a_join_asked_of_the_captain_opts_in_nobody() -> None:
    _, decisions = after(*ONLINE, join(), OPENED)
    assert told(ConsentGiven(person=ANNA.id))[0] not in decisions


def test_asking_him_to_where_he_is_opens_no_microphone() -> None:
    state, _ = inside(MemberArrived(room=DEN, person=BERT))
    again = decided(state, join(BERT, by=AskedBy.SLASH))
    assert again == (joined(),)


def test_who_opted_out_or_went_away_before_he_came_was_not_opted_in_by_his_order() -> None:
    no = ConsentAsked(room=DEN, person=ANNA.id, granted=False)
    _, decisions = after(*ONLINE, join(by=AskedBy.SLASH), no, OPENED, StayJoined(stay=S1))
    assert decisions == (joined(),)
    gone = MemberDeparted(room=DEN, person=ANNA.id)
    _, decisions = after(*ONLINE, join(by=AskedBy.SLASH), gone, OPENED, StayJoined(stay=S1))
    assert decisions == (joined(),)


def test_an_owner_of_his_own_is_heard_where_he_calls_him_unless_he_has_refused() -> None:
    _, decisions = after(*ONLINE, join(), OPENED, state=start(OWNER_ONLY))
    assert told(ConsentGiven(person=ANNA.id))[0] in decisions
    no = ConsentAsked(room=DEN, person=ANNA.id, granted=False)
    _, decisions = after(*ONLINE, no, join(), OPENED, state=start(OWNER_ONLY))
    assert told(ConsentGiven(person=ANNA.id))[0] not in decisions
    _, decisions = after(*ONLINE, no, join(by=AskedBy.SLASH), OPENED, state=start(OWNER_ONLY))
    assert told(ConsentGiven(person=ANNA.id))[0] in decisions
    _, decisions = after(*ONLINE, join(room=ATTIC, by=AskedBy.SLASH))
    assert begins(decisions) == [ATTIC]
    assert after(*ONLINE, join(room=ATTIC, by=AskedBy.SLASH))[0].stays[0].consents == ()


# --- leaving


def answer(*decisions: Decision) -> LeaveAnswered:
    (found,) = (one.answer for one in decisions if isinstance(one, AnswerLeave))
    return found


def test_leaving_is_for_who_may_move_him_and_only_where_he_is() -> None:
    state, _ = inside()
    assert decided(state, leave(BERT, by=AskedBy.SLASH))[1:] == told(SLASH)
    assert decided(state, leave(ANNA, by=AskedBy.CAPTAIN))[1:] == told(CAPTAIN)
    assert decided(state, leave())[1:] == told(OPERATOR)
    assert answer(*decided(state, leave())) == LeaveAnswered(room=DEN, name="den")
    stranger = decided(state, leave(CLEO, by=AskedBy.SLASH))
    assert answer(*stranger) == LeaveAnswered(room=None, refused=RefusedLeave.AUTHORITY)
    elsewhere = decided(state, leave(BERT, CLUB, by=AskedBy.SLASH))
    assert answer(*elsewhere) == LeaveAnswered(room=None, refused=RefusedLeave.NOT_IN_VOICE)
    nobody = LeaveVoice(asked_by=AskedBy.SLASH, reply_to=LEAVER)
    assert answer(*decided(state, nobody)).refused is RefusedLeave.AUTHORITY
    assert answer(*after(leave())[1]).refused is RefusedLeave.NOT_IN_VOICE


def test_no_guild_can_send_him_away_from_another_and_an_operator_from_everywhere() -> None:
    both = in_both()
    assert decided(both, leave(BERT, CLUB, by=AskedBy.SLASH))[1:] == told(SLASH, stay=SECOND)
    assert decided(both, leave())[1:] == (*told(OPERATOR), *told(OPERATOR, stay=SECOND))


def test_a_goodbye_can_be_hastened_and_not_slowed_down() -> None:
    goodbye, _ = inside(leave(ANNA, by=AskedBy.CAPTAIN))
    assert decided(goodbye, leave(ANNA, by=AskedBy.CAPTAIN))[1:] == ()
    hastened, decisions = step(goodbye, leave(), NOW, S2)
    assert decisions[1:] == told(OPERATOR)
    assert decided(hastened, leave())[1:] == ()
    assert answer(*decided(hastened, leave())) == LeaveAnswered(room=DEN, name="den")


@pytest.mark.parametrize(
    ("barred", "seats", "why"),
    [
        ("view_channel", None, "missing_permission_view_channel"),
        ("connect", 9, "missing_permission_connect"),
        ("", 1, "channel_full"),
        ("", 2, ""),
    ],
)
def test_a_shut_door_is_named_before_anybody_knocks(barred: str, seats: int | None, why: str) -> None:
    den = Room(id=DEN, guild=HOME, name="den", barred=barred, seats=seats)
    state, _ = after(*ONLINE, RoomSeen(room=den))
    decisions = decided(state, join())
    assert (decisions == (refused(why),)) if why else (begins(decisions) == [DEN])
    assert (why in FAILED) is bool(why)


def test_a_door_that_shuts_behind_him_does_not_deny_that_he_is_there() -> None:
    state, _ = inside(RoomSeen(room=Room(id=DEN, guild=HOME, name="den", barred="connect", seats=1)))
    assert decided(state, join()) == (joined(),)
