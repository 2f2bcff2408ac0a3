"""`python -m tests.reliability.sigkill.part SEED KILLS FOLDER`: one evening, and a line for each kill."""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import NoReturn

from tests.reliability.sigkill.plan import cases
from tests.reliability.sigkill.siege import siege


def main() -> None:
    """Until the last kill, or SIGTERM."""
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    seed, kills, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    planned = list(cases(seed, kills))
    with siege(folder, lay=planned[0].moment.lay) as evening:
        for case, following in pairwise([*planned, planned[-1]]):
            result = evening.run(case, following.moment.lay)
            sys.stdout.write(f"{json.dumps(asdict(result))}\n")
            sys.stdout.flush()


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    main()
