"""Which letter each order becomes, where its answer goes, and what viewers get to read; in a real room."""

from __future__ import annotations

import json

import pytest
from loguru import logger

from actors.console.port import View
from actors.console.wire import parse_why
from actors.console.wire_views import StatusView, parse_view
from messages import console as ask
from messages import evidence as say
from messages.console import Order, OrderAnswer, OrderGiven, OrderResult
from messages.gateway import AskedBy, Joined, JoinVoice, LeaveAnswered, LeaveVoice
from messages.ids import LineId, OrderId, PersonId, RoomId, StayId
from messages.lifecycle import CloseHouse, Ending, RestartAnswered, RestartChild
from messages.orders import (
    Hush,
    Interrupt,
    OrderCode,
    SayAloud,
    StayOrderAnswered,
    StayOrdered,
    WithdrawConsent,
)
from tests.actors.console.fake import a_house
from tests.actors.console.test_actor import HOME, Room

ONE, STAY, ANN = OrderId("o1"), StayId("s1"), PersonId("ann")


class Counter(Room):
    """A console to which orders are given; its letters to itself are read at once."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = list[OrderAnswer]()

    def order(self, order: Order) -> None:
        self.actor.on_receive(OrderGiven(id=ONE, order=order, answer=self.answers.append))

    def read(self) -> None:
        """Every letter that came to the console meanwhile."""
        while self.actor.unread():
            self.actor.on_receive(self.actor.actor_inbox.get().message)

    def result(self) -> tuple[OrderResult, str]:
        self.read()
        [answer] = self.answers
        return answer.result, answer.code


def test_where_to_come_is_the_named_room_or_the_local_one() -> None:
    counter = Counter()
    counter.order(ask.JoinOrdered())
    counter.order(ask.JoinOrdered(room=RoomId("den")))
    letters = [each for each in counter.gateway.received() if isinstance(each, JoinVoice)]
    assert [(each.room, each.asked_by, each.asker) for each in letters] == [
        (HOME, AskedBy.OPERATOR, None),
        ("den", AskedBy.OPERATOR, None),
    ]


def test_joining_and_leaving_are_answered_by_the_account() -> None:
    counter = Counter()
    counter.order(ask.JoinOrdered())
    counter.gateway.expect(JoinVoice).reply_to.tell(Joined(room=HOME, stay=STAY))
    assert counter.result() == (OrderResult.DONE, "done")
    counter = Counter()
    counter.order(ask.LeaveOrdered(stay=STAY))
    left = counter.gateway.expect(LeaveVoice)
    assert (left.asked_by, left.stay, left.asker) == (AskedBy.OPERATOR, STAY, None)
    left.reply_to.tell(LeaveAnswered(room=HOME))
    assert counter.result() == (OrderResult.DONE, "done")


@pytest.mark.parametrize(
    "order",
    [
        ask.SayOrdered(text="hello", stay=STAY),
        ask.HushOrdered(seconds=60.0, stay=STAY),
        ask.InterruptOrdered(stay=STAY),
        ask.WithdrawOrdered(person=ANN, stay=STAY),
    ],
)
def test_what_is_done_in_a_stay_goes_by_the_account_and_is_answered_to_the_console(order: Order) -> None:
    counter = Counter()
    counter.order(order)
    letter = counter.gateway.expect(StayOrdered)
    here = counter.actor.here
    assert letter.stay == STAY
    assert letter.order in (
        SayAloud(order=ONE, text="hello", reply_to=here),
        Hush(order=ONE, seconds=60.0, reply_to=here),
        Interrupt(order=ONE, reply_to=here),
        WithdrawConsent(order=ONE, person=ANN, reply_to=here),
    )
    counter.actor.on_receive(StayOrderAnswered(order=ONE, code=OrderCode.NO_STAY))
    assert counter.result() == (OrderResult.GONE, "no_stay")


def test_a_new_life_is_asked_for_at_the_root() -> None:
    counter = Counter()
    counter.order(ask.RestartOrdered(path="root/captain"))
    letter = counter.house.expect(RestartChild)
    assert letter.path == "root/captain"
    assert letter.reply_to is not None
    letter.reply_to.tell(RestartAnswered(path="root/captain", restarted=True))
    assert counter.result() == (OrderResult.DONE, "done")


def test_the_record_is_flushed_and_purged_down_to_the_receipts() -> None:
    counter = Counter()
    counter.order(ask.FlushOrdered())
    counter.evidence.expect(say.Flush).done.tell(say.Flushed(lost=0))
    assert counter.result() == (OrderResult.DONE, "done")
    counter = Counter()
    counter.order(ask.PurgeOrdered(person=ANN))
    letter = counter.evidence.expect(say.PurgePerson)
    assert (letter.person, letter.receipts) == (ANN, True)
    assert letter.done is not None
    letter.done.tell(say.Purged(person=ANN, lines=1, receipts=0, failed="EIO"))
    assert counter.result() == (OrderResult.REFUSED, "EIO")


def test_who_has_the_house_closed_is_answered() -> None:
    counter = Counter()
    counter.order(ask.ShutdownOrdered())
    assert counter.way_out.received() == [CloseHouse()]
    assert counter.result() == (OrderResult.DONE, "done")


def test_an_order_that_nobody_answers_is_answered_for_by_the_clock() -> None:
    counter = Counter()
    counter.order(ask.JoinOrdered())
    counter.clock.advance(44.0)
    counter.read()
    assert counter.answers == []
    counter.clock.advance(1.0)
    assert counter.result() == (OrderResult.PENDING, "timeout")
    counter.gateway.expect(JoinVoice).reply_to.tell(Joined(room=HOME, stay=STAY))
    assert counter.result() == (OrderResult.PENDING, "timeout")


def test_an_order_that_is_open_when_the_window_shuts_is_answered() -> None:
    counter = Counter()
    counter.order(ask.SayOrdered(text="my secret"))
    counter.actor.closed(Ending.SHUTDOWN)
    assert counter.result() == (OrderResult.PENDING, "console_closed")


def test_what_he_is_to_say_is_not_in_the_log() -> None:
    lines: list[str] = []
    sink = logger.add(lambda line: lines.append(str(line)), format="{message}")
    try:
        counter = Counter()
        counter.order(ask.SayOrdered(text="my secret"))
        counter.actor.on_receive(StayOrderAnswered(order=ONE, code=OrderCode.DONE, stay=STAY))
    finally:
        logger.remove(sink)
    assert lines == ["the operator's order to say: done (done)\n"]


def test_why_is_answered_in_json() -> None:
    room, answers = Room(), list[str]()
    judged = say.FloorDecision(
        stay_id=STAY,
        person_id=ANN,
        line_id=LineId("l"),
        heard_as="none",
        decision="ignore",
        rule="dormant",
    )
    room.actor.on_receive(say.Recorded(receipt=judged, at=7.0, json_line="{}"))
    room.actor.on_receive(ask.WhyAsked(stay=None, most=50, answer=answers.append))
    why = parse_why(answers[0].encode())
    assert why is not None
    assert [(line.at, line.line_id) for line in why.lines] == [(7.0, "l")]


def test_viewers_are_shown_the_status_receipts_and_words() -> None:
    room = Room()
    room.actor.on_receive(ask.ViewersChanged(viewers=1, wanting_words=1))
    assert room.evidence.received()[-1] == say.Watch(watcher=room.actor.here, may_see_words=True)
    room.actor.on_receive(a_house())
    taken = say.Volition(stay_id=STAY, outcome="taken")
    room.actor.on_receive(say.Recorded(receipt=taken, at=1.0, json_line='{"id":"a"}'))
    heard = say.HeardWords(stay_id=STAY, person_id=ANN, label="Ann", text="hi", typed=False)
    room.actor.on_receive(heard)
    [(_, status), (_, receipt), (_, words)] = room.server.shown
    assert [view for view, _ in room.server.shown] == [View.STATUS, View.RECEIPT, View.WORDS]
    assert isinstance(parse_view(status), StatusView)
    assert json.loads(receipt) == {"view": "receipt", "receipt": {"id": "a"}}
    said = json.loads(words)
    assert (said["at"], said["text"]) == (room.clock.wall().timestamp(), "hi")
