"""The same frames over a socket that is read with `sock.recv`, a frame at a time, beside the same thread."""

from __future__ import annotations

import asyncio
import socket
import struct
import subprocess
import sys
import threading
import time
from typing import Final

from messages.audio import FRAME_BYTES, Frame
from messages.ids import CaptureId, PersonId
from tests.benchmarks.actors.ears import PEOPLE
from tests.benchmarks.actors.listening import INTERVALS, Busy, Ears, Watched
from tests.benchmarks.bench import tell

HEADER: Final = struct.Struct("<id")
"""Whose frame it is, and the monotonic second at which it was sent."""
MODULE: Final = "tests.benchmarks.actors.sockets"
FRAMES_PER_SECOND: Final = 50
BUFFER: Final = 2**20
START_SECONDS: Final = 1.0
DRAIN_SECONDS: Final = 3.0
"""How long what was sent in time may still be on its way."""


def send(descriptor: int, seconds: float) -> None:
    """Send everybody's frames evenly, as a media process does; what does not fit is nobody's frame."""
    pcm = bytes(FRAME_BYTES)
    gap, began, never = 1 / (FRAMES_PER_SECOND * PEOPLE), time.monotonic(), threading.Event()
    with socket.socket(fileno=descriptor) as end:
        for number in range(round(seconds / gap)):
            never.wait(max(0.0, began + number * gap - time.monotonic()))
            try:
                end.send(HEADER.pack(number % PEOPLE, time.monotonic()) + pcm, socket.MSG_DONTWAIT)
            except BlockingIOError:
                continue


async def read(end: socket.socket, sinks: list[Watched], until: float) -> None:
    """Read as asyncio's own example does."""
    loop = asyncio.get_running_loop()
    end.setblocking(False)
    while time.monotonic() < until:
        message = await loop.sock_recv(end, 65_536)
        if not message:
            return
        whose, at = HEADER.unpack_from(message)
        pcm = message[HEADER.size :]
        sinks[whose].put(Frame(person=PersonId(str(whose)), capture=CaptureId("c"), pcm=pcm, at=at))


def heard(ears: Ears, seconds: str) -> None:
    """Have a child send for so long, and read it."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    far.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
    command = (sys.executable, "-m", MODULE, "send", str(far.fileno()), seconds)
    with near, Busy(), subprocess.Popen(command, pass_fds=(far.fileno(),)):
        far.close()
        until = time.monotonic() + START_SECONDS + float(seconds) + DRAIN_SECONDS
        asyncio.run(read(near, [ear.sink for ear in ears.each], until))


def main(seconds: str) -> None:
    """Listen for so long, with either switch interval."""
    figures = dict[str, float]()
    with Ears([PersonId(str(number)) for number in range(PEOPLE)]) as ears:
        for name, interval in INTERVALS.items():
            sys.setswitchinterval(interval)
            heard(ears, seconds)
            figures.update(ears.figures(name))
    tell(figures)


if __name__ == "__main__":
    if sys.argv[1] == "send":
        send(int(sys.argv[2]), float(sys.argv[3]))
    else:
        main(sys.argv[1])
