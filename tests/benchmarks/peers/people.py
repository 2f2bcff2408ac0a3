"""Eight people on a voice server: 400 packets a second go to him; the kernel says when each of his came."""

import contextlib
import json
import select
import socket
import struct
import sys
import time

SO_TIMESTAMPNS = 35
STAMP = struct.Struct("@qq")
PACKET = b"\x80\x78" + bytes(150)
STEP_SECONDS = 0.0025


def main() -> None:
    """Print a port; talk to whoever writes there until standard input ends; print when his packets came."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    server.bind(("127.0.0.1", 0))
    server.setblocking(False)
    print(server.getsockname()[1], flush=True)  # noqa: T201
    him, came, due = None, [], time.monotonic()
    while not select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))[0]:
        due += STEP_SECONDS
        for at, whose in _read(server):
            him = whose
            came.append(at)
        if him is not None:
            with contextlib.suppress(OSError):
                server.sendto(PACKET, him)
    came += [at for at, _ in _read(server)]
    print(json.dumps(came), flush=True)  # noqa: T201


def _read(server: socket.socket) -> list[tuple[float, tuple[str, int]]]:
    found = []
    while True:
        try:
            _, notes, _, whose = server.recvmsg(2048, 64)
        except BlockingIOError:
            return found
        seconds, nanoseconds = STAMP.unpack(notes[0][2])
        found.append((seconds % 100_000 + nanoseconds / 1e9, whose))


main()
