"""The cable room starts, works and stops, and never leaves anybody waiting."""

from __future__ import annotations

import asyncio
import errno
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from functools import partial

import pytest

from actors.net.line import Loop
from actors.net.loop import CLOSING, Complaints, IoLoop, fastest_loop
from tests.actors.net.world import NewLoop


@pytest.fixture
def loop(new_loop: NewLoop) -> Iterator[IoLoop]:
    running = IoLoop(new_loop)
    running.start()
    yield running
    assert running.stop(2)


async def answer() -> tuple[int, str]:
    await asyncio.sleep(0)
    return 42, threading.current_thread().name


async def forever(ended: Future[str]) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ended.set_result(threading.current_thread().name)


async def fail() -> None:
    raise OSError("no cable")


def test_work_runs_on_the_one_thread_and_its_result_comes_back(loop: IoLoop) -> None:
    assert loop.submit(answer()).result(2) == (42, "io-loop")


def test_what_the_work_raised_is_in_its_future(loop: IoLoop) -> None:
    with pytest.raises(OSError, match="no cable"):
        loop.submit(fail()).result(2)


def test_short_calls_run_in_order(loop: IoLoop) -> None:
    order: list[int] = []
    done: Future[None] = Future()
    assert loop.call(order.append, 1)
    assert loop.call(order.append, 2)
    assert loop.call(done.set_result, None)
    done.result(2)
    assert order == [1, 2]


def test_stopping_cancels_what_still_runs_and_lets_it_clean_up(new_loop: NewLoop) -> None:
    loop, ended = IoLoop(new_loop), Future[str]()
    loop.start()
    work = loop.submit(forever(ended))
    loop.submit(answer()).result(2)
    assert loop.stop(2)
    assert ended.result(0) == "io-loop"
    with pytest.raises(CancelledError):
        work.result(0)


def test_work_that_comes_after_the_end_is_cancelled_and_never_begun(new_loop: NewLoop) -> None:
    loop = IoLoop(new_loop)
    loop.start()
    assert loop.stop(2)
    assert loop.submit(answer()).cancelled()
    assert not loop.call(print)
    assert loop.stop(2)


def test_a_loop_that_never_started_stops_at_once() -> None:
    loop = IoLoop()
    assert loop.submit(answer()).cancelled()
    assert loop.stop(0)


def test_work_that_ignores_its_cancellation_does_not_hold_up_the_stop(new_loop: NewLoop) -> None:
    loop, release, begun = IoLoop(new_loop), threading.Event(), threading.Event()

    async def stubborn() -> None:
        begun.set()
        release.wait(10)

    loop.start()
    loop.submit(stubborn())
    assert begun.wait(2)
    assert not loop.stop(0.05)
    release.set()
    assert loop.stop(2)


def test_a_timer_is_never_early_and_comes_on_the_thread(loop: IoLoop) -> None:
    due: Loop = loop
    came: Future[list[tuple[float, str]]] = Future()
    early: list[tuple[float, str]] = []

    def note(wanted: float) -> None:
        early.append((due.now() - wanted, threading.current_thread().name))
        if len(early) == 40:
            came.set_result(early)

    def begin() -> None:
        for place in range(40):
            seconds = place * 0.00137
            due.after(seconds, partial(note, due.now() + seconds))

    loop.call(begin)
    assert all(0.0 <= late < 2.0 and thread == "io-loop" for late, thread in came.result(5))


def test_a_cancelled_timer_does_not_come(loop: IoLoop) -> None:
    came: list[str] = []
    done: Future[None] = Future()

    def begin() -> None:
        wrong = loop.after(0.0, partial(came.append, "cancelled"))
        loop.after(0.01, partial(done.set_result, None))
        wrong.cancel()
        wrong.cancel()

    loop.call(begin)
    done.result(5)
    assert came == []


def test_what_begins_while_everything_is_cancelled_is_cancelled_as_well(new_loop: NewLoop) -> None:
    loop, begun, ended = IoLoop(new_loop), Future[None](), Future[str]()

    async def begins_another() -> None:
        try:
            begun.set_result(None)
            await asyncio.Event().wait()
        finally:
            again.append(asyncio.create_task(forever(ended)))
            await asyncio.sleep(0)

    again: list[asyncio.Task[None]] = []
    loop.start()
    loop.submit(begins_another())
    begun.result(2)
    assert loop.stop(2)
    assert ended.result(0) == "io-loop"


def test_what_lets_go_of_connections_is_not_broken_off_half_way(new_loop: NewLoop) -> None:
    loop, closed = IoLoop(new_loop), Future[None]()

    async def close() -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        closed.set_result(None)

    loop.start()
    loop.call(lambda: asyncio.create_task(close()).set_name(CLOSING))
    assert loop.stop(2)
    assert closed.done()


def test_what_never_ends_to_let_go_is_broken_off_at_last(
    new_loop: NewLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("actors.net.loop.CLOSING_SECONDS", 0.01)
    loop, ended = IoLoop(new_loop), Future[str]()
    loop.start()
    loop.call(lambda: asyncio.create_task(forever(ended)).set_name(CLOSING))
    assert loop.stop(2)
    assert ended.result(0) == "io-loop"


def test_where_the_fast_loop_is_not_installed_the_ordinary_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    ordinary = fastest_loop()
    assert isinstance(ordinary, asyncio.SelectorEventLoop)
    ordinary.close()


def test_a_shortage_is_told_once_a_minute_and_everything_else_always(loop: IoLoop, errors: list[str]) -> None:
    async def complain() -> None:
        running = asyncio.get_running_loop()
        for _ in range(100):
            running.call_exception_handler({"message": "short", "exception": OSError(errno.EMFILE, "many")})
        for _ in range(2):
            running.call_exception_handler({"message": "other", "exception": OSError(errno.EPIPE, "gone")})
        running.call_exception_handler({"message": "alone"})

    loop.submit(complain()).result(2)
    assert [line.split(":")[1].strip() for line in errors] == ["short", "other", "other", "alone"]


def test_a_callback_that_breaks_is_named_without_what_it_was_given(loop: IoLoop, errors: list[str]) -> None:
    async def work() -> None:
        broken: Future[None] = Future()

        def breaks(words: str) -> None:
            broken.set_result(None)
            raise LookupError(words)

        asyncio.get_running_loop().call_soon(breaks, "marzipan")
        await asyncio.wrap_future(broken)
        await asyncio.sleep(0)

    loop.submit(work()).result(2)
    (line,) = errors
    assert "breaks" in line
    assert ": LookupError at tests/actors/net/test_loop.py" in line
    assert "marzipan" not in line


def test_a_shortage_is_told_again_a_minute_later(errors: list[str]) -> None:
    now = [0.0]

    class Later(asyncio.SelectorEventLoop):
        def time(self) -> float:
            return now[0]

    later, heard = Later(), Complaints()
    for now[0] in (0.0, 59.0, 61.0):
        heard(later, {"message": "short", "exception": OSError(errno.ENFILE, "many")})
    later.close()
    assert len(errors) == 2
