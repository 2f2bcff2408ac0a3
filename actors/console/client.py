"""What may be asked at the window, from another program: one question, one answer, three seconds."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

from actors.console.knock import (
    BadRequest,
    ClientError,
    NoAnswer,
    NoKey,
    NotClankie,
    NotRunning,
    OtherVersion,
    exchange,
    key_of,
    refused,
)
from actors.console.report import Health, StatusReport, WhyReport
from actors.console.settings import HOST
from actors.console.wire import parse, parse_health, parse_why
from messages.ids import StayId
from messages.lifecycle import TreeNode

__all__ = [
    "BadRequest",
    "ClientError",
    "NoAnswer",
    "NoKey",
    "NoSuchStay",
    "NotClankie",
    "NotRunning",
    "OtherVersion",
    "fetch_health",
    "fetch_status",
    "fetch_tree",
    "fetch_why",
    "page_link",
]
DEADLINE_SECONDS = 3.0


class NoSuchStay(ClientError):
    """It is not going on, and did not end lately."""


def fetch_status(port: int, directory: Path, deadline: float = DEADLINE_SECONDS) -> StatusReport:
    """Ask the house on this machine how things are, with the key in `directory`, which is an absolute path.

    Raises a ClientError after `deadline` seconds at most.
    """
    reply = exchange(port, directory, "GET /status", seconds=deadline)
    report = parse(reply.body) if reply.status == 200 else None
    if report is None:
        raise refused(port, "/status", reply)
    return report


def fetch_health(port: int, deadline: float = DEADLINE_SECONDS) -> Health:
    """Ask whether the house is well, which it tells everybody; raises as fetch_status does."""
    reply = exchange(port, None, "GET /health", seconds=deadline)
    health = parse_health(reply.body) if reply.status in {200, 503} else None
    if health is None:
        raise refused(port, "/health", reply)
    return health


def fetch_tree(port: int, directory: Path, deadline: float = DEADLINE_SECONDS) -> TreeNode:
    """Ask for the root of the house; raises a ClientError as fetch_status does, and where it is not known."""
    tree = fetch_status(port, directory, deadline).tree
    if tree is None:
        raise NoAnswer("the house has not described itself yet", "ask again")
    return tree


def fetch_why(
    port: int,
    directory: Path,
    *,
    stay: StayId | None = None,
    most: int = 50,
    deadline: float = DEADLINE_SECONDS,
) -> WhyReport:
    """Ask why he spoke or did not: the latest lines and turns, of one stay or all, the latest last.

    Raises a ClientError as fetch_status does, and NoSuchStay.
    """
    query = urlencode({"most": most} if stay is None else {"most": most, "stay": stay})
    reply = exchange(port, directory, f"GET /why?{query}", seconds=deadline)
    if reply.ours and reply.status == 410:
        raise NoSuchStay("nothing is known of such a stay", "see clankie ctl stays, or clankie report")
    report = parse_why(reply.body) if reply.status == 200 else None
    if report is None:
        raise refused(port, "/why", reply)
    return report


def page_link(port: int, directory: Path) -> str:
    """Return the address of the page with the key in it, for a browser only; raises NoKey.

    What follows the # is sent to nobody; whoever sees the link may give orders.
    """
    return f"http://{HOST}:{port}/#key={key_of(port, directory)}"
