"""Any server that speaks OpenAI's chat completions can be his mind, one on the kitchen shelf included."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from actors.net.loop import IoLoop
from actors.net.sdk import ABORTED, reason_of
from actors.net.service import Service
from actors.net.usage import Tokens, whose
from actors.realtime.items import Item, Seed, TurnBrief
from actors.realtime.live import wording
from actors.realtime.live.answer import Answer, Verdict
from actors.realtime.live.chunks import read
from actors.realtime.live.completions import Completions
from actors.realtime.live.history import History
from actors.realtime.settings import RealtimeSettings
from messages.ids import CallId, Connection, ResponseId, UtteranceId
from messages.realtime import (
    ModelSpent,
    RealtimePortEvent,
    ResponseEnded,
    ResponseEnding,
    ResponseText,
    ToolCalled,
)

WHOLE_SECONDS: Final = 120.0
"""A whole answer may take so long, however steadily it trickles."""
LINGER_SECONDS: Final = 1.0
"""How long a finished answer may take to end its stream, so that its connection can be used again."""

PROGRESS_SECONDS: Final = 1.0
"""A model that is at work without a word of its answer is reported to be so once in this time."""


@dataclass(slots=True, kw_only=True)
class _Flight:
    """One response that is under way."""

    connection: Connection
    response: ResponseId
    utterance: UtteranceId
    answer: Answer = field(default_factory=Answer)
    told_at: float = -math.inf
    """When something of it was reported last, in the loop's seconds."""
    used: Tokens | None = None
    """What the server said last of what it has used."""
    task: asyncio.Task[None] | None = None


@dataclass(slots=True)
class _Talk:
    """One conversation."""

    history: History
    flight: _Flight | None = None


class ChatMind:
    """A RealtimePort over HTTP: the conversation lives here, and each answer is asked for with all of it."""

    def __init__(self, loop: IoLoop, service: Service, settings: RealtimeSettings) -> None:
        self._loop, self._settings = loop, settings
        self._completions = Completions(service, settings)
        self._provider = whose(service.base_url, "chat")
        self._events: Callable[[RealtimePortEvent], None] | None = None
        self._talks: dict[Connection, _Talk] = {}

    def open(self, events: Callable[[RealtimePortEvent], None]) -> None:
        """Learn where to report."""
        self._loop.call(self._open, events)

    def connect(self, connection: Connection, seed: Seed) -> None:
        """Begin a conversation; the server hears of it with the first question."""
        self._loop.call(self._connect, connection, seed)

    def add(self, connection: Connection, item: Item) -> None:
        """Put one thing into the conversation."""
        self._loop.call(self._add, connection, item)

    def respond(self, connection: Connection, response: ResponseId, brief: TurnBrief) -> None:
        """Ask for one response; it fails by itself after two minutes at the latest."""
        self._loop.call(self._respond, connection, response, brief)

    def cancel(self, connection: Connection, response: ResponseId) -> None:
        """Hang up on the server."""
        self._loop.call(self._cancel, connection, response)

    def disconnect(self, connection: Connection) -> None:
        """Forget the conversation, silently."""
        self._loop.call(self._disconnect, connection)

    def close(self) -> None:
        """Hang up, and let go of every connection."""
        self._loop.call(self._close)

    def describe(self) -> str:
        """Such as "chat completions, qwen3, told conversation/1"."""
        return f"chat completions, {self._settings.model}, told {wording.VERSION}"

    # --- on the I/O thread ------------------------------------------------------------------------

    def _open(self, events: Callable[[RealtimePortEvent], None]) -> None:
        self._events = events

    def _connect(self, connection: Connection, seed: Seed) -> None:
        if self._events is not None:
            self._completions.prepare()
            self._talks[connection] = _Talk(History(seed, self._settings.context_tokens))

    def _add(self, connection: Connection, item: Item) -> None:
        if (talk := self._talks.get(connection)) is not None:
            talk.history.add(item)

    def _respond(self, connection: Connection, response: ResponseId, brief: TurnBrief) -> None:
        if (talk := self._talks.get(connection)) is None:
            return
        self._hang_up(talk)
        talk.history.ask(brief)
        talk.flight = _Flight(connection=connection, response=response, utterance=brief.utterance)
        talk.flight.task = self._completions.run(self._answer(talk, talk.flight))

    def _cancel(self, connection: Connection, response: ResponseId) -> None:
        talk = self._talks.get(connection)
        if talk is not None and talk.flight is not None and talk.flight.response == response:
            self._hang_up(talk)

    def _disconnect(self, connection: Connection) -> None:
        if (talk := self._talks.pop(connection, None)) is not None:
            self._hang_up(talk)

    def _close(self) -> None:
        self._events = None
        self._talks.clear()
        self._completions.close()

    def _hang_up(self, talk: _Talk) -> None:
        """Nobody waits for the answer any more; what was said of it was said."""
        flight, talk.flight = talk.flight, None
        if flight is not None and flight.task is not None:
            talk.history.answered(flight.utterance, flight.answer.text)
            flight.task.cancel()

    # --- one answer -------------------------------------------------------------------------------

    async def _answer(self, talk: _Talk, flight: _Flight) -> None:
        try:
            async with asyncio.timeout(WHOLE_SECONDS) as deadline:
                await self._listen(talk, flight, deadline)
            self._end(talk, flight, _failed(ABORTED))
        except Exception as error:  # whatever it is, somebody waits for an answer
            self._end(talk, flight, _failed(reason_of(error)))
        finally:
            self._spent(flight)

    async def _listen(self, talk: _Talk, flight: _Flight, deadline: asyncio.Timeout) -> None:
        """Report the answer as it comes; once it is whole, only the end of the stream is waited for.

        Raises ValueError for what is no stream of events, such as a page or an object of JSON.
        """
        stream, is_stream = await self._completions.ask(talk.history.messages()), False
        async with stream:
            async for chunk in stream:
                is_stream, piece = True, read(chunk)
                flight.used = piece.used or flight.used
                if talk.flight is not flight:
                    continue
                self._say(flight, flight.answer.take(piece), at_work=piece.is_progress)
                if piece.finish:
                    self._say(flight, flight.answer.rest())
                    self._end(talk, flight, flight.answer.verdict(piece.finish))
                    deadline.reschedule(asyncio.get_running_loop().time() + LINGER_SECONDS)
        if not is_stream:
            raise ValueError("no stream of events")

    def _say(self, flight: _Flight, text: str, *, at_work: bool = False) -> None:
        """Report text; without any, that he is at work, which is progress, too."""
        now = asyncio.get_running_loop().time()
        at_work = at_work and now - flight.told_at >= PROGRESS_SECONDS
        if (text or at_work) and self._events is not None:
            flight.told_at = now
            self._events(ResponseText(connection=flight.connection, response=flight.response, text=text))

    def _spent(self, flight: _Flight) -> None:
        """Report what the answer has used, if the server has said so before it was hung up on."""
        if flight.used is not None and self._events is not None:
            spent = flight.used.spent(self._provider, self._settings.model or "")
            self._events(ModelSpent(connection=flight.connection, spent=spent))

    def _end(self, talk: _Talk, flight: _Flight, verdict: Verdict) -> None:
        """Report the end, unless it was reported before, or nobody waits for it."""
        if talk.flight is not flight or self._events is None:
            return
        talk.flight = None
        named = [
            (CallId(f"{flight.response}-call-{place}"), *call) for place, call in enumerate(verdict.calls, 1)
        ]
        talk.history.answered(flight.utterance, flight.answer.text, named)
        connection, response = flight.connection, flight.response
        for call, tool, arguments in named:
            request = wording.parse_request(tool, arguments)
            self._events(
                ToolCalled(connection=connection, response=response, call=call, name=tool, request=request)
            )
        ending, reason = verdict.ending, verdict.reason
        self._events(ResponseEnded(connection=connection, response=response, ending=ending, reason=reason))


def _failed(reason: str) -> Verdict:
    return Verdict(ending=ResponseEnding.FAILED, reason=reason)
