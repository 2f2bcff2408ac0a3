"""Moved, thrown out, called to two guilds at once: what others may do with him, and what they may not."""

from __future__ import annotations

import pytest

from actors.realtime.script import ScriptedReply
from messages.evidence import Consent, Degraded, Joined, Left
from messages.gateway import AskedBy, GatewayAway, GatewayBack, JoinRefused, RefusedJoin
from messages.gateway import Joined as CameIn
from tests.stories.telling import tell
from tests.stories.town import ATTIC, BAR, CELLAR, CLUB, DEN, HOME, Town

LONG = " ".join(["So this is a long story that goes on for a while."] * 2)
STORY = ScriptedReply(heard="tell us a story", text=LONG)
HELLO = ScriptedReply(heard="are you there", text="Yes I am here.")


def heard(town: Town) -> list[tuple[str, str]]:
    return [(one.person_id, one.phase) for one in town.receipts(Consent) if one.phase != "counted"]


def test_moved_to_a_room_where_he_may_be_he_stays_himself_and_hears_nobody_there_yet() -> None:
    def story(seed: int) -> Town:
        with Town(seed, replies=[STORY, HELLO], anna=DEN, cleo=ATTIC) as town:
            town.join("anna")
            town.say("anna", "Clankie tell us a story")
            town.run(2.0 + seed % 16 / 10)
            town.account.see(HOME, ATTIC)
            town.run(3.0)
            assert town.left == []
            assert [one.room_id for one in town.receipts(Degraded, phase="lost")] == [ATTIC]
            assert heard(town) == [("101", "granted"), ("101", "moved")]
            assert town.heard_in(ATTIC) == []
            assert any("hear nobody yet" in text for text in town.posted(ATTIC))
            assert not any("story" in text for text in town.posted(ATTIC))
            town.say("cleo", "Clankie are you there")
            town.run(6.0)
            assert town.heard_in(ATTIC) == []
            town.consent("cleo")
            town.say("cleo", "Clankie are you there")
            town.run(6.0)
            assert " ".join(town.heard_in(ATTIC)) == "Yes I am here."
        assert len(town.receipts(Joined)) == 1
        return town

    tell(story)


def test_who_goes_along_to_the_other_room_is_asked_anew_as_well() -> None:
    def story(seed: int) -> Town:
        with Town(seed, replies=[HELLO], anna=DEN) as town:
            town.join("anna")
            if seed % 2:
                town.goes("anna", ATTIC)
            town.account.see(HOME, ATTIC)
            if not seed % 2:
                town.goes("anna", ATTIC)
            town.run(2.0)
            town.say("anna", "Clankie are you there")
            town.run(6.0)
            assert town.heard_in(ATTIC) == []
            town.consent("anna")
            town.say("anna", "Clankie are you there")
            town.run(6.0)
            assert " ".join(town.heard_in(ATTIC)) == "Yes I am here."
        return town

    tell(story, 100)


def test_moved_to_a_room_where_he_may_not_be_he_leaves() -> None:
    def story(seed: int) -> Town:
        with Town(seed, replies=[STORY], anna=DEN, cleo=CELLAR) as town:
            town.join("anna")
            town.say("anna", "Clankie tell us a story")
            town.run(2.0 + seed % 16 / 10)
            town.account.see(HOME, CELLAR)
            town.run(5.0)
            assert town.left == ["moved"]
            assert town.account.inside == {}
            assert (town.heard_in(CELLAR), town.posted(CELLAR)) == ([], [])
        return town

    tell(story, 100)


def test_who_throws_him_out_is_obeyed_and_late_news_of_it_spares_the_next_stay() -> None:
    def story(seed: int) -> Town:
        with Town(seed, anna=DEN) as town:
            town.join("anna")
            town.account.see(HOME, None)
            town.run(30.0)
            assert town.left == ["kicked"]
            assert town.account.inside == {}
            town.join("anna")
            assert town.account.inside == {HOME: DEN}
            town.run(5.0)
            assert len(town.receipts(Left)) == 1
        return town

    tell(story, 60)


def test_a_second_ready_finds_him_in_the_same_stay_with_the_same_consent() -> None:
    def story(seed: int) -> Town:
        with Town(seed, replies=[HELLO], anna=DEN, cleo=DEN) as town:
            town.join("anna")
            town.account.tell(GatewayAway(reason="closed_1001"))
            town.run(seed % 5)
            town.account.people[DEN].remove(town.person("cleo"))
            town.account.inside.clear()
            town.account.ready()
            town.run(1.0)
            assert town.account.inside == {HOME: DEN}
            town.say("anna", "Clankie are you there")
            town.run(6.0)
            assert " ".join(town.heard_in(DEN)) == "Yes I am here."
            assert (town.left, len(town.receipts(Joined))) == ([], 1)
        return town

    tell(story, 60)


def test_a_link_to_the_account_that_comes_back_has_cost_nothing() -> None:
    def story(seed: int) -> Town:
        with Town(seed, anna=DEN) as town:
            town.account.tell(GatewayAway(reason="closed_1001"))
            town.join("anna")
            refusal = town.answers.expect(JoinRefused)
            assert (refusal.reason, refusal.detail) == (RefusedJoin.FAILED, "account_not_ready")
            town.account.tell(GatewayBack())
            town.join("anna")
            assert town.answers.expect(CameIn).opted_in
        return town

    tell(story, 30)


def test_two_guilds_have_him_each_for_itself() -> None:
    def story(seed: int) -> Town:
        with Town(seed, replies=[HELLO, HELLO], anna=DEN, ben=BAR) as town:
            town.join("anna")
            town.join("ben")
            assert town.account.inside == {HOME: DEN, CLUB: BAR}
            town.say("ben", "Clankie are you there")
            town.run(6.0)
            assert (town.heard_in(DEN), " ".join(town.heard_in(BAR))) == ([], "Yes I am here.")
            town.account.see(CLUB, None)
            town.run(3.0)
            assert (town.left, town.account.inside) == (["kicked"], {HOME: DEN})
            town.say("anna", "Clankie are you there")
            town.run(6.0)
            assert " ".join(town.heard_in(DEN)) == "Yes I am here."
        return town

    tell(story, 100)


def test_a_slash_join_lets_him_hear_who_sent_it_and_nobody_else() -> None:
    def story(seed: int) -> Town:
        with Town(seed, anna=DEN, cleo=DEN) as town:
            town.join("anna")
            assert town.answers.expect(CameIn).opted_in
            assert heard(town) == [("101", "granted")]
            town.join("anna")
            assert not town.answers.expect(CameIn).opted_in
        return town

    tell(story, 60)


def test_the_captain_brings_him_in_and_opens_nobodys_microphone() -> None:
    def story(seed: int) -> Town:
        with Town(seed, anna=DEN) as town:
            town.join("anna", AskedBy.CAPTAIN)
            assert not town.answers.expect(CameIn).opted_in
            assert heard(town) == []
        return town

    tell(story, 60)


def test_under_presence_everybody_is_heard_and_told_so_but_who_refused_before_he_came() -> None:
    def story(seed: int) -> Town:
        with Town(seed, policy="presence", anna=DEN, cleo=DEN, dan=ATTIC) as town:
            town.consent("cleo", granted=False)
            town.join("anna", AskedBy.CAPTAIN)
            assert heard(town) == [("101", "granted")]
            assert any("Everybody in this room is heard" in text for text in town.posted(DEN))
            town.account.see(HOME, ATTIC)
            town.run(2.0)
            assert heard(town)[1:] == [("101", "moved"), ("104", "granted")]
            assert any("Everybody in this room is heard" in text for text in town.posted(ATTIC))
        return town

    tell(story, 60)


@pytest.mark.parametrize(
    ("who", "reason"),
    [
        ("cleo", RefusedJoin.AUTHORITY),
        ("anna", RefusedJoin.ALLOWLIST),
        ("ben", RefusedJoin.OTHER_GUILD),
    ],
)
def test_who_is_refused_is_told_why_and_nothing_else_happens(who: str, reason: RefusedJoin) -> None:
    def story(seed: int) -> Town:
        with Town(seed, anna=CELLAR, ben=DEN, cleo=BAR) as town:
            if who == "ben":
                town.join("ben")
                town.goes("ben", ATTIC)
            town.answers.clear()
            town.join(who)
            assert town.answers.expect(JoinRefused).reason is reason
            assert town.left == []
            assert len(town.receipts(Joined)) == (1 if who == "ben" else 0)
        return town

    tell(story, 20)
