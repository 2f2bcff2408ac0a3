"""In whatever order things happen, everybody is answered once and nothing is done twice."""

from collections import Counter
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.captain.decisions import Decision, Think, Use
from actors.captain.events import CaptainCloses, Event
from actors.captain.journal import ToolEnded
from actors.captain.settings import CaptainSettings
from messages.captain import (
    AskAsOperator,
    AskCaptain,
    AskInText,
    Confirmed,
    MachineDone,
    StayIsOver,
    TakeBack,
)
from messages.console import OperatorAnswered
from messages.gateway import ConfirmAsked, JoinVoice, LeaveAnswered, LeaveVoice, PostText, TextAnswered
from messages.ids import CallId, HandoffId, RoomId, StayId
from messages.lifecycle import Ending
from messages.realtime import HandoffFailed, HandoffMerged, HandoffReturned, HandoffTakenBack
from messages.tools import ComeToVoice, Recall, UseMachine
from messages.tools import LeaveVoice as GoAway
from tests.actors.captain.scene import (
    ADA,
    BEN,
    Desk,
    aloud,
    begun,
    decided,
    entries,
    fails,
    gives,
    known,
    says,
    told,
    typed,
    wants,
    wrote,
)

PLAY = UseMachine(tool="music__play", arguments="{}")


@dataclass(frozen=True, slots=True)
class Pause:
    """So many seconds in which nothing happens."""

    seconds: float


NAMES = {kind: [f"{kind}{number}" for number in range(3)] for kind in "tvo"}
ALL = [name for names in NAMES.values() for name in names]
NUMBERS = st.integers(1, 4)
NAME = st.sampled_from(ALL)


def _question(name: str) -> Event:
    person = BEN if name.endswith("2") else ADA
    if name.startswith("o"):
        return typed(name)
    return wrote(name, person) if name.startswith("t") else aloud(name, person)


def _came(name: str, call: int) -> MachineDone:
    return MachineDone(handoff=HandoffId(name), call=CallId(f"c{call}"), text="")


EVENTS: st.SearchStrategy[Event] = st.one_of(
    NAME.map(_question),
    NAME.map(lambda name: TakeBack(handoff=HandoffId(name))),
    NAME.map(lambda name: known(name, BEN if name.endswith("2") else ADA)),
    st.builds(says, NAME, NUMBERS),
    st.builds(
        lambda name, step, first: wants(
            name, PLAY, GoAway(), ComeToVoice(), Recall(), step=step, first=first
        ),
        NAME,
        NUMBERS,
        NUMBERS,
    ),
    st.builds(lambda name, step: fails(name, "aborted", step), NAME, NUMBERS),
    st.builds(_came, NAME, NUMBERS),
    st.builds(StayIsOver, stay=st.just(StayId("stay"))),
    st.builds(lambda name, call: gives(name, Confirmed(), f"c{call}"), NAME, NUMBERS),
    st.builds(lambda name, call: gives(name, LeaveAnswered(room=RoomId("room")), f"c{call}"), NAME, NUMBERS),
)


def _answered(decisions: list[Decision]) -> Counter[str]:
    """How often each question was settled; a message is called like its question."""
    names: list[str] = []
    for text in told(decisions, TextAnswered):
        names += [text.message, *text.along]
    names += [one.handoff for one in told(decisions, HandoffReturned)]
    names += [one.handoff for one in told(decisions, HandoffFailed)]
    names += [one.handoff for one in told(decisions, HandoffMerged)]
    names += [one.handoff for one in told(decisions, HandoffTakenBack)]
    names += [one.handoff for one in told(decisions, OperatorAnswered)]
    names += [one.text.partition("“do ")[2].partition("”")[0] for one in told(decisions, PostText)]
    return Counter(names)


def _orders(decisions: list[Decision]) -> Counter[str]:
    """How often each thing was ordered, under the kind of the order and its call's name."""
    names = [f"use {one.turn} {one.call}" for one in decided(decisions, Use)]
    names += [f"think {one.turn} {one.step}" for one in decided(decisions, Think)]
    names += [f"begin {name}" for name in begun(decisions)]
    names += [f"come {one.reply_to}" for one in told(decisions, JoinVoice)]
    names += [f"go {one.reply_to}" for one in told(decisions, LeaveVoice)]
    names += [f"confirm {one.confirmation}" for one in told(decisions, ConfirmAsked)]
    names += [f"end {one.handoff} {one.call}" for one in entries(decisions, ToolEnded)]
    return Counter(names)


def _play(desk: Desk, happens: list[Event | Pause]) -> tuple[list[Decision], set[str], set[str]]:
    """All decisions, what was asked, and who hung up on it."""
    decisions, asked, hung_up = list[Decision](), set[str](), set[str]()
    for happening in happens:
        if isinstance(happening, Pause):
            decisions += desk.wait(happening.seconds)
            continue
        if isinstance(happening, AskCaptain | AskInText | AskAsOperator):
            if happening.handoff in asked:
                continue
            asked.add(happening.handoff)
        elif isinstance(happening, TakeBack) and happening.handoff.startswith("o"):
            hung_up.add(happening.handoff)
        decisions += desk.do(happening)
        busy = [turn.lane for turn in desk.state.turns if turn.at_work]
        assert len(busy) == len(set(busy))
    return decisions, asked, hung_up


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(EVENTS, EVENTS, EVENTS, st.builds(Pause, st.floats(0.5, 30))), max_size=40),
    st.booleans(),
)
def test_every_question_is_settled_once_and_in_time_and_nothing_is_done_twice(
    happens: list[Event | Pause], closes: bool
) -> None:
    limits = CaptainSettings(lane_waiting=1, turn_steps=3, tool_seconds=20)
    desk = Desk(limits, servers=True)
    decisions, asked, hung_up = _play(desk, happens)
    # From here on nobody answers: at most two turns of a lane have to run out of time.
    ending = CaptainCloses(ending=Ending.CRASHED)
    decisions += desk.do(ending) if closes else desk.wait(2 * limits.turn_seconds)
    settled = _answered(decisions)
    assert asked - hung_up <= set(settled) <= asked
    assert set(settled.values()) <= {1}
    assert set(_orders(decisions).values()) <= {1}
    assert desk.state.turns == ()
