"""Whoever sends what nobody can read is told so in a sentence, and gets nothing of it back."""

from __future__ import annotations

import json
from typing import Final

from aiohttp import web

from actors.console.live.questions import told

_UNREADABLE: Final = "this is no request of HTTP/1.1, or one with too long headers; send it in another way"
_MISTAKEN: Final = "the console has made a mistake; look into its log"


class Reader(web.RequestHandler):
    """Reads what comes over one connection; its library would answer in words of its own, with the header."""

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to what cannot be read, or could not be answered; raises where one was begun already."""
        super().handle_error(request, status, exc, message)
        sentence = _UNREADABLE if status < 500 else _MISTAKEN
        response = told(json.dumps({"error": sentence}), status)
        response.force_close()
        return response
