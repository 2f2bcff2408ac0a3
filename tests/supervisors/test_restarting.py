"""An order to restart somebody is answered once, whoever carries it out and whatever comes of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from actors.base import Life
from messages.lifecycle import (
    CrashChild,
    Ending,
    Exited,
    Open,
    RestartAnswered,
    RestartChild,
    RestartType,
    Strategy,
)
from supervisors.dynamic import DynamicSupervisor
from supervisors.supervisor import ChildSpec, Supervisor
from tests.probe import Probe
from tests.stage import Stage
from tests.supervisors.family import Family, fails

PERMANENT, TEMPORARY = RestartType.PERMANENT, RestartType.TEMPORARY


class House:
    """`root` with `inner` in it, and in that the members that a test needs."""

    def __init__(self, stage: Stage, members: Sequence[ChildSpec], intensity: int = 3) -> None:
        self.stage, self.answers = stage, Probe[RestartAnswered]()

        def inner(life: Life) -> Supervisor:
            return Supervisor(life, children=members, intensity=intensity)

        spec = ChildSpec(name="inner", make=inner, restart=PERMANENT)
        self.root = stage.host("root", [spec])

    def restart(self, path: str) -> None:
        self.root.here.tell(RestartChild(path=path, reply_to=self.answers))

    def told(self, path: str) -> list[bool]:
        self.stage.run()
        return [one.restarted for one in self.answers.received() if one.path == path]


def test_a_grandchild_and_a_whole_family_begin_a_new_life_and_it_is_said_once() -> None:
    family = Family.new()
    with Stage() as stage:
        house = House(stage, [family.member("a"), family.member("b")])
        family.story()
        house.restart("root/inner/a")
        assert house.told("root/inner/a") == [True]
        assert family.story() == ["-root/inner/a ordered", "+root/inner/a"]
        house.restart("root/inner")
        assert house.told("root/inner") == [True]
        assert len(family.story()) == 4


@pytest.mark.parametrize("path", ["root", "elsewhere", "root/nobody", "root/inner/nobody", "root/inner/a/b"])
def test_for_nobody_there_is_no_new_life(path: str) -> None:
    family = Family.new()
    with Stage() as stage:
        house = House(stage, [family.member("a")])
        house.restart(path)
        assert house.told(path) == [False]


def test_who_ends_with_it_for_good_is_told_whatever_is_below() -> None:
    family, answers = Family.new(), Probe[RestartAnswered]()

    def make(life: Life) -> DynamicSupervisor[str]:
        return DynamicSupervisor(life, make_child=lambda name: family.member(name, TEMPORARY), max_children=2)

    with Stage() as stage:
        root = stage.host(
            "root",
            [family.member("a"), ChildSpec(name="on", make=make, restart=PERMANENT)],
            strategy=Strategy.REST_FOR_ONE,
        )
        for path in ("root/a", "root/on", "root/a"):
            stage.worker("root/on").here.tell(Open(request="b"))
            stage.run()
            root.here.tell(RestartChild(path=path, reply_to=answers))
            stage.run()
            assert answers.received()[-1].ended == ("root/on/b",)
        assert family.story().count("-root/on/b ordered") == 3


def test_what_is_never_restarted_is_left_alone() -> None:
    family = Family.new()
    answers = Probe[RestartAnswered]()
    with Stage() as stage:
        house = House(stage, [family.member("a", TEMPORARY)])
        house.restart("root/inner/a")
        assert house.told("root/inner/a") == [False]
        ears = stage.add(
            "ears",
            lambda life: DynamicSupervisor[str](
                life, make_child=lambda name: family.member(name, TEMPORARY), max_children=2
            ),
        )
        ears.here.tell(Open(request="b"))
        ears.here.tell(RestartChild(path="ears/b", reply_to=answers))
        stage.run()
        assert answers.received() == [RestartAnswered(path="ears/b", restarted=False)]
        assert family.story() == ["+root/inner/a", "+ears/b"]


def test_a_child_on_demand_begins_a_new_life_too() -> None:
    family, answers = Family.new(), Probe[RestartAnswered]()

    def make(life: Life) -> DynamicSupervisor[str]:
        return DynamicSupervisor(life, make_child=family.member, max_children=2)

    with Stage() as stage:
        root = stage.host("root", [ChildSpec(name="on", make=make, restart=PERMANENT)])
        stage.worker("root/on").here.tell(Open(request="a"))
        stage.run()
        root.here.tell(RestartChild(path="root/on/a", reply_to=answers))
        stage.run()
        assert answers.received() == [RestartAnswered(path="root/on/a", restarted=True)]


def test_one_that_never_opens_again_is_said_to_once() -> None:
    family, opened = Family.new(), list[str]()

    def opening(life: Life) -> None:
        opened.append(life.path)
        if len(opened) > 1:
            raise ValueError("never again")

    with Stage() as stage:
        house = House(stage, [family.member("a", opening=opening)], intensity=2)
        house.restart("root/inner/a")
        assert house.told("root/inner/a") == [False]
        assert stage.exited.expect(Exited, 0).ending is Ending.CRASHED
        stage.crashes.clear()


def test_one_that_fails_to_open_at_first_is_said_to_live_when_it_does() -> None:
    family, lives = Family.new(), list[str]()
    failing = fails(2)

    def opening(life: Life) -> None:
        if lives:
            failing(life)
        lives.append(life.path)

    with Stage() as stage:
        house = House(stage, [family.member("a", opening=opening)])
        house.restart("root/inner/a")
        assert house.told("root/inner/a") == [True]


def test_an_overseer_that_dies_with_the_order_unread_does_not_keep_it() -> None:
    family = Family.new()
    with Stage() as stage:
        house = House(stage, [family.member("a")])
        house.root.here.tell(CrashChild(path="root/inner"))
        house.restart("root/inner/a")
        assert house.told("root/inner/a") == [False]
        assert stage.worker("root/inner/a").life.over is False


def test_an_order_that_nobody_waits_for_is_carried_out_and_news_of_none_is_old() -> None:
    family = Family.new()
    with Stage() as stage:
        house = House(stage, [family.member("a")])
        family.story()
        for path in ("root/inner/a", "root/nobody"):
            house.root.here.tell(RestartChild(path=path))
        house.root.here.tell(RestartAnswered(path="root/inner/a", restarted=True))
        assert house.told("root/inner/a") == []
        assert family.story() == ["-root/inner/a ordered", "+root/inner/a"]


@pytest.mark.parametrize("seed", range(60))
def test_whatever_dies_meanwhile_every_order_is_answered_once(seed: int) -> None:
    family = Family.new()
    with Stage(seed) as stage:
        house = House(stage, [family.member("a"), family.member("b")], intensity=9)
        for number, path in enumerate(("root/inner/a", "root/inner", "root/inner/b", "root/inner/nobody")):
            house.restart(path)
            if number % 2 == seed % 2:
                house.root.here.tell(CrashChild(path="root/inner"))
            family.at("b").tell("crash")
        stage.run()
        paths = sorted(one.path for one in house.answers.received())
        assert paths == ["root/inner", "root/inner/a", "root/inner/b", "root/inner/nobody"]
        stage.crashes.clear()
    assert len(house.answers.received()) == 4


def test_a_house_that_closes_owes_no_answer() -> None:
    family = Family.new()
    stage = Stage()
    house = House(stage, [family.member("a")])
    house.restart("root/inner/a")
    stage.close()
    assert house.answers.received() == [RestartAnswered(path="root/inner/a", restarted=False)]


def test_one_that_is_not_begun_again_because_all_ends_has_no_new_life() -> None:
    family = Family.new()
    stage = Stage()
    house = House(stage, [family.member("a")])
    order = RestartChild(path="root/inner/a", reply_to=house.answers)
    stage.worker("root/inner").here.tell(order)
    stage.close()
    assert house.answers.received() == [RestartAnswered(path="root/inner/a", restarted=False)]
