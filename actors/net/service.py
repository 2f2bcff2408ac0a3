"""A provider is an address and a key, and the key is shown to nobody else."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode, urlsplit

_SOCKETS = {"http": "ws", "https": "wss"}
_LABEL: Final = re.compile(r"[^\W_]([\w-]{0,61}\w)?")
"""A part of a host's name, in any script, without signs."""
_TOO_FAR: Final = re.compile(r"/(chat/completions|completions|responses|realtime|models|audio/\w+)/*$")
"""How addresses end that are copied whole from an example."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Where a provider is, as "https://api.openai.com/v1", and what opens its door."""

    base_url: str
    key: str = field(repr=False, default="")

    def socket(self, path: str, query: Mapping[str, str]) -> str:
        """The address of a websocket under this base: `path` begins with a slash."""
        scheme, rest = self.base_url.rstrip("/").split("://", 1)
        return f"{_SOCKETS[scheme.lower()]}://{rest}{path}?{urlencode(query)}"


def checked_base(url: str) -> str:
    """Return `url`; raises ValueError, with a remedy, for one that would carry a key in the clear."""
    remedy = 'write one like "https://api.example.com/v1"'
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"base_url is no address; {remedy}") from None
    if parts.scheme not in _SOCKETS or not host or any(sign.isspace() for sign in url):
        raise ValueError(f"base_url must begin with https:// and name a host; {remedy}")
    if port == 0 or not _is_host(host):
        raise ValueError(f"base_url names a host or a port that cannot be; {remedy}")
    if parts.query or parts.fragment or parts.username or parts.password:
        raise ValueError(f"base_url must be nothing but a host and a path; {remedy}")
    if parts.scheme == "http" and not is_loopback(host):
        raise ValueError("base_url must begin with https://; only this machine may be spoken to without it")
    if end := _TOO_FAR.search(parts.path):
        raise ValueError(
            f"base_url goes too far; take {end[0]} from its end, so that it is that of all requests"
        )
    return url


def _is_host(name: str) -> bool:
    """Whether a host could be called so: by a number, or by names that can be asked for."""
    if ":" in name:
        return _is_address(name)
    try:
        name.encode("idna")
    except UnicodeError:
        return False
    return all(_LABEL.fullmatch(label) for label in name.removesuffix(".").split("."))


def _is_address(host: str) -> bool:
    """Whether a host is a number."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, and is so by its name alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
