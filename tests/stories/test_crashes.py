"""Any one actor may crash at any moment, and the room has him back as the tree promises."""

from __future__ import annotations

import pytest

from actors.console.wire import parse
from actors.realtime.script import ScriptedReply
from actors.stay.leaving import BROKEN_NOTICE
from messages.console import StatusAsked
from messages.evidence import BridgeDegraded, Degraded, Failed, Joined, Left, Response
from messages.ids import HandoffId, PersonId
from messages.realtime import HandoffReturned
from supervisors import tree
from supervisors.doors import FamilyDoors
from tests.stories.telling import tell
from tests.stories.world import World

STORY = ScriptedReply(heard="tell us a story", text="One is short. Two is longer. Three is the end of it.")
HELLO = ScriptedReply(heard="are you there", text="Yes I am here.")
ASK = ScriptedReply(heard="look it up", text="Let me see.", tool="ask_clankie", request="What day is it?")
RESULT = ScriptedReply(when="handoff_result", text="Here it is: {result}")

KEEP_THE_STAY = [
    "evidence",
    "captain",
    "console",
    "voice",
    "mouth/playback",
    "mouth/tts",
    "mouth/floor",
    "realtime",
]
SUPERVISORS = ["mouth", "ears"]


def restarts(world: World) -> list[tuple[str, str]]:
    """Who is on record as having begun anew, and how the life before ended."""
    house = [(one.part, one.reason) for one in world.receipts(BridgeDegraded)]
    stay = [(one.part or "", one.reason) for one in world.receipts(Degraded, phase="restarted")]
    return house + stay


def on_paper(world: World, kind: str) -> int:
    """How many receipts of this kind were written down, whoever watched."""
    return sum(f'"discord.voice.{kind}"' in line for line in world.paper)


@pytest.mark.parametrize("actor", [*KEEP_THE_STAY, *SUPERVISORS])
def test_a_crash_at_any_moment_costs_at_most_the_sentence(actor: str) -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[STORY, HELLO]) as world:
            world.say("anna", "Clankie tell us a story")
            world.run(0.2 + seed / 40)
            world.crash(actor)
            world.run(6.0)
            assert world.receipts(Left) == []
            assert restarts(world) == [(actor, "crashed")]
            world.room.consent(PersonId("anna"), True)
            world.run(0.5)
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            assert world.spoken[-1:] == ["Yes I am here."]
        assert world.left == ["shutdown"]
        return world

    tell(story, 60)


@pytest.mark.parametrize(
    ("actor", "reason", "again"),
    [
        ("stay", "crashed", []),
        ("gateway", "gateway_lost", [("body/gateway", "crashed")]),
        ("stays", "crashed", [("body/stays", "crashed")]),
    ],
)
def test_a_crash_that_costs_the_stay_leaves_a_house_that_can_join_again(
    actor: str, reason: str, again: list[tuple[str, str]]
) -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[STORY, HELLO]) as world:
            world.say("anna", "Clankie tell us a story")
            world.run(0.2 + seed / 40)
            world.crash(actor)
            world.run(6.0)
            assert world.left == [reason]
            assert restarts(world) == again
            world.join()
            world.run(1.0)
            world.room.consent(PersonId("anna"), True)
            world.run(0.5)
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            assert world.spoken[-1:] == ["Yes I am here."]
        assert len(world.receipts(Joined)) == 2
        return world

    tell(story, 80)


def test_a_storm_of_crashes_in_the_mouth_ends_the_stay_and_not_the_house() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[HELLO]) as world:
            actors = ("mouth/playback", "mouth/tts", "mouth/floor")
            for number in range(30):
                if not any(path.endswith("/mouth/tts") for path in world.stage.living()):
                    break
                world.crash(actors[(number + seed) % 3])
                world.run(0.2)
            assert world.left == ["crashed"]
            world.stage.crashes.clear()
            world.join()
            world.run(1.0)
            assert len(world.receipts(Joined)) == 2
        return world

    tell(story)


def test_a_result_finds_the_room_although_the_conversation_crashed_meanwhile() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[ASK, RESULT], captain_delay=6.0) as world:
            world.say("anna", "Clankie look it up")
            world.run(3.0 + seed / 80)
            world.crash("realtime")
            world.run(15.0)
            assert world.spoken[-1].startswith("Here it is: ")
        return world

    tell(story)


def test_the_console_and_the_audience_go_on_watching_a_record_that_begins_anew() -> None:
    def story(seed: int) -> World:
        shown: list[str] = []
        with World(seed, replies=[HELLO]) as world:
            world.crash("evidence")
            world.run(1.0)
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            world.doors.console.tell(StatusAsked(answer=shown.append))
            world.run(1.0)
        assert world.receipts(Response)
        report = parse(shown[0].encode())
        assert report is not None
        assert "he was heard, to the end: address" in [reason.text for reason in report.reasons]
        return world

    tell(story)


def test_a_crash_of_the_captain_is_told_and_nobody_waits_for_ever() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[ASK], captain_delay=6.0) as world:
            world.say("anna", "Clankie look it up")
            world.run(3.0 + seed / 80)
            world.crash("captain")
            world.run(15.0)
            assert world.receipts(Failed, stage="captain_handoff")
        return world

    tell(story)


@pytest.mark.parametrize("actor", ["stay", "gateway"])
def test_a_stay_that_falls_while_the_record_begins_anew_has_its_one_left_and_the_room_is_told(
    actor: str,
) -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[STORY]) as world:
            world.say("anna", "Clankie tell us a story")
            world.run(0.2 + seed / 40)
            for each in ("evidence", actor) if seed % 2 else (actor, "evidence"):
                world.crash(each)
            world.run(3.0)
            assert on_paper(world, "left") == 1
            assert world.posts.count(BROKEN_NOTICE) == 1
        return world

    tell(story, 40)


def test_what_is_recorded_while_nobody_keeps_the_record_is_recorded_later() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[HELLO]) as world:
            gate = world.doors.evidence
            gate.unbind()
            world.say("anna", "Clankie are you there")
            world.run(6.0)
            assert on_paper(world, "response") == 0
            world.crash("evidence")
            world.run(1.0)
            assert on_paper(world, "response") == 1
        return world

    tell(story, 5)


def test_what_is_written_to_him_while_his_floor_begins_anew_is_answered() -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[HELLO]) as world:
            world.crash("mouth/floor")
            world.room.type(PersonId("anna"), "Clankie, are you there?")
            world.run(6.0)
            assert world.spoken == ["Yes I am here."]
        return world

    tell(story, 40)


@pytest.mark.parametrize("actor", ["mouth/floor", "mouth"])
def test_what_is_written_to_him_in_the_moment_of_a_crash_is_answered_once(actor: str) -> None:
    def story(seed: int) -> World:
        with World(seed, replies=[HELLO, HELLO]) as world:
            world.room.type(PersonId("anna"), "Clankie, are you there?")
            world.crash(actor)
            world.run(6.0)
            assert [*world.spoken, *world.posts] == ["Yes I am here."]
        return world

    tell(story, 40)


def result(text: str) -> HandoffReturned:
    return HandoffReturned(handoff=HandoffId("h1"), request="What day is it?", text=text)


@pytest.fixture
def families(monkeypatch: pytest.MonkeyPatch) -> list[FamilyDoors]:
    """The doors of every stay that begins."""
    began: list[FamilyDoors] = []

    def noted() -> FamilyDoors:
        began.append(FamilyDoors())
        return began[-1]

    monkeypatch.setattr(tree, "FamilyDoors", noted)
    return began


@pytest.mark.parametrize("late", [True, False])
def test_a_result_told_in_the_moment_in_which_a_stay_ends_is_written(
    families: list[FamilyDoors], late: bool
) -> None:
    def story(seed: int) -> World:
        families.clear()
        with World(seed) as world:
            if not late:
                families[0].realtime.unbind()
                families[0].realtime.tell(result("Monday."))
            world.crash("stay")
            world.run(3.0)
            if late:
                families[0].realtime.tell(result("Monday."))
            world.run(1.0)
            assert world.posts[-1:] == ["About “What day is it?”: Monday."]
            assert [one.reason for one in world.receipts(Failed)] == ["result_posted"]
        return world

    tell(story, 10)


def test_a_result_told_while_the_conversation_begins_anew_is_said(families: list[FamilyDoors]) -> None:
    def story(seed: int) -> World:
        families.clear()
        with World(seed, replies=[RESULT]) as world:
            world.crash("realtime")
            families[0].realtime.tell(result("Monday."))
            world.run(6.0)
            assert world.spoken == ["Here it is: Monday."]
        return world

    tell(story, 10)
