"""A socket for sound survives whatever the network answers."""

import asyncio
import socket
from collections.abc import Sequence

import pytest

from actors.voice.media.udp import MOST_AT_ONCE, Udp


class Server:
    """Somebody to talk to, who can go away and come back to the same port."""

    def __init__(self, port: int = 0) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", port))
        self.socket.settimeout(2.0)
        self.port = int(self.socket.getsockname()[1])


class Inbox:
    """What came."""

    def __init__(self) -> None:
        self.came: list[bytes] = []
        self._changed = asyncio.Event()

    def take(self, datagrams: Sequence[bytes]) -> None:
        self.came.extend(datagrams)
        self._changed.set()

    async def wait(self, datagrams: int) -> None:
        async with asyncio.timeout(2.0):
            while len(self.came) < datagrams:
                self._changed.clear()
                await self._changed.wait()


def test_nobody_there_for_a_while_is_counted_and_not_the_end() -> None:
    async def scene() -> None:
        first, inbox = Server(), Inbox()
        udp = Udp("127.0.0.1", first.port, inbox.take)
        first.socket.close()
        for _ in range(10):
            udp.send(b"to nobody")
            await asyncio.sleep(0)
        assert udp.refused > 0
        again = Server(first.port)
        assert udp.send(b"hello")
        datagram, sender = again.socket.recvfrom(99)
        assert datagram == b"hello"
        again.socket.sendto(b"back", sender)
        await inbox.wait(1)
        assert inbox.came == [b"back"]
        udp.close()
        udp.close()
        again.socket.close()

    asyncio.run(scene())


def test_strangers_are_not_heard_and_a_flood_is_read_in_turns() -> None:
    async def scene() -> None:
        server, stranger, inbox = Server(), Server(), Inbox()
        udp = Udp("127.0.0.1", server.port, inbox.take)
        udp.send(b"knock")
        _, address = server.socket.recvfrom(99)
        stranger.socket.sendto(b"stranger", address)
        for number in range(3 * MOST_AT_ONCE):
            server.socket.sendto(bytes([number]), address)
        await inbox.wait(1)
        assert len(inbox.came) <= MOST_AT_ONCE
        await inbox.wait(3 * MOST_AT_ONCE)
        assert b"stranger" not in inbox.came
        udp.close()
        server.socket.close()
        stranger.socket.close()

    asyncio.run(scene())


def test_an_address_that_cannot_be_is_refused_and_leaves_nothing_open() -> None:
    async def scene() -> None:
        with pytest.raises(OSError):  # noqa: PT011 - which one, only the system knows
            Udp("no address", 1, lambda _: None)

    asyncio.run(scene())


def test_whoever_lets_go_while_reading_reads_no_more() -> None:
    async def scene() -> None:
        server, inbox = Server(), Inbox()

        def take(datagrams: Sequence[bytes]) -> None:
            inbox.take(datagrams)
            udp.close()

        udp = Udp("127.0.0.1", server.port, take)
        udp.send(b"knock")
        _, address = server.socket.recvfrom(99)
        for number in range(2 * MOST_AT_ONCE):
            server.socket.sendto(bytes([number]), address)
        await inbox.wait(1)
        await asyncio.sleep(0)
        assert len(inbox.came) <= MOST_AT_ONCE
        server.socket.close()

    asyncio.run(scene())
