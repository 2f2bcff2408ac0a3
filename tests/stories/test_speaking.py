"""What becomes of an answer when the voice fails: it is heard, or written, and never both in silence."""

from __future__ import annotations

from actors.realtime.script import ScriptedReply
from messages.evidence import Failed, ModelResponse, Playback
from tests.stories.sound import Fault
from tests.stories.telling import tell
from tests.stories.world import World

THREE = "Sentence one is here. Sentence two is here. Sentence three is here."
STORY = ScriptedReply(heard="tell us a story", text=THREE)
NINE = ScriptedReply(heard="what time is it", text="It is nine.")
QUESTION = "Clankie tell us a story"


def test_a_failure_before_the_first_sound_is_tried_again_and_nobody_notices() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[STORY]) as world:
            world.faults.append((Fault.FAILS, Fault.LOSES_CONNECTION)[seed % 2])
            world.say("anna", QUESTION)
            world.run(8.0)
            assert world.spoken == [THREE]
            assert world.receipts(Failed) == []
        return world

    tell(story)


def test_an_answer_that_fails_twice_is_written_and_the_next_one_is_spoken() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[STORY, NINE]) as world:
            world.faults.extend([Fault.FAILS, Fault.FAILS])
            world.say("anna", QUESTION)
            world.run(8.0)
            assert [one.stage for one in world.receipts(Failed)] == ["speech_synthesis"]
            assert world.receipts(Failed)[0].utterance_id
            assert world.posts == [THREE]
            world.say("anna", "Clankie what time is it")
            world.run(5.0)
            assert world.spoken == ["It is nine."]
        return world

    tell(story)


def test_a_failure_in_the_middle_lets_out_what_was_made_and_writes_the_rest() -> None:
    def story(seed: int) -> World:
        fault = (Fault.FAILS, Fault.MAKES_HALF, Fault.LOSES_CONNECTION)[seed % 3]
        with World(seed, replies=[STORY, NINE]) as world:
            world.faults.extend([None, fault])
            world.say("anna", QUESTION)
            world.run(12.0)
            assert world.spoken[0].startswith("Sentence one is here.")
            assert len(world.posts) == 1
            assert world.posts[0].endswith("Sentence three is here.")
            assert len(world.receipts(Failed, stage="speech_synthesis")) == 1
            world.say("anna", "Clankie what time is it")
            world.run(5.0)
            assert world.spoken[-1] == "It is nine."
        return world

    tell(story)


def test_a_voice_that_says_nothing_is_given_up_and_he_can_be_asked_again() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[STORY, NINE]) as world:
            world.faults.extend([Fault.SAYS_NOTHING, Fault.SAYS_NOTHING])
            world.say("anna", QUESTION)
            world.run(45.0)
            assert world.posts == [THREE]
            world.say("anna", "Clankie what time is it")
            world.run(5.0)
            assert world.spoken == ["It is nine."]
        return world

    tell(story)


def test_the_death_of_an_idle_connection_says_nothing() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[NINE]) as world:
            world.run(20.0)
            world.synthesizer.lose_connection()
            world.say("anna", "Clankie what time is it")
            world.run(5.0)
            assert world.spoken == ["It is nine."]
            assert world.receipts(Failed) == []
        return world

    tell(story)


def test_a_late_error_after_the_stay_has_ended_says_nothing() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[STORY]) as world:
            world.say("anna", QUESTION)
            world.run(2.0 + seed % 10 / 10)
            world.room.kick()
            world.run(seed % 7 / 100)
            world.synthesizer.lose_connection()
            world.run(5.0)
            assert world.left == ["kicked"]
            assert world.receipts(Failed, stage="speech_synthesis") == []
            assert world.posts == []
        return world

    tell(story)


def test_an_error_of_a_cut_answer_is_not_an_error_of_the_next() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[STORY, NINE]) as world:
            world.faults.extend([None, Fault.SAYS_NOTHING])
            took = world.say("anna", QUESTION)
            world.run(took + 1.3)
            took = world.say("anna", "stop")
            world.run(took + 1.0 + seed % 5 / 10)
            world.synthesizer.lose_connection()
            world.say("anna", "Clankie what time is it")
            world.run(6.0)
            assert world.spoken[-1] == "It is nine."
            assert world.receipts(Failed) == []
            assert world.posts == []
        return world

    tell(story)


def test_an_answer_of_five_minutes_is_said_to_its_end() -> None:
    many = " ".join(f"Sentence number {number} is here." for number in range(200))
    for seed in range(3):
        with World(seed, replies=[ScriptedReply(heard="tell us a story", text=many)]) as world:
            world.say("anna", QUESTION)
            world.run(330.0)
            assert world.spoken == [many]
            assert [one.phase for one in world.receipts(Playback)] == ["buffered", "started", "drained"]
            assert len(world.receipts(ModelResponse, phase="completed", outcome="spoke")) == 1
