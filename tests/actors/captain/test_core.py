"""Lanes, deadlines, and one ending for each hand-off."""

import pytest

from actors.captain.core import REMEMBERED_STAYS, step
from actors.captain.decisions import Ask, Cancel, Decision, Record, TellGateway, TellRealtime, Wake
from actors.captain.events import CaptainCloses, Event
from actors.captain.settings import CaptainSettings
from actors.captain.state import State
from messages.captain import (
    AskCaptain,
    AskInText,
    CaptainAnswered,
    CaptainFailed,
    CaptainTick,
    ResultUnsaid,
    StayIsOver,
)
from messages.evidence import Failed, Handoff
from messages.gateway import PostText, TextAnswered
from messages.ids import HandoffId, MessageId, PersonId, RoomId, StayId, Token
from messages.people import Person
from messages.realtime import HandoffFailed, HandoffReturned, RealtimeMessage
from tests.actors.realtime.talk import line
from tests.probe import Probe

KEY = "where is the key"
ANNA = Person(id=PersonId("anna"), label="Anna")
CONVERSATION = Probe[RealtimeMessage]()


def question(name: str, room: str = "room") -> AskCaptain:
    return AskCaptain(
        handoff=HandoffId(name),
        stay=StayId(f"stay in {room}"),
        room=RoomId(room),
        askers=(ANNA,),
        request=KEY,
        original=(line("Clankie, where is the key"),),
        recent=(),
        observations=(),
        reply_to=CONVERSATION,
    )


def answered(name: str) -> CaptainAnswered:
    return CaptainAnswered(handoff=HandoffId(name), text="Under the mat.")


class Desk:
    """The core with its own time."""

    def __init__(self, settings: CaptainSettings | None = None) -> None:
        self.state = State(settings=settings or CaptainSettings())
        self.now = 0.0
        self.wake: tuple[float, Token] | None = None

    def do(self, event: Event) -> list[Decision]:
        self.state, decisions = step(self.state, event, self.now)
        for decision in decisions:
            if isinstance(decision, Wake):
                self.wake = (self.now + decision.seconds, decision.message.token)
        return [decision for decision in decisions if not isinstance(decision, Wake)]

    def wait(self, seconds: float) -> list[Decision]:
        end, done = self.now + seconds, list[Decision]()
        while self.wake is not None and self.wake[0] <= end:
            self.now, token = self.wake
            self.wake = None
            done += self.do(CaptainTick(token=token))
        self.now = end
        return done


def asked(decisions: list[Decision]) -> list[str]:
    return [decision.question.handoff for decision in decisions if isinstance(decision, Ask)]


def phases(decisions: list[Decision]) -> list[tuple[str, str]]:
    receipts = [decision.receipt for decision in decisions if isinstance(decision, Record)]
    return [(one.handoff_id, one.phase) for one in receipts if isinstance(one, Handoff)]


def replies(decisions: list[Decision]) -> list[object]:
    return [decision.message for decision in decisions if isinstance(decision, TellRealtime)]


def test_a_question_is_asked_and_its_answer_returned() -> None:
    desk = Desk()
    assert phases(begun := desk.do(question("a"))) == [("a", "began")]
    assert asked(begun) == ["a"]
    desk.now = 2.5
    done = desk.do(answered("a"))
    assert done[0] == TellRealtime(
        mailbox=CONVERSATION,
        message=HandoffReturned(handoff=HandoffId("a"), request=KEY, text="Under the mat."),
    )
    assert phases(done) == [("a", "returned")]
    assert desk.do(answered("a")) == []


def test_a_question_asked_twice_is_asked_once() -> None:
    desk = Desk()
    desk.do(question("a"))
    assert desk.do(question("a")) == []


def test_one_room_waits_in_line_and_two_rooms_do_not_wait_for_each_other() -> None:
    desk = Desk()
    assert asked(desk.do(question("a"))) == ["a"]
    assert asked(desk.do(question("b"))) == []
    assert asked(desk.do(question("c", room="elsewhere"))) == ["c"]
    assert desk.do(answered("b")) == []
    assert asked(desk.do(answered("a"))) == ["b"]


def test_a_lane_that_is_full_refuses_at_once() -> None:
    desk = Desk(CaptainSettings(lane_waiting=1))
    desk.do(question("a"))
    desk.do(question("b"))
    done = desk.do(question("c"))
    assert phases(done) == [("c", "began"), ("c", "failed")]
    assert replies(done) == [HandoffFailed(request=KEY, handoff=HandoffId("c"), reason="busy")]


def test_a_failure_is_told_recorded_and_lets_the_next_begin() -> None:
    desk = Desk()
    desk.do(question("a"))
    desk.do(question("b"))
    done = desk.do(CaptainFailed(handoff=HandoffId("a"), reason="x" * 100))
    assert replies(done) == [HandoffFailed(request=KEY, handoff=HandoffId("a"), reason="x" * 64)]
    assert any(isinstance(one, Record) and isinstance(one.receipt, Failed) for one in done)
    assert asked(done) == ["b"]


def test_five_minutes_without_an_answer_are_a_failure() -> None:
    desk = Desk()
    desk.do(question("a"))
    desk.now = 100
    desk.do(question("b"))
    desk.do(question("c", room="elsewhere"))
    assert desk.wait(199) == []
    done = desk.wait(2)
    assert done[0] == Cancel(handoff=HandoffId("a"))
    assert replies(done) == [HandoffFailed(request=KEY, handoff=HandoffId("a"), reason="stalled")]
    assert asked(done) == ["b"]
    assert desk.do(answered("a")) == []
    assert phases(desk.wait(100)) == [("c", "failed")]


def test_a_timer_of_before_is_an_old_letter() -> None:
    desk = Desk()
    desk.do(question("a"))
    desk.now = 1000
    assert desk.do(CaptainTick(token=Token(0))) == []


def test_a_result_that_comes_after_the_stay_is_written_into_the_room() -> None:
    desk = Desk()
    desk.do(question("a"))
    desk.do(StayIsOver(stay=StayId("stay in room")))
    done = desk.do(answered("a"))
    text = "About “where is the key”: Under the mat."
    assert done[0] == TellGateway(message=PostText(room=RoomId("room"), text=text))
    assert phases(done) == [("a", "posted")]
    assert replies(done) == []


def test_stays_that_are_over_are_not_remembered_for_ever() -> None:
    desk = Desk()
    for number in range(REMEMBERED_STAYS + 5):
        desk.do(StayIsOver(stay=StayId(f"{number}")))
    assert desk.state.over == tuple(StayId(f"{number}") for number in range(5, REMEMBERED_STAYS + 5))


def test_a_result_that_may_not_be_written_is_not_submitted() -> None:
    desk = Desk(CaptainSettings(post_after_stay=False))
    desk.do(question("a"))
    desk.do(StayIsOver(stay=StayId("stay in room")))
    done = desk.do(answered("a"))
    assert phases(done) == [("a", "not_submitted")]
    assert len(done) == 1


def test_a_captain_that_closes_leaves_nobody_waiting() -> None:
    desk = Desk()
    desk.do(question("a"))
    desk.do(question("b"))
    assert phases(desk.do(CaptainCloses())) == [("a", "failed"), ("b", "failed")]
    assert desk.do(CaptainCloses()) == []


@pytest.mark.parametrize("wrong", [{"stall_seconds": 0}, {"lane_waiting": -1}, {"delay_seconds": 300.0}])
def test_settings_that_cannot_work_are_refused_with_a_remedy(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must .*got .*; "):
        CaptainSettings(**wrong)  # type: ignore[arg-type]


def test_a_result_that_was_not_said_in_time_is_written_where_that_is_allowed() -> None:
    unsaid = ResultUnsaid(
        handoff=HandoffId("a"), stay=StayId("s"), room=RoomId("den"), request=KEY, text="Under the mat."
    )
    _, decisions = step(State(settings=CaptainSettings()), unsaid, 1.0)
    post, recorded = decisions
    assert post == TellGateway(
        message=PostText(room=RoomId("den"), text="About “where is the key”: Under the mat.")
    )
    assert isinstance(recorded, Record)
    assert isinstance(recorded.receipt, Failed)
    assert recorded.receipt.reason == "result_posted"
    silent = State(settings=CaptainSettings(post_after_stay=False))
    (recorded,) = step(silent, unsaid, 1.0)[1]
    assert isinstance(recorded, Record)
    assert isinstance(recorded.receipt, Failed)
    assert recorded.receipt.reason == "result_not_submitted"


def written(name: str, room: str = "room") -> AskInText:
    return AskInText(
        handoff=HandoffId(name), room=RoomId(room), message=MessageId(f"m-{name}"), asker=ANNA, request=KEY
    )


def test_what_was_asked_in_text_is_answered_in_text_and_is_no_hand_off() -> None:
    desk = Desk()
    assert desk.do(written("a")) == [Ask(question=written("a"))]
    answer = TextAnswered(room=RoomId("room"), message=MessageId("m-a"), text="Under the mat.")
    assert desk.do(answered("a")) == [TellGateway(message=answer)]
    assert desk.state.done == 1


def test_a_text_that_gets_no_answer_is_told_so_once() -> None:
    desk = Desk()
    desk.do(written("a"))
    stalled = desk.wait(desk.state.settings.stall_seconds)
    failed = TextAnswered(room=RoomId("room"), message=MessageId("m-a"), text="", failed="stalled")
    assert stalled == [Cancel(handoff=HandoffId("a")), TellGateway(message=failed)]
    assert desk.do(answered("a")) == []


def test_text_and_speech_of_one_room_wait_for_each_other() -> None:
    desk = Desk()
    desk.do(question("a"))
    assert asked(desk.do(written("b"))) == []
    assert asked(desk.do(answered("a"))) == ["b"]
