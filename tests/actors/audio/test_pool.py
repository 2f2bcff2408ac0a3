"""The model pool answers every question once, the urgent ones first, the stale ones never."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from actors.audio.pool import FailedBecause, ModelPool, PoolFailure, Urgency
from tests.probe import Probe

WAIT = 5.0
CLOSED = PoolFailure(why=FailedBecause.CLOSED)
REPLACED = PoolFailure(why=FailedBecause.REPLACED)
DROPPED = PoolFailure(why=FailedBecause.DROPPED)


class Bench:
    """A pool of one thread that is kept busy until `release`, so that a test can fill the list behind it."""

    def __init__(self, bound: int = 32) -> None:
        self.pool = ModelPool(workers=1, bound=bound)
        self.answers: Probe[str | PoolFailure] = Probe()
        self._gate = threading.Event()
        started = threading.Event()

        def busy() -> str:
            started.set()
            self._gate.wait(WAIT)
            return "busy"

        self.pool.submit(busy, self.answers.tell, urgency=Urgency.FINAL)
        assert started.wait(WAIT)

    def ask(self, name: str, urgency: Urgency, key: str | None = None) -> None:
        self.pool.submit(lambda: name, self.answers.tell, urgency=urgency, key=key)

    def release(self) -> list[str | PoolFailure]:
        """Everything that was answered, in order, once the pool has nothing left to do."""
        finished: Probe[str | PoolFailure] = Probe()
        self.pool.submit(lambda: "end", finished.tell, urgency=Urgency.IDLE)
        self._gate.set()
        finished.expect(str, WAIT)
        return self.answers.received()

    def close(self) -> None:
        self._gate.set()
        assert self.pool.close(WAIT)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


@pytest.fixture
def small_bench() -> Iterator[Bench]:
    made = Bench(bound=3)
    yield made
    made.close()


def test_the_urgent_ones_go_first_and_equals_in_turn(bench: Bench) -> None:
    bench.ask("idle", Urgency.IDLE)
    bench.ask("partial", Urgency.PARTIAL)
    bench.ask("final 1", Urgency.FINAL)
    bench.ask("final 2", Urgency.FINAL)
    assert bench.release() == ["busy", "final 1", "final 2", "partial", "idle"]


def test_a_stale_partial_is_never_computed(bench: Bench) -> None:
    bench.ask("old", Urgency.PARTIAL, key="ann")
    bench.ask("ben", Urgency.PARTIAL, key="ben")
    bench.ask("new", Urgency.PARTIAL, key="ann")
    assert bench.release() == [REPLACED, "busy", "new", "ben"]
    assert bench.pool.replaced == 1


def test_a_final_takes_the_place_of_its_partial(bench: Bench) -> None:
    bench.ask("partial", Urgency.PARTIAL, key="ann")
    bench.ask("final", Urgency.FINAL, key="ann")
    assert bench.release() == [REPLACED, "busy", "final"]


def test_a_final_is_not_displaced_by_the_next_partial(bench: Bench) -> None:
    bench.ask("final", Urgency.FINAL, key="ann")
    bench.ask("partial", Urgency.PARTIAL, key="ann")
    assert bench.release() == ["busy", "final", "partial"]


def test_jobs_without_a_key_do_not_displace_each_other(bench: Bench) -> None:
    bench.ask("one", Urgency.FINAL)
    bench.ask("two", Urgency.FINAL)
    assert bench.release() == ["busy", "one", "two"]


def test_a_full_list_loses_the_oldest_of_the_least_urgent(small_bench: Bench) -> None:
    small_bench.ask("idle 1", Urgency.IDLE)
    small_bench.ask("idle 2", Urgency.IDLE)
    small_bench.ask("final 1", Urgency.FINAL)
    small_bench.ask("final 2", Urgency.FINAL)
    small_bench.ask("final 3", Urgency.FINAL)
    assert small_bench.pool.dropped == 2
    assert small_bench.answers.received() == [DROPPED, DROPPED]
    small_bench.ask("idle 3", Urgency.IDLE)
    assert small_bench.pool.dropped == 3
    small_bench.close()
    assert small_bench.answers.received()[3:] in (
        ["busy", "final 1", "final 2", "final 3"],
        [CLOSED, CLOSED, CLOSED, "busy"],
    )


def test_an_exception_becomes_a_failure_and_the_thread_lives_on(bench: Bench) -> None:
    def fails() -> str:
        raise OSError("the model file went away")

    bench.pool.submit(fails, bench.answers.tell, urgency=Urgency.FINAL)
    bench.ask("next", Urgency.FINAL)
    failure = PoolFailure(why=FailedBecause.RAISED, detail="OSError: the model file went away")
    assert bench.release() == ["busy", failure, "next"]


def test_a_callback_that_raises_does_not_end_the_thread(bench: Bench) -> None:
    def deaf(_: str | PoolFailure) -> None:
        raise RuntimeError("nobody is there")

    bench.pool.submit(lambda: "lost", deaf, urgency=Urgency.FINAL)
    bench.ask("next", Urgency.FINAL)
    assert bench.release() == ["busy", "next"]


def test_closing_answers_everybody() -> None:
    bench = Bench()
    bench.ask("waiting", Urgency.FINAL)
    assert not bench.pool.close(0.0)
    assert bench.answers.received() == [CLOSED]
    bench.ask("late", Urgency.FINAL)
    assert bench.answers.received() == [CLOSED, CLOSED]
    bench.close()
    assert bench.answers.received() == [CLOSED, CLOSED, "busy"]


def test_two_workers_work_at_once() -> None:
    pool, meeting = ModelPool(workers=2), threading.Barrier(2)
    answers: Probe[int | PoolFailure] = Probe()
    together: Callable[[], int] = lambda: meeting.wait(WAIT)  # noqa: E731
    pool.submit(together, answers.tell, urgency=Urgency.FINAL)
    pool.submit(together, answers.tell, urgency=Urgency.FINAL)
    assert {answers.expect(int, WAIT), answers.expect(int, WAIT)} == {0, 1}
    assert pool.close(WAIT)
    assert not any(thread.name.startswith("models-") for thread in threading.enumerate())


def test_a_pool_that_nobody_closed_does_not_keep_the_program_from_ending() -> None:
    program = "from actors.audio.pool import ModelPool; ModelPool(); raise SystemExit(3)"
    assert subprocess.run([sys.executable, "-c", program], timeout=20, check=False).returncode == 3
