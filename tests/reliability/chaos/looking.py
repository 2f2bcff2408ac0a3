"""What can be seen of the house from outside: what it says of itself, and what the kernel says of it."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from actors.console.client import ClientError
from actors.console.wire import parse
from messages.lifecycle import Scalar, TreeNode
from tests.reliability.chaos.history import Moment, Sample, Standing
from tests.reliability.program import NotAlive, Program

OK = 200


def standing(program: Program) -> Standing | None:
    """What the console says; None while it says nothing."""
    try:
        status, body = program.order("GET", "/status")
    except (ClientError, NotAlive, OSError):
        return None
    report = parse(json.dumps(body).encode()) if status == OK else None
    if report is None:
        return None
    facts = dict(_facts(report.tree)) if report.tree is not None else {}
    return Standing(at=time.monotonic(), life=program.life, facts=facts, silent=report.silent)


def sample(program: Program, moment: Moment) -> Sample:
    """What the house and its children hold at the moment."""
    processes = program.processes()
    threads = rss = 0
    kinds: Counter[str] = Counter()
    for pid in processes:
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            figures = program.figures(pid)
            threads, rss = threads + figures.threads, rss + figures.rss
            kinds.update(figures.kinds)
    return Sample(
        at=time.monotonic(),
        life=program.life,
        moment=moment,
        threads=threads,
        open_files=dict(kinds),
        processes=dict(Counter(processes.values())),
        rss=rss,
    )


def _facts(tree: TreeNode) -> Iterator[tuple[str, Scalar]]:
    for node in tree.every():
        yield f"{node.path}:mailbox", node.mailbox_depth
        for name, value in node.facts.items():
            yield f"{node.path}:{name}", value
