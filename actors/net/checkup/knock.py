"""Some refusals are heard at the socket alone: a line is opened, greeted, and closed at once."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field

from actors.net.line import Dial, Ended, Target
from actors.net.reasons import UNNAMED, of_code

WELCOME = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A socket that he will use, and the frame that asks for what he will ask of it, if there is one."""

    target: Target
    greeting: str | None = field(default=None, repr=False)


class TurnedAway(Exception):
    """Nobody is let in there; `reason` is a bounded code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def reason_of(error: Exception) -> str:
    """The reason that came of a knock."""
    return error.reason if isinstance(error, TurnedAway) else UNNAMED


async def knock(dial: Dial, door: Door) -> float:
    """Open, greet, and close; returns the seconds until he was welcome, raises TurnedAway."""
    began, visitor = time.monotonic(), _Visitor(waits=door.greeting is not None)
    line = dial(door.target, visitor, answer)
    try:
        if door.greeting is not None:
            line.send(door.greeting)
        said = await visitor.said
        seconds = time.monotonic() - began
    finally:
        line.close()
    await visitor.left
    if said != WELCOME:
        raise TurnedAway(said)
    return seconds


def answer(text: str) -> str | None:
    """What OpenAI answers to a greeting: WELCOME, or a reason; None is no answer. Raises ValueError."""
    try:
        said: object = json.loads(text)
    except RecursionError:
        raise ValueError("a frame is nested too deeply") from None
    match said:
        case {"type": "session.updated"}:
            return WELCOME
        case {"type": "error", "error": {"code": str(code)} | {"type": str(code)}}:
            return of_code(code)
        case {"type": "error"}:
            return UNNAMED
        case _:
            return None


class _Visitor:
    """Who stands on the line; only what is said first counts."""

    def __init__(self, *, waits: bool) -> None:
        self._waits = waits
        loop = asyncio.get_running_loop()
        self.said: asyncio.Future[str] = loop.create_future()
        self.left: asyncio.Future[None] = loop.create_future()

    def opened(self) -> None:
        if not self._waits:
            self._note(WELCOME)

    def came(self, frame: str | None) -> None:
        if frame is not None:
            self._note(frame)

    def ended(self, ended: Ended) -> None:
        self._note(ended.reason)
        if not self.left.done():
            self.left.set_result(None)

    def _note(self, said: str) -> None:
        if not self.said.done():
            self.said.set_result(said)
