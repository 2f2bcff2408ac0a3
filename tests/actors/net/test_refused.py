"""A line that never stands says why in one word, and the key goes nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from actors.net.cable import LARGEST_REFUSAL, Limits, code_in
from actors.net.line import Ended, EndedBy
from tests.actors.net.raw import RawPeer
from tests.actors.net.world import KEY, PROSE, NewLoop, World
from tests.loopback.providers import NEVER

CLOSED = Ended(by=EndedBy.OWNER, reason="closed")


def refused(reason: str) -> Ended:
    return Ended(by=EndedBy.PEER, reason=reason)


def fault(reason: str) -> Ended:
    return Ended(by=EndedBy.FAULT, reason=reason)


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (401, {"error": {"code": "invalid_api_key", "message": PROSE}}, "unauthorized"),
        (403, None, "forbidden"),
        (404, {"detail": [PROSE]}, "not_found"),
        (429, {"error": {"code": "rate_limit_exceeded"}}, "rate_limited"),
        (429, {"error": {"code": None, "type": "insufficient_quota"}}, "quota"),
        (401, {"detail": {"status": "quota_exceeded", "message": PROSE}}, "quota"),
        (403, {"detail": {"code": "too_many_concurrent_requests"}}, "rate_limited"),
        (500, [PROSE], "provider_down"),
        (503, PROSE, "provider_down"),
        (418, {"error": PROSE}, "http_418"),
        (200, {}, "http_200"),
    ],
)
def test_a_refused_handshake_is_one_word(world: World, status: int, body: object, reason: str) -> None:
    world.peer.refuse_next(status, body)
    _, ear = world.dials()
    assert ear.waits_end() == refused(reason)
    assert ear.heard.received() == [refused(reason)]


def test_the_key_is_not_carried_along_to_another_address(world: World) -> None:
    world.peer.refuse_next(302, headers={"Location": f"ws://localhost:{world.peer.port}/line"})
    assert world.dials()[1].waits_end() == refused("http_302")
    assert world.peer.sockets == []


def test_the_key_and_the_query_arrive(world: World) -> None:
    _, _, peer = world.stands()
    assert peer.headers["Authorization"] == f"Bearer {KEY}"
    assert peer.query == {"model": "secret-model"}
    assert "Sec-WebSocket-Extensions" not in peer.headers


@pytest.fixture
def hasty(new_loop: NewLoop) -> Iterator[World]:
    world = World(new_loop, Limits(open=0.3, close=0.3))
    world.open()
    yield world
    world.close()


def test_a_peer_that_never_answers_the_handshake_is_a_timeout(hasty: World) -> None:
    hasty.peer.refuse_next(NEVER)
    assert hasty.dials()[1].waits_end() == fault("timeout")


@pytest.mark.parametrize("url", ["ws://127.0.0.1:1/line", "ws://localhost:99999/", "ws:///line", "nonsense"])
def test_where_nobody_is_nobody_can_be_reached(world: World, url: str) -> None:
    assert world.dials(world.at(url))[1].waits_end() == fault("unreachable")


@pytest.mark.parametrize("said", [b"HTTP/1.1 101 Yes\r\nUpgrade: tea\r\n\r\n"])
def test_who_does_not_speak_our_language_cannot_be_reached(world: World, said: bytes) -> None:
    with RawPeer(instead=said) as peer:
        assert world.dials(world.at(peer.url))[1].waits_end() == fault("unreachable")


def test_a_line_that_is_closed_while_it_waits_for_the_handshake_ends_at_once(world: World) -> None:
    world.peer.refuse_next(NEVER)
    line, ear = world.dials()
    world.on_thread(line.close)
    assert ear.waits_end() == CLOSED
    assert ear.heard.received() == [CLOSED]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (None, None),
        (b"", None),
        (b"\xff", None),
        (b'{"error": {"code": 7}}', None),
        (b'{"error": {"code": "a"}}' + b" " * LARGEST_REFUSAL, None),
        (b"[" * 50_000, None),
        (b'{"error": {"code": "a", "type": "b"}}', "a"),
        (b'{"detail": {"status": "a"}}', "a"),
        (bytearray(b'{"detail": {"code": "a"}}'), "a"),
    ],
)
def test_the_code_of_a_refusal_is_found_where_the_providers_put_it(
    body: bytes | bytearray | None, code: str | None
) -> None:
    assert code_in(body) == code
