"""A pipe that is full loses sound and nothing else, and a pipe without an end says so."""

import ctypes
import socket
from collections.abc import Iterator

import pytest

from actors.voice.media import pipe
from actors.voice.media.ipc import MOST_BYTES
from actors.voice.media.pipe import MOST_AT_ONCE, MOST_WAITING, Pipe, PipeClosed, socket_pair


class Ends:
    def __init__(self) -> None:
        near, self.far_socket = socket_pair()
        self.waits = 0
        self.near = Pipe(near, self.wait)
        self.far = Pipe(self.far_socket, self.wait)

    def wait(self) -> None:
        self.waits += 1

    def everything(self) -> list[bytes]:
        came: list[bytes] = []
        while more := self.far.receive():
            came += more
        return came

    def fill(self) -> int:
        sent = 0
        while not self.near.dropped:
            self.near.send(bytes(980), sound=True)
            sent += 1
        return sent - 1


@pytest.fixture
def ends() -> Iterator[Ends]:
    ends = Ends()
    yield ends
    ends.near.close()
    ends.far.close()


def test_messages_arrive_whole_and_in_order_and_not_all_in_one_turn(ends: Ends) -> None:
    assert ends.far.receive() == []
    for number in range(100):
        ends.near.send(bytes([number]) * 9_620, sound=True)
    first = ends.far.receive()
    assert len(first) == MOST_AT_ONCE
    assert first + ends.everything() == [bytes([number]) * 9_620 for number in range(100)]


def test_a_full_pipe_drops_sound_and_keeps_everything_else(ends: Ends) -> None:
    fitted = ends.fill()
    assert fitted > 500
    ends.near.send(b"lost", sound=False)
    ends.near.send(b"cut", sound=False)
    ends.near.send(bytes(980), sound=True)
    assert (ends.near.dropped, ends.waits) == (2, 2)
    assert not ends.near.flush()
    assert len(ends.everything()) == fitted
    assert ends.near.flush()
    assert ends.far.receive() == [b"lost", b"cut"]


def test_what_waits_is_bounded(ends: Ends) -> None:
    ends.fill()
    for _ in range(MOST_WAITING + 3):
        ends.near.send(b"x", sound=False)
    assert ends.near.dropped == 4


def test_a_message_that_is_too_long_is_counted_and_not_taken_for_a_short_one(ends: Ends) -> None:
    ends.near.send(bytes(MOST_BYTES + 1), sound=False)
    ends.near.send(b"next", sound=False)
    assert ends.far.receive() == [b"next"]
    assert ends.far.cut_off == 1


def test_the_interpreter_is_not_lent_to_a_busy_thread_for_a_call_of_microseconds() -> None:
    """It would come back after milliseconds, 400 times a second; what that costs is measured, not tested."""
    assert isinstance(pipe._LIBC, ctypes.PyDLL)


def test_what_came_before_the_end_is_read_before_the_end_is_told(ends: Ends) -> None:
    ends.near.send(b"last", sound=False)
    ends.near.close()
    assert ends.near.fileno() == -1
    assert ends.far.receive() == [b"last"]
    with pytest.raises(PipeClosed):
        ends.far.receive()
    ends.far.send(b"to nobody", sound=False)
    assert ends.waits == 0


def test_neither_end_is_inherited_by_accident() -> None:
    ends = socket_pair()
    assert [end.get_inheritable() for end in ends] == [False, False]
    assert all(end.type == socket.SOCK_SEQPACKET for end in ends)
    for end in ends:
        end.close()
