"""Talking over him: a cough never cuts, a "stop" always does, and a late word comes too late."""

from __future__ import annotations

from actors.realtime.script import ScriptedReply
from messages.evidence import FloorDecision, Interrupted, ModelResponse, Overlap, Playback, Response
from tests.stories.sound import NOISE
from tests.stories.telling import tell
from tests.stories.world import World

LONG = " ".join(f"Sentence number {number} of a very long story." for number in range(4))
STORY = ScriptedReply(heard="tell us a story", text=LONG)
NINE = ScriptedReply(heard="what time is it", text="It is nine.")


def listening(seed: int) -> World:
    """Return a world in which Anna holds the floor and he has begun a long story."""
    people = ("anna", "ben")
    world = World(seed, people=people, replies=[STORY, NINE])
    took = world.say("anna", "Clankie tell us a story")
    world.run(took + 1.5 + seed % 10 / 10)
    assert world.receipts(Playback, phase="started")
    return world


def test_a_cough_ducks_him_and_does_not_cut() -> None:
    def story(seed: int) -> World:
        with listening(seed) as world:
            world.say("ben", f"{NOISE} {NOISE} {NOISE}")
            world.run(6.0)
            assert [one.phase for one in world.receipts(Overlap)] == ["ducked", "resumed"]
            world.run(12.0)
            assert world.receipts(Interrupted) == []
            assert world.spoken == [LONG]
        return world

    tell(story)


def test_acknowledgements_neither_cut_nor_get_an_answer() -> None:
    def story(seed: int) -> World:
        with listening(seed) as world:
            for number, word in enumerate(("yeah", "okay", "right", "nice", "mm-hm")):
                world.say("anna" if number % 2 else "ben", word)
                world.run(2.5)
            world.run(12.0)
            assert world.receipts(Interrupted) == []
            assert world.spoken == [LONG]
            assert len(world.receipts(ModelResponse, phase="requested")) == 2
        return world

    tell(story)


def test_a_stop_of_the_holder_cuts_at_once_and_asks_for_nothing() -> None:
    def story(seed: int) -> World:
        with listening(seed) as world:
            took = world.say("anna", "stop")
            world.run(took + 1.0)
            assert [one.rule for one in world.receipts(Interrupted)] == ["control"]
            assert len(world.receipts(Playback, phase="cut")) == 1
            silent_from = len(world.air.spoken)
            world.run(20.0)
            assert len(world.air.spoken) == silent_from
            assert len(world.receipts(ModelResponse, phase="requested")) == 2
            assert LONG.startswith(world.spoken[0])
            assert [one.whole for one in world.receipts(Response)] == [False]
        return world

    tell(story)


def test_a_stop_of_somebody_else_needs_his_name() -> None:
    def story(seed: int) -> World:
        with listening(seed) as world:
            world.say("ben", "stop")
            world.run(3.0)
            assert world.receipts(Interrupted) == []
            world.say("ben", "Clankie stop")
            world.run(3.0)
            assert len(world.receipts(Interrupted)) == 1
        return world

    tell(story)


def test_an_address_over_him_cuts_and_becomes_his_next_turn() -> None:
    def story(seed: int) -> World:
        with listening(seed) as world:
            world.say("ben", "Clankie what time is it")
            world.run(10.0)
            assert [one.rule for one in world.receipts(Interrupted)] == ["address"]
            assert world.spoken[-1] == "It is nine."
            assert len(world.spoken) == 2
        return world

    tell(story)


def test_an_ear_that_dies_after_its_words_have_cut_him_costs_nobody_his_answer() -> None:
    def story(seed: int) -> World:
        people = ("anna", "ben")
        what = ScriptedReply(heard="Clankie what", text="It is nine.")
        with World(seed, people=people, replies=[STORY, what]) as world:
            took = world.say("anna", "Clankie tell us a story")
            world.run(took + 1.5 + seed % 10 / 10)
            world.say("ben", "Clankie what time is it over there where you are today my friend")
            for _ in range(40):
                if not world.receipts(Interrupted):
                    world.run(0.1)
            world.crash("ben")
            world.run(8.0)
            assert [one.partial for one in world.receipts(Interrupted)] == [True]
            assert world.spoken[1:] == ["It is nine."]
        return world

    tell(story)


def test_other_peoples_talk_and_a_mere_mention_do_not_cut() -> None:
    def story(seed: int) -> World:
        with listening(seed) as world:
            world.say("ben", "I told you clankie's build is broken again today")
            world.run(5.0)
            world.run(12.0)
            assert world.receipts(Interrupted) == []
            assert world.spoken[0] == LONG
        return world

    tell(story)


def test_his_own_echo_does_not_cut() -> None:
    def story(seed: int) -> World:
        with listening(seed) as world:
            world.say("anna", "Sentence number 1 of a very long story")
            world.run(5.0)
            assert world.receipts(Interrupted) == []
            assert world.receipts(FloorDecision, rule="echo")
        return world

    tell(story)


def test_speech_that_began_before_he_was_heard_cuts_nothing() -> None:
    def story(seed: int) -> World:
        with World(seed, people=("anna", "ben"), replies=[STORY]) as world:
            took = world.say("anna", "Clankie tell us a story")
            world.say("ben", "Clankie stop it now please would you", delay=took + 0.2 - seed % 4 / 10)
            world.run(6.0)
            started = world.receipts(Playback, phase="started")
            if started:
                assert not [one for one in world.receipts(Interrupted) if one.rule != "control"]
        return world

    tell(story)


def test_a_line_that_confirms_after_the_end_cuts_nothing() -> None:
    def story(seed: int) -> World:
        short = ScriptedReply(heard="what time is it", text="It is nine.")
        with World(seed, people=("anna", "ben"), replies=[short, STORY]) as world:
            took = world.say("anna", "Clankie what time is it")
            world.run(took + 1.3)
            world.say("ben", "well stop by tomorrow and bring the other thing along")
            world.run(10.0)
            assert world.receipts(Interrupted) == []
            assert world.spoken == ["It is nine."]
        return world

    tell(story)


def test_after_a_cut_the_next_reply_has_nothing_of_the_last() -> None:
    def story(seed: int) -> World:
        with listening(seed) as world:
            world.say("anna", "stop")
            world.run(2.0)
            mark = len(world.air.spoken)
            world.say("anna", "Clankie what time is it")
            world.run(8.0)
            words = [chunk.partition(b"\0")[0] for _, chunk in world.air.spoken[mark:]]
            said = [word.decode() for word in words if word.isascii() and word[:1].isalpha()]
            assert said == ["It", "is", "nine."]
        return world

    tell(story)
