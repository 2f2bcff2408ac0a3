"""Whichever library goes to a provider, it goes the same way, and trusts the same authorities."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from actors.net.reasons import CERTIFICATE_REFUSED, PROXY_UNREACHABLE, UNREACHABLE
from actors.net.service import is_loopback

_PLAIN: Final = {"ws": "http", "wss": "https"}
_TAKEN: Final = ("http", "https")
_LATER: Final = (ssl.SSLError, ConnectionResetError, BrokenPipeError, TimeoutError)
"""What may happen behind a proxy that works."""
_DEEPEST: Final = 8


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


def why_unreached(failure: BaseException, url: str, *proxies: type[Exception]) -> str:
    """The reason why nobody was reached at an address, "" if it is not known.

    `proxies` are a library's own errors of a proxy.
    """
    causes: list[BaseException] = [failure]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) and len(causes) < _DEEPEST:
        causes.append(cause)
    if any(isinstance(one, ssl.SSLCertVerificationError) for one in causes):
        return CERTIFICATE_REFUSED
    if any(isinstance(one, (NoWay, *proxies)) for one in causes):
        return PROXY_UNREACHABLE
    failed = any(isinstance(one, OSError) and not isinstance(one, _LATER) for one in causes)
    return PROXY_UNREACHABLE if failed and url and proxy_for(url) else UNREACHABLE
