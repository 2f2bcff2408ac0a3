"""Which kills a seed means: every moment comes as often as any other, in no order that anybody knows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

from tests.reliability.sigkill.killing import Whom
from tests.reliability.sigkill.moments import MOMENTS
from tests.reliability.sigkill.siege import Case


def cases(seed: int, kills: int) -> Iterator[Case]:
    """Cases with so many kills in all."""
    for turn in count():
        dice = Random(f"{seed}-{turn}")
        for moment in dice.sample(MOMENTS, len(MOMENTS)):
            if kills <= 0:
                return
            again = min(dice.choice((0, 0, 0, 1, 1, 2)), kills - 1)
            kills -= 1 + again
            yield Case(moment=moment, whom=dice.choice(list(Whom)), again=again, seed=dice.randrange(2**32))
