"""What the house costs while nothing happens: run as a program of its own, it measures itself."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

MEASURE_SECONDS = 3.0
DEADLINE_SECONDS = 30.0
STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Idle:
    """The whole tree with no stay in it: resident megabytes, and per cent of one core."""

    megabytes: float
    cpu_percent: float


def measure_idle_house() -> Idle | None:
    """Measure a fresh process; None where that cannot be done (no /proc, or it failed)."""
    if not STATUS.exists():
        return None
    done = subprocess.run(
        [sys.executable, "-m", __name__], capture_output=True, timeout=DEADLINE_SECONDS, check=False
    )
    if done.returncode != 0:
        return None
    measured = json.loads(done.stdout)
    return Idle(megabytes=float(measured["megabytes"]), cpu_percent=float(measured["cpu_percent"]))


def main() -> None:
    """Open a house, let it be, and print what it took."""
    from supervisors.local import local_house
    from supervisors.logs import configure
    from supervisors.paths import kept_in
    from supervisors.settings import load

    with tempfile.TemporaryDirectory() as folder:
        settings = load(None, kept_in(Path(folder)))
        configure(settings.log)
        with local_house(settings):
            began, used = time.monotonic(), time.process_time()
            threading.Event().wait(MEASURE_SECONDS)
            used, took = time.process_time() - used, time.monotonic() - began
            resident = next(
                int(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith("VmRSS:")
            )
    print(json.dumps({"megabytes": resident / 1024, "cpu_percent": 100 * used / took}))  # noqa: T201


if __name__ == "__main__":
    main()
