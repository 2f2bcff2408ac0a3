"""What the captain without a model makes of plain English, and what he says came of it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.captain.helping import FORGET, NOTED
from actors.captain.orders import read
from actors.captain.outcomes import Outcome, Someone, in_words
from actors.captain.remedies import NOT_CONFIRMED, NOT_DONE, NOT_JOINED, NOT_LEFT, NOT_REACHED
from actors.captain.rules import (
    NO_NOTES,
    NOTHING_FOUND,
    NOTHING_TO_TRY,
    Call,
    Came,
    Decided,
    Heard,
    Past,
    Said,
    decide,
)
from actors.captain.signs import emoji_in
from actors.captain.tools import HOUSE_TOOLS
from actors.captain.wire import parse
from messages.tools import Mistaken

NOON = datetime(2026, 1, 1, 12, 5, tzinfo=UTC)
WORDS = (
    "remember that me here about this room make a thread called join leave come and , . ! react with 👍 👩‍🚀 "
    ":own: take back try now again who is start show stop please Clankie what do you know \ud800 \x00 \u2028"
)
NOTES = "- Lunch is at one.\n- The key hangs behind the door."
JOINED = Outcome(outcome="joined", channel="Den")
NOWHERE = Outcome(outcome="join_refused", reason="not_in_voice")


def heard(
    *requests: str, past: tuple[Past, ...] = (), came: tuple[Came, ...] = (), aloud: bool = False
) -> Heard:
    return Heard(
        asked=tuple(Said(request=one) for one in requests),
        now=NOON,
        aloud=aloud,
        notes=NOTES,
        past=past,
        tools=tuple(HOUSE_TOOLS),
        came=came,
    )


def tools(text: str, *, aloud: bool = False) -> list[str]:
    wishes = read(text, aloud=aloud, names=frozenset({"jarvis"})).wishes
    return [wish.tool or "again" for wish in wishes]


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("Clankie, come here", "voice_join"),
        ("join us in voice please", "voice_join"),
        ("hop in!", "voice_join"),
        ("can you get in here, Clankie?", "voice_join"),
        ("Could you come to the voice channel where I am?", "voice_join"),
        ("<@4711> join", "voice_join"),
        ("Jarvis come over here", "voice_join"),
        ("come here, Jarvis", "voice_join"),
        ("Come on, join us!", "voice_join"),
        ("come on in", "voice_join"),
        ("If you can hear me, come here", "voice_join"),
        ("No, leave. No wait, come here", "voice_join"),
        ("Thanks. Leave now, please.", "voice_leave"),
        ("go away", "voice_leave"),
        ("get out of here", "voice_leave"),
        ("bye from voice", "voice_leave"),
        ("try now", "again"),
        ("I'm in now, try again", "again"),
        ("Again!", "again"),
        ("start watching", "watch_start"),
        ("open the activity please", "watch_start"),
        ("Let's watch something", "watch_start"),
        ("stop the show", "watch_stop"),
        ("close the activity", "watch_stop"),
        ("Who's here?", "observe_room"),
        ("Clankie who do you hear?", "observe_room"),
        ("what do you remember about me?", "recall"),
        ("What do you know about this room", "recall"),
        ("tell me what you remember about me", "recall"),
        ("Jarvis, remember I like tea", "remember"),
        ("join this thread", "join_thread"),
        ("give it a thumbs up", "react"),
        ("Let's make a thread about tea", "create_thread"),
        ("thumbs up this", "react"),
        ("take back your 👍", "unreact"),
    ],
)
def test_a_plain_order_is_one_tool(text: str, tool: str) -> None:
    assert tools(text) == [tool]


@pytest.mark.parametrize(
    "text",
    [
        "don't leave",
        "when does the train leave?",
        "we can leave now",
        "please leave the light on",
        "leave the thread",
        "do not come here",
        "who comes here?",
        "do you remember the milk?",
        "remember this",
        "the show was great",
        "I try to sleep",
        "bye",
        "that is 👍",
        "Come on, that was funny",
        "Come again?",
        "Bob leave the room",
        "Bob, leave the room",
        "Bob will join the room",
        "Everybody leave now",
        "nobody leave",
        "time to leave",
        "leave me alone",
        "if Bob comes, leave",
        "When Bob is here, leave.",
        "join us? No.",
        "Come here! No wait, don't.",
        "stop watching me",
        "how do I make a thread?",
        "don't make a thread",
        "I will join this thread later",
        "why did you react with 👍?",
        "don't react with 👍",
        "put the fire out",
        "add a party to the calendar",
        "where are you from?",
        "remember when we played chess?",
        "hello",
        "",
    ],
)
def test_what_only_sounds_like_an_order_is_none(text: str) -> None:
    assert tools(text) == []


def test_a_goodbye_said_aloud_is_meant_for_the_voice_channel() -> None:
    assert tools("Bye, Clankie", aloud=True) == ["voice_leave"]


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("react with 👍", {"emoji": "👍"}),
        ("put a ❤️ on it", {"emoji": "❤️"}),
        ("react with :blob_wave:", {"emoji": ":blob_wave:"}),
        ("react with <:blob_wave:4711>", {"emoji": ":blob_wave:"}),
        ("make a thread called Tea and cake.", {"name": "Tea and cake"}),
        ("create a thread please", {"name": "Talk"}),
        ("remember that I like tea and coffee", {"note": "I like tea and coffee", "about": "speaker"}),
        ("Clankie remember I am Ann.", {"note": "I am Ann", "about": "speaker"}),
        ("Remember: here we play chess", {"note": "here we play chess", "about": "room"}),
        ("remember about this room that it echoes", {"note": "it echoes", "about": "room"}),
        ("note " + "x" * 400, {"note": "x" * 300, "about": "speaker"}),
    ],
)
def test_what_an_order_is_about_is_taken_as_it_was_written(text: str, arguments: dict[str, str]) -> None:
    (wish,) = read(text, aloud=False).wishes
    assert json.loads(wish.arguments) == arguments


def test_no_half_of_a_compound_request_is_lost() -> None:
    wishes = read("Clankie, leave and look up when lunch is", aloud=True)
    assert ([one.tool for one in wishes.wishes], wishes.question) == (
        ["voice_leave"],
        "look up when lunch is",
    )
    assert tools("Come, and remember that I am Ann. Then leave!") == ["voice_join", "remember", "voice_leave"]
    assert tools("remember that I like tea, and leave") == ["remember", "voice_leave"]


def test_first_he_does_and_then_he_says() -> None:
    leave = Call(tool="voice_leave")
    request = "leave and look up when lunch is"
    assert decide(heard(request)) == Decided(calls=(leave,))
    came = (Came(call=leave, outcome=Outcome(outcome="left", channel="Den")),)
    assert decide(heard(request, came=came)).text == "I have left Den. The notes say: Lunch is at one."


def test_what_is_said_meanwhile_is_done_as_well_and_answered_at_once() -> None:
    join, look = Call(tool="voice_join"), Call(tool="observe_room")
    came = (Came(call=join, outcome=JOINED),)
    assert decide(heard("come here", "who is here?", came=came)).calls == (look,)
    room = Outcome(outcome="room", own_channel="Den", people=(Someone(name="Ann", heard=True),), humans=1)
    text = decide(heard("come here", "who is here?", came=(*came, Came(call=look, outcome=room)))).text
    assert text.startswith("I am in Den.")
    assert text.endswith("In Den: Ann (heard).")


REFUSED = (Past(asked="Clankie come here"), Past(tool="voice_join"))


@pytest.mark.parametrize(
    ("past", "calls"),
    [
        (REFUSED, (Call(tool="voice_join"),)),
        ((*REFUSED, Past(asked="what time is it")), (Call(tool="voice_join"),)),
        ((*REFUSED, Past(asked="try now"), Past(tool="voice_join")), (Call(tool="voice_join"),)),
        ((*REFUSED, Past(asked="try now"), Past(tool="voice_join", done=True)), ()),
        ((Past(asked="you know what"), Past(tool="watch_start")), (Call(tool="watch_start"),)),
        (
            (Past(asked="make a thread called Tea"), Past(tool="create_thread")),
            (Call(tool="create_thread", arguments='{"name": "Tea"}'),),
        ),
        ((), ()),
    ],
)
def test_try_now_repeats_what_did_not_work(past: tuple[Past, ...], calls: tuple[Call, ...]) -> None:
    decided = decide(heard("Clankie, try now", past=past))
    assert decided.calls == calls
    assert decided.text == ("" if calls else NOTHING_TO_TRY)


def test_when_nobody_is_in_voice_he_says_what_to_do() -> None:
    came = (Came(call=Call(tool="voice_join"), outcome=NOWHERE),)
    text = decide(heard("come here", came=came)).text
    assert text == 'I don\'t see you in a voice channel. Join one and say "try now".'


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    turn = Heard(asked=(Said(request="react with 👍"), Said(request="come here")), now=NOON)
    assert decide(turn) == Decided(
        text="There is no message here to do that to. Ask me in writing. "
        "I may not do that for you here. Whoever runs me can allow it."
    )


@pytest.mark.parametrize("request_", ["start the show", "react with 👍"])
def test_what_an_operator_asks_for_without_a_channel_is_for_a_channel_and_no_matter_of_rights(
    request_: str,
) -> None:
    turn = Heard(asked=(Said(request=request_),), now=NOON, operator=True)
    text = "That cannot be done from here. Ask me in the channel where it is to be."
    assert decide(turn) == Decided(text=text)


@pytest.mark.parametrize(
    "request_",
    [
        "delete my notes",
        "Clankie, please forget me",
        "forget that I like tea",
        "forget everything you know about me",
        "can you delete what you remember about me?",
        "/clankie forget-me",
    ],
)
def test_who_wants_to_be_forgotten_is_told_how(request_: str) -> None:
    assert decide(heard(request_)) == Decided(text=FORGET)


@pytest.mark.parametrize("request_", ["forget it", "don't forget me", "forget the match", "remove the hat"])
def test_what_is_not_to_be_forgotten_by_him_is_something_else(request_: str) -> None:
    assert decide(heard(request_)).text != FORGET


@pytest.mark.parametrize(
    "request_",
    ["what do you remember about Anna?", "show me my notes", "what notes do you have?", "/clankie memories"],
)
def test_who_asks_for_notes_about_people_is_told_where_they_are(request_: str) -> None:
    assert decide(heard(request_)) == Decided(text=NOTED)


@pytest.mark.parametrize("request_", ["help", "Clankie, help!", "what can you do?", "can you help me"])
def test_who_asks_what_he_can_do_hears_what_he_can_do_there(request_: str) -> None:
    turn = Heard(asked=(Said(request=request_),), now=NOON, tools=("voice_join", "recall"))
    text = decide(turn).text
    assert text.startswith('I can come into your voice channel ("come here"); read it')
    assert "tell the time and the date. /clankie memories" in text
    assert "page of notes" not in text
    assert "page of notes" in decide(heard(request_)).text


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ("what time is it", "It is 12:05."),
        ("What's the date?", "Today is Thursday, January 1, 2026."),
        ("what time is lunch?", "The notes say: Lunch is at one."),
        ("what is the date of the match", "I found nothing about that in the notes."),
        ("where is the key?", "The notes say: The key hangs behind the door."),
        ("who won the match", "I found nothing about that in the notes."),
    ],
)
def test_a_question_is_looked_up(request_: str, text: str) -> None:
    assert decide(heard(request_)) == Decided(text=text)


def test_what_was_really_said_counts_where_the_request_means_nothing_to_him() -> None:
    vague = Said(request="The user has a wish.", original=("Clankie, join us",))
    assert decide(Heard(asked=(vague,), now=NOON, tools=("voice_join",))).calls == (Call(tool="voice_join"),)
    clear = Said(request="what time is it", original=("Clankie, leave and tell me the time",))
    assert decide(Heard(asked=(clear,), now=NOON, tools=("voice_leave",))).text == "It is 12:05."
    assert decide(Heard(asked=(Said(request=" "),), now=NOON)).text == NO_NOTES


@pytest.mark.parametrize(
    ("tool", "outcome", "text"),
    [
        ("react", Outcome(outcome="done"), "Done."),
        ("remember", Outcome(outcome="done"), "I will remember that."),
        ("recall", Outcome(outcome="notes", notes=("a", "b")), "I remember: a; b."),
        ("recall", Outcome(outcome="notes"), "I have no notes about that."),
        ("watch_start", Outcome(outcome="watching", url="https://x"), "It is open: https://x"),
        ("voice_leave", Outcome(outcome="leave_refused", reason="not_in_voice"), "I am in no voice channel"),
        ("voice_join", Outcome(outcome="joined", opted_in=True, transcripts_kept=True), "kept in writing"),
        ("observe_room", Outcome(outcome="room"), "see nobody"),
        ("observe_room", Outcome(outcome="room", channel="Den"), "Nobody is in Den."),
        ("observe_room", Outcome(outcome="room", own_channel="Den", humans=3), "In Den: 3 more."),
        ("react", Outcome(outcome="refused", reason="forbidden"), "A moderator can"),
        ("music__play", Outcome(outcome="failed", reason="gremlins"), "That did not work: gremlins."),
        ("music__play", Outcome(outcome="machine", text="Playing."), "Playing."),
        ("music__play", Outcome(outcome="error"), "nobody says why"),
    ],
)
def test_each_outcome_has_its_sentence(tool: str, outcome: Outcome, text: str) -> None:
    assert text in in_words(tool, outcome)


@pytest.mark.parametrize(
    ("tool", "codes"),
    [
        ("voice_join", NOT_JOINED),
        ("voice_join", NOT_REACHED),
        ("voice_leave", NOT_LEFT),
        ("play", NOT_CONFIRMED),
        ("remember", NOT_DONE),
    ],
)
def test_nobody_is_told_a_code(tool: str, codes: Mapping[str, str]) -> None:
    for code in codes:
        assert not in_words(tool, Outcome(outcome="refused", reason=code)).startswith("That did not work")


@given(st.lists(st.sampled_from(WORDS.split(" ")) | st.text(max_size=8), max_size=14), st.booleans())
def test_whatever_is_said_no_tool_is_called_with_what_it_cannot_take(said: list[str], aloud: bool) -> None:
    for wish in read(" ".join(said), aloud=aloud).wishes:
        assert wish.again or not isinstance(parse(wish.tool, wish.arguments, ()), Mistaken)


@pytest.mark.parametrize("piece", ["a,", ",.;", "remember that a and ", "hey, ", "👩‍🚀\u200d"])
def test_nobody_can_make_him_read_for_long(piece: str) -> None:
    began = time.process_time()
    read(piece * 8_000, aloud=True)
    assert time.process_time() - began < 2.0


def test_an_emoji_is_known_by_its_sign_and_by_its_name() -> None:
    assert [emoji_in(text) for text in ("a 👩‍🚀!", "👍🏽", "🇩🇪", "thumbs-up", "two hearts", "nothing")] == [
        "👩‍🚀",
        "👍🏽",
        "🇩🇪",
        "👍",
        "❤️",
        None,
    ]


def test_in_his_own_room_he_names_the_page_and_no_slash_command() -> None:
    joined = Outcome(outcome="joined", channel="local")
    told = in_words("voice_join", joined, own_room=True)
    assert told == 'I am in local. If I do not hear you, press "Let him hear me" on the page.'
    for asked in ("help", "forget everything", "show me my notes"):
        text = decide(replace(heard(asked), own_room=True)).text
        assert text
        assert "/clankie" not in text


def test_a_question_about_oneself_is_looked_up_in_ones_notes() -> None:
    question, recall = "What is my cat called?", Call(tool="recall")
    assert decide(heard(question)) == Decided(calls=(recall,))
    notes = Outcome(outcome="notes", notes=("I like tea", "my cat is called Mina"))
    told = decide(heard(question, came=(Came(call=recall, outcome=notes),)))
    assert told == Decided(text="I remember: my cat is called Mina.")
    refused = Outcome(outcome="refused", reason="several_speakers")
    assert decide(heard(question, came=(Came(call=recall, outcome=refused),))).text == NOTHING_FOUND
    assert decide(heard("What is the cat called?")).calls == ()
