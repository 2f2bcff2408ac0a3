"""A toolbox on an I/O thread of its own, and somebody who waits for what it tells."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from actors.captain.live_toolbox.toolbox import McpToolbox
from actors.captain.settings import McpServer
from actors.net.loop import IoLoop, fastest_loop
from messages.captain import MachineDone, ToolboxChanged, ToolboxEvent
from messages.ids import CallId, HandoffId
from tests.actors.net.world import NewLoop
from tests.probe import Probe

ROOT: Final = Path(__file__).resolve().parents[4]
TURN: Final = HandoffId("turn")
PATIENCE: Final = 20.0
"""How long anything may take on a machine that is busy."""


def real(**env: str) -> McpServer:
    """The real server, as a program."""
    path = {"PYTHONPATH": str(ROOT), **env}
    return McpServer(command=sys.executable, args=("-m", "tests.loopback.mcp_server", "stdio"), env=path)


def rude(mode: str) -> McpServer:
    """The other one."""
    return McpServer(
        command=sys.executable, args=("-S", "-I", str(ROOT / "tests" / "loopback" / "rude_mcp.py"), mode)
    )


class Box:
    """A toolbox with what it has told."""

    def __init__(self, box: McpToolbox, told: Probe[ToolboxEvent]) -> None:
        self.box, self.told = box, told
        self._calls = 0

    def offered(self) -> dict[str, bool]:
        """The names of the tools that are told next, and whether they destroy."""
        changed = self.told.expect(ToolboxChanged, PATIENCE)
        assert not changed.trouble, changed.trouble
        return {tool.name: tool.destructive for tool in changed.tools}

    def trouble(self) -> str:
        """The trouble that is told next."""
        changed = self.told.expect(ToolboxChanged, PATIENCE)
        assert changed.tools == ()
        return changed.trouble

    def begin(self, tool: str, arguments: str = "{}", turn: HandoffId = TURN) -> CallId:
        """Use a tool, and do not wait."""
        self._calls += 1
        call = CallId(f"call{self._calls}")
        self.box.use(turn, call, tool, arguments)
        return call

    def done(self) -> MachineDone:
        """What is told next of a use."""
        return self.told.expect(MachineDone, PATIENCE)

    def use(self, tool: str, arguments: str = "{}") -> MachineDone:
        """Use a tool, and wait for what comes of it."""
        call = self.begin(tool, arguments)
        done = self.done()
        assert (done.handoff, done.call) == (TURN, call)
        return done


@contextmanager
def opened(
    servers: Mapping[str, McpServer],
    *,
    tokens: Mapping[str, str] | None = None,
    seconds: float = 20.0,
    new_loop: NewLoop = fastest_loop,
) -> Generator[Box]:
    """A toolbox that is open; closed at the end, with its thread."""
    loop = IoLoop(new_loop)
    loop.start()
    box = McpToolbox(loop, servers, tokens or {}, tool_seconds=seconds)
    told: Probe[ToolboxEvent] = Probe()
    box.open(told.tell)
    try:
        yield Box(box, told)
    finally:
        box.close()
        assert loop.stop(5)


def is_gone(watch: int) -> bool:
    """Whether the process of a pidfd exits; closes it."""
    try:
        return bool(select.select([watch], [], [], PATIENCE)[0])
    finally:
        os.close(watch)
