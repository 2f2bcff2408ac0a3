"""When discord.py's player sends beside five busy threads and eight speakers whose packets are only read.

Arguments: seconds at most, the switch interval in milliseconds (5 is Python's own), the project's Python.
"""

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path
from statistics import median

import discord
from speaker import speaker
from speech import frames
from telling import tell

BUSY = 5
SPEECH_SECONDS = 3.0
FEW = 25
PEOPLE = Path(__file__).parent / "people.py"


class Speech(discord.AudioSource):
    """Some seconds of it, and then no more."""

    def __init__(self) -> None:
        self._frames = iter(frames(SPEECH_SECONDS))

    def read(self) -> bytes:
        """20 ms."""
        return next(self._frames, b"")


def work(over: threading.Event) -> None:
    """Never rest."""
    number = 0
    while not over.is_set():
        for _ in range(1_000):
            number += 1


def main(seconds: float, switch: float, python: str) -> None:
    """Measure once."""
    sys.setswitchinterval(switch / 1_000)
    with (
        subprocess.Popen(
            [sys.executable, str(PEOPLE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as people,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out,
    ):
        out.connect(("127.0.0.1", int(people.stdout.readline())))
        out.setblocking(False)
        asyncio.run(_speak(out, seconds, python))
        told, _ = people.communicate("\n", timeout=10)
    tell(_figures(json.loads(told)))


async def _speak(out: socket.socket, seconds: float, python: str) -> None:
    voice = speaker(asyncio.get_running_loop(), out, python)
    voice._connection.add_socket_listener(lambda _: None)
    over, said = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for _ in range(BUSY):
        threading.Thread(target=work, args=(over,), daemon=True).start()
    voice.play(Speech(), after=lambda _: loop.call_soon_threadsafe(said.set))
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(said.wait(), seconds)
    voice.stop()
    over.set()


def _figures(came: list[float]) -> dict[str, float]:
    gaps = [1_000 * (later - earlier) for earlier, later in pairwise(came)]
    late = [at - 0.02 * slot for slot, at in enumerate(came)]
    off = sorted(abs(gap - 20) for gap in gaps)
    return {
        "p50": off[len(off) // 2],
        "p99": off[len(off) * 99 // 100],
        "max": off[-1],
        "gaps": float(sum(gap > 40 for gap in gaps)),
        "drift": abs(1_000 * (median(late[-FEW:]) - median(late[:FEW]))),
    }


main(float(sys.argv[1]), float(sys.argv[2]), sys.argv[3])
