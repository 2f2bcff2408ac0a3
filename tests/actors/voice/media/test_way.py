"""No number is said twice under one key, and a packet that does not leave costs one slot of the clock."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest

from actors.voice.media.acts import Up
from actors.voice.media.cipher import AES_GCM, Cipher
from actors.voice.media.group import DaveTrouble
from actors.voice.media.mouth import Mouth
from actors.voice.media.rtp import Packet, parse
from actors.voice.media.way import Way
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, UtteranceId
from tests.actors.voice.media.hearing import HIMSELF, Keys
from tests.actors.voice.media.test_mouth import Letters, loud

KEYS = bytes(range(32)), bytes(32)


class Troubled(Keys):
    """A call without end-to-end encryption, which fails all the same when the test wants it."""

    def __init__(self) -> None:
        super().__init__(version=0)
        self.trouble = False

    def seal(self, frame: bytes, user: int = HIMSELF, epoch: int = 1) -> bytes:
        if self.trouble:
            raise DaveTrouble("NotReady")
        return super().seal(frame, user, epoch)


class Road:
    """A way to somebody who reads what comes."""

    def __init__(self, there: socket.socket) -> None:
        self._there = there
        self.group = Troubled()
        self.way = Way(self.group)
        self.way.open("127.0.0.1", int(there.getsockname()[1]), lambda _datagram: None)

    def lock(self, key: bytes, ssrc: int = 7) -> None:
        self.way.lock(Up(ssrc=ssrc, mode=AES_GCM, secret_key=key, dave_version=1))

    def came(self) -> list[bytes]:
        datagrams: list[bytes] = []
        while True:
            try:
                datagrams.append(self._there.recv(2_048))
            except BlockingIOError:
                return datagrams


class Out:
    """A line that is ready."""

    def __init__(self, way: Way) -> None:
        self.send = way.send

    def obstacle(self) -> str | None:
        return None

    def speaking(self, on: bool) -> None:
        pass


@contextmanager
def somebody() -> Generator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as there:
        there.bind(("127.0.0.1", 0))
        yield there


def on_the_road(scene: Callable[[Road], None]) -> None:
    async def play() -> None:
        with somebody() as there:
            road = Road(there)
            try:
                scene(road)
            finally:
                road.way.close()

    asyncio.run(play())


def envelope(datagram: bytes) -> Packet:
    packet = parse(datagram)
    assert isinstance(packet, Packet)
    return packet


@pytest.mark.parametrize("keys", [(0, 0), (0, 1, 0)], ids=["the same key again", "a key that comes back"])
def test_no_nonce_is_used_twice_with_a_key_that_is_given_again(keys: tuple[int, ...]) -> None:
    def scene(road: Road) -> None:
        used: list[tuple[int, bytes]] = []
        for key in keys:
            road.lock(KEYS[key])
            assert all(road.way.send(b"sound", 1) for _ in range(3))
            used += [(key, datagram[-4:]) for datagram in road.came()]
        assert len(set(used)) == len(used) == 3 * len(keys)

    on_the_road(scene)


def test_a_new_key_is_the_one_that_counts() -> None:
    def scene(road: Road) -> None:
        for key in KEYS:
            road.lock(key)
            road.way.send(b"sound", 1)
            (datagram,) = road.came()
            assert Cipher(AES_GCM, key).open(envelope(datagram), datagram) == b"sound"

    on_the_road(scene)


def test_the_same_stream_counts_on_under_a_new_key_and_another_stream_anew() -> None:
    def scene(road: Road) -> None:
        road.lock(KEYS[0])
        road.way.send(b"sound", 1)
        road.lock(KEYS[1])
        road.way.send(b"sound", 1)
        one, two = map(envelope, road.came())
        assert (two.sequence - one.sequence) % 2**16 == 1
        road.lock(KEYS[1], ssrc=8)
        road.way.send(b"sound", 1)
        assert envelope(road.came()[0]).ssrc == 8

    on_the_road(scene)


def test_a_slot_whose_packet_does_not_leave_is_a_slot_and_not_two() -> None:
    def scene(road: Road) -> None:
        road.lock(KEYS[0])
        mouth = Mouth(Connection(1), VoiceSettings(), Letters(), lambda: Out(road.way), lambda _news: None)
        mouth.play(UtteranceId("u"), loud(6), 50.0)
        for slot in range(6):
            road.group.trouble = slot in (1, 2)
            assert mouth.due is not None
            mouth.turn(mouth.due)
        stamps = [envelope(datagram).timestamp for datagram in road.came()]
        assert mouth.lost == 2
        assert [(stamp - stamps[0]) % 2**32 for stamp in stamps] == [0, 3 * 960, 4 * 960, 5 * 960]

    on_the_road(scene)


def test_a_way_that_is_not_open_or_not_locked_sends_nothing() -> None:
    way = Way(Troubled())
    assert not way.send(b"sound", 1)
    way.send_plain(b"hello")
    way.close()


def test_something_small_goes_out_when_nothing_else_does() -> None:
    def scene(road: Road) -> None:
        road.way.keep_alive(1e9)
        assert road.came() == []
        road.lock(KEYS[0])
        for now in (1e9, 1e9 + 4.9, 1e9 + 5.0):
            road.way.keep_alive(now)
        assert road.came() == [(1).to_bytes(8, "little"), (2).to_bytes(8, "little")]

    on_the_road(scene)
