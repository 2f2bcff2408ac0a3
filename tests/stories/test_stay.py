"""Joining, staying and leaving: what a room may expect whatever the order of events."""

from __future__ import annotations

from actors.realtime.script import ScriptedReply
from messages.evidence import Consent, Failed, Joined, Left, Membership, ModelResponse, Playback, RealtimeTool
from messages.gateway import AskedBy, LeaveAnswered, LeaveVoice
from messages.gateway import Joined as CameIn
from messages.ids import PersonId
from tests.probe import Probe
from tests.stories.telling import tell
from tests.stories.world import World

LONG = " ".join(["So this is a long story that goes on for a while."] * 2)
ANSWER = ScriptedReply(heard="tell us a story", text=LONG)
HELLO = ScriptedReply(heard="are you there", text="Yes I am here.")
GO = ScriptedReply(when="membership", text="Nobody is here any more.", tool="voice_leave")


def test_who_removes_him_is_obeyed_and_he_does_not_come_back() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[ANSWER]) as world:
            world.say("anna", "Clankie tell us a story")
            world.run(3.0 + seed % 7 / 10)
            world.room.kick()
            world.run(30.0)
            assert world.left == ["kicked"]
            assert len(world.receipts(Joined)) == 1
        return world

    tell(story)


def test_an_operator_sends_him_away_in_mid_sentence() -> None:
    def story(seed: int) -> World:
        answered: Probe[LeaveAnswered] = Probe()
        with World(seed, replies=[ANSWER]) as world:
            world.say("anna", "Clankie tell us a story")
            world.run(2.0 + seed % 11 / 10)
            world.doors.gateway.tell(LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=answered))
            world.run(8.0)
            assert world.left == ["operator"]
            assert len(answered.received()) == 1
        return world

    tell(story)


def test_he_can_be_asked_back_the_moment_he_has_left() -> None:
    def story(seed: int) -> World:
        with World(seed) as world:
            world.room.kick()
            while not world.left:
                world.run(0.0)
                world.run(0.01)
            world.join()
            world.run(2.0)
            assert type(world.answers.received()[-1]) is CameIn
            assert len(world.receipts(Joined)) == 2
        return world

    tell(story)


def test_asking_him_to_where_he_is_changes_nothing() -> None:
    def story(seed: int) -> World:
        with World(seed) as world:
            world.join()
            world.join()
            world.run(1.0)
            assert [type(one) for one in world.answers.received()] == [CameIn] * 3
            assert len(world.receipts(Joined)) == 1
            assert world.receipts(Consent, phase="granted")[0].person_id == "anna"
        return world

    tell(story)


def test_shutting_the_house_in_mid_sentence_leaves_one_left() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[ANSWER]) as world:
            world.say("anna", "Clankie tell us a story")
            world.run(1.0 + seed % 30 / 10)
        assert world.left == ["shutdown"]
        return world

    tell(story)


def test_a_crash_of_the_stay_itself_ends_it_and_nobody_rejoins_by_reflex() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[ANSWER]) as world:
            world.say("anna", "Clankie tell us a story")
            world.run(1.0 + seed % 30 / 10)
            world.crash("stay")
            world.run(30.0)
            assert world.left == ["crashed"]
            world.join()
            world.run(1.0)
            assert len(world.receipts(Joined)) == 2
        return world

    tell(story)


def test_the_fall_of_the_gateway_takes_the_stay_along() -> None:
    def story(seed: int) -> World:
        with World(seed) as world:
            world.crash("gateway")
            world.run(5.0)
            assert world.left == ["gateway_lost"]
            world.join()
            world.run(1.0)
            assert len(world.receipts(Joined)) == 2
        return world

    tell(story)


def test_in_an_empty_room_he_stays_for_as_long_as_he_likes() -> None:
    def story(seed: int) -> World:
        with World(seed) as world:
            world.depart("anna")
            world.run(3_600.0)
            assert world.left == []
            assert len(world.receipts(ModelResponse, trigger="membership", phase="completed")) == 1
            world.arrive("anna")
            world.run(5.0)
            assert world.receipts(Membership, change="arrived", humans=1)
        assert world.left == ["shutdown"]
        return world

    tell(story)


def test_in_an_empty_room_he_may_decide_to_leave_and_says_goodbye_first() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[GO]) as world:
            world.depart("anna")
            world.run(20.0)
            assert world.left == ["self_decided"]
            assert world.spoken == ["Nobody is here any more."]
            assert len(world.receipts(RealtimeTool, name="voice_leave", phase="answered")) == 1
        return world

    tell(story)


def test_a_flapping_member_costs_one_turn_and_not_twenty() -> None:
    def story(seed: int) -> World:
        with World(seed, people=("anna", "ben")) as world:
            for _ in range(20):
                world.depart("ben")
                world.run(0.1 + seed % 3 / 10)
                world.arrive("ben")
                world.run(0.1)
            spent = world.clock.now()
            world.run(12.0)
            turns = world.receipts(ModelResponse, trigger="membership", phase="requested")
            assert 1 <= len(turns) <= 2 + spent // 10
        return world

    tell(story)


def test_who_opts_out_is_not_decoded_any_more_and_his_lines_are_forgotten() -> None:
    def story(seed: int) -> World:
        with World(seed, people=("anna", "ben"), replies=[HELLO]) as world:
            world.say("ben", "the secret is out")
            world.run(3.0)
            world.room.consent(PersonId("ben"), False)
            world.run(0.5)
            world.say("ben", "Clankie are you there")
            world.run(4.0)
            assert world.heard == ["the secret is out"]
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            assert world.spoken == ["Yes I am here."]
            world.room.kick()
            world.run(3.0)
            ben = world.receipts(Consent, phase="counted", person_id="ben")[0]
            assert ben.unread == 5 * (12 + 7)
        return world

    tell(story)


def test_who_opts_in_while_he_is_still_coming_is_heard() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[HELLO]) as world:
            world.room.kick()
            world.run(3.0)
            world.join()
            if seed % 4:
                world.run(seed % 8 / 100)
            world.room.consent(PersonId("anna"), True)
            world.run(1.0)
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            assert world.spoken == ["Yes I am here."]
        return world

    tell(story)


def test_nobody_who_has_not_consented_is_decoded() -> None:
    def story(seed: int) -> World:
        with World(seed, people=("anna", "carl"), consented=("anna",), replies=[HELLO]) as world:
            world.say("carl", "Clankie are you there")
            world.say("anna", "so the other day we went out", delay=seed % 5 / 10)
            world.run(6.0)
            assert world.heard == ["so the other day we went out"]
            world.room.kick()
            world.run(3.0)
            carl = world.receipts(Consent, phase="counted", person_id="carl")[0]
            assert (carl.decoded, carl.unread) == (0, 5 * (12 + 7))
        return world

    tell(story)


def test_a_crashed_voice_link_costs_the_sentence_and_not_the_stay() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[ANSWER, HELLO]) as world:
            world.say("anna", "Clankie tell us a story")
            world.run(3.5 + seed % 20 / 10)
            world.crash("voice")
            world.run(3.0)
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            assert world.left == []
            assert world.spoken[-1] == "Yes I am here."
            assert len(world.receipts(Playback, phase="failed")) <= 1
        return world

    tell(story)


def test_a_crashed_ear_is_told_to_the_room_and_opens_again_when_asked() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[HELLO]) as world:
            world.say("anna", "Clankie are you there")
            world.run(0.3 + seed % 8 / 10)
            world.crash("ears/anna")
            world.run(4.0)
            assert world.receipts(Failed, stage="capture")
            assert any("Anna" in post for post in world.posts)
            world.room.consent(PersonId("anna"), True)
            world.run(0.5)
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            assert world.spoken == ["Yes I am here."]
        return world

    tell(story)


def test_however_it_ends_what_came_of_each_persons_packets_is_on_record_before_the_left() -> None:
    def story(seed: int) -> World:
        with World(seed, people=("anna", "carl"), consented=("anna",)) as world:
            world.say("anna", "so the other day we went out")
            world.say("carl", "and I came along")
            world.run(seed % 12 / 3)
            if seed % 4 == 0:
                world.crash("voice")
                world.run(seed % 5 / 10)
            if seed % 3 == 0:
                world.room.kick()
                world.run(seed % 7 / 100)
        *before, left = [one for one in world.all_receipts() if isinstance(one, Left | Consent)]
        assert isinstance(left, Left)
        counted = {
            one.person_id: one for one in before if isinstance(one, Consent) and one.phase == "counted"
        }
        assert list(counted.values()) == before[len(before) - len(counted) :]
        sent = world.air.carried
        assert {name: (one.decoded or 0) + (one.unread or 0) for name, one in counted.items()} == sent
        assert all(one.decoded == 0 for name, one in counted.items() if name == "carl")
        return world

    tell(story)
