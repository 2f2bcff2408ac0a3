"""What he reads, what he does with it, and what is on record: in writing, one rule after another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.gateway.admission import MOST_WAITING
from actors.gateway.core import stopped
from actors.gateway.decisions import Post, Record, TellCaptain, Typing, Wake
from actors.gateway.replying import handoff_of, notice_of
from actors.gateway.settings import TextSettings
from actors.gateway.shortening import shortened
from messages.captain import AskInText, TakeBack
from messages.evidence import BridgeStopped, TextIngress, TextReply
from messages.gateway import GatewayGone, MessageSeen, TextOverdue
from messages.ids import GuildId, HandoffId, MessageId, PersonId, RoomId
from messages.people import Person
from tests.actors.gateway.scene import ANNA, BERT, CLEO, DEN, HOME, NOW, OPENED, ROBOT, join, leave
from tests.actors.gateway.writing import (
    LOBBY,
    PRIVATE,
    Lane,
    asked,
    lane,
    posts,
    receipts,
    reply,
    rule,
    said,
    typing,
)

M1 = MessageId("m1")
ELSEWHERE = GuildId("3")
HELLO = MessageSeen(message=M1, room=LOBBY, guild=HOME, person=BERT, text="Clankie, hello")


def wrote(**changes: object) -> MessageSeen:
    return replace(HELLO, **changes)  # type: ignore[arg-type]


def private(person: Person) -> MessageSeen:
    return wrote(room=PRIVATE, guild=None, person=person, text="hi")


EVERYTHING = TextSettings(reply_policy="all")
LISTED = TextSettings(dms="allowlist", dm_users=(103,))
CHANNELS = TextSettings(channels=(31,))


@pytest.mark.parametrize(
    ("settings", "event", "found"),
    [
        (TextSettings(), HELLO, "admitted name"),
        (TextSettings(), wrote(text="and clankie's cat?"), "admitted name"),
        (TextSettings(), wrote(text="ask CLINKY then"), "admitted name"),
        (TextSettings(), wrote(text="C-3!"), "admitted name"),
        (TextSettings(), wrote(text="clankies are many, C-33 too"), ""),
        (TextSettings(), wrote(text="hello there"), ""),
        (TextSettings(), wrote(text="hello", mentions_him=True), "admitted mention"),
        (TextSettings(), wrote(text="", mentions_him=True), "dropped empty"),
        (TextSettings(), wrote(text="  \n"), ""),
        (TextSettings(), wrote(text="", images=1), ""),
        (TextSettings(), wrote(text="", images=1, mentions_him=True), "admitted mention"),
        (EVERYTHING, wrote(text="hello there"), "admitted policy"),
        (EVERYTHING, wrote(text="hello there", guild=ELSEWHERE), ""),
        (EVERYTHING, wrote(person=ROBOT), ""),
        (TextSettings(enabled=False, dms="deny"), HELLO, "dropped disabled"),
        (TextSettings(enabled=False), private(ANNA), "dropped disabled"),
        (TextSettings(), wrote(guild=ELSEWHERE), "dropped guild"),
        (TextSettings(), wrote(guild=GuildId("local")), "admitted name"),
        (CHANNELS, wrote(room=RoomId("77"), parent=RoomId("31"), mentions_him=True), "admitted mention"),
        (CHANNELS, wrote(room=RoomId("77"), parent=RoomId("78"), mentions_him=True), "dropped channel"),
        (CHANNELS, HELLO, "admitted name"),
        (CHANNELS, wrote(room=RoomId("32")), "dropped channel"),
        (CHANNELS, wrote(room=RoomId("32"), guild=ELSEWHERE), "dropped guild"),
        (CHANNELS, private(ANNA), "admitted direct"),
        (TextSettings(dms="deny"), private(ANNA), "dropped dms"),
        (TextSettings(), private(ANNA), "admitted direct"),
        (TextSettings(), private(BERT), "dropped dms"),
        (LISTED, private(ANNA), "admitted direct"),
        (LISTED, private(CLEO), "admitted direct"),
        (LISTED, private(BERT), "dropped dms"),
        (TextSettings(dm_users=(103,)), private(CLEO), "dropped dms"),
    ],
)
def test_the_first_rule_that_speaks_decides_and_is_on_record_if_he_was_meant(
    settings: TextSettings, event: MessageSeen, found: str
) -> None:
    gateway = lane(settings)
    decisions = gateway.see(event)
    assert rule(decisions) == found
    assert len(asked(decisions)) == len(gateway.state.text.waiting) == found.startswith("admitted")
    assert found.startswith("admitted") or len(decisions) <= 1


def test_without_names_only_a_mention_is_for_him() -> None:
    gateway = lane()
    gateway.state = replace(gateway.state, text=replace(gateway.state.text, names=(), account=""))
    assert rule(gateway.write("Clankie?")) == ""
    (question,) = asked(gateway.write("@Clankie hi", "m2", mention=True))
    assert question.request == "@Clankie hi"


def test_an_admitted_message_is_asked_of_the_captain_while_he_is_seen_typing() -> None:
    question = AskInText(
        handoff=HandoffId("text-m1"),
        room=LOBBY,
        message=M1,
        asker=BERT,
        request="what time is it?",
        guild=HOME,
    )
    ingress = TextIngress(
        message_id=M1, room_id=LOBBY, person_id=BERT.id, outcome="admitted", reason="mention", characters=27
    )
    gateway = lane()
    assert gateway.write("@Robot what time is it?  \n ", mention=True) == (
        Record(receipt=ingress),
        TellCaptain(message=question),
        Typing(room=LOBBY, on=True),
        Wake(seconds=600.0, message=TextOverdue(message=M1)),
    )
    assert gateway.write("@Robot what time is it?", mention=True) == ()


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("@Clankie, what now", "what now"),
        ("@robot: what now", "what now"),
        ("@Robot and @Robot", "and @Robot"),
        ("@Robots what now", "@Robots what now"),
        ("so @Robot what now", "so @Robot what now"),
        ("@Robot", "@Robot"),
        ("@Robot " + "x" * 3_000, "x" * 2_000),
    ],
)
def test_the_mention_that_a_message_begins_with_is_no_part_of_the_request(text: str, request_: str) -> None:
    (question,) = asked(lane().write(text, mention=True))
    assert question.request == request_


def test_who_shows_pictures_without_a_word_is_asked_about_them() -> None:
    (question,) = asked(lane().write("@Robot", mention=True, images=2))
    assert question.request == "[images: 2]"


# --- the room that he is in


def test_what_is_written_where_he_is_goes_to_the_floor_and_never_to_the_captain() -> None:
    gateway = lane(TextSettings(enabled=False, channels=(31,)), in_voice=True)
    decisions = gateway.write("Clankie, hello", room=DEN, mention=True)
    assert (rule(decisions), said(decisions), asked(decisions)) == ("floor own_room", ["Clankie, hello"], [])


def test_what_is_written_while_he_comes_or_goes_is_not_lost_on_a_room_that_does_not_listen() -> None:
    coming = lane()
    for event in (join(), OPENED):
        coming.see(event)
    assert rule(coming.write("Clankie, hello", room=DEN)) == "admitted name"
    going = lane(in_voice=True)
    going.see(leave())
    assert rule(going.write("Clankie, hello", room=DEN)) == "admitted name"


def test_pictures_where_he_is_take_the_text_lane() -> None:
    gateway = lane(in_voice=True)
    decisions = gateway.write("Clankie, look", room=DEN, images=1)
    assert (rule(decisions), said(decisions), len(asked(decisions))) == ("admitted name", [], 1)


# --- answers


def test_an_answer_goes_where_it_was_asked_for_and_is_on_record() -> None:
    gateway = lane()
    gateway.write("Clankie, hello")
    gateway.now += 1.5
    assert gateway.answer(" Hi. \n") == (
        Post(room=LOBBY, text="Hi.", reply_to=M1),
        Record(
            receipt=TextReply(
                message_id=M1, room_id=LOBBY, outcome="posted", latency_ms=1500, characters=3, reason=None
            )
        ),
        Typing(room=LOBBY, on=False),
    )
    assert gateway.answer("Hi again.") == ()
    assert gateway.see(TextOverdue(message=M1)) == ()


def test_silence_is_an_answer() -> None:
    gateway = lane()
    gateway.write("Clankie, hello")
    decisions = gateway.answer("  ")
    assert (reply(decisions).outcome, posts(decisions), typing(decisions)) == ("silent", [], [False])
    assert rule(gateway.write("and you?", "m2")) == ""


def test_he_is_seen_typing_until_the_last_of_a_room_has_an_answer() -> None:
    gateway = lane()
    for name in ("m1", "m2"):
        gateway.write("Clankie?", name)
    gateway.write("Clankie?", "m3", room=RoomId("32"))
    assert typing(gateway.answer("One.", "m2")) == []
    assert typing(gateway.answer("Two.", "m1")) == [False]


@pytest.mark.parametrize(
    ("text", "length", "end"),
    [
        ("word " * 400, 1_999, "word word"),
        ("word " * 500, 2_000, "word word…"),
        ("words " * 500, 1_998, "words words…"),
        ("x" * 2_000, 2_000, "xx"),
        ("so " + "x" * 3_000, 2_000, "xx…"),
        ("x" * 3_000, 2_000, "xx…"),
    ],
)
def test_a_long_answer_ends_between_two_words_where_it_has_any(text: str, length: int, end: str) -> None:
    short = shortened(text)
    assert (len(short), short[-len(end) :]) == (length, end)


# --- in a conversation


def engaged(gateway: Lane, *names: str) -> list[str]:
    return [rule(gateway.write("and then", name)) for name in names]


def test_after_an_answer_he_reads_five_messages_of_that_room_whoever_they_are_for() -> None:
    gateway = lane()
    assert engaged(gateway, "m0") == [""]
    gateway.write("Clankie, hello")
    gateway.answer("Hi.")
    assert rule(gateway.write("and then", "n1", room=RoomId("32"))) == ""
    assert rule(gateway.write("", "n2")) == ""
    assert engaged(gateway, *"abcdef") == [*["admitted engaged"] * 5, ""]
    gateway.answer("Then.", "e")
    assert engaged(gateway, *"ghijkl") == [*["admitted engaged"] * 5, ""]


def test_conversations_are_as_long_as_the_settings_say_and_can_be_none() -> None:
    gateway = lane(TextSettings(engaged_messages=0))
    gateway.write("Clankie, hello")
    gateway.answer("Hi.")
    assert engaged(gateway, "a") == [""]


def test_of_many_conversations_the_oldest_is_forgotten() -> None:
    gateway = lane()
    for number in range(501):
        gateway.write("Clankie", f"m{number}", room=RoomId(f"r{number}"))
        gateway.answer("Hi.", f"m{number}")
    assert len(gateway.state.text.engaged) == 500
    assert RoomId("r0") not in gateway.state.text.engaged


# --- failures


def test_a_room_is_told_of_a_failure_once_in_five_minutes() -> None:
    gateway = lane()
    found: list[list[Post]] = []
    for number, wait in enumerate((0.0, 299.0, 1.0)):
        gateway.now += wait
        gateway.write("Clankie?", f"m{number}")
        decisions = gateway.answer("", f"m{number}", "stalled")
        found.append(posts(decisions))
        assert (reply(decisions).outcome, reply(decisions).reason) == ("failed", "stalled")
    told = [[Post(room=LOBBY, text=notice_of("stalled"), reply_to=MessageId(name))] for name in ("m0", "m2")]
    assert found == [told[0], [], told[1]]


def test_another_room_is_told_as_well_and_of_busyness_nobody_is() -> None:
    gateway = lane()
    gateway.write("Clankie?", "m1")
    gateway.write("Clankie?", "m2", room=RoomId("32"))
    gateway.write("Clankie?", "m3", room=RoomId("33"))
    assert len(posts(gateway.answer("", "m1", "stalled"))) == 1
    assert len(posts(gateway.answer("", "m2", "x" * 600))) == 1
    busy = gateway.answer("", "m3", "busy")
    assert (posts(busy), reply(busy).reason) == ([], "busy")


def test_who_has_waited_too_long_is_told_and_a_later_answer_is_not_given() -> None:
    gateway = lane(TextSettings(answer_seconds=30.0))
    gateway.write("Clankie?")
    gateway.now += 30.0
    decisions = gateway.see(TextOverdue(message=M1))
    assert (reply(decisions).reason, reply(decisions).latency_ms) == ("overdue", 30_000)
    assert len(posts(decisions)) == 1
    assert decisions[-1] == TellCaptain(message=TakeBack(handoff=handoff_of(M1)))
    assert gateway.answer("Hi.") == ()


def test_so_many_may_wait_and_what_comes_on_top_is_counted_and_on_record() -> None:
    gateway = lane(EVERYTHING)
    for number in range(MOST_WAITING):
        assert rule(gateway.write("hm", f"w{number}", room=RoomId(str(number)))) == "admitted policy"
    assert rule(gateway.write("hm", "late")) == "dropped full"
    assert gateway.state.describe()["texts_dropped"] == 1
    gateway.answer("Hi.", "w0")
    assert rule(gateway.write("hm", "later")) == "admitted policy"


@pytest.mark.parametrize("gone", [True, False])
def test_what_waits_when_the_account_or_this_life_ends_has_failed(gone: bool) -> None:
    gateway = lane()
    gateway.write("Clankie?")
    if gone:
        decisions = gateway.see(GatewayGone(reason="bad_token", remedy="Enter another token."))
        assert gateway.answer("Hi.") == ()
        assert stopped(gateway.state, NOW, "shutdown") == ()
    else:
        decisions = stopped(gateway.state, NOW, "crashed")
    assert reply(decisions).reason == ("account_gone" if gone else "gateway_lost")
    assert posts(decisions) == []
    assert BridgeStopped(reason="bad_token" if gone else "crashed") in receipts(decisions)


@pytest.mark.parametrize(
    "wrong", [{"reply_policy": "none"}, {"dms": "all"}, {"engaged_messages": -1}, {"answer_seconds": 0.0}]
)
def test_settings_that_cannot_work_are_refused_by_name(wrong: dict[str, str]) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=f"^{name} must be"):
        TextSettings(**wrong)  # type: ignore[arg-type]


def test_a_person_is_told_apart_from_the_owner_by_his_id_alone() -> None:
    other = Person(id=PersonId("1010"), label=ANNA.label)
    assert rule(lane().see(private(other))) == "dropped dms"
