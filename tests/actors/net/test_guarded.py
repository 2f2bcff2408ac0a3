"""However a peer misbehaves, its line ends once, soon, with a code, and leaves nothing behind."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator

import pytest

from actors.net.cable import Limits
from actors.net.line import Ended, EndedBy, Line
from tests.actors.net.raw import A_TEXT, CLOSE_1011, HALF_A_TEXT, NO_UTF8, RESERVED, RawPeer
from tests.actors.net.world import KEY, PROSE, Came, Ear, Frame, NewLoop, Opened, World, decode
from tests.loopback.providers import Parting

CLOSED = Ended(by=EndedBy.OWNER, reason="closed")
BIG = json.dumps({"audio": "A" * 60_000})
FAST = Limits(close=0.3, send=0.3, frame_bytes=100_000, waiting_bytes=20 << 20)
PATIENT = Limits(close=60.0, send=60.0, waiting_bytes=20 << 20)
WATCHFUL = Limits(close=0.3, ping=0.2, pong=0.5)


@pytest.fixture
def fast(new_loop: NewLoop) -> Iterator[World]:
    world = World(new_loop, FAST)
    world.open()
    yield world
    world.close()


@pytest.fixture
def patient(new_loop: NewLoop) -> Iterator[World]:
    """Waits longer for a peer than anybody here does."""
    world = World(new_loop, PATIENT)
    world.open()
    yield world
    world.close()


@pytest.fixture
def watchful(new_loop: NewLoop) -> Iterator[World]:
    world = World(new_loop, WATCHFUL)
    world.open()
    yield world
    world.close()


def fault(reason: str) -> Ended:
    return Ended(by=EndedBy.FAULT, reason=reason)


def fill(world: World, line: Line, frames: int = 200) -> None:
    """Send more than all buffers on the way take."""

    def send() -> None:
        for _ in range(frames):
            line.send(BIG)

    world.on_thread(send)


def test_everything_is_told_on_the_one_thread(world: World) -> None:
    _, ear, peer = world.stands()
    peer.send({"text": "a"})
    ear.waits_frame()
    peer.close()
    ear.waits_end()
    assert ear.threads == {"io-loop"}


def test_a_binary_frame_is_text_if_it_is_any(world: World) -> None:
    _, ear, peer = world.stands()
    peer.send_binary('{"text": "ü"}'.encode())
    assert ear.waits_frame() == {"text": "ü"}
    peer.send_binary(b"\xff\xfe")
    assert ear.waits_end() == fault("bad_frame")


def test_a_frame_that_is_too_large_is_a_bad_one(fast: World) -> None:
    _, ear, peer = fast.stands()
    peer.send({"text": "A" * 200_000})
    assert ear.waits_end() == fault("bad_frame")


def test_a_code_without_a_reason_and_prose_without_end_say_no_more_than_the_code(world: World) -> None:
    _, ear, peer = world.stands()
    peer.send({"error": PROSE})
    peer.close(1008, PROSE)
    assert ear.waits_end() == Ended(by=EndedBy.PEER, reason="closed_1008", code=1008)


def test_a_peer_that_froze_is_noticed(watchful: World) -> None:
    _, ear, peer = watchful.stands()
    peer.freeze()
    began = time.monotonic()
    assert ear.waits_end() == fault("keepalive")
    assert time.monotonic() - began < 5


def test_with_the_limits_of_the_house_a_peer_that_froze_is_noticed_within_ten_seconds() -> None:
    limits = Limits()
    assert limits.ping + limits.pong + limits.close <= 10


def test_a_peer_that_answers_pings_is_kept(watchful: World) -> None:
    _, ear, peer = watchful.stands()
    until = time.monotonic() + 1.5 * (WATCHFUL.ping + WATCHFUL.pong)
    while time.monotonic() < until:
        peer.send({"text": "still here"})
        ear.waits_frame()
    assert not ear.ends


def test_a_peer_that_takes_nothing_ends_the_line_within_the_deadline(fast: World) -> None:
    line, ear, peer = fast.stands()
    peer.stall()
    fill(fast, line)
    began = time.monotonic()
    assert ear.waits_end() == fault("send_stalled")
    assert time.monotonic() - began < 5


def test_more_than_may_wait_ends_the_line_at_once(world: World) -> None:
    line, ear, peer = world.stands()
    peer.stall()
    fill(world, line)
    assert ear.waits_end() == fault("send_backlog")


def test_more_than_may_wait_before_it_stands_ends_it_as_well(world: World) -> None:
    world.peer.refuse_next(0)
    line, ear = world.dials()
    fill(world, line)
    assert ear.waits_end() == fault("send_backlog")
    assert ear.heard.received() == [fault("send_backlog")]


def test_much_speech_from_before_it_stood_arrives_whole_and_in_order(world: World) -> None:
    def speak(line: Line) -> None:
        for place in range(1_750):
            line.send(json.dumps({"place": place, "audio": "A" * 1_280}))

    line, ear = world.dials(None, speak)
    ear.waits_open()
    peer = world.peer.socket()
    world.on_thread(line.send, '{"place": 1750}')
    peer.wait_for(lambda frame: frame["place"] == 1_750)
    assert [frame["place"] for frame in peer.received] == list(range(1_751))
    assert ear.ends == []


def test_a_peer_that_takes_nothing_gets_no_time_to_part(patient: World) -> None:
    line, ear, peer = patient.stands()
    peer.stall()
    fill(patient, line)
    patient.on_thread(line.close, '{"text": "bye"}')
    assert ear.waits_end() == CLOSED


def test_a_stall_that_is_noticed_just_after_the_owner_has_closed_is_not_told(fast: World) -> None:
    line, ear, peer = fast.stands()
    peer.stall()

    def drown_and_close_too_late() -> None:
        for _ in range(200):
            line.send(BIG)
        until = time.monotonic() + 2 * FAST.send
        while time.monotonic() < until:
            pass
        line.close()

    fast.on_thread(drown_and_close_too_late)
    assert ear.waits_end() == CLOSED


@pytest.mark.parametrize("farewell", [None, '{"text": "bye"}'])
def test_a_peer_that_froze_cannot_hold_up_the_owners_close(fast: World, farewell: str | None) -> None:
    line, ear, peer = fast.stands()
    peer.freeze()
    fast.on_thread(line.close, farewell)
    assert ear.waits_end() == CLOSED


@pytest.mark.parametrize("farewell", [None, '{"text": "bye"}'])
def test_a_peer_that_does_not_stop_talking_cannot_hold_up_the_owners_close(
    world: World, farewell: str | None
) -> None:
    line, ear, peer = world.stands()
    peer.parting = Parting(frames=('{"text": "late"}',) * 100, code=1008, reason=PROSE)
    world.on_thread(line.close, farewell)
    for _ in range(100):
        peer.send({"text": "late"})
    assert ear.waits_end() == CLOSED
    assert ear.heard.received() == [Opened(), CLOSED]


def test_a_peer_that_says_bye_and_stays_is_cut_off(fast: World) -> None:
    with RawPeer(A_TEXT + CLOSE_1011) as peer:
        _, ear = fast.dials(fast.at(peer.url))
        assert ear.waits_frame() == {}
        began = time.monotonic()
        assert ear.waits_end() == Ended(by=EndedBy.PEER, reason="closed_1011", code=1011)
        assert time.monotonic() - began < Limits().ping / 2


def test_an_owner_may_close_while_his_peer_is_closing(fast: World, logs: list[str]) -> None:
    lines: list[Line] = []
    with RawPeer(A_TEXT + CLOSE_1011) as peer:
        ear = Ear()
        ear.on_frame = lambda _: lines[0].close()
        fast.on_thread(lambda: lines.append(fast.dial(fast.at(peer.url), ear, decode)))
        assert ear.waits_end() == CLOSED
    assert not any("failed" in line for line in logs)


@pytest.mark.parametrize("said", [RESERVED, NO_UTF8, HALF_A_TEXT + A_TEXT])
def test_bytes_that_are_no_frame_are_a_bad_one(fast: World, said: bytes) -> None:
    with RawPeer(said) as peer:
        assert fast.dials(fast.at(peer.url))[1].waits_end() == fault("bad_frame")


def test_a_peer_that_never_said_a_thing_is_noticed_by_its_silence(watchful: World) -> None:
    with RawPeer() as peer:
        assert watchful.dials(watchful.at(peer.url))[1].waits_end() == fault("keepalive")


def test_a_port_with_a_bug_loses_its_line_and_the_log_has_only_its_kind(
    world: World, logs: list[str]
) -> None:
    def fail(frame: Frame) -> None:
        raise KeyError(frame["text"])

    _, ear, peer = world.stands()
    ear.on_frame = fail
    peer.send({"text": PROSE})
    peer.send({"text": "not heard"})
    assert ear.waits_end() == fault("port_failed")
    assert ear.heard.received() == [Opened(), Came({"text": PROSE}), fault("port_failed")]
    assert any("KeyError" in line for line in logs)
    assert not any(PROSE in line for line in logs)


def test_a_bug_at_the_opening_is_one_as_well(world: World) -> None:
    ear = Ear()
    ear.on_open = lambda: json.loads("{")
    world.on_thread(world.dial, world.target, ear, decode)
    assert ear.waits_end() == fault("port_failed")


def test_a_bug_at_the_end_hurts_nobody(world: World, logs: list[str]) -> None:
    no_frame: Frame = {}
    _, ear, peer = world.stands()
    ear.on_end = lambda: no_frame[PROSE]
    peer.close()
    ear.waits_end()
    assert any("KeyError" in line for line in logs)
    world.stands()


def test_what_is_said_to_a_faulty_line_before_it_ended_changes_nothing_but_whose_end_it_is(
    world: World,
) -> None:
    world.peer.refuse_next(0)

    def drown_and_close(line: Line) -> None:
        for _ in range(100):
            line.send(BIG)
        line.close()

    _, ear = world.dials(None, drown_and_close)
    assert ear.waits_end() == CLOSED


def test_a_loop_that_stops_ends_all_its_lines(new_loop: NewLoop) -> None:
    world = World(new_loop)
    world.open()
    _, standing, _ = world.stands()
    frozen_line, frozen, peer = world.stands()
    peer.freeze()
    world.on_thread(frozen_line.close)
    world.peer.refuse_next(0)
    _, dialling = world.dials()
    began = time.monotonic()
    world.close()
    assert time.monotonic() - began < 5
    assert [ear.ends for ear in (standing, frozen, dialling)] == [[CLOSED]] * 3


def test_who_dials_again_while_the_loop_stops_is_told_the_end_of_that_too(new_loop: NewLoop) -> None:
    world = World(new_loop)
    world.open()
    again: list[Ear] = []
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        target = world.at(f"ws://127.0.0.1:{nobody.getsockname()[1]}/line")

        def dial_again() -> None:
            if len(again) < 3:
                ear = Ear()
                ear.on_end = dial_again
                again.append(ear)
                world.dial(target, ear, decode)

        _, first, _ = world.stands()
        first.on_end = dial_again
        world.close()
    assert [ear.ends for ear in (first, *again)] == [[CLOSED]] * 4


def test_a_dozen_lines_leave_no_task_behind(world: World) -> None:
    before = world.tasks()
    for _ in range(4):
        lines = [world.stands() for _ in range(3)]
        world.on_thread(lines[0][0].close)
        world.on_thread(lines[1][0].close, '{"text": "bye"}')
        lines[1][2].close(1000)
        lines[2][2].abort()
        for _, ear, _ in lines:
            ear.waits_end()
    assert world.tasks() == before
    for one in world.peer.sockets:
        one.wait_over()


def test_neither_key_nor_address_nor_prose_is_in_any_log_or_repr(world: World, logs: list[str]) -> None:
    line, ear, peer = world.stands()
    world.on_thread(line.send, json.dumps({"text": PROSE}))
    peer.wait_for("text")
    peer.send({"text": PROSE})
    ear.waits_frame()
    peer.close(1011, PROSE)
    ended = ear.waits_end()
    world.peer.refuse_next(401, {"error": {"code": "invalid_api_key", "message": PROSE}})
    refused = world.dials()[1].waits_end()
    nobody = world.dials(world.at(f"ws://127.0.0.1:1/line?model={PROSE}"))[1].waits_end()
    said = "\n".join([*logs, *map(repr, (line, world.dial, ended, refused, nobody))])
    assert not any(secret in said for secret in (KEY, PROSE, "secret-model"))
    assert KEY not in repr(world.target)
