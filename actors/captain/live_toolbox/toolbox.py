"""The captain reaches into one box, and never learns whose tool it was that he has used."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Final

from loguru import logger

from actors.captain.settings import McpServer
from actors.life import blame
from actors.net.loop import IoLoop
from messages.captain import MachineDone, ToolboxChanged, ToolboxEvent
from messages.ids import CallId, HandoffId

if TYPE_CHECKING:
    from actors.captain.live_toolbox.outcome import Outcome
    from actors.captain.live_toolbox.station import Station

NOT_INSTALLED: Final = "not_installed"
UNKNOWN_TOOL: Final = "unknown_tool"
NOT_SENT: Final = "not_sent"
"""Its server was not there, so it was asked for nothing."""
BUSY: Final = "busy"
MOST_AT_ONCE: Final = 64


class EmptyToolbox:
    """There are no servers."""

    def __init__(self) -> None:
        self._events: Callable[[ToolboxEvent], None] | None = None

    def open(self, events: Callable[[ToolboxEvent], None]) -> None:
        """Learn where to report."""
        self._events = events

    def use(self, turn: HandoffId, call: CallId, tool: str, arguments: str) -> None:
        """There is no such tool."""
        if self._events is not None:
            self._events(MachineDone(handoff=turn, call=call, text="", failed=UNKNOWN_TOOL))

    def drop(self, turn: HandoffId) -> None:
        """Nothing is under way."""

    def close(self) -> None:
        """Report nothing more."""
        self._events = None


class McpToolbox:
    """The servers of `[captain.mcp]`, each with a task of its own on the I/O thread; any thread may call.

    `tokens` has the bearer token of each server that has one, by its name.
    """

    def __init__(
        self,
        loop: IoLoop,
        servers: Mapping[str, McpServer],
        tokens: Mapping[str, str],
        *,
        tool_seconds: float,
    ) -> None:
        self._loop, self._servers, self._tokens = loop, dict(servers), dict(tokens)
        self._seconds = tool_seconds
        self._events: Callable[[ToolboxEvent], None] | None = None
        # From here on it belongs to the loop's thread.
        self._stations: dict[str, Station] = {}
        self._lives: set[asyncio.Task[None]] = set()
        self._uses: dict[tuple[HandoffId, CallId], asyncio.Task[None]] = {}

    # --- actors.captain.port.ToolboxPort

    def open(self, events: Callable[[ToolboxEvent], None]) -> None:
        """Reach every server, once the library is there."""
        self._events = events
        self._loop.call(self._live, self._begin)

    def use(self, turn: HandoffId, call: CallId, tool: str, arguments: str) -> None:
        """Answered with MachineDone."""
        if not self._loop.call(self._use, turn, call, tool, arguments):
            self._answer(turn, call, failed=NOT_SENT)

    def drop(self, turn: HandoffId) -> None:
        """What this turn uses is broken off, and its server told so."""
        self._loop.call(self._drop, turn)

    def close(self) -> None:
        """Report nothing more; every program is gone within two seconds."""
        self._events = None
        self._loop.call(self._end)

    # --- on the loop

    def _live(self, life: Callable[[], Coroutine[None, None, None]]) -> None:
        if self._events is not None:
            task = asyncio.get_running_loop().create_task(life())
            self._lives.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._lives.discard(task)
        if not task.cancelled() and (bug := task.exception()) is not None:
            logger.error("a toolbox failed: {}", blame(bug))

    async def _begin(self) -> None:
        try:
            # A second's work that no other peer should wait for.
            from_library = await asyncio.to_thread(_station)
        except ImportError:
            logger.warning("MCP is not installed: nothing of [captain.mcp] can be used")
            for name in self._servers:
                self._tell(ToolboxChanged(server=name, tools=(), trouble=NOT_INSTALLED))
            return
        for name, server in self._servers.items():
            station = from_library(
                name, server, self._tokens.get(name, ""), seconds=self._seconds, tell=self._tell
            )
            self._stations[name] = station
            self._live(station.run)

    def _use(self, turn: HandoffId, call: CallId, tool: str, arguments: str) -> None:
        station = next((one for one in self._stations.values() if one.offers(tool)), None)
        if station is None:
            named = self._stations.get(tool.partition("__")[0])
            away = named is not None and not named.is_there
            self._answer(turn, call, failed=NOT_SENT if away else UNKNOWN_TOOL)
        elif len(self._uses) >= MOST_AT_ONCE:
            self._answer(turn, call, failed=BUSY)
        else:
            task = asyncio.get_running_loop().create_task(self._used(station, turn, call, tool, arguments))
            self._uses[turn, call] = task
            task.add_done_callback(lambda _: self._uses.pop((turn, call), None))

    async def _used(self, station: Station, turn: HandoffId, call: CallId, tool: str, arguments: str) -> None:
        outcome: Outcome = await station.use(tool, arguments)
        self._tell(
            MachineDone(
                handoff=turn,
                call=call,
                text=outcome.text,
                attachments=outcome.attachments,
                failed=outcome.failed,
            )
        )

    def _drop(self, turn: HandoffId) -> None:
        for (dropped, _), task in tuple(self._uses.items()):
            if dropped == turn:
                task.cancel()

    def _end(self) -> None:
        for task in (*self._uses.values(), *self._lives):
            task.cancel()

    # --- reports

    def _answer(self, turn: HandoffId, call: CallId, *, failed: str) -> None:
        self._tell(MachineDone(handoff=turn, call=call, text="", failed=failed))

    def _tell(self, event: ToolboxEvent) -> None:
        if (events := self._events) is not None:
            events(event)


def _station() -> type[Station]:
    from actors.captain.live_toolbox.station import Station

    return Station
