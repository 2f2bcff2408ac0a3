"""`clankie health`: one word for whoever watches over services, and an exit code."""

from __future__ import annotations

from pathlib import Path

import typer

from actors.console.client import fetch_health
from supervisors.settings import configured
from supervisors.terminal.ink import plain

UNWELL_EXIT = 1


def tell(config: Path | None, port: int | None) -> int:
    """Print how he is and return 0 if he is well; raises a ClientError if nobody answers."""
    health = fetch_health(port if port is not None else configured(config).console.port)
    for line in ("healthy",) if health.healthy else health.because:
        typer.echo(plain(line))
    return 0 if health.healthy else UNWELL_EXIT
