"""`clankie doctor`, the part about whoever runs him: room for the record, prices, spans, a console."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from actors.audio.models import package_folder
from actors.captain.settings import MODEL as CAPTAIN_MODEL
from actors.gateway.port import Finding
from actors.meter.settings import TelemetrySettings
from actors.realtime.live.letters import MODEL as REALTIME_MODEL
from actors.tts.live.dialects import MODEL as ELEVENLABS_MODEL
from actors.tts.live.openai import MODEL as OPENAI_VOICE
from supervisors.packages import run_setup
from supervisors.paths import at_home
from supervisors.settings import BadConfig, Settings

LEAST_MIB: Final = 200
"""Below this a busy month of receipts may not fit."""
CALL_SECONDS: Final = 2.0
_MIB: Final = 2**20


def findings(settings: Settings) -> Iterator[Finding]:
    """Look at what an operator will want, without asking a running house anything."""
    yield _disk(settings.evidence.directory)
    yield _transcripts(kept=settings.evidence.transcripts, days=settings.evidence.retention_days)
    yield from _prices(settings)
    yield from _spans(settings.telemetry)
    yield _terminal()


def _disk(directory: Path) -> Finding:
    try:
        place = at_home("[evidence] directory", directory)
        while not place.exists() and place != place.parent:
            place = place.parent
        free = shutil.disk_usage(place).free // _MIB
    except (BadConfig, OSError):
        return Finding(name="room on disk", ok=True, says="cannot be told for that folder")
    says = f"{free:,} MiB are free for the record"
    if free >= LEAST_MIB:
        return Finding(name="room on disk", ok=True, says=says)
    remedy = "make room, or set [evidence] directory to another disk, or keep less (retention_days)"
    return Finding(name="room on disk", ok=False, says=says, remedy=remedy)


def _transcripts(*, kept: bool, days: int) -> Finding:
    words = "kept as well" if kept else "not kept"
    says = f"receipts are kept for {days} days; words of people who consented are {words}"
    return Finding(name="record", ok=True, says=says)


def models_of_others(settings: Settings) -> tuple[str, ...]:
    """The names of all models that somebody may charge for, in the order of ears, mind, mouth and captain."""
    realtime, tts, captain = settings.realtime, settings.tts, settings.captain
    named = (
        settings.capture.model if settings.capture.provider == "openai" else None,
        (realtime.model or REALTIME_MODEL) if realtime.provider != "rules" else None,
        (tts.model or (ELEVENLABS_MODEL if tts.provider == "elevenlabs" else OPENAI_VOICE))
        if tts.provider != "local"
        else None,
        (captain.model or CAPTAIN_MODEL) if captain.provider == "openai" else None,
    )
    return tuple(dict.fromkeys(name for name in named if name is not None))


def _prices(settings: Settings) -> Iterator[Finding]:
    models, costs = models_of_others(settings), settings.costs
    bare = tuple(model for model in models if model not in costs.prices)
    if not models:
        return
    if not bare:
        yield Finding(name="prices", ok=True, says=f"known for {', '.join(models)}, in {costs.currency}")
        return
    says = f"there is none for {', '.join(bare)}: what it costs cannot be shown"
    remedy = f'put [costs.prices."{bare[0]}"] into the configuration (docs/costs.md)'
    yield Finding(name="prices", ok=not costs.tell_at, says=says, remedy=remedy)


def _spans(telemetry: TelemetrySettings) -> Iterator[Finding]:
    if telemetry.otlp_endpoint is None:
        return
    if package_folder("opentelemetry.sdk.trace") is None:
        says = "[telemetry] is set, and its library is not installed"
        yield Finding(name="telemetry", ok=False, says=says, remedy=run_setup("telemetry"))
        return
    parts = urlsplit(telemetry.otlp_endpoint)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((host, port), timeout=CALL_SECONDS).close()
    except (OSError, UnicodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else "that is no name of a host") or "no answer"
        says = f"the collector at {host}:{port} is not reached ({why})"
        remedy = "start it, or correct [telemetry] otlp_endpoint; he runs without it"
        yield Finding(name="telemetry", ok=True, says=says, remedy=remedy)
    else:
        yield Finding(name="telemetry", ok=True, says=f"the collector at {host}:{port} is there")


def _terminal() -> Finding:
    if package_folder("textual") is None:
        says = "clankie console is not installed; clankie status and the page do without"
        return Finding(name="terminal console", ok=True, says=says, remedy=run_setup("console"))
    says = "clankie console, clankie page and clankie ctl are there once he runs"
    if not os.environ.get("TERM"):
        says = "clankie page and clankie ctl are there once he runs; this is no terminal for clankie console"
    return Finding(name="terminal console", ok=True, says=says)
