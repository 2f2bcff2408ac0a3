"""What a trouble is to whoever orders it: it begins, it ends, and says how often it really hit."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

LOOK_SECONDS: Final = 0.1
SHOWS_SECONDS: Final = 4.0
"""How long it may take until it shows that something hit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """How often it hit; `why` it did not, if it never did."""

    hits: int
    why: str = ""
    ordered: str = ""
    """Words that he was ordered to say, which nobody else ever says."""

    @property
    def missed(self) -> str:
        """Why it hit nothing; empty if it did."""
        return "" if self.hits else self.why or "nothing came of it"


Ending: TypeAlias = Callable[[], Effect]
Fault: TypeAlias = "Callable[[Happening, Evening], Ending]"


def at_once(hits: int, why: str = "") -> Ending:
    """What is over as soon as it has begun."""
    return lambda: Effect(hits=hits, why=why)


def shows(seen: Callable[[], bool], seconds: float = SHOWS_SECONDS) -> bool:
    """Look until something is seen; whether it was in time."""
    end, never = time.monotonic() + seconds, threading.Event()
    while not seen():
        if time.monotonic() >= end:
            return False
        never.wait(LOOK_SECONDS)
    return True


def chance(happening: Happening) -> random.Random:
    """Dice that fall the same for the same happening of the same plan."""
    return random.Random(f"{happening.number} {happening.at} {happening.kind}")


class Again:
    """Does something over and over, in a thread of its own, until it is stopped."""

    def __init__(self, act: Callable[[int], None], every: float) -> None:
        self.times = 0
        self._act, self._every = act, every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="chaos-again", daemon=True)
        self._thread.start()

    def stop(self, seconds: float = 10.0) -> int:
        """Do it no more; how often it was done."""
        self._over.set()
        self._thread.join(seconds)
        return self.times

    def _run(self) -> None:
        while not self._over.wait(self._every if self.times else 0.0):
            self._act(self.times)
            self.times += 1
