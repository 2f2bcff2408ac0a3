"""Written to in a channel, in private, or in the room that he is in: he answers once, and talks meanwhile."""

from __future__ import annotations

import pytest

from actors.gateway.replying import LOST_NOTICE
from actors.gateway.settings import TextSettings
from actors.realtime.script import ScriptedReply
from messages.evidence import BridgeReady, BridgeStopped, TextInput, TextReply
from messages.ids import GuildId, RoomId
from tests.stories.telling import tell
from tests.stories.town import BAR, CLUB, DEN, Town
from tests.stories.writers import CHAT, Writers

DM = RoomId("51")
LONG = " ".join(["So this is a long story that goes on for a while."] * 2)
STORY = ScriptedReply(heard="tell us a story", text=LONG)
HELLO = ScriptedReply(heard="are you there", text="Yes I am here.")


def test_a_mention_in_another_channel_is_answered_in_writing_while_he_goes_on_talking() -> None:
    def story(seed: int) -> Town:
        with Writers(seed, replies=[STORY], anna=DEN, ben=DEN) as town:
            town.join("anna")
            town.say("anna", "Clankie tell us a story")
            town.run(1.0 + seed % 20 / 10)
            seen = town.writes("ben", "@Clankie what day is it?", mention=True)
            town.account.tell(seen)
            town.run(12.0)
            assert town.spoken == [LONG]
            (answer,) = town.posted(CHAT)
            assert answer.startswith("Today is ")
            assert town.ingress() == ["admitted mention"]
            (reply,) = town.receipts(TextReply)
            assert (reply.outcome, reply.latency_ms) == ("posted", 1000)
            assert town.posted(DEN) == [text for text in town.posted(DEN) if "Today" not in text]
        assert [len(town.receipts(kind)) for kind in (BridgeReady, BridgeStopped)] == [1, 1]
        return town

    tell(story)


def test_what_is_written_in_his_own_room_is_a_line_of_the_conversation_and_no_text_turn_runs() -> None:
    def story(seed: int) -> Town:
        with Writers(seed, replies=[HELLO], anna=DEN, ben=DEN) as town:
            town.join("anna")
            town.run(1.0)
            before = town.posted(DEN)
            town.writes("ben", "nothing for anybody", DEN)
            town.writes("ben", "Clankie are you there", DEN, mention=True)
            town.run(6.0)
            assert " ".join(town.heard_in(DEN)) == "Yes I am here."
            assert town.posted(DEN) == before
            assert town.ingress() == ["floor own_room"] * 2
            assert len(town.receipts(TextInput)) == 2
            assert town.receipts(TextReply) == []
        return town

    tell(story)


def test_after_an_answer_he_reads_five_messages_of_that_channel_and_no_other() -> None:
    def story(seed: int) -> Town:
        with Writers(seed, anna=DEN) as town:
            town.writes("anna", "Clankie, what day is it?")
            town.run(2.0)
            town.writes("anna", "what day is it", RoomId("15"))
            for _ in range(6):
                town.writes("anna", "and tomorrow")
            town.run(0.5)
            assert town.ingress() == ["admitted name", *["admitted engaged"] * 5]
            town.run(10.0)
            assert len(town.posted(CHAT)) == 2
            assert len(town.receipts(TextReply, outcome="answered_along")) == 4
            town.check_replies()
        return town

    tell(story)


@pytest.mark.parametrize(
    ("settings", "answered"),
    [
        (TextSettings(dms="deny"), []),
        (TextSettings(dms="owner_only"), ["anna"]),
        (TextSettings(dms="allowlist", dm_users=(103,)), ["anna", "cleo"]),
        (TextSettings(dms="allowlist", enabled=False), []),
    ],
)
def test_in_private_he_answers_those_whom_the_settings_let_write(
    settings: TextSettings, answered: list[str]
) -> None:
    def story(seed: int) -> Town:
        with Writers(seed, text=settings, anna=DEN, cleo=DEN) as town:
            people = ("anna", "ben", "cleo")
            for name in people:
                town.writes(name, "what day is it?", RoomId(f"{DM}-{name}"), None)
            town.run(5.0)
            assert [name for name in people if town.posted(RoomId(f"{DM}-{name}"))] == answered
            town.check_replies()
        return town

    tell(story)


def test_a_channel_that_the_rules_leave_out_is_not_read_and_joins_no_talk_either() -> None:
    def story(seed: int) -> Town:
        with Writers(seed, text=TextSettings(channels=(14,)), anna=DEN, ben=BAR) as town:
            town.join("anna")
            town.writes("ben", "Clankie, what day is it?", BAR, CLUB)
            town.writes("ben", "Clankie, what day is it?", CHAT, GuildId("3"))
            town.writes("ben", "Clankie, what day is it?")
            town.run(5.0)
            assert town.ingress() == ["dropped channel", "dropped guild", "admitted name"]
            assert (len(town.posted(CHAT)), town.posted(BAR), town.receipts(TextInput)) == (1, [], [])
        return town

    tell(story)


def test_whoever_waits_for_a_captain_that_crashes_is_told_and_the_next_one_answers() -> None:
    def story(seed: int) -> Town:
        with Writers(seed, anna=DEN) as town:
            town.writes("anna", "Clankie, what day is it?")
            town.run(0.1 + seed / 250)
            town.crash("captain")
            town.run(2.0)
            assert town.posted(CHAT) == [LOST_NOTICE]
            assert [one.reason for one in town.receipts(TextReply)] == ["captain_closed"]
            town.writes("anna", "Clankie, what day is it?")
            town.run(2.0)
            assert town.posted(CHAT)[1].startswith("Today is ")
            town.check_replies()
        return town

    tell(story)


def test_a_crash_at_any_moment_leaves_nobody_without_an_end_on_record() -> None:
    def story(seed: int) -> Town:
        with Writers(seed, anna=DEN) as town:
            for _ in range(3):
                town.writes("anna", "Clankie, what day is it?")
            if seed % 3:
                town.run(seed % 7 / 2)
            town.crash(("captain", "gateway")[seed % 2])
            town.run(700.0)
            town.check_replies()
            outcomes = {one.outcome for one in town.receipts(TextReply)}
            assert outcomes <= {"posted", "answered_along", "failed"}
        return town

    tell(story)
