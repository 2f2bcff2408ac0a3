"""`… company PORT PACKETS LETTERS`: who is around a floor that is woken, as a crowd and a house would be."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import Final

from actors.voice.media.pipe import Pipe, PipeClosed
from messages.audio import FRAME_SECONDS
from tests.benchmarks.receive.people import PEOPLE

LENGTH_BYTES: Final = 2
"""Before each datagram that is written down."""


def datagrams(written: bytes) -> Iterator[bytes]:
    """What is to be sent, one by one."""
    at = 0
    while at < len(written):
        begin = at + LENGTH_BYTES
        at = begin + int.from_bytes(written[at:begin], "little")
        yield written[begin:at]


def send(port: int, packets: list[bytes]) -> None:
    """Send all of it, evenly spread."""
    never, due = threading.Event(), time.monotonic()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("127.0.0.1", port))
        for packet in packets:
            due += FRAME_SECONDS / PEOPLE
            never.wait(max(0.0, due - time.monotonic()))
            sender.send(packet)


async def read(letters: Pipe) -> None:
    """Take all that comes, until nobody writes any more."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()

    def readable() -> None:
        try:
            for _ in letters.each():
                pass
        except PipeClosed:
            loop.remove_reader(letters.fileno())
            over.set()

    loop.add_reader(letters.fileno(), readable)
    await over.wait()


def main(port: int, packets: int, letters: int) -> None:
    """Be there until all has been said and heard."""
    os.lseek(packets, 0, os.SEEK_SET)
    with os.fdopen(packets, "rb") as written:
        said = list(datagrams(written.read()))
    threading.Thread(target=send, args=(port, said), daemon=True).start()
    asyncio.run(read(Pipe(socket.socket(fileno=letters), lambda: None)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
