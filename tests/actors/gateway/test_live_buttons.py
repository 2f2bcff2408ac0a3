"""A question with two buttons goes to the house as the word of whoever pressed, and of nobody else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from loguru import logger

from actors.gateway.live.phrases import NO, PRESSED, SETTLED, YES
from messages.gateway import (
    ButtonAnswered,
    ButtonOutcome,
    ButtonPressed,
    ConfirmFailed,
    GatewayReady,
    MessageSeen,
)
from messages.ids import ConfirmationId, GuildId, RoleId, RoomId
from tests.actors.gateway.living import AUDIOOP, SECONDS, Living, room_of
from tests.loopback.discord.board import Post
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.rooms import VoiceRoom
from tests.probe import Probe

pytestmark = pytest.mark.filterwarnings(AUDIOOP)
QUESTION = ConfirmationId("handoff-" + "x" * 200)
"""Longer than what a button may carry."""


@pytest.fixture
def general(life: Living, home: Guild) -> VoiceRoom:
    general = home.voice("General")
    life.open()
    return general


@pytest.fixture
def complaints() -> Iterator[Probe[str]]:
    lines: Probe[str] = Probe()
    sink = logger.add(lambda line: lines.tell(str(line)), format="{message}", level="WARNING")
    yield lines
    logger.remove(sink)


def asked(life: Living, room: VoiceRoom, question: ConfirmationId = QUESTION) -> Post:
    """Have a question shown."""
    before = len(life.discord.posts)
    life.account.confirm(question, room_of(room), "Ada asks aloud for: open the door")
    return life.discord.wait(lambda: life.discord.posts[before:], SECONDS, "a question")[0]


def settled(life: Living, post: Post, question: ConfirmationId, outcome: str) -> str:
    """Have it settled; what the message says then."""
    life.account.settle(question, outcome)
    life.discord.wait(lambda: post.edited, SECONDS, "an end of the question")
    assert post.buttons == []
    return post.content


def test_whoever_presses_is_told_with_the_roles_of_that_moment_and_answered_for_his_eyes_only(
    life: Living, home: Guild, general: VoiceRoom
) -> None:
    ada, crew = home.member("Ada"), home.role("Crew")
    post = asked(life, general)
    assert [button.text("label") for button in post.buttons] == [YES, NO]
    home.give(ada, crew)
    reply = ada.press(post.id, YES)
    pressed = life.expect(ButtonPressed)
    assert (pressed.confirmation, pressed.granted) == (QUESTION, True)
    assert (pressed.asker.person.id, pressed.asker.guild) == (str(ada.id), GuildId(str(home.id)))
    assert pressed.asker.roles == {RoleId(str(crew.id))}
    assert reply.wait_deferred().hidden
    pressed.reply_to.tell(ButtonAnswered(outcome=ButtonOutcome.GRANTED))
    assert reply.text == PRESSED[ButtonOutcome.GRANTED]
    assert settled(life, post, QUESTION, "granted").endswith(SETTLED["granted"])
    assert not post.pings


def test_in_private_whoever_presses_has_no_guild_and_no_role(life: Living, home: Guild) -> None:
    ada = home.member("Ada")
    home.give(ada, home.role("Crew"))
    life.open()
    ada.write_privately("delete it")
    life.account.confirm(QUESTION, life.expect(MessageSeen).room, "Ada asks for: delete it")
    post = life.discord.wait(lambda: life.discord.posts, SECONDS, "a question")[-1]
    ada.press(post.id, YES)
    pressed = life.expect(ButtonPressed)
    assert (pressed.asker.person.id, pressed.asker.guild, pressed.asker.roles) == (
        str(ada.id),
        GuildId(""),
        frozenset(),
    )
    pressed.reply_to.tell(ButtonAnswered(outcome=ButtonOutcome.GRANTED))


def test_who_may_not_decide_is_told_so_and_the_next_one_may_say_no(
    life: Living, home: Guild, general: VoiceRoom
) -> None:
    post = asked(life, general)
    for name, outcome in (("Ben", ButtonOutcome.NOT_YOURS), ("Ada", ButtonOutcome.DENIED)):
        reply = home.member(name).press(post.id, NO)
        pressed = life.expect(ButtonPressed)
        assert (pressed.asker.person.label, pressed.granted) == (name, False)
        pressed.reply_to.tell(ButtonAnswered(outcome=outcome))
        assert reply.text == PRESSED[outcome]
    assert settled(life, post, QUESTION, "denied").endswith(SETTLED["denied"])


def test_a_button_of_an_earlier_life_or_of_a_decided_question_is_over(
    life: Living, home: Guild, general: VoiceRoom
) -> None:
    ada = home.member("Ada")
    early = asked(life, general)
    life.account.close()
    life.account = life.new_account()
    life.open()
    assert ada.press(early.id, YES).text == PRESSED[ButtonOutcome.OVER]
    life.discord.rest.refuse("PATCH", "/channels/.*", 403, 50013)
    late = asked(life, general, ConfirmationId("later"))
    life.account.settle(ConfirmationId("later"), "timeout")
    assert ada.press(late.id, NO).text == PRESSED[ButtonOutcome.OVER]
    assert life.received(ButtonPressed) == []


def test_a_house_that_does_not_say_what_came_of_it_leaves_nobody_waiting(
    life: Living, home: Guild, general: VoiceRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("actors.gateway.live.buttons.ANSWER_SECONDS", 0.05)
    post = asked(life, general)
    assert home.member("Ada").press(post.id, YES).text == PRESSED[ButtonOutcome.OVER]


def test_a_question_outlives_a_connection(life: Living, home: Guild, general: VoiceRoom) -> None:
    post = asked(life, general)
    life.discord.gateway.re_identify()
    life.expect(GatewayReady)
    reply = home.member("Ada").press(post.id, YES)
    life.expect(ButtonPressed).reply_to.tell(ButtonAnswered(outcome=ButtonOutcome.GRANTED))
    assert reply.text == PRESSED[ButtonOutcome.GRANTED]
    assert settled(life, post, QUESTION, "granted").endswith(SETTLED["granted"])


def test_a_question_that_is_dropped_while_it_is_being_shown_loses_its_buttons(
    life: Living, general: VoiceRoom
) -> None:
    life.discord.rest.limit("POST", "/messages$", retry_after=0.2)
    life.account.confirm(QUESTION, room_of(general), "may I?")
    life.account.settle(QUESTION, "dropped")
    post = life.discord.wait(lambda: life.discord.posts, SECONDS, "a question")[0]
    life.discord.wait(lambda: post.edited, SECONDS, "an end of the question")
    assert post.buttons == []
    assert life.received(ConfirmFailed) == []


def test_where_nobody_can_be_asked_the_house_learns_why(
    life: Living, general: VoiceRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    general.deny("send_messages")
    for room, failed in ((room_of(general), "forbidden"), (RoomId("1"), "refused")):
        life.account.confirm(QUESTION, room, "may I?")
        assert life.expect(ConfirmFailed) == ConfirmFailed(confirmation=QUESTION, failed=failed)
    monkeypatch.setattr("actors.gateway.live.buttons.MOST_OPEN", 0)
    life.account.confirm(QUESTION, room_of(general), "may I?")
    assert life.expect(ConfirmFailed).failed == "refused"
    life.account.settle(QUESTION, "dropped")


def test_a_press_that_cannot_be_answered_hurts_nobody(
    life: Living, home: Guild, general: VoiceRoom, complaints: Probe[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, post = home.member("Ada"), asked(life, general)
    life.discord.rest.refuse("POST", "/interactions/.*", 404, 10062)
    ada.press(post.id, YES)
    assert "not heard of in time" in complaints.expect(str, SECONDS)
    life.discord.rest.refuse("PATCH", "/webhooks/.*", 404, 10015)
    ada.press(post.id, YES)
    life.expect(ButtonPressed).reply_to.tell(ButtonAnswered(outcome=ButtonOutcome.GRANTED))
    assert "not answered" in complaints.expect(str, SECONDS)
    with monkeypatch.context() as patch:
        patch.setattr("actors.gateway.live.buttons.MOST_PRESSES", 0)
        ada.press(post.id, YES)
        assert "too many" in complaints.expect(str, SECONDS)
    assert len(life.received(ButtonPressed)) == 1
