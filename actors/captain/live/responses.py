"""Any server that speaks OpenAI's Responses can be the captain's mind: each step carries the whole turn."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from loguru import logger

from actors.captain.brief import Asked, Brief, Item, Output
from actors.captain.live import request, wording
from actors.captain.live.naming import named
from actors.captain.live.wire import NoAnswer, Reading, Stepped, used
from actors.captain.prompts import prompt_version
from actors.captain.settings import MODEL, CaptainSettings
from actors.captain.wire import Function, functions
from actors.net.loop import IoLoop
from actors.net.sdk import ABORTED, LazyClient
from actors.net.service import Service
from actors.net.usage import OPENAI, whose
from messages.captain import (
    MachineTool,
    MindEvent,
    MindFailed,
    MindSpent,
    MindStepped,
    MindWorks,
)
from messages.ids import HandoffId

GRACE_SECONDS: Final = 5.0
"""How much longer than its owner's patience a step may take before it ends by itself."""
LINGER_SECONDS: Final = 1.0
"""How long a finished step may take to end its stream, so that its connection can be used again."""
PROGRESS_SECONDS: Final = 1.0
"""A model that is at work is reported to be so once in this time."""
MOST_BYTES: Final = 4 << 20
"""What one turn may remember; beyond it nobody could read it anyhow."""


@dataclass(slots=True, kw_only=True)
class _Turn:
    """One turn; `items` is all that the server must be shown, as JSON objects."""

    name: HandoffId
    instructions: str = field(repr=False)
    items: list[str] = field(repr=False)
    tools: tuple[Function, ...]
    machines: tuple[MachineTool, ...]
    calls: set[str] = field(repr=False, default_factory=set)
    """The names of all calls so far; some servers use one name again and again."""
    step: int = 0
    told_at: float = -math.inf
    """When it was reported to be at work last, in the loop's seconds."""
    task: asyncio.Task[None] | None = None


class ResponsesMind:
    """A MindPort over HTTP; nothing of a turn is kept by the server, and nothing is kept here after it."""

    def __init__(
        self,
        loop: IoLoop,
        service: Service,
        settings: CaptainSettings,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._loop, self._settings, self._wall = loop, settings, wall
        self._client = LazyClient(service, settings.step_seconds)
        self._events: Callable[[MindEvent], None] | None = None
        self._turns: dict[HandoffId, _Turn] = {}
        self._spared: frozenset[str] = frozenset()
        own = settings.base_url
        self._provider = OPENAI if own is None else whose(own, "responses")

    def open(self, events: Callable[[MindEvent], None]) -> None:
        """Learn where to report; begins to make the client, which asks nobody anything."""
        self._loop.call(self._open, events)

    def begin(self, brief: Brief) -> None:
        """A new turn; the server hears of it with its first step."""
        self._loop.call(self._begin, brief)

    def think(self, turn: HandoffId, step: int, items: tuple[Item, ...]) -> None:
        """Ask for one step; it fails by itself soon after `step_seconds`."""
        self._loop.call(self._think, turn, step, items)

    def over(self, turn: HandoffId) -> None:
        """Forget the turn, and hang up on the server if it still thinks."""
        self._loop.call(self._over, turn)

    def close(self) -> None:
        """Hang up, and let go of every connection."""
        self._loop.call(self._close)

    def describe(self) -> str:
        """Such as "responses, gpt-6.1-sol, told captain/1"."""
        return f"responses, {self._settings.model or MODEL}, told {prompt_version()}"

    # --- on the I/O thread ------------------------------------------------------------------------

    def _open(self, events: Callable[[MindEvent], None]) -> None:
        self._events = events
        self._client.prepare()

    def _begin(self, brief: Brief) -> None:
        if self._events is None:
            return
        self._over(brief.turn)
        self._turns[brief.turn] = _Turn(
            name=brief.turn,
            instructions=wording.instructions(brief),
            items=[request.message(wording.opening(brief, self._wall()))],
            tools=functions(brief.tools, brief.machines),
            machines=brief.machines,
        )

    def _think(self, name: HandoffId, step: int, items: tuple[Item, ...]) -> None:
        if (turn := self._turns.get(name)) is None:
            return
        if turn.task is not None:
            turn.task.cancel()
        turn.items += map(_item, items)
        turn.step = step
        turn.task = self._client.run(self._answer(turn, step))

    def _over(self, name: HandoffId) -> None:
        turn = self._turns.pop(name, None)
        if turn is not None and turn.task is not None:
            turn.task.cancel()

    def _close(self) -> None:
        self._events = None
        self._turns.clear()
        self._client.close()

    # --- one step ---------------------------------------------------------------------------------

    async def _answer(self, turn: _Turn, step: int) -> None:
        try:
            async with asyncio.timeout(self._settings.step_seconds + GRACE_SECONDS) as deadline:
                while not await self._asked(turn, step, deadline):
                    pass
        except Exception as error:  # whatever it is, somebody waits for an answer
            reason, again_after = request.why(error)
            failed = MindFailed(handoff=turn.name, step=step, reason=reason, again_after=again_after)
            self._end(turn, step, failed)

    async def _asked(self, turn: _Turn, step: int, deadline: asyncio.Timeout) -> bool:
        """Ask once; false if the same must be asked again, without what this server does not know."""
        if sum(map(len, turn.items)) > MOST_BYTES:
            raise NoAnswer(request.CONTEXT_FULL)
        spared, instructions = self._spared, turn.instructions
        body = request.body(
            self._settings, instructions=instructions, items=turn.items, tools=turn.tools, spared=spared
        )
        try:
            await self._listen(turn, step, body, deadline)
        except Exception as error:  # each library has its own; what is no refusal goes on as it came
            unwanted = request.unwanted(error, body, turn.tools)
            if not unwanted or unwanted in spared:
                raise
            logger.warning("the captain's server does not take {}; it is asked without", unwanted)
            self._spared |= {unwanted}
            return False
        return True

    async def _listen(
        self, turn: _Turn, step: int, body: Mapping[str, object], deadline: asyncio.Timeout
    ) -> None:
        """Report the step once it is whole, after which only the end of the stream is waited for.

        Raises ValueError for what is no stream of events, NoAnswer for a stream that ends too soon.
        """
        client = await self._client.get()
        from openai import AsyncStream

        # The library's own classes for these events would change what has to go back as it came.
        stream = await client.post(
            "/responses", cast_to=object, body=body, stream=True, stream_cls=AsyncStream[object]
        )
        reading, is_whole = Reading(), False
        async with stream:
            async for event in stream:
                if is_whole:
                    continue
                self._works(turn, step)
                self._spends(turn, event)
                if (stepped := reading.take(event)) is not None:
                    is_whole = True
                    self._step(turn, step, stepped)
                    deadline.reschedule(asyncio.get_running_loop().time() + LINGER_SECONDS)
        if not reading.began:
            raise ValueError("no stream of events")
        if not is_whole:
            raise NoAnswer(ABORTED)

    # --- reports ----------------------------------------------------------------------------------

    def _waited_for(self, turn: _Turn, step: int) -> bool:
        return self._turns.get(turn.name) is turn and turn.step == step and turn.task is not None

    def _works(self, turn: _Turn, step: int) -> None:
        now = asyncio.get_running_loop().time()
        if now - turn.told_at < PROGRESS_SECONDS or not self._waited_for(turn, step):
            return
        turn.told_at = now
        if self._events is not None:
            self._events(MindWorks(handoff=turn.name, step=step))

    def _spends(self, turn: _Turn, event: object) -> None:
        if (tokens := used(event)) is not None and self._events is not None:
            spent = tokens.spent(self._provider, self._settings.model or MODEL)
            self._events(MindSpent(handoff=turn.name, spent=spent))

    def _step(self, turn: _Turn, step: int, stepped: Stepped) -> None:
        if not self._waited_for(turn, step):
            return
        items, calls = named(stepped, turn.calls, turn.step, turn.machines)
        turn.items += items
        self._end(turn, step, MindStepped(handoff=turn.name, step=step, text=stepped.text, calls=calls))

    def _end(self, turn: _Turn, step: int, event: MindStepped | MindFailed) -> None:
        """Report the end of a step, unless it was reported before, or nobody waits for it."""
        if self._waited_for(turn, step) and self._events is not None:
            turn.task = None
            self._events(event)


def _item(item: Item) -> str:
    match item:
        case Output():
            return request.output(item.call, wording.output(item.text))
        case Asked():
            return request.message(wording.asked(item))
