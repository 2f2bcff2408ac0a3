"""What a house costs by whose ears, mind and mouth it has, before anybody speaks, each in a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from loguru import logger

from messages.gateway import AskedBy, JoinAnswer, Joined, JoinVoice
from supervisors.commands.run import leave
from supervisors.local import ROOM, local_house
from supervisors.paths import kept_in
from supervisors.providers import Providers
from supervisors.secrets import Keys
from supervisors.settings import load
from tests.benchmarks.bench import Bench, Ours, tell
from tests.benchmarks.figures import Line, Reading
from tests.probe import Probe

CHOICES: Mapping[str, Mapping[str, Mapping[str, object]]] = {
    "this machine": {},
    "cloud": {
        "capture": {"provider": "openai"},
        "realtime": {"provider": "openai"},
        "tts": {"provider": "elevenlabs"},
    },
    "cloud by HTTP": {
        "capture": {"provider": "openai"},
        "realtime": {"provider": "chat", "base_url": "http://127.0.0.1:9/v1", "model": "some-model"},
        "tts": {"provider": "openai"},
    },
}
WATCHED = ("openai", "elevenlabs", "websockets")
DEADLINE_SECONDS = 60.0
MODULE = "tests.benchmarks.idle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Idle:
    """Seconds of CPU until it is open; megabytes in a room; what was imported of WATCHED."""

    cpu: float
    joined: float
    imported: tuple[str, ...]


def measure(choice: str) -> Idle:
    """One house, opened and closed; `choice` is one of CHOICES."""
    command = [sys.executable, "-m", MODULE, choice]
    house = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=DEADLINE_SECONDS, check=True)
    measured = json.loads(house.stdout)
    return Idle(imported=tuple(measured.pop("imported")), **measured)


def _house(choice: str) -> None:
    """Be that house, and say what it costs."""
    logger.remove()
    answers: Probe[JoinAnswer] = Probe()
    with tempfile.TemporaryDirectory() as folder:
        here: Mapping[str, Mapping[str, object]] = kept_in(Path(folder))
        settings = load(None, {**here, **CHOICES[choice]})
        Providers.warm(settings)
        with local_house(settings, Keys(openai="sk-none", elevenlabs="none", chat="none")) as house:
            cpu = time.process_time()
            house.gateway.tell(JoinVoice(room=ROOM, asked_by=AskedBy.OPERATOR, reply_to=answers))
            answers.expect(Joined, DEADLINE_SECONDS)
            joined = _resident()
            imported = [name for name in WATCHED if name in sys.modules]
    print(json.dumps({"cpu": cpu, "joined": joined, "imported": imported}), flush=True)  # noqa: T201
    leave(0)


def _resident() -> float:
    """Megabytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def main() -> None:
    """Tell of a house of each choice."""
    told: dict[str, float] = {}
    for choice in CHOICES:
        found = measure(choice)
        told |= {f"{choice}_cpu": found.cpu, f"{choice}_joined": found.joined}
    tell(told)


def _lines() -> Iterator[Line]:
    for choice in CHOICES:
        cpu, joined = (Reading("ours", f"{choice}_{key}") for key in ("cpu", "joined"))
        yield Line(name=f"idle house, {choice}: CPU until it is open", unit="s", ours=cpu)
        yield Line(name=f"idle house, {choice}: memory in a room, alone", unit="MB", ours=joined)


BENCH: Final = Bench(name="idle", runs={"ours": Ours(MODULE)}, lines=tuple(_lines()), repetitions=3)

if __name__ == "__main__":
    if len(sys.argv) > 1:
        _house(sys.argv[1])
    else:
        main()
