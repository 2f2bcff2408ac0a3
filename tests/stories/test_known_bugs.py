"""What goes wrong in other voice bots, told once for each kind, and what right looks like."""

from __future__ import annotations

from actors.realtime.script import ScriptedReply
from messages.evidence import Handoff, HeardWords, Joined, ModelResponse, RealtimeTool, Utterance
from tests.stories.sound import NOISE
from tests.stories.telling import tell
from tests.stories.world import World

NINE = ScriptedReply(heard="what time is it", text="It is nine.")
HERE = ScriptedReply(heard="are you there", text="Yes I am here.")
ASK = ScriptedReply(heard="look it up", text="Let me see.", tool="ask_clankie", request="What day is it?")
RESULT = ScriptedReply(when="handoff_result", text="Here it is: {result}")


def test_a_cough_between_question_and_answer_does_not_lose_the_answer() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[NINE]) as world:
            took = world.say("anna", "Clankie what time is it")
            world.say("anna", NOISE, delay=took + 0.7 + seed % 5 / 10)
            world.run(10.0)
            assert world.spoken == ["It is nine."]
        return world

    tell(story, 100)


def test_a_yes_to_his_question_is_an_answer_and_not_a_noise() -> None:
    question = ScriptedReply(heard="tell us a story", text="Shall I tell you one?")
    more = ScriptedReply(heard="yeah", text="Once upon a time.")
    people = ("anna", "ben")

    def story(seed: int) -> World:
        with World(seed, people=people, replies=[question, more]) as world:
            world.say("anna", "Clankie tell us a story")
            world.run(6.0)
            world.say("anna", "yeah")
            world.run(6.0)
            assert world.spoken == ["Shall I tell you one?", "Once upon a time."]
        return world

    tell(story, 100)


def test_while_the_captain_works_he_answers_and_the_result_comes_once() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[ASK, HERE, RESULT], captain_delay=30.0) as world:
            world.say("anna", "Clankie look it up")
            world.run(5.0 + seed % 10)
            took = world.say("anna", "Clankie are you there")
            world.run(took + 2.0)
            assert "Yes" in world.speaking()
            world.run(40.0)
            results = [text for text in world.spoken if text.startswith("Here it is: ")]
            assert len(results) == 1
            assert [one.phase for one in world.receipts(Handoff)] == ["began", "returned"]
        return world

    tell(story, 100)


def test_an_unknown_tool_gets_its_answer_and_he_goes_on() -> None:
    odd = ScriptedReply(heard="make us coffee", tool="make_coffee")

    def story(seed: int) -> World:
        with World(seed, replies=[odd, HERE]) as world:
            world.say("anna", "Clankie make us coffee")
            world.run(5.0)
            calls = world.receipts(RealtimeTool, name="unknown")
            assert [(one.phase, one.outcome) for one in calls] == [("called", None), ("answered", "error")]
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            assert world.spoken == ["Yes I am here."]
        return world

    tell(story, 60)


def test_a_hand_off_is_of_who_asked_and_not_of_who_speaks_now() -> None:
    def story(seed: int) -> World:
        with World(seed, people=("anna", "ben"), replies=[ASK, RESULT]) as world:
            took = world.say("anna", "Clankie look it up")
            world.say("ben", "and then we went to the sea", delay=took - 0.3 + seed % 6 / 10)
            world.run(15.0)
            assert {one.asker_id for one in world.receipts(Handoff)} == {"anna"}
        return world

    tell(story, 100)


def test_leave_and_look_into_it_loses_neither_half() -> None:
    go = ScriptedReply(heard="then go", text="I will.", tool="voice_leave")

    def story(seed: int) -> World:
        with World(seed, replies=[ASK, go, RESULT], captain_delay=5.0) as world:
            world.say("anna", "Clankie look it up")
            world.run(4.0)
            world.say("anna", "Clankie then go")
            world.run(20.0)
            assert world.left == ["self_decided"]
            assert [one.phase for one in world.receipts(Handoff)] in (
                ["began", "posted"],
                ["began", "returned"],
            )
            told = [
                text for text in (*world.spoken, *world.posts) if "What day is it" in text or "It is" in text
            ]
            assert told
            assert len(world.receipts(Joined)) == 1
        return world

    tell(story, 100)


def test_of_two_who_speak_at_once_both_are_heard_each_in_his_own_name() -> None:
    def story(seed: int) -> World:
        with World(seed, people=("anna", "ben", "carl")) as world:
            world.say("anna", "the weather was really good today")
            world.say("ben", "I like the mountains best of all", delay=seed % 8 / 10)
            world.say("carl", "and what about lunch then", delay=seed % 5 / 10)
            world.run(8.0)
            heard = {(one.person_id, one.text) for one in world.words() if isinstance(one, HeardWords)}
            assert heard == {
                ("anna", "the weather was really good today"),
                ("ben", "I like the mountains best of all"),
                ("carl", "and what about lunch then"),
            }
            assert len(world.receipts(Utterance)) == 3
        return world

    tell(story, 100)


def test_nobody_in_his_own_talk_makes_him_leave_or_fall_asleep() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[HERE]) as world:
            for _ in range(6):
                world.say("anna", "I am only talking to myself")
                world.run(60.0)
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            assert world.left == []
            assert world.spoken == ["Yes I am here."]
        return world

    tell(story, 20)


def test_one_turn_is_in_flight_at_any_time() -> None:
    def story(seed: int) -> World:
        with World(seed, people=("anna", "ben"), replies=[NINE, HERE]) as world:
            world.say("anna", "Clankie what time is it")
            world.say("ben", "Clankie are you there", delay=seed % 9 / 10)
            world.run(20.0)
            in_flight = 0
            for one in world.receipts(ModelResponse):
                in_flight += 1 if one.phase == "requested" else -1
                assert in_flight in (0, 1)
        return world

    tell(story, 100)
