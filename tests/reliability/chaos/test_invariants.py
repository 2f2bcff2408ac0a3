"""Every invariant can fail: for each there are nights that break it, and the same ones that do not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from messages.evidence import (
    Consent,
    Handoff,
    Joined,
    Left,
    ModelResponse,
    Playback,
    RealtimeTool,
    Receipt,
    Transcription,
    Utterance,
)
from messages.ids import CallId, HandoffId, PersonId, RoomId, SegmentId, StayId, TurnId, UtteranceId
from messages.lifecycle import Scalar
from tests.reliability.chaos.history import (
    Asked,
    End,
    Exposed,
    History,
    Life,
    Logged,
    Manner,
    Moment,
    OnRecord,
    Order,
    Plain,
    Said,
    Sample,
    Sound,
    Spoke,
    Standing,
    Trouble,
    Voiced,
    Wrote,
    write,
)
from tests.reliability.chaos.invariants import INVARIANTS, judge, said_of

STAY, ADA = StayId("stay-1"), PersonId("1")
JOINED = Joined(stay_id=STAY, room_id=RoomId("9"), humans=6, bots=0, encryption="dave")
LEFT = Left(stay_id=STAY, reason="operator", duration_ms=170_000)
GRANTED = Consent(stay_id=STAY, person_id=ADA, phase="granted")
CLOSED = Life(at=0.0, number=1, ended=180.0, end=End.CLOSED)


def on_record(*receipts: tuple[float, Receipt], life: int = 1) -> tuple[OnRecord, ...]:
    return tuple(OnRecord(at=at, life=life, receipt=receipt) for at, receipt in receipts)


def night(*receipts: tuple[float, Receipt]) -> History:
    """A night of three minutes in which he came, and Ada wanted to be heard; nobody has said anything."""
    came = on_record((2.0, JOINED), (3.0, GRANTED), *receipts, (175.0, LEFT))
    return History(
        seconds=180.0, lives=(CLOSED,), receipts=came, consents={str(ADA): ((3.0, 180.0),)}, said=(ADDRESS,)
    )


def turn(phase: str, outcome: str | None = None) -> ModelResponse:
    return ModelResponse(
        stay_id=STAY, turn_id=TurnId("t"), phase=phase, trigger="address", outcome=outcome, reason=None
    )


def playback(phase: str) -> Playback:
    return Playback(stay_id=STAY, utterance_id=UtteranceId("u"), turn_id=TurnId("t"), phase=phase, at_ms=0)


def tool(phase: str) -> RealtimeTool:
    return RealtimeTool(
        stay_id=STAY, turn_id=TurnId("t"), call_id=CallId("c"), name="ask_clankie", phase=phase
    )


def handoff(phase: str) -> Handoff:
    return Handoff(stay_id=STAY, handoff_id=HandoffId("h"), asker_id=ADA, phase=phase)


def counted(person: str, decoded: int) -> Consent:
    return Consent(stay_id=STAY, person_id=PersonId(person), phase="counted", decoded=decoded, unread=7)


def transcription(person: str, outcome: str = "words") -> Transcription:
    return Transcription(
        stay_id=STAY,
        person_id=PersonId(person),
        segment_id=SegmentId("s"),
        outcome=outcome,
        latency_ms=300,
        characters=5,
    )


def sample(at: float, moment: Moment, threads: int = 20, sockets: int = 30, media: int = 1) -> Sample:
    return Sample(
        at=at,
        life=1,
        moment=moment,
        threads=threads,
        open_files={"socket": sockets},
        processes={"house": 1, "media": media},
        rss=100,
    )


def tones(tone: int, at: float, packets: int, listener: str = "Ben") -> tuple[Sound, ...]:
    return tuple(Sound(at=at + 0.02 * number, listener=listener, tone=tone) for number in range(packets))


UTTERANCE = Utterance(stay_id=STAY, person_id=ADA, segment_id=SegmentId("s"), duration_ms=900, voiced_ms=800)
ADDRESS = Said(at=9.0, ended=10.0, person=str(ADA), manner=Manner.ADDRESS, heard=True)
ANSWERED = tones(1, 11.0, 50)
CUT = night((11.0, playback("started")), (12.0, playback("cut")))
SPOKE = Spoke(at=12.5, utterance="u", tones=(1,))
ASKED = Asked(at=60.0, ended=61.0, window=1, person="Ada", heard=63.0)
ORDER = Order(at=20.0, name="say 1", what="order", times=1)
FACTS: Mapping[str, Scalar] = {
    "root/captain:waiting": 3,
    "root/captain:mailbox": 12,
    "root/captain:mind": "here",
}
STANDING = Standing(at=30.0, life=1, facts=FACTS)
LINE = Logged(at=30.0, life=1, level="WARNING", text="child ended: crashed: Poisoned at base.py:205")
ORDERS = tuple(
    replace(LINE, at=at, text=f"child ended: crashed: Poisoned  (child root/mouth/{name}, incarnation 1)")
    for at, name in ((20.0, "tts"), (25.0, "floor"), (30.0, "tts"))
)
GAVE_UP = replace(
    LINE, at=30.0, text="child ended: crashed: IntensityExceeded  (child root/mouth, incarnation 1)"
)
CRASHED_RECORD = Trouble(at=20.5, ended=20.5, number=1, kind="an actor crashes", target="evidence")

GOOD = replace(
    night(
        *((20.0, turn("requested")), (21.0, turn("completed", "spoke"))),
        *((21.0, playback("buffered")), (22.0, playback("started")), (23.0, playback("drained"))),
        *(
            (21.0, tool("called")),
            (21.1, tool("answered")),
            (21.2, handoff("began")),
            (40.0, handoff("failed")),
        ),
        *((9.5, UTTERANCE), (10.0, transcription(str(ADA))), (174.0, counted(str(ADA), 900))),
        (174.0, counted("2", 0)),
    ),
    sounds=ANSWERED,
    wrote=(Wrote(at=10.0, person=str(ADA), typed=False), Wrote(at=10.0, person="2", typed=True)),
    asked=(ASKED,),
    orders=(ORDER,),
    standings=(STANDING,),
    samples=(
        *(sample(1.0, Moment.BEFORE), sample(60.0, Moment.QUIET), sample(120.0, Moment.QUIET)),
        sample(178.0, Moment.AFTER),
    ),
    log=(LINE,),
)
CUT_WELL = replace(CUT, sounds=ANSWERED, spoke=(SPOKE,))

BROKEN: list[tuple[str, History]] = [
    ("one_left_for_each_joined", replace(GOOD, receipts=GOOD.receipts[:-1])),
    ("one_left_for_each_joined", night((170.0, LEFT))),
    ("one_left_for_each_joined", night((170.0, JOINED))),
    ("one_left_for_each_joined", night((170.0, replace(LEFT, stay_id=StayId("stay-2"))))),
    ("one_end_for_every_beginning", night((20.0, turn("requested")))),
    ("one_end_for_every_beginning", night((20.0, turn("completed")), (21.0, turn("failed")))),
    ("one_end_for_every_beginning", night((20.0, playback("buffered")))),
    ("one_end_for_every_beginning", night((20.0, playback("cut")), (21.0, playback("drained")))),
    ("one_end_for_every_beginning", night((20.0, tool("called")))),
    ("one_end_for_every_beginning", night((20.0, handoff("posted")), (21.0, handoff("returned")))),
    ("one_end_for_every_beginning", night((9.5, UTTERANCE))),
    ("nothing_of_whom_nobody_may_hear", night((174.0, counted("2", 1)))),
    (
        "nothing_of_whom_nobody_may_hear",
        replace(GOOD, wrote=(Wrote(at=10.0, person="2", typed=False),)),
    ),
    (
        "nothing_of_whom_nobody_may_hear",
        replace(GOOD, consents={str(ADA): ((3.0, 5.0),)}, wrote=(Wrote(at=20.0, person="1", typed=False),)),
    ),
    ("nothing_on_record_without_a_grant", night((10.0, transcription("2")))),
    ("nothing_in_clear", replace(GOOD, plain=(Plain(at=10.0),))),
    ("nothing_stale_is_heard", replace(CUT_WELL, sounds=tones(1, 11.0, 80))),
    ("nothing_stale_is_heard", replace(CUT_WELL, sounds=(*ANSWERED, *tones(1, 60.0, 3)))),
    (
        "nothing_of_an_earlier_life",
        replace(
            GOOD,
            lives=(replace(CLOSED, ended=50.0, end=End.KILLED), replace(CLOSED, number=2, at=51.0)),
            voiced=(Voiced(at=10.5, life=1, tone=1),),
            sounds=(*ANSWERED, *tones(1, 60.0, 1)),
        ),
    ),
    ("queues_are_bounded", replace(GOOD, standings=(replace(STANDING, facts={"root/captain:waiting": 65}),))),
    ("queues_are_bounded", replace(GOOD, standings=(replace(STANDING, facts={"root:mailbox": 1001}),))),
    ("nothing_leaks", replace(GOOD, samples=(*GOOD.samples, sample(150.0, Moment.QUIET, threads=24)))),
    ("nothing_leaks", replace(GOOD, samples=(*GOOD.samples, sample(179.0, Moment.AFTER, sockets=43)))),
    ("nothing_leaks", replace(GOOD, samples=(*GOOD.samples, sample(150.0, Moment.QUIET, media=5)))),
    ("nothing_leaks", replace(GOOD, standings=(replace(STANDING, facts={"root:abandoned": 1}),))),
    ("nothing_is_left_over", replace(GOOD, lives=(replace(CLOSED, left=("process 7 media",)),))),
    ("nothing_is_left_over", replace(GOOD, lives=(replace(CLOSED, end=End.FELL),))),
    ("never_silent_without_a_reason", replace(GOOD, sounds=())),
    ("never_silent_without_a_reason", replace(GOOD, sounds=tones(1, 21.0, 9))),
    (
        "never_silent_without_a_reason",
        replace(GOOD, sounds=(), standings=(replace(STANDING, at=11.0, silent=("the floor is dormant",)),)),
    ),
    ("answers_once_it_is_over", replace(GOOD, asked=(replace(ASKED, heard=None),))),
    ("answers_once_it_is_over", replace(GOOD, asked=(replace(ASKED, heard=71.5),))),
    ("no_crash_but_ordered_ones", replace(GOOD, log=(replace(LINE, text="child ended: crashed: KeyError"),))),
    (
        "no_crash_but_ordered_ones",
        replace(GOOD, log=(replace(LINE, text="Traceback (most recent call last):"),)),
    ),
    ("no_crash_but_ordered_ones", replace(GOOD, log=(*ORDERS[1:], GAVE_UP))),
    ("no_crash_but_ordered_ones", replace(GOOD, log=(*ORDERS, replace(GAVE_UP, at=95.0)))),
    ("nothing_is_exposed", replace(GOOD, exposed=(Exposed(at=1.0, where="the log", what="a secret"),))),
    ("an_order_is_done_once", replace(GOOD, orders=(replace(ORDER, times=2),))),
]
"""What is broken, and a night in which it is."""

KEPT: list[tuple[str, History]] = [
    ("a good night", GOOD),
    ("a cut is silent", CUT_WELL),
    ("a supervisor who gave up by order", replace(GOOD, log=(*ORDERS, GAVE_UP))),
    ("a status that says why", replace(
        GOOD, sounds=(), standings=(replace(STANDING, at=12.0, silent=("nobody has consented",)),))
    ),
    ("a transcript that failed", replace(night((18.0, transcription(str(ADA), "failed"))), sounds=())),
    ("an address to nobody", replace(GOOD, sounds=(), said=(replace(ADDRESS, heard=False),))),
    ("a turn of a record that crashed", replace(
        night((20.0, turn("requested"))), sounds=ANSWERED, troubles=(CRASHED_RECORD,))
    ),
    ("a turn of a life that was killed", replace(
        night((20.0, turn("requested"))), sounds=ANSWERED, lives=(replace(CLOSED, end=End.KILLED),))
    ),
]  # fmt: skip
"""Nights that look as if, and are not."""


@pytest.mark.parametrize(("promise", "broken"), BROKEN)
def test_what_is_broken_is_noticed(promise: str, broken: History) -> None:
    assert promise in {violation.promise for violation in judge(broken)}


@pytest.mark.parametrize(("name", "kept"), KEPT)
def test_what_is_kept_is_left_alone(name: str, kept: History) -> None:
    assert judge(kept) == (), name


def test_each_invariant_is_shown_a_night_that_breaks_it_and_says_what_it_promises() -> None:
    assert {invariant.__name__ for invariant in INVARIANTS} == {promise for promise, _ in BROKEN}
    assert all(said_of(invariant) for invariant in INVARIANTS)


def test_a_night_can_be_read_afterwards_in_order_and_packets_in_a_row_are_one_line(tmp_path: Path) -> None:
    write(GOOD, tmp_path / "history.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text("utf-8").splitlines()]
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)
    sounds = [line for line in lines if line["what"] == "sounds"]
    assert [(one["tone"], one["packets"]) for one in sounds] == [(1, 50)]
    assert {line["kind"] for line in lines if line["what"] == "receipt"} >= {"joined", "left", "playback"}
