"""A look at one server from outside: is it there, and what does it offer."""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from actors.captain.settings import McpServer
from actors.net.reasons import (
    CERTIFICATE_REFUSED,
    FORBIDDEN,
    NOT_FOUND,
    PROVIDER_DOWN,
    PROXY_UNREACHABLE,
    RATE_LIMITED,
    TIMEOUT,
    UNAUTHORIZED,
    UNREACHABLE,
)

if TYPE_CHECKING:
    from actors.captain.live_toolbox.listing import Shelf

LOOK_SECONDS: Final = 10.0
REMEDIES: Final = {
    "not_installed": "install clankie[mcp]",
    "no_program": "name a program that is in PATH and may be run, in command",
    "server_gone": "run the command by hand and see what it complains of",
    "bad_frame": "name a server that speaks MCP; over HTTP, its streamable address",
    "redirected": "name the address where it leads, in url",
    TIMEOUT: "see why it does not answer within ten seconds",
    UNREACHABLE: "start the server, or name another url",
    PROXY_UNREACHABLE: "see whether the proxy of the environment is there",
    CERTIFICATE_REFUSED: "have its authority trusted, with SSL_CERT_FILE",
    UNAUTHORIZED: "put its token into token_file",
    FORBIDDEN: "see what its token may do",
    NOT_FOUND: "see whether the path in url is right",
}
"""What to do about each trouble that a server is known for."""
TROUBLES: Final = {
    "not_installed": "the library that speaks to it is not installed",
    "no_program": "its command is no program here",
    "server_gone": "it has ended, or was never there for long",
    "bad_frame": "it does not speak MCP",
    "redirected": "it wants to be somewhere else",
    "flood": "it does not come to the end of a line",
    "too_large": "it says more at once than can be read",
    "send_stalled": "it does not read what it is told",
    RATE_LIMITED: "it wants to be asked less often",
    PROVIDER_DOWN: "it is in trouble",
    TIMEOUT: "it does not answer within ten seconds",
    UNREACHABLE: "it is not reached",
    PROXY_UNREACHABLE: "the proxy on the way to it lets nobody through",
    CERTIFICATE_REFUSED: "its certificate is not trusted here",
    UNAUTHORIZED: "it does not accept the token, or wants one",
    FORBIDDEN: "it does not let this token in",
    NOT_FOUND: "there is nothing at that path",
}
"""What each of them is, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found of one server; `remedy` is empty where all is well."""

    name: str
    ok: bool
    says: str
    remedy: str = ""


async def look(name: str, server: McpServer, token: str = "") -> Finding:
    """Start or call a server once, on the I/O thread, list its tools, and let go of it; never raises."""
    try:
        says, trouble = await _asked(name, server, token)
    except ImportError:
        says, trouble = "", "not_installed"
    if trouble:
        what, remedy = in_words(trouble)
        return Finding(
            name=name,
            ok=False,
            says=what,
            remedy=remedy,
        )
    return Finding(name=name, ok=True, says=says)


def in_words(trouble: str) -> tuple[str, str]:
    """What a trouble is, and what to do about it; one without words stays a code."""
    return TROUBLES.get(trouble, trouble), REMEDIES.get(trouble, "see what the server's own log says")


def offers(shelf: Shelf) -> str:
    """How many tools it has, and how many of them he takes."""
    many, beyond = len(shelf.tools), shelf.left_out
    told = f"offers {many + beyond} tool{'' if many + beyond == 1 else 's'}"
    return f"{told}, of which {many} are taken: the rest is too many, or too large" if beyond else told


async def _asked(name: str, server: McpServer, token: str) -> tuple[str, str]:
    await asyncio.to_thread(_warm)
    from actors.captain.live_toolbox.gate import Watch
    from actors.captain.live_toolbox.session import conversing
    from actors.captain.live_toolbox.station import trouble_of

    watch = Watch()
    try:
        async with (
            conversing(name, server, token, watch, seconds=LOOK_SECONDS) as session,
            asyncio.timeout(LOOK_SECONDS),
        ):
            await session.greet()
            return offers(await session.list()), ""
    except Exception as failure:
        return "", trouble_of(failure, watch)


def _warm() -> None:
    importlib.import_module("actors.captain.live_toolbox.station")
