"""The pipe between a thread and an actor: bounded, counted, and one knock at a time."""

import threading

import pytest

from actors.audio.pipe import FramePipe
from tests.probe import Probe


def test_what_goes_in_comes_out_in_order() -> None:
    pipe: FramePipe[int] = FramePipe(lambda: None)
    for i in range(5):
        pipe.put(i)
    assert pipe.drain() == (0, 1, 2, 3, 4)
    assert pipe.drain() == ()


def test_a_full_pipe_loses_its_oldest_and_counts_it() -> None:
    pipe: FramePipe[int] = FramePipe(lambda: None, bound=3)
    for i in range(10):
        pipe.put(i)
    assert pipe.drain() == (7, 8, 9)
    assert pipe.dropped == 7


def test_the_reader_is_woken_once_until_it_has_drained() -> None:
    mailbox: Probe[str] = Probe()
    pipe: FramePipe[int] = FramePipe(lambda: mailbox.tell("sound"))
    for i in range(5):
        pipe.put(i)
    assert mailbox.received() == ["sound"]
    pipe.drain()
    pipe.put(6)
    assert mailbox.received() == ["sound", "sound"]


def test_the_reader_may_drain_inside_the_wake_up() -> None:
    drained: list[int] = []
    pipe: FramePipe[int] = FramePipe(lambda: drained.extend(pipe.drain()))
    pipe.put(1)
    pipe.put(2)
    assert drained == [1, 2]


def test_a_pipe_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        FramePipe[int](lambda: None, bound=0)


def test_between_threads_nothing_is_lost_but_what_is_counted() -> None:
    wakes: Probe[str] = Probe()
    pipe: FramePipe[tuple[int, int]] = FramePipe(lambda: wakes.tell("sound"), bound=50)

    def write(writer: int) -> None:
        for i in range(2000):
            pipe.put((writer, i))

    writers = [threading.Thread(target=write, args=(i,)) for i in range(3)]
    for writer in writers:
        writer.start()
    got: list[tuple[int, int]] = []
    while any(writer.is_alive() for writer in writers):
        got += pipe.drain()
    got += pipe.drain()
    assert len(got) + pipe.dropped == 6000
    assert all(
        [i for w, i in got if w == writer] == sorted(i for w, i in got if w == writer) for writer in range(3)
    )
