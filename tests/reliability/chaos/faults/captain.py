"""The captain is asked something, so that what goes wrong with his provider meets somebody at work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from actors.console.knock import ClientError
from tests.reliability.chaos.faults.effect import Effect, Ending, shows

if TYPE_CHECKING:
    from tests.loopback.openai.faults import Fault
    from tests.reliability.night import Evening

REQUEST: Final = "What time is it?"


def asked(evening: Evening, refused: Callable[[], bool] = lambda: False) -> bool:
    """Ask him at the console; whether his provider was asked then, or has refused it."""
    before = len(evening.openai.rest.responses)

    def ask() -> None:
        with suppress(ClientError, AssertionError, OSError):
            evening.program.order("POST", "/captain/ask", {"request": REQUEST})

    threading.Thread(target=ask, name="chaos-captain", daemon=True).start()
    return shows(lambda: len(evening.openai.rest.responses) > before or refused())


def with_trouble(evening: Evening, trouble: Fault) -> Ending:
    """His next answer has this trouble."""
    evening.openai.rest.next(trouble)
    hit = asked(evening)
    return lambda: Effect(hits=int(hit), why="his provider was not asked anything")
