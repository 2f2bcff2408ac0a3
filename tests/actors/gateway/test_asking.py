"""Being heard, being forgotten, how he is, and the play surface: what people ask, and are answered."""

from __future__ import annotations

import pytest

from actors.gateway.core import step, stopped
from actors.gateway.decisions import (
    AnswerConsent,
    AnswerStatus,
    AnswerWatch,
    Decision,
    Leave,
    TellCaptain,
    TellStay,
    Wake,
    Watch,
)
from actors.gateway.passing import Purge
from actors.gateway.state import State
from messages.captain import ForgetInMind, NotesAsked
from messages.evidence import PurgePerson
from messages.gateway import (
    AskedBy,
    ConsentAnswered,
    ConsentAsked,
    ConsentOutcome,
    ForgetAnswered,
    ForgetAsked,
    GatewayMessage,
    MemberArrived,
    MemberDeparted,
    MemoriesAsked,
    NotesAnswered,
    RoomRoster,
    StatusAnswered,
    StatusAsked,
    StayChanged,
    StayEnded,
    StayFacts,
    WatchAnswered,
    WatchAsked,
    WatchOpened,
    WatchOverdue,
)
from messages.ids import GuildId, RoomId, Token
from messages.people import Person
from messages.stay import ConsentGiven, ConsentWithdrawn, MovedToRoom
from tests.actors.gateway.scene import (
    ANNA,
    ATTIC,
    BERT,
    CLEO,
    CLUB,
    DEN,
    HOME,
    NOW,
    ONLINE,
    OPENED,
    S1,
    S2,
    SECOND,
    STAY,
    after,
    asker,
    decided,
    facts,
    in_both,
    inside,
    join,
    leave,
    seen,
    told,
)
from tests.probe import Probe

CONSENTER, OTHER = Probe[ConsentAnswered](), Probe[WatchAnswered]()
FORGETTER, CURIOUS, WATCHER = Probe[ForgetAnswered](), Probe[StatusAnswered](), Probe[WatchAnswered]()


def consent(
    person: Person, granted: bool = True, room: RoomId | None = None, guild: GuildId | None = None
) -> ConsentAsked:
    return ConsentAsked(person=person.id, granted=granted, room=room, guild=guild, reply_to=CONSENTER)


def outcome(decisions: tuple[Decision, ...]) -> tuple[ConsentOutcome, RoomId | None]:
    (answer,) = (one.answer for one in decisions if isinstance(one, AnswerConsent))
    return answer.outcome, answer.room


# --- being heard


@pytest.mark.parametrize("where", [{"room": DEN}, {"guild": HOME}, {}])
def test_who_is_in_his_room_can_opt_in_and_out(where: dict[str, RoomId]) -> None:
    state, decisions = inside(consent(ANNA, **where))  # type: ignore[arg-type]
    assert outcome(decisions) == (ConsentOutcome.GRANTED, DEN)
    assert decisions[:1] == told(ConsentGiven(person=ANNA.id))
    decisions = decided(state, consent(ANNA, granted=False, **where))  # type: ignore[arg-type]
    assert outcome(decisions) == (ConsentOutcome.WITHDRAWN, DEN)
    assert decisions[:1] == told(ConsentWithdrawn(person=ANNA.id))


def test_nobody_who_is_elsewhere_can_opt_in() -> None:
    assert outcome(inside(consent(CLEO, guild=HOME))[1]) == (ConsentOutcome.NOT_IN_ROOM, DEN)
    assert outcome(inside(consent(CLEO))[1]) == (ConsentOutcome.NO_STAY, None)
    assert outcome(inside(consent(BERT, guild=CLUB))[1]) == (ConsentOutcome.NO_STAY, None)
    assert outcome(inside(consent(ANNA, room=RoomId("no")))[1]) == (ConsentOutcome.NO_STAY, None)
    assert outcome(inside(leave(), consent(ANNA))[1]) == (ConsentOutcome.NO_STAY, DEN)


def test_a_refusal_is_remembered_where_he_is_not_yet_and_until_the_same_person_opts_in() -> None:
    state, decisions = after(*ONLINE, consent(ANNA, granted=False, guild=HOME))
    assert outcome(decisions) == (ConsentOutcome.WITHDRAWN, None)
    state, decisions = after(join(), OPENED, state=state)
    assert told(ConsentWithdrawn(person=ANNA.id))[0] in decisions
    state, _ = after(consent(ANNA), StayEnded(stay=S1, failed=None), join(), state=state)
    assert told(ConsentWithdrawn(person=ANNA.id))[0] not in decided(state, OPENED)
    assert outcome(after(*ONLINE, consent(ANNA, granted=False))[1]) == (ConsentOutcome.NO_STAY, None)


@pytest.mark.parametrize("gone", [MemberDeparted(person=ANNA.id, room=DEN), RoomRoster(room=DEN, people=())])
def test_who_goes_before_he_has_come_takes_his_consent_along(gone: GatewayMessage) -> None:
    given = TellStay(mailbox=STAY, message=ConsentGiven(person=ANNA.id))
    coming, _ = after(*ONLINE, join(by=AskedBy.SLASH))
    assert given in decided(coming, OPENED)
    assert given not in decided(after(gone, state=coming)[0], OPENED)


def test_consent_of_one_guild_says_nothing_to_another() -> None:
    both = in_both()
    assert decided(both, consent(BERT, guild=CLUB))[:-1] == told(ConsentGiven(person=BERT.id), stay=SECOND)
    assert outcome(decided(both, consent(BERT, guild=HOME))) == (ConsentOutcome.NOT_IN_ROOM, DEN)


# --- being forgotten, and how he is


def test_who_asks_to_be_forgotten_is_whether_he_was_heard_or_not_and_the_captain_says_so() -> None:
    forget = ForgetAsked(asker=asker(ANNA), reply_to=FORGETTER)
    forgotten = told(ConsentWithdrawn(person=ANNA.id, forget=True))
    kept = Purge(message=PurgePerson(person=ANNA.id, receipts=False))
    not_heard = TellCaptain(message=ForgetInMind(person=ANNA.id, was_heard=False, reply_to=FORGETTER))
    assert inside(forget)[1] == (*forgotten, kept, not_heard)
    heard = StayChanged(facts=facts(S1, DEN, "active", ANNA.id))
    was_heard = TellCaptain(message=ForgetInMind(person=ANNA.id, was_heard=True, reply_to=FORGETTER))
    assert inside(heard, forget)[1] == (*forgotten, kept, was_heard)
    assert after(*ONLINE, forget)[1] == (kept, not_heard)


def test_what_is_noted_about_somebody_the_captain_tells_him() -> None:
    notes = Probe[NotesAnswered]()
    asked = decided(inside()[0], MemoriesAsked(asker=asker(BERT), reply_to=notes))
    assert asked == (TellCaptain(message=NotesAsked(person=BERT.id, reply_to=notes)),)


def test_how_he_is_is_known_from_what_the_stay_last_said() -> None:
    ask = StatusAsked(asker=asker(ANNA), reply_to=CURIOUS)
    nowhere = StatusAnswered(facts=None, asker_heard=False)
    assert after(*ONLINE, ask)[1] == (AnswerStatus(asker=CURIOUS, answer=nowhere),)
    coming = StayFacts(stay=S1, room=DEN, phase="joining", encryption="", privacy_code="", humans=1, heard=())
    answer = StatusAnswered(facts=coming, asker_heard=False)
    assert after(*ONLINE, join(), ask)[1] == (AnswerStatus(asker=CURIOUS, answer=answer),)
    known = facts(S1, DEN, "active", ANNA.id)
    answer = StatusAnswered(facts=known, asker_heard=True)
    assert inside(StayChanged(facts=known), ask)[1] == (AnswerStatus(asker=CURIOUS, answer=answer),)


# --- the play surface


def watch(
    person: Person = ANNA, *, start: bool = True, guild: GuildId = HOME, to: Probe[WatchAnswered] = WATCHER
) -> WatchAsked:
    return WatchAsked(asker=asker(person, guild), start=start, reply_to=to)


def answers(answer: WatchAnswered, to: Probe[WatchAnswered] = WATCHER) -> AnswerWatch:
    return AnswerWatch(asker=to, answer=answer)


OPENED_AT = WatchOpened(room=DEN, url="https://example.org/play")
URL = WatchAnswered(url="https://example.org/play")
CLOSE = Watch(room=DEN, start=False)


def watching() -> State:
    return inside(watch(), OPENED_AT)[0]


def test_the_play_surface_opens_once_a_room_and_everybody_who_asked_gets_the_address() -> None:
    state, decisions = inside(watch())
    overdue = WatchOverdue(room=DEN, token=Token(1))
    assert decisions == (Watch(room=DEN, start=True), Wake(seconds=10.0, message=overdue))
    state, decisions = step(state, watch(to=OTHER), NOW, S2)
    assert decisions == ()
    state, decisions = step(state, OPENED_AT, NOW, S2)
    assert decisions[:2] == (answers(URL), answers(URL, OTHER))
    assert decisions[2] == Wake(seconds=3600.0, message=WatchOverdue(room=DEN, token=Token(2)))
    assert decided(state, watch()) == (answers(URL),)
    assert step(state, OPENED_AT, NOW, S2) == (state, ())


@pytest.mark.parametrize(
    ("state", "order", "code"),
    [
        (inside()[0], watch(CLEO), "authority"),
        (inside()[0], watch(BERT), "not_in_voice"),
        (inside()[0], watch(BERT, guild=CLUB), "not_active"),
        (after(*ONLINE, join(), OPENED)[0], watch(), "not_active"),
        (inside(leave())[0], watch(), "not_active"),
        (inside()[0], watch(start=False), "not_open"),
        (inside()[0], watch(BERT, start=False, guild=CLUB), "not_open"),
    ],
)
def test_what_is_in_the_way_of_the_play_surface_is_answered(
    state: State, order: WatchAsked, code: str
) -> None:
    assert step(state, order, NOW, S2) == (state, (answers(WatchAnswered(refused=code)),))


def test_a_play_surface_that_fails_or_never_opens_is_refused() -> None:
    state, _ = inside(watch())
    failed = WatchOpened(room=DEN, url="", failed="forbidden")
    after_failure, decisions = step(state, failed, NOW, S2)
    assert decisions == (answers(WatchAnswered(refused="forbidden")),)
    assert step(after_failure, failed, NOW, S2) == (after_failure, ())
    after_time, decisions = step(state, WatchOverdue(room=DEN, token=Token(1)), NOW, S2)
    assert decisions == (CLOSE, answers(WatchAnswered(refused="timeout")))
    assert step(after_time, OPENED_AT, NOW, S2) == (after_time, (CLOSE,))
    assert step(after_time, WatchOverdue(room=DEN, token=Token(1)), NOW, S2) == (after_time, ())


def test_a_play_surface_closes_when_asked_and_when_its_time_is_up() -> None:
    assert decided(watching(), watch(start=False)) == (CLOSE, answers(WatchAnswered()))
    assert decided(watching(), WatchOverdue(room=DEN, token=Token(1))) == ()
    assert decided(watching(), WatchOverdue(room=DEN, token=Token(2))) == (CLOSE,)


def test_a_play_surface_does_not_outlive_the_stay_or_follow_it() -> None:
    assert decided(watching(), StayEnded(stay=S1, failed=None)) == (Leave(room=DEN), CLOSE)
    moved = told(MovedToRoom(room=ATTIC, people=()))
    assert decided(watching(), seen(ATTIC)) == (*moved, CLOSE)
    waiting, _ = inside(watch())
    assert stopped(waiting, NOW, "shutdown")[0] == answers(WatchAnswered(refused="gateway_lost"))
    assert decided(waiting, StayEnded(stay=S1, failed=None))[1:] == (
        CLOSE,
        answers(WatchAnswered(refused="ended")),
    )


def test_a_play_surface_may_be_open_in_each_of_his_rooms() -> None:
    state, _ = step(in_both(), watch(), NOW, S2)
    state, decisions = step(state, watch(BERT, guild=CLUB), NOW, S2)
    assert decisions[0] == Watch(room=RoomId("21"), start=True)
    state, _ = step(state, OPENED_AT, NOW, S2)
    assert decided(state, MemberArrived(room=DEN, person=BERT)) != ()
    assert len(state.watching) == 2
