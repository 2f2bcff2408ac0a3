"""`clankie doctor`, the part about what he keeps: folders that are his alone, and a port that is free."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from actors.console.settings import HOST
from actors.gateway.port import Finding
from supervisors.claims import foreseen
from supervisors.commands import apparatus
from supervisors.paths import at_home
from supervisors.settings import BadConfig, Settings


def findings(settings: Settings) -> Iterator[Finding]:
    """Foresee what `clankie run` would stumble over, and make nothing."""
    record, captain = settings.evidence.directory, settings.captain.directory
    yield _folder("evidence", record)
    yield _shared(captain) if _place(captain) == _place(record) else _folder("captain", captain)
    yield _folder("console", settings.console.directory)
    yield _port(settings.console.port)


def _folder(table: str, folder: Path) -> Finding:
    name = f"{table} folder"
    try:
        in_use = foreseen(f"[{table}] directory", folder)
    except BadConfig as error:
        return apparatus.complaint(name, error)
    if in_use:
        remedy = "end that one before you start the next, or give the next another folder"
        return Finding(name=name, ok=True, says=f"a clankie run is at work in {folder}", remedy=remedy)
    return Finding(name=name, ok=True, says=f"{folder}, and nobody else's")


def _shared(folder: Path) -> Finding:
    says = f"[captain] directory: {folder} is that of [evidence] as well"
    return Finding(name="captain folder", ok=False, says=says, remedy="set another for one of them")


def _place(folder: Path) -> Path:
    try:
        return at_home("", folder).resolve()
    except BadConfig:
        return folder


def _port(port: int) -> Finding:
    """Without its port a house opens all the same, but cannot be asked anything from here."""
    name = "console port"
    with closing(socket.socket()) as trial:
        # As the console does: what lingers of a connection is in nobody's way.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, port))
        except OSError as error:
            says = f"{port} on {HOST} cannot be had ({error.strerror}): no clankie status, no clankie ask"
            remedy = "end who has it, if that is no clankie of yours, or set [console] port to another"
            return Finding(name=name, ok=True, says=says, remedy=remedy)
    return Finding(name=name, ok=True, says=f"{port} on {HOST} is free" if port else "any that is free")
