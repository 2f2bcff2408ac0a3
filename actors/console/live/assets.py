"""The page for browsers: read once when the window opens, and given to everybody who asks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from actors.console.live.admission import Refused
from actors.console.live.guard import SERVER

if TYPE_CHECKING:
    from aiohttp import web

FOLDER: Final = Path(__file__).parents[1] / "page"
INDEX: Final = "index.html"
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What else lies in the folder is nobody's."""
_POLICY: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "object-src 'none'"
)
_HEADERS: Final = {
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "Server": SERVER,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file, with its media type and a tag that changes with it."""

    body: bytes = field(repr=False)
    kind: str
    tag: str


class Assets:
    """All files of the page."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files: Mapping[str, Asset] = dict(_read(folder)) if folder.is_dir() else {}

    def has(self, name: str) -> bool:
        """Whether there is one of this name."""
        return name in self._files

    async def page(self, request: web.BaseRequest) -> web.Response:
        """Answer GET /."""
        return self._answer(request, INDEX)

    async def asset(self, request: web.BaseRequest) -> web.Response:
        """Answer GET /assets/NAME."""
        return self._answer(request, request.path.rpartition("/")[2])

    def _answer(self, request: web.BaseRequest, name: str) -> web.Response:
        from aiohttp import web

        asset = self._files.get(name)
        if asset is None:
            raise Refused(404, "this house was installed without its page; use clankie ctl")
        policy = _POLICY.format(host=request.headers.get("Host"))
        headers = _HEADERS | {"ETag": asset.tag, "Content-Security-Policy": policy}
        known = {
            tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")
        }
        if asset.tag in known:
            return web.Response(status=304, headers=headers)
        return web.Response(body=asset.body, headers=headers | {"Content-Type": asset.kind})


def _read(folder: Path) -> list[tuple[str, Asset]]:
    files = [file for file in sorted(folder.iterdir()) if file.suffix in _KINDS and file.is_file()]
    return [(file.name, _asset(file.read_bytes(), _KINDS[file.suffix])) for file in files]


def _asset(body: bytes, kind: str) -> Asset:
    return Asset(body=body, kind=kind, tag=f'"{hashlib.sha256(body).hexdigest()[:32]}"')
