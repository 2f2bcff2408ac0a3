"""`clankie doctor`, the tools' part: which of the servers that were named is there, and offers what."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from typing import Final

from actors.captain.live_toolbox.checkup import LOOK_SECONDS, look
from actors.captain.live_toolbox.checkup import Finding as Look
from actors.captain.settings import McpServer
from actors.gateway.port import Finding
from actors.net.loop import IoLoop
from supervisors.commands import apparatus
from supervisors.preflight import check_tools, check_ways
from supervisors.secrets import tool_token
from supervisors.settings import BadConfig, Settings

GRACE_SECONDS = 5.0
"""What a server may take to be let go of."""
STOP_SECONDS = 3.0
NO_MODEL: Final = '[captain] provider is "local", and rules use no tools of servers'
A_MODEL: Final = 'set it to "openai": only a model uses them (docs/captain.md)'
USELESS: Final = Finding(name="tools", ok=True, says=NO_MODEL, remedy=A_MODEL)
"""No illness, as nothing is broken; but whoever names a server wants it used."""
_WHO: Final = {"everyone": "everybody", "owner": "the owner"}


def findings(settings: Settings, tell: Callable[[str], object]) -> Iterator[Finding]:
    """Start or call every server of [captain.mcp] once, all at the same time."""
    servers = settings.captain.mcp
    if not servers:
        yield Finding(name="tools", ok=True, says="none but his own")
        return
    try:
        check_tools(settings)
        check_ways(settings)
    except BadConfig as error:
        yield apparatus.complaint("tools", error)
        return
    if settings.captain.provider == "local":
        yield USELESS
    loop = IoLoop()
    loop.start()
    until = time.monotonic() + LOOK_SECONDS + GRACE_SECONDS
    try:
        looks = {name: _begun(loop, name, server) for name, server in servers.items()}
        for name, begun in looks.items():
            tell(f"the tools of {name}")
            yield _told(name, servers[name], begun, until)
    finally:
        loop.stop(STOP_SECONDS)


def _begun(loop: IoLoop, name: str, server: McpServer) -> Future[Look] | BadConfig:
    try:
        token = tool_token(name, server, os.environ)
    except BadConfig as error:
        return error
    return loop.submit(look(name, server, token or ""))


def _told(name: str, server: McpServer, begun: Future[Look] | BadConfig, until: float) -> Finding:
    called = f"tools of {name}"
    if isinstance(begun, BadConfig):
        return apparatus.complaint(called, begun)
    try:
        found = begun.result(max(0.0, until - time.monotonic()))
    except (TimeoutError, CancelledError):
        return Finding(name=called, ok=False, says="it does not end", remedy="look at that server's own log")
    says = f"{found.says}, for {_WHO.get(server.tier, f'{server.tier} and up')}" if found.ok else found.says
    remedy = f"[captain.mcp.{name}]: {found.remedy}" if found.remedy else ""
    return Finding(name=called, ok=found.ok, says=says, remedy=remedy)
