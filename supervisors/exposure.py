"""A configuration may hold what opens a door after all: then nobody else may read or replace it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from actors.net.service import is_loopback
from actors.seclusion import replaceable
from supervisors.settings import DEFAULT_CONFIG, BadConfig, Settings

_COLLECTOR_KEYS: Final = ("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS")
_NAMES: Final = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH", re.IGNORECASE)
"""How variables are called that hold such things."""


def check_exposure(config: Path | None, settings: Settings) -> None:
    """Raise BadConfig, with the remedy, if others may read a secret in this file, or may write in it at all.

    Who can write in it names the programs that are run.
    """
    path = DEFAULT_CONFIG if config is None else config
    try:
        facts = path.stat()
    except OSError:
        return
    if not stat.S_ISREG(facts.st_mode):  # a pipe of a shell's is nobody else's
        return
    if facts.st_uid not in {0, os.geteuid()}:
        raise BadConfig(f"{path} belongs to another user ({facts.st_uid}); copy it to a file of your own")
    if facts.st_mode & stat.S_IWOTH:
        raise BadConfig(f"{path} can be changed by everybody; run: chmod o-w {path}")
    if (folder := replaceable(path)) is not None:
        raise BadConfig(f"{path} can be replaced by everybody; run: chmod o-w {folder}")
    if facts.st_mode & 0o077 and (place := next(_secrets(settings), None)) is not None:
        raise BadConfig(f"{path} can be read by others and has a secret in {place}; run: chmod 600 {path}")


def check_collector(settings: Settings, environment: Mapping[str, str]) -> None:
    """Raise BadConfig if a collector's key would go over the network in the clear."""
    endpoint = settings.telemetry.otlp_endpoint
    if endpoint is None or not any(environment.get(name) for name in _COLLECTOR_KEYS):
        return
    address = urlsplit(endpoint)
    if address.scheme == "http" and not is_loopback(address.hostname or ""):
        raise BadConfig(
            f"[telemetry] otlp_endpoint would carry {_COLLECTOR_KEYS[0]} in the clear; write https://, or "
            "unset that variable"
        )


def _secrets(settings: Settings) -> Iterator[str]:
    """Where one stands."""
    proxy = settings.discord.proxy
    if proxy is not None and urlsplit(proxy).password:
        yield "[discord] proxy"
    for name, server in settings.captain.mcp.items():
        for variable, text in server.env.items():
            if text and _NAMES.search(variable):
                yield f"[captain.mcp.{name}] env, {variable}"
