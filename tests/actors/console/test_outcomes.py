"""Every way in which an order can end, in a code and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

import pytest

from actors.console.outcomes import NAMES, outcome
from messages import console as ask
from messages.console import Order, OrderEnded, OrderResult
from messages.evidence import Flushed, Purged
from messages.gateway import Joined, JoinRefused, LeaveAnswered, RefusedJoin, RefusedLeave
from messages.ids import OrderId, PersonId, RoomId, StayId
from messages.lifecycle import RestartAnswered, Scalar
from messages.orders import OrderCode, StayOrderAnswered

ONE: Final = OrderId("o1")
DEN, STAY, ANN = RoomId("den"), StayId("s1"), PersonId("ann")
DONE, REFUSED, GONE = OrderResult.DONE, OrderResult.REFUSED, OrderResult.GONE
JOIN, LEAVE, SAY = ask.JoinOrdered(), ask.LeaveOrdered(), ask.SayOrdered(text="hi")
HUSH, WITHDRAW, STOP = (
    ask.HushOrdered(seconds=300.0),
    ask.WithdrawOrdered(person=ANN),
    ask.InterruptOrdered(),
)
RESTART, FLUSH, PURGE = ask.RestartOrdered(path="root/a"), ask.FlushOrdered(), ask.PurgeOrdered(person=ANN)


def joined(name: str = "") -> OrderEnded:
    return ask.JoinEnded(order=ONE, answer=Joined(room=DEN, stay=STAY, name=name))


def stayed_away(reason: RefusedJoin, detail: str = "") -> OrderEnded:
    return ask.JoinEnded(order=ONE, answer=JoinRefused(reason=reason, detail=detail))


def left(room: RoomId | None = None, refused: RefusedLeave | None = None) -> OrderEnded:
    return ask.LeaveEnded(order=ONE, answer=LeaveAnswered(room=room, refused=refused))


def restarted(*ended: str, so: bool, path: str = "root/a") -> OrderEnded:
    return ask.RestartEnded(order=ONE, answer=RestartAnswered(path=path, restarted=so, ended=ended))


def purged(failed: str = "", lines: int = 2, receipts: int = 3) -> OrderEnded:
    answer = Purged(person=ANN, lines=lines, receipts=receipts, failed=failed)
    return ask.PurgeEnded(order=ONE, answer=answer)


def in_stay(code: OrderCode, stay: StayId | None = STAY) -> OrderEnded:
    return StayOrderAnswered(order=ONE, code=code, stay=stay)


NOWHERE = "he is in no room; clankie ctl join has him come"
NO_SUCH = "nobody at that path can be started again; see the tree for who is there"
CHANGED = "2 lines taken out of transcripts, 3 receipts changed"
ENDED: list[tuple[Order, OrderEnded, OrderResult, str, str]] = [
    (JOIN, joined(), DONE, "done", "he is in room den"),
    (JOIN, joined("Lounge"), DONE, "done", "he is in room Lounge"),
    (JOIN, joined("\x1b[2J"), DONE, "done", "he is in room den"),
    (
        JOIN,
        stayed_away(RefusedJoin.NO_OWNER),
        REFUSED,
        "no_owner",
        "no owner is configured; name a room",
    ),
    (
        JOIN,
        stayed_away(RefusedJoin.FAILED, "timeout"),
        REFUSED,
        "failed",
        "the voice channel could not be reached (no answer came in time)",
    ),
    (LEAVE, left(DEN), DONE, "done", "he is leaving room den"),
    (LEAVE, left(), DONE, "done", "he is leaving"),
    (LEAVE, left(refused=RefusedLeave.NOT_IN_VOICE), GONE, "not_in_voice", NOWHERE),
    (
        ask.LeaveOrdered(stay=STAY),
        left(refused=RefusedLeave.NOT_IN_VOICE),
        GONE,
        "not_in_voice",
        "he is in no such room",
    ),
    (
        LEAVE,
        left(refused=RefusedLeave.AUTHORITY),
        REFUSED,
        "authority",
        "he may not be told to leave from here",
    ),
    (RESTART, restarted(so=True), DONE, "done", "root/a has begun a new life"),
    (
        RESTART,
        restarted("root/body/stays/s1", "root/body/stays/s2", so=True),
        DONE,
        "done",
        "root/a has begun a new life; 2 stays ended with it, and clankie ctl join has him come back",
    ),
    (RESTART, restarted("root/body/stays/s1/ears/ann", so=True), DONE, "done", "root/a has begun a new life"),
    (
        RESTART,
        restarted(so=False, path="root"),
        REFUSED,
        "not_restarted",
        "that is the whole house; close it, and start it again",
    ),
    (RESTART, restarted(so=False), REFUSED, "not_restarted", NO_SUCH),
    (
        FLUSH,
        ask.FlushEnded(order=ONE, answer=Flushed(lost=0)),
        DONE,
        "done",
        "what was recorded is on disk",
    ),
    (
        FLUSH,
        ask.FlushEnded(order=ONE, answer=Flushed(lost=4)),
        DONE,
        "done",
        "what was recorded is on disk; 4 receipts could not be written before",
    ),
    (
        FLUSH,
        ask.FlushEnded(order=ONE, answer=Flushed(lost=1, failed="ENOSPC")),
        REFUSED,
        "ENOSPC",
        "not all is on disk (ENOSPC): 1 receipt could not be written; see to the disk",
    ),
    (
        PURGE,
        purged(lines=0, receipts=0),
        REFUSED,
        "nobody",
        "nobody of that id is on record; name one that receipts have in personId",
    ),
    (PURGE, purged(lines=1), DONE, "done", "1 line taken out of transcripts, 3 receipts changed"),
    (PURGE, purged(), DONE, "done", CHANGED),
    (
        PURGE,
        purged("ENOSPC"),
        REFUSED,
        "ENOSPC",
        f"not all could be changed (ENOSPC): {CHANGED}; see to the disk and order it again",
    ),
    (SAY, in_stay(OrderCode.DONE), DONE, "done", "he will say it as soon as the floor is free"),
    (HUSH, in_stay(OrderCode.DONE), DONE, "done", "he is silent for 300 seconds"),
    (ask.HushOrdered(seconds=1.0), in_stay(OrderCode.DONE), DONE, "done", "he is silent for 1 second"),
    (ask.HushOrdered(seconds=0.0), in_stay(OrderCode.DONE), DONE, "done", "he may speak again"),
    (STOP, in_stay(OrderCode.DONE), DONE, "done", "he has stopped, and what waited to be said is dropped"),
    (WITHDRAW, in_stay(OrderCode.DONE), DONE, "done", "that person is heard no longer"),
    (STOP, in_stay(OrderCode.NOTHING_TO_DO), REFUSED, "nothing_to_do", "he was saying nothing"),
    (WITHDRAW, in_stay(OrderCode.NOTHING_TO_DO), REFUSED, "nothing_to_do", "that person was not heard"),
    (HUSH, in_stay(OrderCode.NOTHING_TO_DO), REFUSED, "nothing_to_do", "nobody has told him to be silent"),
    (
        SAY,
        in_stay(OrderCode.NOTHING_TO_DO),
        REFUSED,
        "nothing_to_do",
        "nothing in it can be spoken; write letters or digits",
    ),
    (SAY, in_stay(OrderCode.NO_STAY, None), GONE, "no_stay", NOWHERE),
    (
        ask.SayOrdered(text="hi", stay=STAY),
        in_stay(OrderCode.NO_STAY, None),
        GONE,
        "no_stay",
        "he is in no such room",
    ),
    (SAY, in_stay(OrderCode.NO_STAY), GONE, "no_stay", "he is in no such room"),
    (SAY, in_stay(OrderCode.LEAVING), GONE, "leaving", "he is about to leave that room"),
    (WITHDRAW, in_stay(OrderCode.NOT_HERE), GONE, "not_here", "that person is not in the room"),
    (SAY, in_stay(OrderCode.AMBIGUOUS), REFUSED, "ambiguous", "he is in several rooms; name the stay"),
    (
        SAY,
        in_stay(OrderCode.BUSY),
        REFUSED,
        "busy",
        "enough waits to be said already; try again later, or drop it all: clankie ctl interrupt",
    ),
    (STOP, in_stay(OrderCode.BUSY), REFUSED, "busy", "too much of the kind waits already; try again later"),
]


@pytest.mark.parametrize(("order", "ended", "result", "code", "text"), ENDED)
def test_an_order_ends_in_a_code_and_a_sentence(
    order: Order, ended: OrderEnded, result: OrderResult, code: str, text: str
) -> None:
    answer = outcome(order, ended)
    assert (answer.result, answer.code, answer.text) == (result, code, text)


@pytest.mark.parametrize("reason", RefusedJoin)
def test_every_reason_to_stay_away_has_words(reason: RefusedJoin) -> None:
    answer = outcome(JOIN, stayed_away(reason))
    assert (answer.result, answer.code) == (REFUSED, reason.value)
    assert len(answer.text) > 20


@pytest.mark.parametrize("code", OrderCode)
def test_every_answer_of_a_stay_has_words(code: OrderCode) -> None:
    assert outcome(SAY, in_stay(code)).text


@pytest.mark.parametrize(
    ("order", "ended", "facts"),
    [
        (JOIN, joined("Lounge"), {"room": "den", "stay": "s1", "name": "Lounge"}),
        (LEAVE, left(DEN), {"room": "den"}),
        (FLUSH, ask.FlushEnded(order=ONE, answer=Flushed(lost=0)), {"lost": 0}),
        (PURGE, purged("EIO"), {"lines": 2, "receipts": 3}),
        (SAY, in_stay(OrderCode.DONE), {"stay": "s1"}),
        (RESTART, restarted(so=True), {"path": "root/a"}),
    ],
)
def test_what_there_is_to_tell_besides_is_told(
    order: Order, ended: OrderEnded, facts: Mapping[str, Scalar]
) -> None:
    assert outcome(order, ended).facts == facts


def test_every_order_has_a_name() -> None:
    assert set(NAMES) == set(get_args(Order))
