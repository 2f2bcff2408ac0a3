"""One server's place in the house: it is reached, listed, used, missed, and reached again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Final

from loguru import logger
from mcp.shared.exceptions import MCPError

from actors.captain.live_toolbox.gate import BAD_FRAME, SERVER_GONE, Watch
from actors.captain.live_toolbox.listing import Shelf
from actors.captain.live_toolbox.outcome import Outcome
from actors.captain.live_toolbox.session import Session, conversing
from actors.captain.live_toolbox.toolbox import NOT_SENT
from actors.captain.settings import McpServer
from actors.net.reasons import TIMEOUT
from actors.net.ways import NoWay, why_unreached
from messages.captain import ToolboxChanged

GREET_SECONDS: Final = 10.0
SETTLE_SECONDS: Final = 0.5
"""Tools that change often are looked at so often at most."""
FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 60.0
SOUND_SECONDS: Final = 60.0
"""Whoever lived so long is missed for the first time again."""
MOST_AT_ONCE: Final = 16
NO_PROGRAM: Final = "no_program"


class Station:
    """All of it is for the loop's thread; `tell` hears of every change."""

    def __init__(
        self,
        name: str,
        server: McpServer,
        token: str,
        *,
        seconds: float,
        tell: Callable[[ToolboxChanged], None],
    ) -> None:
        self._name, self._server, self._token = name, server, token
        self._seconds, self._tell = seconds, tell
        self._session: Session | None = None
        self._shelf: Shelf | None = None
        self._asked: set[asyncio.Task[Outcome]] = set()

    @property
    def is_there(self) -> bool:
        """Whether its tools are known at the moment."""
        return self._shelf is not None

    def offers(self, tool: str) -> bool:
        """Whether it has a tool of that name of ours."""
        return self._shelf is not None and tool in self._shelf.own

    # --- its life

    async def run(self) -> None:
        """Live until cancelled; a server that is gone is reached again, ever more patiently."""
        waits, known = patience(), ""
        while True:
            began = asyncio.get_running_loop().time()
            trouble = await self._live()
            # Whoever is away for an hour is news once.
            level = "DEBUG" if trouble == known else "WARNING"
            known = trouble
            logger.bind(server=self._name).log(
                level, "the tools of {} cannot be used: {}", self._name, trouble
            )
            self._tell(ToolboxChanged(server=self._name, tools=(), trouble=trouble))
            if asyncio.get_running_loop().time() - began > SOUND_SECONDS:
                waits, known = patience(), ""
            await asyncio.sleep(next(waits))

    async def _live(self) -> str:
        """One connection, from its beginning to its end; returns why it ended, as a code."""
        watch = Watch()
        try:
            async with conversing(
                self._name, self._server, self._token, watch, seconds=self._seconds
            ) as session:
                async with asyncio.timeout(GREET_SECONDS):
                    await session.greet()
                self._session = session
                await self._keep(session, watch)
        except Exception as failure:  # the library has many, and so has whoever wrote the server
            return trouble_of(failure, watch)
        finally:
            self._session = self._shelf = None
            for task in tuple(self._asked):
                task.cancel()
        return watch.lost or SERVER_GONE

    async def _keep(self, session: Session, watch: Watch) -> None:
        """Know its tools, and know them anew whenever it says that they have changed."""
        watch.change()
        while not watch.lost:
            watch.stirred.clear()
            if watch.take_change():
                async with asyncio.timeout(GREET_SECONDS):
                    self._show(await session.list())
            await watch.stirred.wait()
            await watch.settle(SETTLE_SECONDS)

    def _show(self, shelf: Shelf) -> None:
        known, self._shelf = self._shelf, shelf
        if known is not None and known.tools == shelf.tools:
            return
        log = logger.bind(server=self._name)
        # Whoever changes his tools twice a second is news once.
        log.log("INFO" if known is None else "DEBUG", "{} offers {} tools", self._name, len(shelf.tools))
        if shelf.left_out:
            level = "WARNING" if known is None else "DEBUG"
            log.log(level, "{} tools of {} are too many or too large: left out", shelf.left_out, self._name)
        self._tell(ToolboxChanged(server=self._name, tools=shelf.tools))

    # --- its use

    async def use(self, tool: str, arguments: str) -> Outcome:
        """Use a tool under our name for it; whoever is cancelled here has the server told so."""
        if self._session is None or self._shelf is None or tool not in self._shelf.own:
            return Outcome(failed=NOT_SENT)
        if len(self._asked) >= MOST_AT_ONCE:
            return Outcome(failed="busy")
        asked = asyncio.create_task(self._session.use(self._shelf.own[tool], arguments))
        self._asked.add(asked)
        asked.add_done_callback(self._asked.discard)
        try:
            done, _ = await asyncio.wait({asked}, timeout=self._seconds)
        finally:
            # The server hears that nobody waits; how long that takes is nobody's concern here.
            asked.cancel()
        if not done:
            return Outcome(failed=TIMEOUT)
        return Outcome(failed=SERVER_GONE) if asked.cancelled() else asked.result()


def patience() -> Iterator[float]:
    """How long to wait before one tries again, each time."""
    wait = FIRST_WAIT
    while True:
        yield wait
        wait = min(2 * wait, LONGEST_WAIT)


def trouble_of(failure: BaseException, watch: Watch) -> str:
    """Why a server cannot be used, as a code; nothing of its words is in it."""
    if watch.lost:
        return watch.lost
    match failure:
        case BaseExceptionGroup(exceptions=(first, *_)):
            return trouble_of(first, watch)
        case TimeoutError():
            return TIMEOUT
        case FileNotFoundError() | PermissionError():
            return NO_PROGRAM
        case NoWay():
            return why_unreached(failure, "")
        case MCPError():
            return watch.refused or BAD_FRAME
        case OSError():
            return SERVER_GONE
        case _:
            return BAD_FRAME
