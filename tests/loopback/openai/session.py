"""A socket of this OpenAI: events come in, events go out, and whatever is wrong is said as OpenAI says it."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from aiohttp import web

from tests.loopback.discord.body import Body, Json, decode
from tests.loopback.openai import config
from tests.loopback.openai.chat import Call
from tests.loopback.openai.refusals import PROSE, Refused, wrong
from tests.loopback.providers import Ground, Socket

SECONDS = 3_600.0
_numbers = count(1)


class Later(Protocol):
    """Something that will be done."""

    def cancel(self) -> None:
        """Do not do it."""
        ...


@dataclass(slots=True)
class Habits:
    """How this OpenAI behaves, as switches that hold for what happens from then on."""

    session_seconds: float = SECONDS
    """How long a session lasts before it expires."""
    expiry_says_so: bool = True
    """Whether the error session_expired comes before the close."""
    lag: float = 0.0
    """How many seconds everything that is sent takes."""
    unanswered: set[str] = field(default_factory=set[str])
    """The types of client events that are swallowed, without effect."""
    refused: dict[str, deque[str]] = field(default_factory=dict[str, "deque[str]"])
    """Codes that the next client events of a type are refused with, one each."""
    cancelled_calls: tuple[Call, ...] = ()
    """Calls that are in the output of a cancelled response."""
    cancel_leaves_item: bool = True
    """Whether a cancelled response leaves what was said so far in the conversation."""
    hold_transcripts: bool = False
    """Whether a transcript waits for `release`."""
    failing_transcripts: deque[str] = field(default_factory=deque[str])
    """Codes that the next transcriptions fail with, one each."""

    def refuse(self, event: str, code: str, times: int = 1) -> None:
        """Refuse the next client events of this type with an error event."""
        self.refused.setdefault(event, deque()).extend([code] * times)


def new_id(kind: str) -> str:
    """An id such as item_00000042, never given twice."""
    return f"{kind}_{next(_numbers):08d}"


class Session(Socket):
    """What a conversation and a transcription have in common; see Socket for what a test can do to it."""

    def __init__(self, ground: Ground, request: web.Request, habits: Habits, model: str | None) -> None:
        super().__init__(ground, request)
        self.id = new_id("sess")
        self.config: Json = config.initial(model)
        """The effective configuration."""
        self.expires_at = int(time.time() + habits.session_seconds)
        """Epoch seconds, of this clock."""
        self.habits = habits
        self._lagging: deque[str] = deque()
        self._timers: set[asyncio.TimerHandle] = set()

    # --- on the loop -------------------------------------------------------------------------------

    async def run(self) -> web.WebSocketResponse:
        """Greet, then answer until the connection is over."""
        await self.open()
        try:
            self.emit("session.created", session=self._described())
            self.later(self.habits.session_seconds, self._expire)
            return await self.serve(self._came)
        finally:
            for timer in self._timers:
                timer.cancel()

    def emit(self, kind: str, **fields: object) -> None:
        """Send an event."""
        text = json.dumps({"type": kind, "event_id": new_id("event"), **fields})
        if not self.habits.lag and not self._lagging:
            self.send_text(text)
            return
        self._lagging.append(text)
        self.later(self.habits.lag, lambda: self.send_text(self._lagging.popleft()))

    def later(self, seconds: float, what: Callable[[], None]) -> Later:
        """Do something later, unless the connection is over by then."""

        def due() -> None:
            self._timers.discard(timer)
            with self._ground.changing():
                what()

        timer = asyncio.get_running_loop().call_later(seconds, due)
        self._timers.add(timer)
        return timer

    def complain(self, refused: Refused, about: str | None = None) -> None:
        """Send an error event."""
        self.emit("error", error={**refused.body(), "event_id": about})

    def break_rule(self, refused: Refused) -> None:
        """Remember what the client did wrong."""
        self._ground.break_rule(refused.message)

    def take(self, event: Body) -> None:
        """Deal with one event of the client's; raises Refused."""
        raise NotImplementedError

    def update(self, update: Body) -> None:
        """Deal with a `session.update`."""
        self.config = config.updated(self.config, update)
        self.emit("session.updated", session=self._described())

    # --- for a test, from any thread -----------------------------------------------------------------

    def expire(self) -> None:
        """Reach the maximum duration now."""
        self._ground.run(self._expire)

    def complain_of(self, code: str, *, kind: str = "server_error", about: str | None = None) -> None:
        """Send an error event out of the blue, with prose that must not surface."""
        error = {"type": kind, "code": code, "message": PROSE, "param": None, "event_id": about}
        self._ground.run(lambda: self.emit("error", error=error))

    # --- inside -------------------------------------------------------------------------------------

    def _came(self, text: str) -> None:
        event = decode(text)
        self.keep(_without_sound(event))
        kind = event.text("type")
        if kind in self.habits.unanswered:
            return
        try:
            if ordered := self.habits.refused.get(kind):
                self.complain(wrong("Refused.", None, ordered.popleft()), event.text("event_id") or None)
                return
            if not kind:
                raise wrong("The event is no JSON object with a type.", "type", "invalid_json")
            if len(event.text("event_id")) > 512:
                raise wrong("Invalid 'event_id': string too long.", "event_id", "string_above_max_length")
            self.take(event)
        except Refused as refused:
            self.break_rule(refused)
            self.complain(refused, event.text("event_id") or None)

    def _described(self) -> Json:
        kind = "realtime.session" if "model" in self.config else "realtime.transcription_session"
        return {"object": kind, "id": self.id, "expires_at": self.expires_at, **self.config}

    def _expire(self) -> None:
        if self.habits.expiry_says_so:
            said = "Your session hit the maximum duration of 60 minutes."
            self.complain(wrong(said, None, "session_expired"))
        self.later(
            self.habits.lag, lambda: self.close(1001, f"Your session hit the maximum duration. {PROSE}")
        )


def unknown_event(kind: str) -> Refused:
    """An event that this kind of session does not know."""
    return wrong(f"Invalid value: '{kind}'.", "type", "invalid_value")


def _without_sound(event: Body) -> Json:
    sound = event.fields.get("audio")
    return {**event.fields, "audio": len(sound) * 3 // 4} if isinstance(sound, str) else dict(event.fields)
