"""Whether somebody came back is what the tree of the house says, and nothing is guessed."""

from __future__ import annotations

from dataclasses import replace

from messages.lifecycle import LifeState, TreeNode
from supervisors.rehearsal.crashes import Crash, Crashes, crash_lanes

EAR = TreeNode(path="root/ears/ann", kind="Ear", state=LifeState.OPEN, restarts=0, mailbox_depth=0, facts={})
ROOT = TreeNode(path="root", kind="Root", state=LifeState.OPEN, restarts=0, mailbox_depth=0, facts={})


class Grove:
    def __init__(self, *children: TreeNode) -> None:
        self.children = children

    def tree(self) -> TreeNode:
        return replace(ROOT, children=self.children)


def outcome(house: Grove, at: float) -> str:
    crashes = Crashes()
    crashes.ordered(1.0, "ears/ann", Grove(EAR))
    crashes.look(at, house)
    return crashes.found[0].outcome


def test_who_came_back_was_restarted_and_who_is_missing_is_gone() -> None:
    assert outcome(Grove(replace(EAR, restarts=1)), 1.2) == "restarted"
    assert outcome(Grove(), 1.2) == "gone"
    assert outcome(Grove(EAR), 1.2) == "unanswered"
    assert outcome(Grove(), 60.0) == "unanswered"


def test_it_is_looked_for_while_somebody_may_come_back() -> None:
    crashes = Crashes()
    assert crashes.next_look(1.0) == float("inf")
    crashes.ordered(1.0, "ears/ann", Grove(EAR))
    assert crashes.next_look(1.0) == 1.2
    crashes.look(1.2, Grove(replace(EAR, restarts=1)))
    assert crashes.next_look(1.2) == float("inf")


def test_somebody_new_in_the_place_of_who_is_gone_is_not_he() -> None:
    crashes = Crashes()
    crashes.ordered(1.0, "ears/ann", Grove(EAR))
    for house in (Grove(), Grove(EAR)):
        crashes.look(1.2, house)
    assert crashes.found[0].outcome == "gone"


def test_crashes_have_a_lane_of_their_own_where_there_are_any() -> None:
    crashes = (Crash(at=1.0, name="tts", outcome="restarted"), Crash(at=2.0, name="ears/ann", outcome="gone"))
    (lane,) = crash_lanes(crashes, 4.0)
    assert [(bar.began, bar.ended, bar.label) for bar in lane.bars] == [
        (1.0, 2.0, "✗ tts → restarted"),
        (2.0, 4.0, "✗ ears/ann → gone"),
    ]
    assert crash_lanes((), 4.0) == ()
