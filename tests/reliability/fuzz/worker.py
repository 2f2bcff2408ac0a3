"""One process that hunts for one target: whoever watches it sees in a file what it reads just now."""

from __future__ import annotations

import base64
import json
import mmap
import os
import resource
import struct
import sys
import time
from pathlib import Path
from typing import Final

from tests.reliability.fuzz.engine import Hunt, hunt
from tests.reliability.fuzz.mutator import LONGEST
from tests.reliability.fuzz.registry import target

ROOM: Final = LONGEST + 4
MOST_BYTES: Final = 3 << 30
"""Of address space; who wants more is stopped by the system."""
SAYS_SECONDS: Final = 1.0


class Desk:
    """The file with the input that is read just now; it outlives a process that does not."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(ROOM))
        with path.open("r+b") as file:
            self._page = mmap.mmap(file.fileno(), ROOM)

    def put(self, data: bytes) -> None:
        """This one is next."""
        self._page[: 4 + len(data)] = struct.pack(">I", len(data)) + data


def on_desk(path: Path) -> bytes:
    """What lay there last."""
    raw = path.read_bytes()
    (length,) = struct.unpack_from(">I", raw)
    return raw[4 : 4 + length]


def work(name: str, seed: int, seconds: float, desk: Desk) -> None:
    """Hunt for so long, and say every second how it stands, in JSON; the last line is the whole.

    Whoever began it may go without a word: then it ends, too.
    """
    chosen = target(name)
    until, said, parent = time.monotonic() + seconds, 0.0, os.getppid()

    def goes_on(found: Hunt) -> bool:
        nonlocal said
        now = time.monotonic()
        if now - said >= SAYS_SECONDS:
            said = now
            _say(found)
        return now < until and os.getppid() == parent

    found = hunt(chosen, seed, goes_on=goes_on, before=desk.put)
    _say(found)


def _say(found: Hunt) -> None:
    told = {
        "inputs": found.inputs,
        "corpus": found.corpus,
        "reached": found.reached,
        "lines": found.lines,
        "failures": [
            {
                "kind": one.kind,
                "says": one.says,
                "name": one.name,
                "input": base64.b64encode(one.input).decode(),
            }
            for one in found.failures.values()
        ],
    }
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def main() -> None:
    """`worker NAME SEED SECONDS DESK`."""
    name, seed, seconds, desk = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    work(name, int(seed), float(seconds), Desk(Path(desk)))


if __name__ == "__main__":
    main()
