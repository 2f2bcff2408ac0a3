"""While the captain is at work for three quarters of a minute, the room goes on as if he were not."""

from __future__ import annotations

from actors.captain.script import ScriptedTurn
from actors.realtime.script import ScriptedReply
from messages.evidence import CaptainTool, Handoff, Membership, ModelResponse, Response
from tests.stories.court import RESULT, Court
from tests.stories.telling import tell
from tests.stories.town import ATTIC, DEN, Town

SECONDS = 45.0
LOOK = ScriptedTurn(heard="look it up", text="It is Tuesday.", delay=SECONDS)
TIDE = ScriptedTurn(heard="the tide", text="High tide is at six.")
ASK = ScriptedReply(heard="look it up", tool="ask_clankie", request="look it up")
ASK_MORE = ScriptedReply(heard="the tide", tool="ask_clankie", request="look up the tide")
HERE = ScriptedReply(heard="are you there", text="Yes I am here.")
NINE = ScriptedReply(heard="what time is it", text="It is nine.")
CAME = ScriptedReply(when="membership", text="There you are.")
WAIT = ScriptedReply(when="handoff_wait", text="One moment.")


def evening(seed: int, *, handing_off: bool) -> Court:
    """Ben and Cleo talk, with each other and with him; six times somebody comes or goes, Anna among them."""
    asked = ASK if handing_off else ScriptedReply(heard="look it up")
    replies = [asked, HERE, NINE, *[CAME] * 4, *[WAIT] * 4, RESULT]
    court = Court(seed, turns=[LOOK], replies=replies, anna=DEN, ben=DEN, cleo=DEN, dan=ATTIC)
    court.join("anna")
    court.consent("ben")
    court.consent("cleo")
    court.run(4.0)
    court.say("anna", "Clankie look it up")
    court.run(8.0 + seed % 5 / 10)
    court.goes("dan", DEN)
    court.run(4.0)
    court.say("ben", "so the other day we went out")
    court.run(1.0)
    court.say("cleo", "and then it rained")
    court.run(5.0)
    court.goes("anna", ATTIC)
    court.run(4.0)
    court.say("ben", "Clankie are you there")
    court.run(6.0)
    for room in (ATTIC, DEN, ATTIC, DEN):
        court.goes("dan", room)
        court.run(0.7)
    court.run(3.0)
    court.say("cleo", "Clankie what time is it")
    court.run(40.0)
    return court


def answers(court: Court) -> list[int | None]:
    """How long each of those who asked him something waited for his voice."""
    return [one.speech_end_to_first_audio_ms for one in court.receipts(Response, trigger="address")]


def memberships(court: Court) -> list[str | None]:
    return [one.outcome for one in court.receipts(ModelResponse, trigger="membership", phase="completed")]


def test_for_45_seconds_nobody_waits_longer_and_nobody_comes_or_goes_unnoticed() -> None:
    def story(seed: int) -> Town:
        with evening(seed, handing_off=False) as without:
            pass
        with evening(seed, handing_off=True) as court:
            pass
        assert len(answers(court)) == 2
        assert answers(court) == answers(without)
        assert memberships(court) == memberships(without) == ["spoke"] * 4
        assert [len(one.receipts(Membership)) for one in (court, without)] == [6, 6]
        assert [text for text in court.spoken if "Here it is" in text] == ["Here it is: It is Tuesday."]
        assert court.spoken.count("One moment.") <= 1
        assert [one.phase for one in court.receipts(Handoff)] == ["began", "returned"]
        assert court.receipts(CaptainTool) == []
        return court

    tell(story)


def test_what_its_asker_adds_meanwhile_is_part_of_it_and_both_are_told_in_one() -> None:
    def story(seed: int) -> Town:
        replies = [ASK, ASK_MORE, HERE, *[WAIT] * 4, *[RESULT] * 2]
        with Court(seed, turns=[LOOK, TIDE], replies=replies, anna=DEN, ben=DEN) as court:
            court.join("anna")
            court.consent("ben")
            court.say("anna", "Clankie look it up")
            court.run(8.0 + seed % 20)
            court.say("anna", "Clankie and the tide")
            court.run(5.0)
            court.say("ben", "Clankie are you there")
            court.run(60.0)
            told = [text for text in court.spoken if "Here it is" in text]
            assert len(told) == 1
            assert all(text in told[0] for text in (LOOK.text, TIDE.text))
            assert "Yes I am here." in court.spoken
            phases = sorted(one.phase for one in court.receipts(Handoff))
            assert phases == ["began", "began", "returned", "returned"]
        return court

    tell(story)
