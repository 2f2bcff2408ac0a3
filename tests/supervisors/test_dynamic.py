"""Children on demand: opened, refused, closed, forgotten."""

import pytest

from actors.base import Life
from messages.lifecycle import (
    Close,
    CrashChild,
    DescribeTree,
    Ending,
    Exited,
    LifeState,
    Open,
    OpenRefused,
    Refusal,
    RestartChild,
    RestartType,
    TreeNode,
)
from supervisors.dynamic import DynamicSupervisor
from supervisors.supervisor import ChildSpec, Supervisor
from tests.probe import Probe
from tests.stage import Stage
from tests.supervisors.family import Family, fails


class House:
    """A dynamic supervisor on a stage; a request is `name` or `name restart-type`."""

    def __init__(self, stage: Stage, max_children: int = 3) -> None:
        self.stage = stage
        self.family = Family.new()
        self.refused: Probe[OpenRefused[str]] = Probe()
        self.exits: Probe[Exited] = Probe()
        self.stays = stage.add(
            "stays",
            lambda life: DynamicSupervisor(
                life,
                make_child=self.make_child,
                max_children=max_children,
                refused=self.refused,
                exits=self.exits,
                intensity=1,
            ),
        )

    def make_child(self, request: str) -> ChildSpec:
        name, _, restart = request.partition(" ")
        kind = RestartType(restart or "temporary")
        match name:
            case "broken":
                return self.family.member(name, kind, opening=fails(99))
            case "family":
                return ChildSpec(
                    name=name,
                    make=lambda life: Supervisor(life, children=[self.family.member("leaf")]),
                    restart=kind,
                )
            case _:
                return self.family.member(name, kind)

    def open(self, *requests: str) -> list[str]:
        for request in requests:
            self.stays.here.tell(Open(request=request))
        self.stage.run()
        return self.family.story()


def test_requests_become_children_and_the_youngest_stops_first() -> None:
    with Stage() as stage:
        house = House(stage)
        assert house.open("a", "b") == ["+stays/a", "+stays/b"]
    assert house.family.story() == ["-stays/b shutdown", "-stays/a shutdown"]
    assert house.exits.received() == []


def test_one_too_many_and_one_twice_are_refused_and_counted() -> None:
    with Stage() as stage:
        house = House(stage, max_children=2)
        house.open("a", "a", "b", "c")
        assert house.refused.received() == [
            OpenRefused(request="a", refusal=Refusal.ALREADY_OPEN),
            OpenRefused(request="c", refusal=Refusal.FULL),
        ]
        assert house.stays.describe()["refused"] == 2


def test_a_refusal_that_nobody_wants_to_hear_is_still_counted() -> None:
    family = Family.new()
    with Stage() as stage:
        stays = stage.add(
            "stays", lambda life: DynamicSupervisor[str](life, make_child=family.member, max_children=0)
        )
        stays.here.tell(Open(request="a"))
        stays.here.tell(Close(name="a"))
        stage.run()
        assert (stays.describe()["refused"], family.story()) == (1, [])


def test_a_closed_child_ends_as_removed_and_makes_room() -> None:
    with Stage() as stage:
        house = House(stage, max_children=1)
        house.open("a")
        house.stays.here.tell(Close(name="a"))
        assert house.open("b") == ["-stays/a removed", "+stays/b"]
        assert house.exits.expect(Exited, 0).ending is Ending.REMOVED
        assert house.refused.received() == []


def test_a_temporary_child_that_crashes_is_forgotten_and_reported_once() -> None:
    with Stage() as stage:
        house = House(stage)
        house.open("a")
        stage.crash("stays/a")
        stage.run()
        assert house.family.story() == ["-stays/a crashed"]
        assert [exited.ending for exited in house.exits.received()] == [Ending.CRASHED]
        assert house.stays.tree().children == ()
        assert house.open("a") == ["+stays/a"]


def test_a_child_that_does_not_open_is_reported_and_costs_nobody_else_anything() -> None:
    with Stage() as stage:
        house = House(stage)
        house.open("a", "broken", "broken", "broken", "b")
        assert [exited.ending for exited in house.exits.received()] == [Ending.OPEN_FAILED] * 3
        assert [child.path for child in house.stays.tree().children] == ["stays/a", "stays/b"]


def test_a_child_whose_spec_says_so_is_restarted_within_the_intensity() -> None:
    with Stage() as stage:
        house = House(stage)
        house.open("a transient")
        stage.crash("stays/a")
        stage.run()
        assert house.family.story() == ["-stays/a crashed", "+stays/a"]
        assert (house.exits.received(), house.stays.tree().children[0].restarts) == ([], 1)
        stage.crash("stays/a")
        stage.run()
        assert stage.exited.expect(Exited, 0).ending is Ending.CRASHED
        stage.crashes.clear()


def test_the_letter_of_an_earlier_child_of_that_name_is_old() -> None:
    with Stage() as stage:
        house = House(stage)
        house.open("a")
        house.stays.here.tell(Close(name="a"))
        house.open("a")
        assert house.stays.describe()["old_letters"] == 1
        house.stays.here.tell(
            Exited(child="stays/a", incarnation=1, ending=Ending.CRASHED, error="from long ago")
        )
        stage.run()
        assert [child.state for child in house.stays.tree().children] == [LifeState.OPEN]


def test_orders_and_questions_are_answered_for_children_and_grandchildren() -> None:
    answer: Probe[TreeNode] = Probe()
    with Stage() as stage:
        house = House(stage)
        house.open("a transient", "family")
        for order in (
            RestartChild(path="stays/a"),
            CrashChild(path="stays/family/leaf"),
            DescribeTree(reply_to=answer),
        ):
            house.stays.here.tell(order)
        stage.run()
        assert house.family.story() == [
            "-stays/a ordered",
            "+stays/a",
            "-stays/family/leaf crashed",
            "+stays/family/leaf",
        ]
        node = answer.expect(TreeNode, 0)
        assert [(child.path, len(child.children)) for child in node.children] == [
            ("stays/a", 0),
            ("stays/family", 1),
        ]


def test_a_family_that_finishes_is_forgotten_with_everyone_in_it() -> None:
    with Stage() as stage:
        house = House(stage)
        house.open("family")
        stage.crash("stays/family")
        stage.run()
        assert house.family.story() == ["-stays/family/leaf given_up"]
        assert house.stays.tree().children == ()


@pytest.mark.parametrize("seed", range(100))
def test_however_openings_crashes_and_closings_meet_what_is_open_is_what_is_known(seed: int) -> None:
    with Stage(seed) as stage:
        house = House(stage, max_children=9)
        opened = house.open("a", "b", "c")
        for name in "abc":
            house.family.at(name).tell("finish" if name == "b" else "crash")
            house.stays.here.tell(Close(name=name))
            house.stays.here.tell(Open(request=name))
        opened += [line for line in house.open() if line.startswith("+")]
        running = [child.path for child in house.stays.tree().children]
        assert len(opened) == len(house.exits.received()) + len(running)
        assert all(stage.worker(path).life.state is LifeState.OPEN for path in running)
        stage.crashes.clear()


def test_every_life_says_when_requests_are_taken_and_needs_no_one_to_report_to() -> None:
    family, ready = Family.new(), list[str]()

    def make(life: Life) -> DynamicSupervisor[str]:
        return DynamicSupervisor(
            life, make_child=family.member, max_children=1, ready=lambda: ready.append(life.path)
        )

    with Stage() as stage:
        stage.host("root", [ChildSpec(name="ears", make=make, restart=RestartType.PERMANENT)])
        stage.crash("root/ears")
        stage.run()
        assert ready == ["root/ears", "root/ears"]
        ears = stage.worker("root/ears")
        ears.here.tell(Open(request="a"))
        stage.run()
        ears.here.tell(Close(name="a"))
        stage.run()
        assert family.story() == ["+root/ears/a", "-root/ears/a removed"]
