"""OTP's promises, each as a story on a stage where nothing depends on chance."""

import pytest

from actors.base import Life
from messages.lifecycle import (
    CrashChild,
    DescribeTree,
    Ending,
    Exited,
    LifeState,
    RestartChild,
    RestartType,
    Strategy,
    TreeNode,
)
from supervisors.address import Address
from supervisors.supervisor import ChildSpec, IntensityExceeded, Supervisor
from tests.probe import Probe
from tests.stage import Stage
from tests.supervisors.family import Family, fails

NAMES = ("a", "b", "c")


@pytest.fixture
def family() -> Family:
    return Family.new()


def three(family: Family) -> list[ChildSpec]:
    return [family.member(name) for name in NAMES]


def test_children_start_in_order_and_stop_in_reverse(family: Family) -> None:
    with Stage() as stage:
        stage.host("root", three(family))
        assert family.story() == ["+root/a", "+root/b", "+root/c"]
    assert family.story() == ["-root/c shutdown", "-root/b shutdown", "-root/a shutdown"]


@pytest.mark.parametrize(
    ("strategy", "along"),
    [(Strategy.ONE_FOR_ONE, ""), (Strategy.REST_FOR_ONE, "c"), (Strategy.ONE_FOR_ALL, "ca")],
)
def test_a_crash_takes_along_whom_the_strategy_says(family: Family, strategy: Strategy, along: str) -> None:
    with Stage() as stage:
        stage.host("root", three(family), strategy=strategy)
        family.story()
        stage.crash("root/b")
        stage.run()
        again = sorted({"b", *along})
        assert family.story() == [
            "-root/b crashed",
            *(f"-root/{name} sibling_failed" for name in along),
            *(f"+root/{name}" for name in again),
        ]


@pytest.mark.parametrize(
    ("restart", "message", "returns"),
    [
        (RestartType.PERMANENT, "finish", True),
        (RestartType.TRANSIENT, "crash", True),
        (RestartType.TRANSIENT, "finish", False),
        (RestartType.TEMPORARY, "crash", False),
    ],
)
def test_who_returns_depends_on_the_restart_type(
    family: Family, restart: RestartType, message: str, returns: bool
) -> None:
    with Stage() as stage:
        root = stage.host("root", [family.member("a", restart)])
        family.story()
        family.at("a").tell(message)
        stage.run()
        assert family.story()[1:] == (["+root/a"] if returns else [])
        assert root.tree().children[0].restarts == int(returns)
        stage.crashes.clear()


def test_a_temporary_sibling_taken_along_stays_away_and_a_finished_transient_one_returns(
    family: Family,
) -> None:
    specs = [
        family.member("a"),
        family.member("b", RestartType.TEMPORARY),
        family.member("c", RestartType.TRANSIENT),
    ]
    with Stage() as stage:
        stage.host("root", specs, strategy=Strategy.ONE_FOR_ALL)
        family.at("c").tell("finish")
        stage.run()
        family.story()
        stage.crash("root/a")
        stage.run()
        assert family.story() == [
            "-root/a crashed",
            "-root/b sibling_failed",
            "+root/a",
            "+root/c",
        ]


def test_a_significant_child_taken_along_does_not_end_the_family(family: Family) -> None:
    specs = [family.member("a"), family.member("b", RestartType.TEMPORARY, significant=True)]
    with Stage() as stage:
        stage.host("root", specs, strategy=Strategy.ONE_FOR_ALL)
        stage.crash("root/a")
        stage.run()
        assert family.story()[-3:] == ["-root/a crashed", "-root/b sibling_failed", "+root/a"]
        assert stage.exited.received() == []


def test_letters_to_a_name_reach_the_next_life_and_those_in_between_are_missed(family: Family) -> None:
    with Stage() as stage:
        root = stage.host("root", three(family))
        stage.crash("root/b")
        family.at("b").tell("nobody reads this")
        stage.run()
        family.at("b").tell("finish")
        stage.run()
        node = root.tree().children[1]
        assert (node.restarts, node.facts["letters_missed"], node.state) == (2, 1, LifeState.OPEN)


def test_what_a_crashed_life_had_not_read_is_read_by_the_next_where_its_door_keeps_it(family: Family) -> None:
    family.addresses["b"] = Address(keeps=(str,))
    with Stage() as stage:
        root = stage.host("root", three(family))
        stage.worker("root/b").actor_ref.tell("finish")
        stage.crash("root/b")
        stage.run()
        assert root.tree().children[1].restarts == 2


@pytest.mark.parametrize("stopped", [False, True])
def test_only_who_lives_again_is_told_as_mended(family: Family, stopped: bool) -> None:
    mended: list[tuple[str, Ending]] = []

    def opening(life: Life) -> None:
        if stopped and life.incarnation > 1:
            root.life.stop_by = stage.now()
            raise ConnectionError("there is no time left")

    def a_family(life: Life) -> Supervisor:
        return Supervisor(
            life,
            children=[family.member("a", opening=opening), family.member("b")],
            strategy=Strategy.ONE_FOR_ALL,
            mended=lambda path, ending: mended.append((path, ending)),
        )

    with Stage() as stage:
        root = stage.add("root", a_family)
        stage.crash("root/b")
        stage.run()
    assert mended == ([] if stopped else [("root/b", Ending.CRASHED)])


@pytest.mark.parametrize("significant", [RestartType.TEMPORARY, RestartType.TRANSIENT])
def test_the_end_of_a_significant_child_ends_the_family_in_good_order(
    family: Family, significant: RestartType
) -> None:
    specs = [family.member("a", significant, significant=True), *three(family)[1:]]
    with Stage() as stage:
        stage.host("root", specs)
        family.story()
        family.at("a").tell("finish")
        stage.run()
        assert family.story() == ["-root/a finished", "-root/c shutdown", "-root/b shutdown"]
        assert stage.exited.expect(Exited, 0).ending is Ending.FINISHED


def test_a_temporary_significant_child_that_crashes_ends_the_family_too(family: Family) -> None:
    specs = [family.member("a", RestartType.TEMPORARY, significant=True), family.member("b")]
    with Stage() as stage:
        stage.host("root", specs)
        stage.crash("root/a")
        stage.run()
        assert stage.exited.expect(Exited, 0).ending is Ending.FINISHED


def test_a_child_that_fails_to_open_is_tried_again_within_the_intensity(family: Family) -> None:
    with Stage() as stage:
        root = stage.host("root", [family.member("a"), family.member("b", opening=fails(3))], intensity=3)
        assert family.story() == ["+root/a", *["-root/b open_failed"] * 3, "+root/b"]
        assert root.tree().children[1].restarts == 3
        stage.run()
        assert root.describe()["old_letters"] == 3


def test_a_child_that_never_opens_makes_its_family_fail_to_open(family: Family) -> None:
    stage = Stage()
    stage.host("root", [family.member("a"), family.member("b", opening=fails(99))], intensity=3)
    assert family.story() == ["+root/a", *["-root/b open_failed"] * 4, "-root/a given_up"]
    exited = stage.exited.expect(Exited, 0)
    assert exited.ending is Ending.OPEN_FAILED
    assert str(exited.error).startswith("IntensityExceeded")
    with pytest.raises(BaseExceptionGroup):
        stage.close()


def test_a_constructor_that_fails_counts_like_a_failure_to_open(family: Family) -> None:
    def make(_: Life) -> Supervisor:
        raise ValueError

    broken = ChildSpec(name="broken", make=make, restart=RestartType.TEMPORARY)
    with Stage() as stage:
        root = stage.host("root", [broken, family.member("b")])
        assert family.story() == ["+root/b"]
        assert (root.tree().children[0].state, root.tree().children[0].kind) == (LifeState.GONE, "nobody")


def test_a_significant_child_that_never_opens_is_a_failure_to_open(family: Family) -> None:
    specs = [
        family.member("a"),
        family.member("b", RestartType.TEMPORARY, opening=fails(1), significant=True),
    ]
    stage = Stage()
    stage.host("root", specs)
    assert family.story() == ["+root/a", "-root/b open_failed", "-root/a given_up"]
    assert str(stage.exited.expect(Exited, 0).error).startswith("SignificantChildNeverOpened")


def test_too_many_failures_stop_the_others_and_crash_the_supervisor(family: Family) -> None:
    with Stage() as stage:
        stage.host("root", three(family), intensity=2, period=60.0)
        for _ in range(3):
            stage.crash("root/b")
            stage.run()
        assert family.story()[-2:] == ["-root/c given_up", "-root/a given_up"]
        exited = stage.exited.expect(Exited, 0)
        assert exited.ending is Ending.CRASHED
        assert [type(crash) for crash in stage.crashes] == [IntensityExceeded]
        stage.crashes.clear()


def test_failures_far_enough_apart_are_mended_for_ever(family: Family) -> None:
    with Stage() as stage:
        stage.host("root", three(family), intensity=2, period=60.0)
        for _ in range(20):
            stage.crash("root/b")
            stage.run(30.0)
        assert family.story()[-1] == "+root/b"
        assert stage.exited.received() == []


def test_siblings_stopped_for_one_failure_spend_nothing_and_their_letters_are_old(family: Family) -> None:
    with Stage() as stage:
        root = stage.host("root", three(family), strategy=Strategy.ONE_FOR_ALL, intensity=1)
        stage.crash("root/a")
        stage.crash("root/c")
        stage.run()
        facts = root.describe()
        assert (facts["recent_failures"], facts["old_letters"]) == (1, 2)


def test_a_crash_loop_is_cut_short_and_escalates_through_two_levels(family: Family) -> None:
    def inner(life: Life) -> Supervisor:
        return Supervisor(life, children=[family.member("leaf")], intensity=1, period=60.0)

    def outer(life: Life) -> Supervisor:
        spec = ChildSpec(name="inner", make=inner, restart=RestartType.PERMANENT)
        return Supervisor(life, children=[family.member("side"), spec], intensity=1, period=60.0)

    with Stage() as stage:
        stage.add("root", outer)
        family.story()
        for _ in range(3):
            family.at("leaf").tell("crash")
            stage.run()
        assert family.story() == [
            *("-root/inner/leaf crashed", "+root/inner/leaf"),
            *("-root/inner/leaf crashed", "+root/inner/leaf"),  # inner gave up and began again
            *("-root/inner/leaf crashed", "+root/inner/leaf"),
        ]
        family.at("leaf").tell("crash")
        stage.run()
        assert family.story() == ["-root/inner/leaf crashed", "-root/side given_up"]
        assert stage.exited.expect(Exited, 0).ending is Ending.CRASHED
        stage.crashes.clear()


@pytest.mark.parametrize("ending", [Ending.SHUTDOWN, Ending.SIBLING_FAILED, Ending.GIVEN_UP])
def test_the_reason_travels_down_through_every_level(family: Family, ending: Ending) -> None:
    def inner(life: Life) -> Supervisor:
        return Supervisor(life, children=[family.member("leaf")])

    with Stage() as stage:
        spec = ChildSpec(name="inner", make=inner, restart=RestartType.PERMANENT)
        root = stage.host("root", [spec])
        family.story()
        root.life.ask_to_stop(ending, 5.0)
        assert family.story() == [f"-root/inner/leaf {ending}"]


def test_orders_reach_a_grandchild_and_unknown_names_hurt_nobody(family: Family) -> None:
    def inner(life: Life) -> Supervisor:
        return Supervisor(life, children=three(family), strategy=Strategy.REST_FOR_ONE)

    with Stage() as stage:
        root = stage.host("root", [ChildSpec(name="inner", make=inner, restart=RestartType.PERMANENT)])
        family.story()
        root.here.tell(CrashChild(path="root/inner/b"))
        stage.run()
        again = ["+root/inner/b", "+root/inner/c"]
        assert family.story() == ["-root/inner/b crashed", "-root/inner/c sibling_failed", *again]
        root.here.tell(RestartChild(path="root/inner/b"))
        stage.run()
        assert family.story() == ["-root/inner/c ordered", "-root/inner/b ordered", *again]
        for path in ("root/inner/nobody", "root/inner/a/below", "elsewhere", "root"):
            root.here.tell(CrashChild(path=path))
        stage.run()
        assert family.story() == []


def test_the_tree_is_described_on_request_with_everyone_in_it(family: Family) -> None:
    answer: Probe[TreeNode] = Probe()
    with Stage() as stage:
        root = stage.host("root", three(family))
        root.here.tell(DescribeTree(reply_to=answer))
        stage.run()
        node = answer.expect(TreeNode, 0)
        assert (node.path, node.kind, node.state) == ("root", "Supervisor", LifeState.OPEN)
        assert [(child.path, child.kind, child.state) for child in node.children] == [
            (f"root/{name}", "Member", LifeState.OPEN) for name in NAMES
        ]
        assert node == root.tree()


def test_names_that_cannot_be_told_apart_are_refused(family: Family) -> None:
    with pytest.raises(ValueError, match="two children"):
        Supervisor(Life.alone(), children=[family.member("a"), family.member("a")])
    for name in ("", "a/b"):
        with pytest.raises(ValueError, match="not a name"):
            family.member(name)


@pytest.mark.parametrize("seed", range(200))
def test_whatever_the_order_of_letters_the_family_is_whole_again_in_the_end(
    family: Family, seed: int
) -> None:
    strategy = list(Strategy)[seed % 3]
    with Stage(seed) as stage:
        root = stage.host("root", three(family), strategy=strategy, intensity=9)
        for name in NAMES:
            family.at(name).tell("crash")
        stage.run()
        assert [child.state for child in root.tree().children] == [LifeState.OPEN] * 3
        assert 1 <= int(str(root.describe()["recent_failures"])) <= 3
        stage.crashes.clear()
