"""Where the account and the providers are; what opens their doors is a secret, and never a setting."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

from actors.net.service import checked_base


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordSettings:
    """The account on Discord. Its token is no setting: it is in CLANKIE_DISCORD_TOKEN or in a file."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    token_file: Path | None = None
    """A file of mode 600 with the bot token in it; without any token he sits in a local room."""
    proxy: str | None = None
    """An HTTP proxy, as in http://127.0.0.1:3128; the sound itself goes over UDP and never through it."""
    ca_file: Path | None = None
    """Certificates to trust instead of the system's, in PEM; for a proxy that opens what is encrypted."""
    read_messages: bool = True
    """Whether he reads what does not mention him; needs the portal's Message Content Intent."""
    activity: int | None = None
    """The application id of the embedded activity that `/clankie watch start` opens; without one, none."""

    def __post_init__(self) -> None:
        if self.proxy is not None and not self.proxy.startswith(("http://", "https://")):
            raise ValueError("proxy must begin with http:// or https://; or leave it out")
        if self.proxy is not None and not _names_a_host(self.proxy):
            raise ValueError('proxy must name a host and a port, as in "http://127.0.0.1:3128"')
        if self.activity is not None and self.activity <= 0:
            raise ValueError(f"activity must be an application's id, got {self.activity}; or leave it out")


def _names_a_host(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAiSettings:
    """Where OpenAI is. Its key is no setting: it is in CLANKIE_OPENAI_API_KEY or in a file."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    base_url: str = "https://api.openai.com/v1"
    """The address of its API; a proxy or another host that speaks the same may stand in for it."""
    key_file: Path | None = None
    """A file of mode 600 with the API key in it."""

    def __post_init__(self) -> None:
        checked_base(self.base_url)


@dataclass(frozen=True, slots=True, kw_only=True)
class ElevenLabsSettings:
    """Where ElevenLabs is. Its key is no setting: it is in CLANKIE_ELEVENLABS_API_KEY or in a file."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    base_url: str = "https://api.elevenlabs.io"
    """The address of its API, or of a region's, as in "https://api.eu.residency.elevenlabs.io"."""
    key_file: Path | None = None
    """A file of mode 600 with the API key in it."""

    def __post_init__(self) -> None:
        checked_base(self.base_url)


def checked_server(name: str, url: str) -> None:
    """Raise ValueError for a server that a token, or people's words, had better not go to."""
    try:
        checked_base(url)
    except ValueError as error:
        raise ValueError(str(error).replace("base_url", f"mcp.{name}.url", 1)) from None
