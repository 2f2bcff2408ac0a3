"""Timers are letters: they come in order, at their moment, and never to a clock that was stopped."""

import threading
from collections.abc import Iterator
from datetime import UTC, timedelta

import pytest

from actors.clock import SystemClock
from tests.clock import ManualClock
from tests.probe import Probe


@pytest.fixture
def clock() -> Iterator[SystemClock]:
    clock = SystemClock()
    clock.start()
    yield clock
    assert clock.stop(2.0)


def test_timers_arrive_in_the_order_of_their_moments(clock: SystemClock) -> None:
    probe: Probe[str] = Probe()
    clock.after(0.04, probe, "late")
    clock.after(0.02, probe, "early")
    clock.after(-1.0, probe, "overdue")
    began = clock.now()
    assert [probe.expect(str), probe.expect(str), probe.expect(str)] == ["overdue", "early", "late"]
    assert clock.now() - began >= 0.035


def test_timers_set_before_the_start_are_delivered() -> None:
    clock, probe = SystemClock(), Probe[str]()
    clock.after(0.0, probe, "early bird")
    clock.start()
    assert probe.expect(str) == "early bird"
    assert clock.stop(2.0)


def test_a_stopped_clock_forgets_what_it_was_told_before_and_after() -> None:
    clock, probe = SystemClock(), Probe[str]()
    clock.start()
    clock.after(60.0, probe, "never")
    assert clock.stop(2.0)
    clock.after(0.0, probe, "nor this")
    assert probe.received() == []


def test_a_clock_that_never_started_can_be_stopped() -> None:
    assert SystemClock().stop(0.0)


def test_a_clock_stuck_in_a_delivery_says_that_it_has_not_stopped() -> None:
    gate, stuck = threading.Event(), threading.Event()

    class Slow:
        def tell(self, message: str, /) -> None:
            stuck.set()
            gate.wait(5.0)

    clock = SystemClock()
    clock.start()
    clock.after(0.0, Slow(), "hold")
    assert stuck.wait(2.0)
    assert not clock.stop(0.0)
    gate.set()
    assert clock.stop(2.0)


def test_the_wall_clock_is_aware_and_in_utc(clock: SystemClock) -> None:
    assert clock.wall().tzinfo is UTC


def test_manual_time_delivers_each_timer_at_its_own_moment_and_the_timers_they_set() -> None:
    clock, heard = ManualClock(), list[tuple[float, str]]()

    class Echo:
        def tell(self, message: str, /) -> None:
            heard.append((clock.now(), message))
            if message == "first":
                clock.after(1.0, self, "second")

    clock.after(3.0, Echo(), "last")
    clock.after(1.0, Echo(), "first")
    clock.advance(2.5)
    assert (heard, clock.now(), clock.next_due()) == ([(1.0, "first"), (2.0, "second")], 2.5, 3.0)
    clock.advance(1.0)
    assert heard[-1] == (3.0, "last")
    assert clock.next_due() is None


def test_manual_timers_of_one_moment_keep_their_order() -> None:
    clock, probe = ManualClock(), Probe[int]()
    for number in range(20):
        clock.after(1.0, probe, number)
    clock.advance(1.0)
    assert probe.received() == list(range(20))


def test_the_manual_wall_moves_with_its_time() -> None:
    clock = ManualClock(100.0)
    before = clock.wall()
    clock.advance(90.0)
    assert clock.wall() - before == timedelta(seconds=90)
    assert before.tzinfo is UTC
