"""Where the spans of turns go, for whoever collects them; without an address they go nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlsplit

from messages.lifecycle import Scalar


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetrySettings:
    """The `[telemetry]` table."""

    __pydantic_config__: ClassVar[dict[str, Scalar]] = {"extra": "forbid"}

    otlp_endpoint: str | None = None
    """Where OTLP over HTTP takes traces, as "http://127.0.0.1:4318/v1/traces"; its headers are read from
    OTEL_EXPORTER_OTLP_HEADERS."""
    service_name: str = "clankie"
    """What this house is called there."""

    def __post_init__(self) -> None:
        """Refuse what is no address."""
        if self.otlp_endpoint is not None and not _is_address(self.otlp_endpoint):
            raise ValueError(
                "otlp_endpoint must be an address without a user and a password, as in "
                '"http://127.0.0.1:4318/v1/traces"; or take it out'
            )
        if not 1 <= len(self.service_name) <= 64 or not self.service_name.isprintable():
            raise ValueError("service_name must have 1 to 64 printable signs; take it out for clankie")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        named = bool(parts.hostname) and parts.username is None and parts.port != 0
        return parts.scheme in {"http", "https"} and named and text.isprintable() and " " not in text
    except ValueError:
        return False
