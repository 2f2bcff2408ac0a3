"""How OpenAI says no over HTTP: a status, a type, a code, and prose that must go no further."""

from __future__ import annotations

from aiohttp import web

from tests.loopback.discord.body import Json

PROSE = "prose-that-must-not-surface"
"""Stands in every refusal, so that a test can look for it where it must not be."""


class Refused(Exception):
    """What is answered instead: the HTTP status, OpenAI's code and the parameter at fault, if any."""

    def __init__(self, status: int, code: str | None, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.param = status, code, message, param

    def response(self) -> web.Response:
        """It as it goes over the wire."""
        headers = {"x-request-id": "req_loopback"}
        return web.json_response({"error": self.body()}, status=self.status, headers=headers)

    def body(self) -> Json:
        """What is in the field `error`."""
        return {
            "message": f"{self.message} ({PROSE})",
            "type": _TYPES.get(self.code or "", _kind(self.status)),
            "param": self.param,
            "code": self.code,
        }


_TYPES = {"insufficient_quota": "insufficient_quota", "rate_limit_exceeded": "requests"}


def _kind(status: int) -> str:
    return "server_error" if status >= 500 else "invalid_request_error"


def wrong(message: str, param: str | None = None, code: str | None = None) -> Refused:
    """A request that cannot be answered as it is."""
    return Refused(400, code, message, param)


def no_model(name: str) -> Refused:
    """A model that this account does not have."""
    message = f"The model `{name}` does not exist or you do not have access to it."
    return Refused(404, "model_not_found", message, "model")


def wrong_key(authorization: str) -> Refused:
    """A key that is none; OpenAI shows a part of it, which must go no further either."""
    if not authorization:
        return Refused(401, None, "You didn't provide an API key.")
    shown = authorization.removeprefix("Bearer ")
    return Refused(401, "invalid_api_key", f"Incorrect API key provided: {shown}.")
