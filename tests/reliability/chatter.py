"""People who talk with each other on and on, whoever asks him what meanwhile."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Final, Self

from tests.reliability.guests import Guest
from tests.reliability.voices import Kind, Line, of_kind

LOOK_SECONDS: Final = 0.05


class Chatter:
    """Inside its `with` statement each of these says one line after the other, with such pauses between.

    The pauses are drawn evenly up to `pause` seconds, lines and pauses from the seed.
    """

    def __init__(
        self, guests: Sequence[Guest], *, pause: float = 0.0, seed: int = 0, lines: Sequence[Line] = ()
    ) -> None:
        self._guests, self._pause, self._dice = tuple(guests), pause, random.Random(seed)
        self._lines = tuple(lines) or of_kind(Kind.TALK)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._talk, name="chatter")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        for guest in self._guests:
            guest.hush()

    def _talk(self) -> None:
        waits = dict.fromkeys(self._guests, 0.0)
        passed = 0.0
        while not self._over.wait(LOOK_SECONDS):
            passed += LOOK_SECONDS
            for guest in self._guests:
                if guest.saying or not guest.here:
                    continue
                if passed >= waits[guest]:
                    guest.say(self._dice.choice(self._lines))
                    waits[guest] = passed + guest.said[-1][1].seconds + self._dice.uniform(0.0, self._pause)
