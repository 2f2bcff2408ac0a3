"""Whichever library goes to a provider, it goes the same way, and trusts the same authorities."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from actors.net.service import is_loopback

_PLAIN: Final = {"ws": "http", "wss": "https"}
_TAKEN: Final = ("http", "https")


class NoWay(OSError):
    """The environment wants a way that nobody here can go; its words name the variable."""


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for an address; None is the direct way, as to this machine.

    `ALL_PROXY` is for what `HTTPS_PROXY`, or `HTTP_PROXY`, does not name. Raises NoWay for what is no
    HTTP proxy, and repeats nothing of it, as a password may be in it.
    """
    address = urlsplit(url)
    host, scheme = address.hostname or "", _PLAIN.get(address.scheme, address.scheme)
    if is_loopback(host) or proxy_bypass(f"{host}:{address.port or (443 if scheme == 'https' else 80)}"):
        return None
    named = getproxies()
    kind = next((kind for kind in (scheme, "all") if named.get(kind)), None)
    if kind is None:
        return None
    proxy = named[kind] if "://" in named[kind] else f"http://{named[kind]}"
    try:
        parts = urlsplit(proxy)
        known = parts.scheme in _TAKEN and parts.hostname and parts.port != 0
    except ValueError:
        known = False
    if not known:
        raise NoWay(f"{kind.upper()}_PROXY names no HTTP proxy")
    return proxy


@cache
def authorities() -> ssl.SSLContext:
    """Whom to trust: the system's list, or SSL_CERT_FILE's; reading it takes some milliseconds, once."""
    return ssl.create_default_context()
