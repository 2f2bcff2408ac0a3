"""One answer may be for several messages, may bring files, and is for nobody who took his question back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.gateway.decisions import Decision, Post, TellCaptain
from actors.gateway.replying import LOST_NOTICE, NOTICE, notice_of
from messages.attachment import Attachment
from messages.captain import TakeBack
from messages.evidence import TextReply
from messages.gateway import PostText, TextAnswered
from messages.ids import HandoffId, MessageId, RoleId, RoomId
from tests.actors.gateway.scene import ANNA, DEN
from tests.actors.gateway.writing import LOBBY, Lane, asked, lane, posts, receipts, reply, rule, typing

M1, M2, M3 = (MessageId(name) for name in ("m1", "m2", "m3"))
CHART = Attachment(name="chart.png", kind="image/png", data=b"...")


def three() -> Lane:
    gateway = lane()
    for name in (M1, M2, M3):
        gateway.write("Clankie?", name)
    return gateway


def answer(text: str = "Yes.", failed: str = "") -> TextAnswered:
    return TextAnswered(room=LOBBY, message=M3, text=text, failed=failed, along=(M1, M2))


def outcomes(decisions: tuple[Decision, ...]) -> dict[str, str]:
    found = (one for one in receipts(decisions) if isinstance(one, TextReply))
    return {one.message_id: one.outcome for one in found}


def test_one_answer_to_several_messages_is_posted_once_and_ends_them_all() -> None:
    gateway = three()
    decisions = gateway.see(answer())
    assert posts(decisions) == [Post(room=LOBBY, text="Yes.", reply_to=M3)]
    assert outcomes(decisions) == {M3: "posted", M1: "answered_along", M2: "answered_along"}
    assert typing(decisions) == [False]
    assert gateway.see(answer()) == ()


@pytest.mark.parametrize(("failed", "outcome"), [("stalled", "failed"), ("", "silent")])
def test_what_comes_along_ends_as_the_message_does_that_it_comes_along_with(
    failed: str, outcome: str
) -> None:
    decisions = three().see(answer("", failed))
    assert outcomes(decisions) == dict.fromkeys((M1, M2, M3), outcome)
    assert len(posts(decisions)) == bool(failed)


def test_a_message_that_is_named_twice_ends_once() -> None:
    decisions = three().see(replace(answer(), along=(M1, M3, M1)))
    assert [one.outcome for one in receipts(decisions) if isinstance(one, TextReply)] == [
        "posted",
        "answered_along",
    ]


def test_if_the_latest_was_taken_back_the_one_before_it_is_answered() -> None:
    gateway = three()
    gateway.take_back(M3)
    decisions = gateway.see(answer())
    assert posts(decisions) == [Post(room=LOBBY, text="Yes.", reply_to=M2)]
    assert outcomes(decisions) == {M2: "posted", M1: "answered_along"}


def test_who_takes_his_question_back_gets_no_answer_and_the_captain_is_told() -> None:
    gateway = lane()
    gateway.write("Clankie?")
    decisions = gateway.take_back()
    assert decisions[0] == TellCaptain(message=TakeBack(handoff=HandoffId("text-m1")))
    assert (reply(decisions).outcome, posts(decisions), typing(decisions)) == ("taken_back", [], [False])
    assert gateway.answer("Hi.") == gateway.take_back() == gateway.write("Clankie?") == ()


def test_what_nobody_waits_for_is_taken_back_without_a_word() -> None:
    gateway = lane()
    gateway.write("hello there")
    assert gateway.take_back() == gateway.take_back("m9") == ()


def test_files_are_posted_with_the_answer_and_without_one() -> None:
    gateway = three()
    for name, text in ((M1, "Here."), (M2, "")):
        event = TextAnswered(room=LOBBY, message=name, text=text, attachments=(CHART,))
        decisions = gateway.see(event)
        assert posts(decisions) == [Post(room=LOBBY, text=text, reply_to=name, attachments=(CHART,))]
        assert reply(decisions).outcome == "posted"
    assert rule(gateway.write("and then", "m4")) == "admitted engaged"
    post = gateway.see(PostText(room=DEN, text="Here.", attachments=(CHART,)))
    assert post == (Post(room=DEN, text="Here.", attachments=(CHART,)),)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("quota", "the account at the provider is used up"),
        ("unauthorized", "the provider does not accept the key"),
        ("too_many_steps", "it took more steps than a turn may have"),
        ("http_418", "the provider answered with HTTP status 418"),
    ],
)
def test_a_room_is_told_why_where_there_are_words_for_it(reason: str, words: str) -> None:
    gateway = lane()
    gateway.write("Clankie?")
    (told,) = posts(gateway.answer("", failed=reason))
    assert words in told.text
    assert "Please ask me " in told.text
    assert ("for less" in told.text) == (reason == "too_many_steps")


def test_a_code_that_has_no_words_is_not_shown_to_anybody() -> None:
    assert notice_of("overdue") == notice_of("x" * 600) == NOTICE


def test_the_captain_is_told_the_guild_and_the_roles_of_who_wrote() -> None:
    gateway = lane()
    (here,) = asked(gateway.write("Clankie?", roles=frozenset({RoleId("7")})))
    assert (here.guild, here.roles) == ("1", frozenset({RoleId("7")}))
    gateway = lane()
    (private,) = asked(gateway.write("hi", room=RoomId("41"), guild=None, person=ANNA))
    assert (private.guild, private.roles) == (None, frozenset())


def test_a_captain_who_was_stopped_over_it_does_not_say_that_nothing_has_happened() -> None:
    gateway = lane()
    gateway.write("Clankie, paint", "m1")
    gateway.write("Clankie, sing", "m2")
    for name in ("m1", "m2"):
        decisions = gateway.answer("", name, failed="captain_closed")
        assert posts(decisions) == [Post(room=LOBBY, text=LOST_NOTICE, reply_to=MessageId(name))]
        assert reply(decisions).reason == "captain_closed"
