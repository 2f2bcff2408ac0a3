"""Two buttons wait for one word of somebody who may give it, and whoever asked hears of it once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.gateway.confirming import MOST_CONFIRMING
from actors.gateway.core import stopped
from actors.gateway.decisions import AnswerButton, AnswerConfirm, Confirm, Decision, Settle, Wake
from messages.authority import Tier
from messages.captain import Confirmed
from messages.gateway import (
    Asker,
    ButtonAnswered,
    ButtonOutcome,
    ButtonPressed,
    ConfirmAsked,
    ConfirmDropped,
    ConfirmFailed,
    ConfirmOverdue,
    GatewayAway,
    GatewayGone,
    GatewayMessage,
)
from messages.ids import ConfirmationId, GuildId, RoomId
from tests.actors.gateway.scene import ANNA, BERT, CLEO, CLUB, DEN, DJ, HOME, NOW, ONLINE, ROBOT, after, asker
from tests.actors.gateway.writing import Lane
from tests.probe import Probe

CAPTAIN, PRESSER = Probe[Confirmed](), Probe[ButtonAnswered]()
C1 = ConfirmationId("text-m1-c1")
GONE = GatewayGone(reason="bad_token", remedy="Enter another token.")


def online() -> Lane:
    return Lane(after(*ONLINE)[0])


def question(
    tier: Tier = Tier.OWNER,
    name: ConfirmationId = C1,
    room: RoomId = DEN,
    text: str = "Really?",
    guild: GuildId = HOME,
) -> ConfirmAsked:
    return ConfirmAsked(confirmation=name, room=room, guild=guild, text=text, tier=tier, reply_to=CAPTAIN)


def pressed(who: Asker, granted: bool = True, name: ConfirmationId = C1) -> ButtonPressed:
    return ButtonPressed(confirmation=name, asker=who, granted=granted, reply_to=PRESSER)


def waiting(tier: Tier = Tier.OWNER) -> Lane:
    gateway = online()
    gateway.see(question(tier))
    return gateway


def told(outcome: ButtonOutcome) -> AnswerButton:
    return AnswerButton(asker=PRESSER, answer=ButtonAnswered(outcome=outcome))


def confirmed(refused: str = "") -> AnswerConfirm:
    return AnswerConfirm(asker=CAPTAIN, answer=Confirmed(refused=refused))


def settled(outcome: str) -> Settle:
    return Settle(confirmation=C1, outcome=outcome)


def test_a_question_is_shown_in_the_room_and_waits_for_a_minute() -> None:
    assert online().see(question(text="x" * 3_000)) == (
        Confirm(confirmation=C1, room=DEN, text="x" * 1_999 + "…"),
        Wake(seconds=60.0, message=ConfirmOverdue(confirmation=C1)),
    )


@pytest.mark.parametrize("granted", [True, False])
def test_a_word_of_who_may_give_it_is_the_answer_and_a_later_one_is_none(granted: bool) -> None:
    gateway = waiting()
    outcome = ButtonOutcome.GRANTED if granted else ButtonOutcome.DENIED
    ended = (settled(outcome.value), confirmed("" if granted else "denied"))
    assert gateway.see(pressed(asker(ANNA), granted)) == (told(outcome), *ended)
    assert gateway.see(pressed(asker(ANNA), not granted)) == (told(ButtonOutcome.OVER),)
    assert gateway.see(ConfirmOverdue(confirmation=C1)) == ()


@pytest.mark.parametrize(
    ("tier", "who", "counts"),
    [
        (Tier.OWNER, asker(ANNA), True),
        (Tier.OWNER, asker(BERT), False),
        (Tier.OWNER, asker(CLEO, HOME, DJ), False),
        (Tier.OWNER, asker(ANNA, CLUB), False),
        (Tier.SYSTEM, asker(BERT), False),
        (Tier.AMBIENT, asker(BERT), True),
        (Tier.AMBIENT, asker(CLEO), False),
        (Tier.AMBIENT, asker(CLEO, HOME, DJ), True),
        (Tier.AMBIENT, asker(ROBOT, HOME, DJ), False),
        (Tier.EVERYONE, asker(CLEO), True),
        (Tier.EVERYONE, asker(CLEO, CLUB), False),
    ],
)
@pytest.mark.parametrize("granted", [True, False])
def test_only_who_has_the_tools_tier_in_that_guild_may_say_yes_or_no(
    tier: Tier, who: Asker, counts: bool, granted: bool
) -> None:
    gateway = waiting(tier)
    decisions = gateway.see(pressed(who, granted))
    if counts:
        assert confirmed("" if granted else "denied") in decisions
    else:
        assert decisions == (told(ButtonOutcome.NOT_YOURS),)
        assert confirmed() in gateway.see(pressed(asker(ANNA)))


@pytest.mark.parametrize(
    ("event", "decisions"),
    [
        (ConfirmOverdue(confirmation=C1), (settled("timeout"), confirmed("timeout"))),
        (ConfirmFailed(confirmation=C1, failed="unsupported"), (confirmed("unsupported"),)),
        (ConfirmDropped(confirmation=C1), (settled("dropped"),)),
    ],
)
def test_a_question_ends_in_other_ways_too_and_once(
    event: GatewayMessage, decisions: tuple[Decision, ...]
) -> None:
    gateway = waiting()
    assert gateway.see(event) == decisions
    assert gateway.see(event) == ()
    assert gateway.see(pressed(asker(ANNA))) == (told(ButtonOutcome.OVER),)


def test_a_text_channel_and_a_private_chat_have_their_buttons_too() -> None:
    for guild, anna, other in (
        (HOME, asker(ANNA), asker(ANNA, CLUB)),
        (GuildId(""), asker(ANNA, GuildId("")), asker(ANNA)),
    ):
        gateway = online()
        gateway.see(question(room=RoomId("99"), guild=guild))
        assert gateway.see(pressed(other)) == (told(ButtonOutcome.NOT_YOURS),)
        assert gateway.see(pressed(anna)) == (told(ButtonOutcome.GRANTED), settled("granted"), confirmed())


def test_what_cannot_be_shown_is_refused_with_a_code() -> None:
    assert online().see(question(guild=CLUB)) == (confirmed("forbidden"),)
    assert online().see(question(room=RoomId("99"), guild=GuildId("99"))) == (confirmed("forbidden"),)
    away = online()
    away.see(GatewayAway(reason="reconnecting"))
    assert away.see(question()) == (confirmed("account_not_ready"),)
    assert waiting().see(question()) == (confirmed("busy"),)


def test_so_many_questions_may_be_open() -> None:
    gateway = online()
    for number in range(MOST_CONFIRMING):
        assert len(gateway.see(question(name=ConfirmationId(str(number))))) == 2
    assert gateway.see(question()) == (confirmed("busy"),)
    assert gateway.state.describe()["confirming"] == MOST_CONFIRMING


def test_when_the_account_or_this_life_ends_whoever_waits_is_told_and_the_buttons_go_if_they_can() -> None:
    gateway = waiting()
    left = stopped(gateway.state, NOW, "crashed")
    assert left[:2] == (settled("dropped"), confirmed("gateway_lost"))
    decisions = gateway.see(GONE)
    assert confirmed("gateway_lost") in decisions
    assert settled("dropped") not in decisions
    assert gateway.see(pressed(asker(ANNA))) == (told(ButtonOutcome.OVER),)


NAMES = st.sampled_from([ConfirmationId(str(number)) for number in range(4)])
PEOPLE = st.sampled_from([asker(ANNA), asker(BERT), asker(CLEO), asker(ANNA, CLUB), asker(ROBOT)])
ENDS: st.SearchStrategy[GatewayMessage] = st.one_of(
    st.builds(pressed, PEOPLE, st.booleans(), NAMES),
    st.builds(pressed, PEOPLE, st.booleans(), NAMES),
    st.builds(lambda name: ConfirmOverdue(confirmation=name), NAMES),
    st.builds(lambda name: ConfirmDropped(confirmation=name), NAMES),
    st.builds(lambda name: ConfirmFailed(confirmation=name, failed="refused"), NAMES),
    st.just(GONE),
)


@settings(max_examples=100, deadline=None)
@given(tiers=st.lists(st.sampled_from(Tier), min_size=4, max_size=4), events=st.lists(ENDS, max_size=25))
def test_every_question_has_one_answer_unless_it_is_dropped_and_every_press_has_one(
    tiers: list[Tier], events: list[GatewayMessage]
) -> None:
    gateway = online()
    asked = {ConfirmationId(str(number)): Probe[Confirmed]() for number in range(4)}
    decided: list[Decision] = []
    for (name, to), tier in zip(asked.items(), tiers, strict=True):
        one = replace(question(tier, name), reply_to=to)
        decided += gateway.see(one)
    for event in events:
        decided += gateway.see(event)
    decided += stopped(gateway.state, NOW, "shutdown")
    answers = Counter(id(one.asker) for one in decided if isinstance(one, AnswerConfirm))
    dropped = {one.confirmation for one in decided if isinstance(one, Settle) and one.outcome == "dropped"}
    assert max(answers.values(), default=0) <= 1
    assert {name for name, to in asked.items() if not answers[id(to)]} <= dropped
    presses = sum(isinstance(event, ButtonPressed) for event in events)
    assert sum(isinstance(one, AnswerButton) for one in decided) == presses
