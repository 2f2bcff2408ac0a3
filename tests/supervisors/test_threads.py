"""What a stage cannot show: children that are stuck, and a supervisor that will not be kept waiting."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from actors.base import Life
from messages.lifecycle import Close, Ending, Exited, LifeState, Open, RestartType, Strategy
from supervisors.dynamic import DynamicSupervisor
from supervisors.supervisor import ChildSpec, Supervisor
from tests.probe import Probe
from tests.supervisors.family import Closed, Family, Gate, Member, Opened

Run = Callable[..., Supervisor]
SOON = 10.0
"""How long we are willing to fail; whoever is stuck is so for longer."""


@pytest.fixture
def family() -> Family:
    return Family.new()


@pytest.fixture
def gate() -> Iterator[Gate]:
    """Holds whoever is to be stuck; opened at the end, so that no thread stays behind."""
    gate = Gate()
    yield gate
    gate.open()


@pytest.fixture
def exits() -> Probe[Exited]:
    return Probe()


@pytest.fixture
def run(exits: Probe[Exited]) -> Iterator[Run]:
    lives: list[Life] = []

    def start(children: Sequence[ChildSpec], strategy: Strategy = Strategy.ONE_FOR_ONE) -> Supervisor:
        lives.append(Life.alone("root", exits.tell))
        root = Supervisor(lives[-1], children=children, strategy=strategy)
        root.begin()
        return root

    yield start
    for life in lives:
        life.ask_to_stop(Ending.SHUTDOWN, 2.0)
        assert life.wait_gone(SOON)


def stop(root: Supervisor, within: float) -> None:
    """It is gone, however long anybody is stuck."""
    root.life.ask_to_stop(Ending.SHUTDOWN, within)
    assert root.life.wait_gone(SOON)


def test_a_child_crashed_in_its_own_thread_is_started_again(family: Family, run: Run) -> None:
    root = run([family.member("a"), family.member("b")])
    assert root.life.wait_opened(SOON)
    family.story()
    family.at("a").tell("crash")
    assert family.diary.expect(Closed) == Closed(path="root/a", ending=Ending.CRASHED)
    assert family.diary.expect(Opened) == Opened(path="root/a")


def test_each_child_has_opened_before_the_next_begins(family: Family, run: Run, gate: Gate) -> None:
    def slowly(_: Life) -> None:
        gate.hold()

    root = run([family.member("a", opening=slowly), family.member("b")])
    assert gate.taken.wait(SOON)
    assert not root.life.wait_opened(0.0)
    assert [child.path for child in root.tree().children] == ["root/a"]
    gate.open()
    assert root.life.wait_opened(SOON)
    assert family.story() == ["+root/a", "+root/b"]


def test_a_stuck_child_is_abandoned_and_the_others_still_stop_in_order_and_in_time(
    family: Family, run: Run, gate: Gate, exits: Probe[Exited]
) -> None:
    root = run([family.member(name) for name in "abcd"])
    assert root.life.wait_opened(SOON)
    family.story()
    family.at("c").tell(gate)
    assert gate.taken.wait(SOON)
    stop(root, 1.0)
    assert family.story() == [f"-root/{name} shutdown" for name in "dba"]
    assert root.describe()["abandoned"] == 1
    assert root.tree().children[2].state is LifeState.ABANDONED
    assert exits.expect(Exited).ending is Ending.SHUTDOWN
    gate.open()
    assert family.diary.expect(Closed) == Closed(path="root/c", ending=Ending.SHUTDOWN)


def test_a_stuck_grandchild_does_not_take_its_supervisor_with_it(
    family: Family, run: Run, gate: Gate
) -> None:
    def inner(life: Life) -> Supervisor:
        return Supervisor(life, children=[family.member("x"), family.member("leaf")])

    root = run([family.member("a"), ChildSpec(name="inner", make=inner, restart=RestartType.PERMANENT)])
    assert root.life.wait_opened(SOON)
    family.at("leaf").tell(gate)
    assert gate.taken.wait(SOON)
    family.story()
    stop(root, 2.0)
    assert family.story() == ["-root/inner/x shutdown", "-root/a shutdown"]
    assert root.describe()["abandoned"] == 0
    gate.open()
    assert family.diary.expect(Closed) == Closed(path="root/inner/leaf", ending=Ending.SHUTDOWN)


def test_a_sibling_stuck_while_all_begin_again_is_replaced_and_its_late_end_is_an_old_letter(
    family: Family, run: Run, gate: Gate
) -> None:
    specs = [family.member("a"), family.member("b", stop_deadline=0.05)]
    root = run(specs, Strategy.ONE_FOR_ALL)
    assert root.life.wait_opened(SOON)
    family.at("b").tell(gate)
    assert gate.taken.wait(SOON)
    family.story()
    family.at("a").tell("crash")
    assert [family.diary.expect(Opened).path for _ in range(2)] == ["root/a", "root/b"]
    gate.open()
    late = [family.diary.expect(Closed), family.diary.expect(Closed)][-1]
    assert late == Closed(path="root/b", ending=Ending.SIBLING_FAILED)
    family.at("a").tell("crash")
    family.diary.expect(Opened)
    family.diary.expect(Opened)
    facts = root.describe()
    assert (facts["abandoned"], facts["recent_failures"]) == (1, 2)


def test_a_child_stuck_while_it_opens_is_given_up_and_another_life_is_tried(
    family: Family, run: Run, gate: Gate
) -> None:
    def first_time_stuck(life: Life) -> None:
        if life.incarnation == 1:
            gate.hold()

    root = run([family.member("a", opening=first_time_stuck, open_deadline=0.05)])
    assert root.life.wait_opened(SOON)
    assert family.story() == ["+root/a"]
    gate.open()
    assert family.diary.expect(Closed).ending is Ending.OPEN_FAILED
    family.at("a").tell("crash")
    assert family.diary.expect(Closed).ending is Ending.CRASHED
    assert family.diary.expect(Opened).path == "root/a"


def test_nobody_waits_twice_for_one_who_was_given_up(family: Family, run: Run, gate: Gate) -> None:
    stuck = family.member(
        "b", RestartType.TEMPORARY, opening=lambda _: gate.hold(), open_deadline=0.05, stop_deadline=0.05
    )
    root = run([family.member("a"), stuck, family.member("c")], Strategy.ONE_FOR_ALL)
    assert root.life.wait_opened(SOON)
    family.story()
    family.at("a").tell("crash")
    assert [family.diary.expect(Opened).path for _ in range(2)] == ["root/a", "root/c"]
    assert root.describe()["abandoned"] == 1
    gate.open()
    assert family.diary.expect(Opened).path == "root/b"
    while family.diary.expect(Closed).path != "root/b":
        pass


def test_a_stop_does_not_wait_for_a_child_that_takes_its_time_to_open(
    family: Family, run: Run, gate: Gate
) -> None:
    def slowly(_: Life) -> None:
        gate.hold()

    def inner(life: Life) -> Supervisor:
        return Supervisor(life, children=[family.member("leaf", opening=slowly), family.member("next")])

    root = run([family.member("a"), ChildSpec(name="inner", make=inner, restart=RestartType.PERMANENT)])
    assert gate.taken.wait(SOON)
    stop(root, 0.5)
    assert family.story() == ["+root/a", "-root/a shutdown"]
    gate.open()
    assert family.diary.expect(Closed).path == "root/inner/leaf"


def test_a_hundred_crashes_at_once_end_in_one_escalation(
    family: Family, run: Run, exits: Probe[Exited]
) -> None:
    root = run([family.member("a")])
    assert root.life.wait_opened(SOON)
    for _ in range(4):
        family.diary.expect(Opened)
        family.at("a").tell("crash")
    assert exits.expect(Exited).ending is Ending.CRASHED
    assert len(family.story()) == 8


def test_dynamic_children_stop_together_so_that_one_who_is_stuck_costs_the_others_nothing(
    family: Family, gate: Gate
) -> None:
    life = Life.alone("stays")
    stays: DynamicSupervisor[str] = DynamicSupervisor(life, make_child=family.member, max_children=9)
    stays.begin()
    for name in "abc":
        stays.here.tell(Open(request=name))
        assert family.diary.expect(Opened).path == f"stays/{name}"
    family.at("c").tell(gate)
    assert gate.taken.wait(SOON)
    family.story()
    life.ask_to_stop(Ending.SHUTDOWN, 0.4)
    assert life.wait_gone(SOON)
    assert sorted(family.story()) == ["-stays/a shutdown", "-stays/b shutdown"]
    assert stays.describe()["abandoned"] == 1
    gate.open()
    assert family.diary.expect(Closed) == Closed(path="stays/c", ending=Ending.SHUTDOWN)


def test_a_dynamic_child_that_will_not_close_is_forgotten_and_its_name_is_free(
    family: Family, gate: Gate, exits: Probe[Exited]
) -> None:
    life = Life.alone("stays")
    stays: DynamicSupervisor[str] = DynamicSupervisor(
        life, make_child=lambda name: family.member(name, stop_deadline=0.05), max_children=1, exits=exits
    )
    stays.begin()
    stays.here.tell(Open(request="a"))
    family.diary.expect(Opened)
    family.at("a").tell(gate)
    assert gate.taken.wait(SOON)
    stays.here.tell(Close(name="a"))
    assert exits.expect(Exited).error == "abandoned"
    family.at("a").tell("not for one who was given up")
    assert family.at("a").missed == 1
    stays.here.tell(Open(request="a"))
    assert family.diary.expect(Opened).path == "stays/a"
    gate.open()
    assert family.diary.expect(Closed).ending is Ending.REMOVED
    life.ask_to_stop(Ending.SHUTDOWN, 2.0)
    assert life.wait_gone(SOON)
    assert family.diary.expect(Closed).ending is Ending.SHUTDOWN


def test_a_child_that_fails_while_it_stops_is_not_abandoned_and_holds_nobody_up(
    family: Family, run: Run
) -> None:
    class Clumsy(Member):
        def closed(self, ending: Ending) -> None:
            super().closed(ending)
            raise ValueError

    clumsy = ChildSpec(
        name="b",
        make=lambda life: Clumsy(life, family.diary, lambda _: None),
        restart=RestartType.PERMANENT,
    )
    root = run([family.member("a"), clumsy])
    assert root.life.wait_opened(SOON)
    family.story()
    stop(root, 2.0)
    assert family.story() == ["-root/b shutdown", "-root/a shutdown"]
    assert root.describe()["abandoned"] == 0
