"""A line in the test's hand keeps the promises of a real one, so that what is proved with it is true."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Protocol

import pytest

from actors.net.line import Ended, EndedBy, Line, Target
from actors.net.loop import fastest_loop
from tests.actors.net.by_hand import HandDial, HandLine
from tests.actors.net.world import Came, Ear, Frame, Opened, World, decode

CLOSED = Ended(by=EndedBy.OWNER, reason="closed")


class Bench(Protocol):
    """Somebody who dials one line, and the peer at its other end."""

    ear: Ear
    line: Line

    def dials(self, *first: Callable[[Line], object]) -> None: ...
    def opens(self) -> None: ...
    def owner(self, act: Callable[[Line], object]) -> None: ...
    def says(self, raw: str) -> None: ...
    def heard(self, count: int) -> list[Frame]: ...
    def closes(self, code: int) -> None: ...
    def aborts(self) -> None: ...
    def lets_it_end(self) -> None: ...


class Real:
    """Sockets."""

    def __init__(self) -> None:
        self.world = World(fastest_loop)
        self.world.open()

    def dials(self, *first: Callable[[Line], object]) -> None:
        self.line, self.ear = self.world.dials(None, *first)

    def opens(self) -> None:
        self.ear.waits_open()
        self._peer = self.world.peer.socket()

    def owner(self, act: Callable[[Line], object]) -> None:
        self.world.on_thread(act, self.line)

    def says(self, raw: str) -> None:
        self._peer.send_text(raw)

    def heard(self, count: int) -> list[Frame]:
        self.world.peer.until(lambda: len(self._peer.received) >= count)
        return [dict(frame) for frame in self._peer.received]

    def closes(self, code: int) -> None:
        self._peer.close(code, "prose")

    def aborts(self) -> None:
        self._peer.abort()

    def lets_it_end(self) -> None:
        self.ear.waits_end()


class ByHand:
    """No socket at all."""

    def __init__(self) -> None:
        self.dial, self.ear = HandDial(), Ear()

    def dials(self, *first: Callable[[Line], object]) -> None:
        line = self.dial(Target(url="ws://nowhere"), self.ear, decode)
        assert isinstance(line, HandLine)
        self.line: Line = line
        self._line = line
        self.owner(lambda line: [act(line) for act in first])

    def opens(self) -> None:
        self._line.open()

    def owner(self, act: Callable[[Line], object]) -> None:
        act(self._line)

    def says(self, raw: str) -> None:
        self._line.say(raw)

    def heard(self, count: int) -> list[Frame]:
        last = [] if self._line.farewell is None else [self._line.farewell]
        assert len(self._line.sent + last) >= count
        return self._line.sent + last

    def closes(self, code: int) -> None:
        self._line.end("closed" if code == 1000 else f"closed_{code}", code)

    def aborts(self) -> None:
        self._line.end("aborted", 1006)

    def lets_it_end(self) -> None:
        self._line.end()


@pytest.fixture(params=["real", "by hand"])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    if request.param == "by hand":
        yield ByHand()
        return
    real = Real()
    yield real
    real.world.close()


def sends(*texts: str) -> Callable[[Line], object]:
    def send(line: Line) -> None:
        for text in texts:
            line.send(json.dumps({"text": text}))

    return send


def says(bench: Bench, *texts: str) -> None:
    for text in texts:
        bench.says(json.dumps({"text": text}))


def test_it_opens_then_frames_come_in_order_then_it_ends_and_no_more(bench: Bench) -> None:
    bench.dials()
    bench.opens()
    says(bench, "a", "b")
    bench.closes(1000)
    bench.lets_it_end()
    assert bench.ear.heard.received() == [
        Opened(),
        Came({"text": "a"}),
        Came({"text": "b"}),
        Ended(by=EndedBy.PEER, reason="closed", code=1000),
    ]


def test_what_is_sent_before_it_stands_arrives_first(bench: Bench) -> None:
    bench.dials(sends("a", "b"))
    bench.opens()
    bench.owner(sends("c"))
    assert bench.heard(3) == [{"text": "a"}, {"text": "b"}, {"text": "c"}]
    bench.closes(1000)
    bench.lets_it_end()


@pytest.mark.parametrize("code", [1001, 1008, 1011, 1013, 4000])
def test_the_code_of_the_peers_close_is_the_reason(bench: Bench, code: int) -> None:
    bench.dials()
    bench.opens()
    bench.closes(code)
    bench.lets_it_end()
    assert bench.ear.ends == [Ended(by=EndedBy.PEER, reason=f"closed_{code}", code=code)]


def test_a_connection_that_breaks_is_aborted(bench: Bench) -> None:
    bench.dials()
    bench.opens()
    bench.aborts()
    bench.lets_it_end()
    assert bench.ear.ends == [Ended(by=EndedBy.PEER, reason="aborted", code=1006)]


@pytest.mark.parametrize("raw", ["{", "[1]", "null"])
def test_what_is_no_frame_ends_it_and_later_frames_are_not_heard(bench: Bench, raw: str) -> None:
    bench.dials()
    bench.opens()
    says(bench, "a")
    bench.says(raw)
    bench.lets_it_end()
    assert bench.ear.heard.received() == [
        Opened(),
        Came({"text": "a"}),
        Ended(by=EndedBy.FAULT, reason="bad_frame"),
    ]


@pytest.mark.parametrize("farewell", [None, '{"text": "bye"}'])
@pytest.mark.parametrize("does", ["speaks", "closes", "aborts", "nothing"])
def test_after_the_owners_close_nothing_but_his_end_is_reported(
    bench: Bench, does: str, farewell: str | None
) -> None:
    bench.dials()
    bench.opens()
    bench.ear.on_frame = lambda _: bench.line.close(farewell)
    says(bench, "a", "b", "c")
    match does:
        case "speaks":
            says(bench, "d")
        case "closes":
            bench.closes(1008)
        case "aborts":
            bench.aborts()
        case _:
            pass
    bench.lets_it_end()
    assert bench.ear.heard.received() == [Opened(), Came({"text": "a"}), CLOSED]


def test_a_farewell_arrives_after_what_was_sent(bench: Bench) -> None:
    bench.dials(sends("a"))
    bench.opens()
    bench.owner(lambda line: line.close('{"text": "bye"}'))
    assert bench.heard(2) == [{"text": "a"}, {"text": "bye"}]
    bench.lets_it_end()
    assert bench.ear.ends == [CLOSED]


def test_a_line_that_is_closed_before_it_stands_never_opens(bench: Bench) -> None:
    bench.dials(sends("a"), lambda line: line.close('{"text": "bye"}'))
    bench.lets_it_end()
    assert bench.ear.heard.received() == [CLOSED]


def test_a_line_that_is_closed_twice_ends_once(bench: Bench) -> None:
    bench.dials()
    bench.opens()
    bench.owner(lambda line: line.close())
    bench.owner(lambda line: line.close('{"text": "bye"}'))
    bench.lets_it_end()
    bench.owner(lambda line: line.close())
    assert bench.ear.ends == [CLOSED]


def test_a_line_that_is_over_takes_frames_and_a_close_and_does_nothing(bench: Bench) -> None:
    bench.dials()
    bench.opens()
    bench.closes(1011)
    bench.lets_it_end()
    bench.owner(sends("a"))
    bench.owner(lambda line: line.close('{"text": "bye"}'))
    assert bench.ear.ends == [Ended(by=EndedBy.PEER, reason="closed_1011", code=1011)]


def test_the_owner_may_dial_again_when_it_has_ended(bench: Bench) -> None:
    bench.dials()
    bench.opens()
    first = bench.ear
    bench.aborts()
    bench.lets_it_end()
    bench.dials(sends("again"))
    bench.opens()
    assert bench.heard(1)[-1] == {"text": "again"}
    assert len(first.ends) == 1
    bench.owner(lambda line: line.close())
    bench.lets_it_end()
