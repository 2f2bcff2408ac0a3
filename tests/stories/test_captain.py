"""Whoever asks the captain is answered once, whatever falls meanwhile, and nothing is done a second time."""

from __future__ import annotations

from typing import Any

import pytest

from actors.captain.journal import TurnOver
from actors.captain.rules import Call
from actors.captain.script import ScriptedTurn
from actors.gateway.replying import LOST_NOTICE
from actors.realtime.script import ScriptedReply
from messages.evidence import Failed, Handoff, TextReply
from messages.gateway import ButtonAnswered, ButtonOutcome, ForgetAnswered
from tests.stories.court import ASK, PAINTING, RESULT, Court
from tests.stories.pages import Pages
from tests.stories.sound import after
from tests.stories.telling import tell
from tests.stories.town import DEN, HOME, Town
from tests.stories.writers import CHAT

PAINT = "Clankie, paint the fence"
PAINTED = "Painted: machine."
LEAF = ScriptedTurn(heard="leaf", calls=(Call(tool="react", arguments='{"emoji": "🍃"}'),), text="{outcome}")
LOOK = ScriptedTurn(heard="look around", calls=(Call(tool="observe_room"),), text="So: {outcome}")
DROP = ScriptedReply(heard="let it be", text="All right.", tool="take_back")


def moment(seed: int, most: float = 4.0) -> float:
    """Some moment of a turn that thinks for a second and paints for two."""
    return seed % 20 * most / 20


def test_a_captain_that_crashes_has_it_told_in_writing_once_and_does_nothing_twice() -> None:
    def story(seed: int) -> Town:
        with Court(seed, turns=[PAINTING, PAINTING], anna=DEN) as court:
            court.writes("anna", PAINT)
            court.run(moment(seed))
            court.crash("captain")
            court.run(90.0)
            assert court.posted(CHAT) == [PAINTED if moment(seed) >= 3.0 else LOST_NOTICE]
            before = len(court.done)
            assert before == (1 if moment(seed) >= 1.0 else 0)
            court.writes("anna", PAINT)
            court.run(10.0)
            assert (court.posted(CHAT)[1:], len(court.done)) == ([PAINTED], before + 1)
            court.check_replies()
        return court

    tell(story)


def test_a_captain_that_crashes_has_it_said_aloud_once_and_the_next_one_answers() -> None:
    def story(seed: int) -> Town:
        look = ScriptedTurn(heard="paint it", text="It is blue.", delay=6.0)
        replies = [ASK, RESULT, ASK, RESULT]
        with Court(seed, turns=[look, look], replies=replies, anna=DEN) as court:
            court.join("anna")
            court.say("anna", "Clankie paint")
            court.run(3.0 + moment(seed))
            court.crash("captain")
            court.run(20.0)
            told = [text for text in court.spoken if text.startswith("Here it is")]
            assert told == ["Here it is: I could not find that out."]
            assert [one.reason for one in court.receipts(Failed)] == ["captain_closed"]
            court.say("anna", "Clankie paint")
            court.run(20.0)
            assert court.spoken[-1] == "Here it is: It is blue."
        return court

    tell(story)


def test_a_house_that_stops_at_work_tells_it_when_it_opens_again_and_only_then() -> None:
    def story(seed: int) -> Town:
        pages = Pages()
        with Court(seed, turns=[PAINTING], pages=pages, anna=DEN) as court:
            seen = court.writes("anna", PAINT)
            court.run(moment(seed, 3.0))
        done = len(court.done)
        assert court.posted(CHAT) == []
        for again in range(3):
            with Court(seed + again, turns=[PAINTING], pages=pages, anna=DEN) as court:
                court.run(60.0)
                assert court.posted(CHAT) == ([] if again else [LOST_NOTICE])
                assert court.account.answered == (() if again else (seen.message,))
                assert court.done == []
        assert done == (1 if moment(seed, 3.0) >= 1.0 else 0)
        assert [one.how for one in pages.entries() if isinstance(one, TurnOver)] == ["interrupted"]
        return court

    tell(story)


class Late(Court):
    """A court whose account is not connected yet when the house opens."""

    def open(self, *args: Any, **ports: Any) -> None:
        self.account.late = True
        super().open(*args, **ports)


def test_a_captain_that_falls_while_it_is_being_told_still_has_it_told_once() -> None:
    def story(seed: int) -> Town:
        pages = Pages()
        with Court(seed, turns=[PAINTING], pages=pages, anna=DEN) as court:
            court.writes("anna", PAINT)
            court.run(0.5)
        with Late(seed, pages=pages, anna=DEN) as court:
            court.account.ready()
            court.crash("captain")
            court.run(60.0)
            assert court.posted(CHAT) == [LOST_NOTICE]
            assert [one.how for one in pages.entries() if isinstance(one, TurnOver)] == ["interrupted"]
        return court

    tell(story)


def test_a_gateway_that_falls_during_a_deed_leaves_no_call_without_its_one_answer() -> None:
    def story(seed: int) -> Town:
        with Court(seed, turns=[LEAF], anna=DEN) as court:
            court.account.answers_deeds = False
            court.writes("anna", "Clankie, a leaf please")
            court.run(1.1 + moment(seed, 20.0))
            court.crash("gateway")
            court.run(90.0)
            assert court.used() == ["timeout" if moment(seed, 20.0) >= 15.0 else "gateway_lost"]
            assert len(court.account.deeds) == 1
            court.check_replies()
            court.account.answers_deeds = True
            court.writes("anna", "Clankie, what day is it?")
            court.run(5.0)
            assert court.posted(CHAT)[-1].startswith("Today is ")
        return court

    tell(story)


@pytest.mark.parametrize("falling", ["gateway", "captain", "realtime", "stay", "evidence"])
def test_whatever_falls_while_a_button_waits_it_is_decided_once_and_never_without_a_yes(
    falling: str,
) -> None:
    def story(seed: int) -> Town:
        with Court(seed, turns=[PAINTING], replies=[ASK, RESULT], anna=DEN, ben=DEN) as court:
            court.join("anna")
            court.say("anna", "Clankie paint")
            court.run(6.0 + moment(seed, 5.0))
            assert len(court.account.shown) == 1
            assert court.done == []
            court.crash(falling)
            court.run(1.0)
            before = court.press("ben")
            court.run(1.0)
            after = court.press("anna", granted=seed % 3 > 0)
            court.run(90.0)
            told = [one.expect(ButtonAnswered).outcome for one in (before, after)]
            kept = falling in {"realtime", "stay", "evidence"}
            said = (
                (ButtonOutcome.GRANTED if seed % 3 else ButtonOutcome.DENIED) if kept else ButtonOutcome.OVER
            )
            assert told == [ButtonOutcome.NOT_YOURS if kept else ButtonOutcome.OVER, said]
            assert len(court.done) == (said is ButtonOutcome.GRANTED)
            if falling not in {"captain", "evidence"}:
                assert len(court.used()) == 1
            ended = [one.phase for one in court.receipts(Handoff) if one.phase != "began"]
            assert len(ended) == 1
        return court

    tell(story, 10)


def test_what_comes_after_he_has_left_is_written_there_and_what_was_not_allowed_is_not_done() -> None:
    def story(seed: int) -> Town:
        look = ScriptedTurn(heard="paint it", text="It is blue.", delay=8.0)
        with Court(seed, turns=[look], replies=[ASK, RESULT], anna=DEN) as court:
            court.join("anna")
            court.say("anna", "Clankie paint")
            court.run(3.0 + moment(seed))
            court.account.see(HOME, None)
            court.run(30.0)
            posts = [text for text in court.posted(DEN) if "blue" in text]
            assert posts == ["About “paint it”: It is blue."]
            assert [text for text in court.spoken if "blue" in text] == []
            assert [one.phase for one in court.receipts(Handoff)] == ["began", "posted"]
        return court

    tell(story)


def test_whoever_deletes_his_message_gets_no_answer_any_more() -> None:
    def story(seed: int) -> Town:
        with Court(seed, turns=[PAINTING], anna=DEN) as court:
            seen = court.writes("anna", PAINT)
            court.run(moment(seed))
            court.deletes(seen)
            court.run(90.0)
            (reply,) = court.receipts(TextReply)
            late = moment(seed) >= 3.0
            assert reply.outcome == ("posted" if late else "taken_back")
            assert court.posted(CHAT) == ([PAINTED] if late else [])
            assert len(court.done) == (1 if moment(seed) >= 1.0 else 0)
            court.writes("anna", "Clankie, what day is it?")
            court.run(5.0)
            assert court.posted(CHAT)[-1].startswith("Today is ")
        return court

    tell(story)


def test_what_is_taken_back_aloud_is_neither_done_nor_said() -> None:
    def story(seed: int) -> Town:
        look = ScriptedTurn(heard="paint it", text="It is blue.", delay=12.0)
        wait = ScriptedReply(when="handoff_wait", text="One moment.")
        with Court(seed, turns=[look], replies=[ASK, DROP, wait, RESULT], anna=DEN) as court:
            court.join("anna")
            court.say("anna", "Clankie paint")
            court.run(4.0 + moment(seed, 6.0))
            court.say("anna", "Clankie let it be")
            court.run(60.0)
            assert [text for text in court.spoken if "blue" in text] == []
            assert court.spoken[-1] == "All right."
            assert [(one.phase, one.reason) for one in court.receipts(Handoff)] == [
                ("began", None),
                ("failed", "taken_back"),
            ]
        return court

    tell(story)


def test_whoever_is_forgotten_while_the_captain_works_for_him_leaves_nothing_behind() -> None:
    def story(seed: int) -> Town:
        with Court(seed, turns=[PAINTING], anna=DEN, ben=DEN) as court:
            court.writes("anna", PAINT)
            court.run(moment(seed, 3.0))
            told = court.forget("anna")
            court.run(90.0)
            assert len(told.received()) == 1
            assert told.expect(ForgetAnswered).notes == ()
            assert court.posted(CHAT) == []
            assert len(court.done) <= 1
            assert court.pages.entries() == []
            court.check_replies()
            court.writes("ben", "Clankie, what day is it?")
            court.run(5.0)
            assert len(court.posted(CHAT)) == 1
        return court

    tell(story)


def test_a_record_that_begins_anew_at_the_very_moment_costs_time_and_no_answer() -> None:
    waited: set[bool] = set()

    def story(seed: int) -> Town:
        with Court(seed, turns=[LOOK], anna=DEN) as court:
            court.join("anna")
            court.writes("anna", "Clankie, look around")
            after(court.clock, 1.0, lambda: court.crash("evidence"))
            court.run(120.0)
            assert court.posted(CHAT) == ["So: room"]
            (reply,) = court.receipts(TextReply)
            waited.add(reply.latency_ms > 60_000)
        return court

    tell(story)
    assert waited == {False, True}
