"""The operator stops him, hushes him and speaks through him, and each order is answered once."""

from __future__ import annotations

from collections import Counter

from actors.realtime.script import ScriptedReply
from messages.evidence import Consent, FloorDecision, Interrupted, ModelResponse, Playback, Response
from messages.gateway import AskedBy, CostPassed, LeaveAnswered, LeaveVoice
from messages.ids import OrderId, PersonId
from messages.lifecycle import RestartAnswered, RestartChild
from messages.orders import (
    Hush,
    Interrupt,
    OrderCode,
    SayAloud,
    StayOrder,
    StayOrderAnswered,
    StayOrdered,
    WithdrawConsent,
)
from tests.probe import Probe
from tests.stories.telling import tell
from tests.stories.world import World

DONE, NOTHING = OrderCode.DONE, OrderCode.NOTHING_TO_DO
LONG = " ".join(f"Sentence number {number} of a very long story." for number in range(4))
STORY = ScriptedReply(heard="tell us a story", text=LONG)
THERE = ScriptedReply(heard="are you there", text="Yes I am here.")
ASK = ScriptedReply(heard="look it up", tool="ask_clankie", request="what time is it")
RESULT = ScriptedReply(when="handoff_result", text="Here it is at last.")
DINNER = "Dinner is ready. Come at once!"


class Desk(World):
    """A world with an operator in it, who hears what becomes of his orders."""

    def __init__(self, seed: int, *, replies: tuple[ScriptedReply, ...] = (), delay: float = 1.0) -> None:
        self.told: Probe[StayOrderAnswered] = Probe()
        self.given = 0
        super().__init__(seed, people=("anna", "ben"), replies=replies, captain_delay=delay)

    def _order(self, order: StayOrder) -> OrderId:
        self.doors.gateway.tell(StayOrdered(stay=None, order=order))
        return order.order

    def _name(self) -> OrderId:
        self.given += 1
        return OrderId(f"o{self.given}")

    def interrupt(self) -> OrderId:
        return self._order(Interrupt(order=self._name(), reply_to=self.told))

    def hush(self, seconds: float) -> OrderId:
        return self._order(Hush(order=self._name(), seconds=seconds, reply_to=self.told))

    def aloud(self, text: str = DINNER) -> OrderId:
        return self._order(SayAloud(order=self._name(), text=text, reply_to=self.told))

    def withdraw(self, name: str) -> OrderId:
        person = PersonId(name)
        return self._order(WithdrawConsent(order=self._name(), person=person, reply_to=self.told))

    def code(self, order: OrderId) -> OrderCode | None:
        """What became of it, if it is answered."""
        codes = [one.code for one in self.told.received() if one.order == order]
        assert len(codes) <= 1
        return codes[0] if codes else None

    def requested(self) -> list[str]:
        return [one.trigger for one in self.receipts(ModelResponse, phase="requested")]


def test_in_mid_sentence_he_falls_silent_and_stays_so() -> None:
    def story(seed: int) -> World:
        with Desk(seed, replies=(STORY, THERE)) as desk:
            took = desk.say("anna", "Clankie tell us a story")
            desk.run(took + 0.9 + seed % 20 / 5)
            stop = desk.interrupt()
            desk.run(1.0)
            assert desk.code(stop) is DONE
            cuts = desk.receipts(Playback, phase="cut")
            assert {one.reason for one in cuts} <= {"operator"}
            assert desk.receipts(Interrupted) == []
            silent_from = len(desk.air.spoken)
            desk.run(20.0)
            assert len(desk.air.spoken) == silent_from
            assert desk.requested() == ["greeting", "address"]
            assert [one.whole for one in desk.receipts(Response)] in ([], [False])
            assert desk.code(desk.interrupt()) is None
            desk.run(0.5)
            assert desk.told.received()[-1].code is NOTHING
            desk.say("ben", "Clankie are you there")
            desk.run(8.0)
            assert desk.spoken[-1] == "Yes I am here."
        return desk

    tell(story)


def test_hushed_he_keeps_a_result_to_himself_until_it_is_over() -> None:
    def story(seed: int) -> World:
        with Desk(seed, replies=(ASK, RESULT, THERE), delay=6.0) as desk:
            took = desk.say("anna", "Clankie look it up")
            desk.run(took + 3.0 + seed % 5 / 10)
            hush = desk.hush(30.0)
            desk.run(10.0)
            desk.say("ben", "Clankie are you there")
            desk.depart("ben")
            desk.run(2.0)
            desk.arrive("ben")
            desk.run(15.0)
            assert desk.code(hush) is DONE
            assert desk.spoken == []
            asked = len(desk.requested())
            desk.run(20.0)
            assert desk.spoken == ["Here it is at last."]
            assert desk.requested()[asked:] == ["handoff_result"]
            assert {one.rule for one in desk.receipts(FloorDecision)[1:]} <= {"hushed", "gone"}
        return desk

    tell(story)


def test_what_he_is_to_say_waits_for_whoever_is_speaking_and_is_said_to_the_letter() -> None:
    def story(seed: int) -> World:
        with Desk(seed) as desk:
            desk.say("anna", "so we went to the sea and it rained all day but nobody minded much")
            desk.run(1.0 + seed % 10 / 10)
            order = desk.aloud()
            desk.run(0.3)
            assert desk.code(order) is DONE
            assert desk.speaking() == []
            desk.run(12.0)
            assert desk.spoken == [DINNER]
            assert [one.trigger for one in desk.receipts(Response)] == ["operator"]
            phases = [one.phase for one in desk.receipts(ModelResponse, trigger="operator")]
            assert phases == ["requested", "completed"]
        return desk

    tell(story)


def test_a_hush_does_not_hold_back_what_he_is_to_say_and_outlives_his_floor() -> None:
    def story(seed: int) -> World:
        with Desk(seed, replies=(THERE, THERE)) as desk:
            desk.hush(40.0)
            desk.run(1.0)
            desk.aloud()
            desk.run(8.0)
            assert desk.spoken == [DINNER]
            desk.crash(("floor", "tts", "playback")[seed % 3])
            desk.run(1.0)
            desk.say("anna", "Clankie are you there")
            desk.run(8.0)
            assert desk.spoken == [DINNER]
            desk.run(25.0)
            desk.say("anna", "Clankie are you there")
            desk.run(8.0)
            assert desk.spoken == [DINNER, "Yes I am here."]
        return desk

    tell(story)


def test_he_says_it_while_his_conversation_begins_anew() -> None:
    def story(seed: int) -> World:
        with Desk(seed) as desk:
            if seed % 2:
                desk.crash("realtime")
            desk.aloud()
            if not seed % 2:
                desk.crash("realtime")
            desk.run(10.0)
            assert desk.spoken == [DINNER]
        return desk

    tell(story)


def test_orders_that_meet_his_leaving_or_a_crash_are_answered_once_each() -> None:
    def story(seed: int) -> World:
        left: Probe[LeaveAnswered] = Probe()
        with Desk(seed, replies=(STORY,)) as desk:
            desk.say("anna", "Clankie tell us a story")
            desk.run(2.0)
            for number in range(8):
                (desk.aloud, desk.interrupt, lambda: desk.hush(1.0), lambda: desk.withdraw("ben"))[
                    (number + seed) % 4
                ]()
                if number == seed % 8:
                    desk.doors.gateway.tell(LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=left))
                if number == (seed // 2) % 8:
                    desk.crash(("floor", "stay", "realtime", "playback")[seed % 4])
            desk.run(60.0)
            told = Counter(one.order for one in desk.told.received())
            assert told == {f"o{number}": 1 for number in range(1, desk.given + 1)}
            assert len(desk.left) == 1
            desk.stage.crashes.clear()
        return desk

    tell(story)


def test_somebody_is_heard_no_longer_because_the_operator_says_so() -> None:
    def story(seed: int) -> World:
        with Desk(seed, replies=(THERE,)) as desk:
            desk.say("anna", "Clankie are you")
            desk.run(seed % 20 / 20)
            order = desk.withdraw("anna")
            desk.run(2.0)
            assert desk.code(order) is DONE
            assert [one.person_id for one in desk.receipts(Consent, phase="withdrawn")] == ["anna"]
            heard = len(desk.heard)
            desk.say("anna", "Clankie are you there")
            desk.run(8.0)
            assert len(desk.heard) == heard
            again = desk.withdraw("anna")
            desk.run(0.5)
            assert desk.code(again) is NOTHING
        return desk

    tell(story)


def test_what_a_stay_costs_makes_nobody_speak() -> None:
    def story(seed: int) -> World:
        with Desk(seed) as desk:
            stay = desk.receipts(Consent)[0].stay_id
            for amount in (1.0, 1.0, 2.0):
                desk.doors.gateway.tell(CostPassed(stay=stay, amount=amount, currency="USD"))
            desk.run(5.0)
            assert desk.requested() == ["greeting"]
            assert desk.left == []
        return desk

    tell(story, seeds=5)


def test_a_part_of_him_begins_anew_when_it_is_ordered_to_and_it_is_said() -> None:
    def story(seed: int) -> World:
        answers: Probe[RestartAnswered] = Probe()
        with Desk(seed, replies=(THERE,)) as desk:
            paths = [desk.path(name) for name in ("floor", "realtime", "voice", "captain", "stay", "anna")]
            for path in (*paths, "root/body/nobody"):
                desk.doors.root.tell(RestartChild(path=path, reply_to=answers))
            desk.run(5.0)
            restarted = {one.path: one.restarted for one in answers.received()}
            assert restarted == {path: path in paths[:4] for path in (*paths, "root/body/nobody")}
            assert len(answers.received()) == 7
            desk.say("ben", "Clankie are you there")
            desk.run(8.0)
            assert desk.spoken == ["Yes I am here."]
        return desk

    tell(story, seeds=8)
