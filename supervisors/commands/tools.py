"""`clankie doctor`, the tools' part: which of the servers that were named is there, and offers what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError

from actors.captain.live_toolbox.checkup import LOOK_SECONDS, look
from actors.gateway.port import Finding
from actors.net.loop import IoLoop
from supervisors.commands import apparatus
from supervisors.preflight import check_tools, check_ways
from supervisors.secrets import Keys
from supervisors.settings import BadConfig, Settings

GRACE_SECONDS = 5.0
"""What a server may take to be let go of."""
STOP_SECONDS = 3.0


def findings(settings: Settings, keys: Keys, tell: Callable[[str], object]) -> Iterator[Finding]:
    """Start or call every server of [captain.mcp] once, one after the other."""
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
    loop = IoLoop()
    loop.start()
    try:
        for name in servers:
            tell(f"the tools of {name}")
            yield _looked_at(loop, name, settings, keys)
    finally:
        loop.stop(STOP_SECONDS)


def _looked_at(loop: IoLoop, name: str, settings: Settings, keys: Keys) -> Finding:
    server, called = settings.captain.mcp[name], f"tools of {name}"
    try:
        found = loop.submit(look(name, server, keys.mcp.get(name, ""))).result(LOOK_SECONDS + GRACE_SECONDS)
    except (TimeoutError, CancelledError):
        return Finding(name=called, ok=False, says="it does not end", remedy="look at that server's own log")
    says = f"{found.says}, for {server.tier} and up" if found.ok else found.says
    remedy = f"[captain.mcp.{name}]: {found.remedy}" if found.remedy else ""
    return Finding(name=called, ok=found.ok, says=says, remedy=remedy)
