"""The report says why he is silent, where he is, and what only the tree knows of it."""

from dataclasses import replace

import pytest

from actors.console.core import step
from actors.console.report import StatusReport
from actors.console.reporting import report
from actors.console.silence import why_silent
from actors.console.state import State
from messages import evidence as say
from messages.console import ConsoleMessage
from messages.ids import RoomId, StayId, Token
from messages.lifecycle import Scalar, TreeNode
from tests.actors.console.fake import node

NEW = State(version="1", opened_at=0.0, token=Token(0), ask_seconds=1.0)
JOINED = say.Recorded(
    receipt=say.Joined(stay_id=StayId("s1"), room_id=RoomId("r1"), humans=2, bots=1, encryption="dave"),
    at=1.0,
    json_line="{}",
)
LEFT = replace(JOINED, receipt=say.Left(stay_id=StayId("s1"), reason="kicked", duration_ms=1))


def after(*events: ConsoleMessage) -> StatusReport:
    """What is reported after these."""
    state = NEW
    for event in events:
        state, _ = step(state, event, 1.0)
    return report(state, 1.0)


def house(stay: str = "s1", phase: str = "active", hushed_s: Scalar = 0, floor: str = "Floor") -> TreeNode:
    """A house with a stay in it, whose floor says how long it is silent yet."""
    path = f"root/body/stays/{stay}"
    facts: dict[str, Scalar] = {"phase": phase, "stay": stay, "room": "r1", "humans": 2}
    mouth = node(f"{path}/mouth", node(f"{path}/mouth/floor", kind=floor, facts={"hushed_s": hushed_s}))
    return node("root", node(path, node(f"{path}/stay", kind="Stay", facts=facts), mouth))


@pytest.mark.parametrize("home", [None, RoomId("local")])
def test_a_report_names_the_room_and_what_keeps_him_silent(home: RoomId | None) -> None:
    state = State(version="1", opened_at=0.0, token=Token(0), ask_seconds=1.0, home=home)
    told = report(state, 2.0)
    assert told.room == home
    assert told.silent == why_silent(told)
    assert "he is not in a room" in told.silent


def test_a_hush_is_known_as_long_as_the_floor_knows_of_it() -> None:
    trees = [house(hushed_s=seconds) for seconds in (300, 1, 0, None, "soon")]
    assert [after(JOINED, tree).stays[0].hushed_s for tree in trees] == [300.0, 1.0, None, None, None]
    assert after(JOINED).stays[0].hushed_s is None
    assert after(JOINED, house(stay="s11", hushed_s=300)).stays[0].hushed_s is None
    assert after(JOINED, house(hushed_s=300, floor="Stay")).stays[0].hushed_s is None


@pytest.mark.parametrize("phase", ["active", "degraded"])
def test_a_console_that_opens_late_finds_the_stays_in_the_tree(phase: str) -> None:
    told = after(house(phase=phase, hushed_s=5), house(phase=phase, hushed_s=4))
    [stay] = told.stays
    assert (stay.stay_id, stay.room_id, stay.humans, stay.hushed_s) == ("s1", "r1", 2, 4.0)
    assert (stay.consented, stay.floor, stay.joined_at) == (None, None, None)
    assert "he is not in a room" not in told.silent
    [stay] = after(house(), JOINED).stays
    assert (stay.consented, stay.floor) == (0, "dormant")


@pytest.mark.parametrize("phase", ["joining", "leaving", "closing", "ended"])
def test_a_stay_that_has_not_begun_or_is_ending_is_not_found_there(phase: str) -> None:
    assert after(house(phase=phase)).stays == ()


def test_a_stay_that_ended_is_not_found_again_in_an_old_tree() -> None:
    assert after(JOINED, house(), LEFT, house()).stays == ()
    assert after(house(), LEFT).stays == ()
