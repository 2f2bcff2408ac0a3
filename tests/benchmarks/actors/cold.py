"""From the start of a process to its word that the house is open."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Final

from tests.benchmarks.bench import tell
from tests.benchmarks.figures import Values

HOUSE: Final = "tests.benchmarks.actors.house"


def opened() -> Values:
    """Seconds until it is open, and what it had cost when it was gone again."""
    began = time.monotonic()
    with subprocess.Popen(
        (sys.executable, "-m", HOUSE), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        word = process.stdout.readline()
        lasted = time.monotonic() - began
        if word != "open\n":
            raise RuntimeError("the house did not open")
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return {"seconds": lasted, "cpu": usage.ru_utime + usage.ru_stime}


if __name__ == "__main__":
    tell(opened())
