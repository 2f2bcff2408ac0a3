"""Where the time goes on each hot path: `python -m tests.benchmarks.profiles [PATH ...] [-o FOLDER]`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import Final

from tests.benchmarks.flames import Stacks, picture, read, shares, table
from tests.benchmarks.hot_paths import PATHS
from tests.benchmarks.programs import Unable
from tests.source import ROOT

SAMPLES_A_SECOND: Final = 500
SECONDS: Final = 8.0
LEAST_SECONDS, MOST_SECONDS = 0.2, 600.0
SETUP_SECONDS: Final = 60.0
TOP: Final = 15
MODULE: Final = "tests.benchmarks.hot_paths"
NO_PY_SPY: Final = "py-spy is not installed: make setup"
NOT_ALLOWED: Final = (
    "py-spy may not look into other processes here: run it as root, or give the container CAP_SYS_PTRACE"
)


def profile(name: str, seconds: float = SECONDS) -> Stacks:
    """The samples of one of PATHS; raises Unable where py-spy is missing or not allowed."""
    spy = Path(sys.executable).with_name("py-spy")
    if not spy.exists():
        raise Unable(NO_PY_SPY)
    with tempfile.TemporaryDirectory() as folder:
        folded = Path(folder) / "folded"
        record = [str(spy), "record", "--rate", str(SAMPLES_A_SECOND), "--function", "--format", "raw"]
        program = [sys.executable, "-m", MODULE, name, str(seconds)]
        done = subprocess.run(
            [*record, "--output", str(folded), "--", *program],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=seconds + SETUP_SECONDS,
            check=False,
        )
        if done.returncode or not folded.exists():
            raise Unable(_why(done.stdout + done.stderr))
        stacks = read(folded.read_text(), PATHS[name].below)
    if not stacks:
        raise Unable(f"py-spy saw nothing of the path {name}: profile it for longer than {seconds:g} s")
    return stacks


def report(name: str, stacks: Stacks) -> str:
    """The functions that take most of it, as Markdown."""
    samples = sum(stacks.values())
    return "\n".join((f"## {name}, {samples} samples", "", *table(islice(shares(stacks), TOP)), ""))


def main() -> int:
    """Profile what is asked for, all paths if nothing is."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.profiles", description=__doc__)
    parser.add_argument("path", nargs="*", help=f"of {', '.join(PATHS)}")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="draw flame graphs there")
    parser.add_argument("-s", "--seconds", type=float, default=SECONDS, help="how long each path is gone")
    asked = parser.parse_args()
    if unknown := [name for name in asked.path if name not in PATHS]:
        parser.error(f"there is no path {unknown[0]}, only {', '.join(PATHS)}")
    if not LEAST_SECONDS <= asked.seconds <= MOST_SECONDS:
        parser.error(f"a path is gone for {LEAST_SECONDS:g} to {MOST_SECONDS:g} seconds")
    if asked.output is not None:
        try:
            asked.output.mkdir(parents=True, exist_ok=True)
        except OSError as failure:
            parser.error(f"{asked.output} cannot be written: {failure.strerror}")
    for name in asked.path or PATHS:
        try:
            stacks = profile(name, asked.seconds)
        except Unable as missing:
            print(missing, file=sys.stderr)  # noqa: T201
            return 1
        print(report(name, stacks), flush=True)  # noqa: T201
        if asked.output is not None:
            (asked.output / f"{name}.svg").write_text(picture(name, stacks))
    return 0


def _why(told: str) -> str:
    """What py-spy complains of, in our words where it is known."""
    if "ermission" in told or "not permitted" in told:
        return NOT_ALLOWED
    last = next(reversed(told.strip().splitlines()), "it said nothing")
    return f"py-spy could not profile this: {last}"


if __name__ == "__main__":
    sys.exit(main())
