"""What the two local minds decide."""

import pytest

from actors.realtime.items import Result, TurnBrief
from actors.realtime.rules import AT_A_LOSS, NO_MODEL, decide
from actors.realtime.script import SILENCE, Script, ScriptedReply
from messages.floor import Trigger
from messages.ids import HandoffId, PersonId, TurnId, UtteranceId
from messages.people import Person, Presence
from tests.actors.realtime.talk import HERE, line

ROBOT = Presence(person=Person(id=PersonId("r"), label="R", bot=True), consented=False)
FOUND = Result(handoff=HandoffId("a"), request="time", text="It is noon.")
LOST = Result(handoff=HandoffId("b"), request="key", text="", failed="stalled")


def turn(
    trigger: Trigger,
    *said: str,
    people: tuple[Presence, ...] | None = HERE,
    results: tuple[Result, ...] = (),
    open_requests: tuple[str, ...] = (),
) -> TurnBrief:
    return TurnBrief(
        turn=TurnId("t"),
        utterance=UtteranceId("t-speech"),
        trigger=trigger,
        lines=tuple(map(line, said)),
        people=people,
        results=results,
        open_requests=open_requests,
    )


@pytest.mark.parametrize(
    ("reply", "brief", "fits"),
    [
        (ScriptedReply(when="greeting"), turn(Trigger.GREETING), True),
        (ScriptedReply(when="greeting"), turn(Trigger.MEMBERSHIP), False),
        (ScriptedReply(heard="the time"), turn(Trigger.OFFER, "what is the time"), True),
        (ScriptedReply(heard="the time"), turn(Trigger.ADDRESS, "the time", "and the place"), True),
        (ScriptedReply(heard="one two"), turn(Trigger.ADDRESS, "one", "two"), True),
        (ScriptedReply(heard="the time"), turn(Trigger.ADDRESS, "a place"), False),
        (ScriptedReply(heard="the time", when="offer"), turn(Trigger.ADDRESS, "the time"), False),
        (ScriptedReply(heard="the time"), turn(Trigger.GREETING), False),
        (ScriptedReply(text="never"), turn(Trigger.GREETING), False),
    ],
)
def test_a_reply_is_used_when_it_is_needed_and_only_then(
    reply: ScriptedReply, brief: TurnBrief, fits: bool
) -> None:
    script = Script([reply])
    assert script.reply(brief) is (reply if fits else SILENCE) or script.unused == 1
    assert script.unused == (0 if fits else 1)


def test_the_first_unused_reply_that_fits_is_used() -> None:
    first, second = ScriptedReply(when="offer", text="1"), ScriptedReply(when="offer", text="2")
    script = Script([first, second])
    brief = turn(Trigger.OFFER, "so")
    assert [script.reply(brief), script.reply(brief), script.reply(brief)] == [first, second, SILENCE]


@pytest.mark.parametrize(
    ("brief", "text", "tool"),
    [
        (turn(Trigger.GREETING), "Hello, I am here.", None),
        (turn(Trigger.GREETING, people=None), "Hello, I am here.", None),
        (turn(Trigger.GREETING, people=(ROBOT,)), "", None),
        (turn(Trigger.GREETING, people=()), "", None),
        (turn(Trigger.MEMBERSHIP), "", None),
        (turn(Trigger.MEMBERSHIP, people=(ROBOT,)), "", "voice_leave"),
        (turn(Trigger.MEMBERSHIP, people=()), "", "voice_leave"),
        (turn(Trigger.MEMBERSHIP, people=None), "", None),
        (turn(Trigger.HANDOFF_RESULT, results=(FOUND, LOST)), "It is noon. I could not find that out.", None),
        (turn(Trigger.HANDOFF_WAIT), "One moment, I am still looking.", None),
        (turn(Trigger.ADDRESS, "Clankie, what time is it?"), "", "ask_clankie"),
        (turn(Trigger.ADDRESS, "Clankie, what time is it?", "Clankie, hello"), "", "ask_clankie"),
        (turn(Trigger.OFFER, "what does it say in the notes about lunch?", "hm"), "", "ask_clankie"),
        (turn(Trigger.OFFER, "he says that all the time"), "", None),
        (turn(Trigger.ADDRESS, "Clankie, leave!"), "Goodbye.", "voice_leave"),
        (turn(Trigger.TYPED, "go away"), "Goodbye.", "voice_leave"),
        (turn(Trigger.OFFER, "somebody told Clankie to go away"), "", None),
        (turn(Trigger.VOLITION, "what time is it?"), "", None),
        (turn(Trigger.ADDRESS, "Clankie, remember that I like tea"), "", "ask_clankie"),
        (turn(Trigger.ADDRESS, "Clankie, open the activity, will you"), "", "ask_clankie"),
        (turn(Trigger.OFFER, "who is here?"), "", "ask_clankie"),
    ],
)
def test_the_rules_are_few_and_mostly_silent(brief: TurnBrief, text: str, tool: str | None) -> None:
    reply = decide(brief, at_a_loss=0)
    assert (reply.text, reply.tool) == (text, tool)


def test_without_a_language_model_he_says_so_once_and_then_in_other_words_each_time() -> None:
    said = [
        decide(turn(Trigger.ADDRESS, "Clankie, I have to leave"), at_a_loss=times).text for times in range(6)
    ]
    assert said == [NO_MODEL, *AT_A_LOSS]
    assert not any("model" in one for one in AT_A_LOSS)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Clankie", "Yes?"),
        ("Hello Clankie", "Hello."),
        ("Thank you, Clankie!", "You are welcome."),
        ("Thanks for the help", "You are welcome."),
        ("🎈", NO_MODEL),
    ],
)
def test_courtesies_are_returned(said: str, text: str) -> None:
    reply = decide(turn(Trigger.ADDRESS, said), at_a_loss=0)
    assert (reply.text, reply.tool) == (text, None)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Clankie, help", True),
        ("Clankie, can you help me?", True),
        ("what can you do?", True),
        ("Clankie, forget everything", True),
        ("Clankie, please forget me", True),
        ("Clankie, what is my cat called?", True),
        ("Clankie, how does this work", True),
        ("I could not help laughing", False),
        ("we forget everything we learn", False),
    ],
)
def test_help_what_to_forget_and_any_question_are_for_the_captain(said: str, asked: bool) -> None:
    reply = decide(turn(Trigger.TYPED, said), at_a_loss=0)
    assert (reply.tool == "ask_clankie") is asked
    if asked:
        assert reply.request == said


@pytest.mark.parametrize(
    ("said", "goes"),
    [
        ("Clankie, leave", True),
        ("Leave now, please.", True),
        ("Clankie, can you please leave the channel?", True),
        ("Get out of here!", True),
        ("Thank you Clankie, you may leave us now", True),
        ("leave it, Clankie", False),
        ("Clankie, please leave the light on", False),
        ("Clankie, when does the train leave?", False),
        ("how do people get out of the maze", False),
        ("we can leave now", False),
        ("let's leave", False),
        ("Clankie, do not leave", False),
    ],
)
def test_only_a_line_that_is_nothing_but_an_order_sends_him_away(said: str, goes: bool) -> None:
    reply = decide(turn(Trigger.ADDRESS, said), at_a_loss=0)
    assert (reply.tool == "voice_leave") is goes


@pytest.mark.parametrize(
    ("said", "takes_back"),
    [
        ("Clankie, never mind", True),
        ("Oh, nevermind, thanks", True),
        ("Don't bother, Klanky.", True),
        ("okay, forget it", True),
        ("Never mind the gap, mind the time", False),
        ("Never mind that, what time is it?", False),
        ("I never said so, mind you", False),
        ("Clankie, never forget it", False),
        ("Do not cancel that", False),
        ("Please never cancel it", False),
        ("I forget it", False),
        ("Clankie, hello", False),
    ],
)
def test_what_is_nothing_but_never_mind_is_taken_back_while_something_is_open(
    said: str, takes_back: bool
) -> None:
    for trigger in (Trigger.ADDRESS, Trigger.TYPED, Trigger.OFFER):
        reply = decide(turn(trigger, said, open_requests=("the time",)), at_a_loss=1)
        assert (reply.tool == "take_back") is takes_back
        assert decide(turn(trigger, said), at_a_loss=1).tool != "take_back"


@pytest.mark.parametrize(
    ("said", "tool"),
    [
        (("Clankie!", "Never mind."), "take_back"),
        (("Clankie, never mind.", "Forget it, thanks."), "take_back"),
        (("Never mind, Clankie.", "What time is it, Clankie?"), "ask_clankie"),
        (("What time is it, Clankie?", "Never mind."), "ask_clankie"),
    ],
)
def test_never_mind_eats_no_question_that_comes_in_the_same_turn(said: tuple[str, ...], tool: str) -> None:
    assert decide(turn(Trigger.ADDRESS, *said, open_requests=("the key",)), at_a_loss=1).tool == tool


def test_he_claims_no_more_than_the_house_does_with_what_others_asked() -> None:
    reply = decide(turn(Trigger.ADDRESS, "Never mind.", open_requests=("the key",)), at_a_loss=1)
    assert reply.text == "All right, I drop what you asked for."
