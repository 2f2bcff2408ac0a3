"""Looks for inputs of one target that break a promise, goes on from those that reach something new."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tests.reliability.fuzz.judge import SLOW, Failure, Judge
from tests.reliability.fuzz.lines import Lines
from tests.reliability.fuzz.mutator import Mutator
from tests.reliability.fuzz.target import Target, pack, unpack

TRACED: Final = 4
"""Every so many inputs one is watched by the line, once nothing new has come for `SETTLED` inputs."""
SETTLED: Final = 2_000
WEIGHED: Final = 50
"""Of so many inputs one is weighed."""
MOST_CORPUS: Final = 2_000
MINIMISING_SECONDS: Final = 10.0


@dataclass(slots=True, kw_only=True)
class Hunt:
    """What came of a target so far."""

    target: Target
    inputs: int = 0
    corpus: int = 0
    reached: int = 0
    lines: int = 0
    failures: dict[str, Failure] = field(default_factory=dict)


def hunt(
    target: Target,
    seed: int,
    *,
    goes_on: Callable[[Hunt], bool],
    before: Callable[[bytes], None] = lambda _data: None,
    watched: bool = True,
) -> Hunt:
    """Run until `goes_on` says no; `before` is shown every input before it is read.

    Unless they are `watched`, inputs are changed without heeding what they reach, which is quicker.
    """
    found = Hunt(target=target)
    chance = Random(seed ^ zlib.crc32(target.name.encode()))
    corpus = list(target.seeds()) or [b""]
    mutator = Mutator(chance, target.form, sequence=target.sequence, corpus=corpus)
    lines, judge = Lines(target.readers), Judge(target)
    waiting = [*corpus][::-1]
    settled = 0
    with judge.sitting():
        while goes_on(found):
            fresh_from_seed = bool(waiting)
            data = waiting.pop() if waiting else mutator.next()
            before(data)
            traced = watched and (settled < SETTLED or found.inputs % TRACED == 0)
            failure = _read(judge, lines, data, traced=traced, weigh=found.inputs % WEIGHED == 0)
            found.inputs += 1
            settled += 1
            if failure is not None and failure.kind not in found.failures:
                found.failures[failure.kind] = minimised(judge, failure, sequence=target.sequence)
            if traced and lines.fresh() and failure is None:
                settled = 0
                if not fresh_from_seed and len(corpus) < MOST_CORPUS:
                    corpus.append(data)
    found.corpus = len(corpus)
    found.reached, found.lines = lines.share()
    return found


def _read(judge: Judge, lines: Lines, data: bytes, *, traced: bool, weigh: bool) -> Failure | None:
    if not traced or weigh:
        return judge.read(data, weigh=weigh)
    with lines.watched():
        failure = judge.read(data)
    # To be watched takes time itself.
    return judge.read(data) if failure is not None and failure.kind == SLOW else failure


def minimised(judge: Judge, failure: Failure, *, sequence: bool) -> Failure:
    """The shortest input that could be found to fail in the same way."""
    deadline = time.monotonic() + MINIMISING_SECONDS

    def fails(data: bytes) -> Failure | None:
        if time.monotonic() > deadline:
            return None
        again = judge.read(data, weigh=failure.kind == "memory")
        return again if again is not None and again.kind == failure.kind else None

    best = failure
    if sequence:
        best = _fewer(best, lambda parts: fails(pack(parts)), unpack(best.input))
        return _shorter_parts(best, fails)
    return _fewer(best, lambda pieces: fails(b"".join(pieces)), [bytes([one]) for one in best.input])


def _shorter_parts(best: Failure, fails: Callable[[bytes], Failure | None]) -> Failure:
    for at in range(len(unpack(best.input))):
        parts = unpack(best.input)

        def fit(pieces: list[bytes], parts: list[bytes] = parts, at: int = at) -> Failure | None:
            return fails(pack([*parts[:at], b"".join(pieces), *parts[at + 1 :]]))

        best = _fewer(best, fit, [bytes([one]) for one in parts[at]])
    return best


def _fewer(best: Failure, fails: Callable[[list[bytes]], Failure | None], pieces: list[bytes]) -> Failure:
    """Leave out ever smaller runs of pieces, as long as it fails without them."""
    step = len(pieces) // 2
    while step:
        at = 0
        while at < len(pieces):
            without = pieces[:at] + pieces[at + step :]
            shorter = fails(without)
            if shorter is None:
                at += step
            else:
                pieces, best = without, shorter
        step //= 2
    return best
