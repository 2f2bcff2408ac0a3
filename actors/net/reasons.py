"""Every provider has its own words for a refusal; here they become one, and never a sentence."""

from __future__ import annotations

import re
from typing import Final

UNAUTHORIZED: Final = "unauthorized"
FORBIDDEN: Final = "forbidden"
NOT_FOUND: Final = "not_found"
QUOTA: Final = "quota"
RATE_LIMITED: Final = "rate_limited"
PROVIDER_DOWN: Final = "provider_down"
UNREACHABLE: Final = "unreachable"
CERTIFICATE_REFUSED: Final = "certificate_refused"
PROXY_UNREACHABLE: Final = "proxy_unreachable"
TIMEOUT: Final = "timeout"
SESSION_EXPIRED: Final = "session_expired"
UNNAMED: Final = "provider_error"

_CODES: Final = {
    "insufficient_quota": QUOTA,
    "quota_exceeded": QUOTA,
    "billing_hard_limit_reached": QUOTA,
    "rate_limit_exceeded": RATE_LIMITED,
    "too_many_concurrent_requests": RATE_LIMITED,
    "concurrent_limit_exceeded": RATE_LIMITED,
    "system_busy": RATE_LIMITED,
    "invalid_api_key": UNAUTHORIZED,
    "authentication_required": UNAUTHORIZED,
    "needs_authorization": UNAUTHORIZED,
    "missing_permission": FORBIDDEN,
    "missing_permissions": FORBIDDEN,
    "model_not_found": NOT_FOUND,
    "voice_not_found": NOT_FOUND,
    "session_expired": SESSION_EXPIRED,
    "server_error": PROVIDER_DOWN,
}
_STATUSES: Final = {401: UNAUTHORIZED, 402: QUOTA, 403: FORBIDDEN, 404: NOT_FOUND, 429: RATE_LIMITED}
_BOUNDED: Final = re.compile(r"[a-z0-9_]{1,64}", re.ASCII)


def code_of(body: object) -> str | None:
    """What a refusal's JSON, once decoded, names as its cause, wherever the provider puts that."""
    match body:
        case {"error": {"code": str(code)}} | {"error": {"type": str(code)}}:
            return code
        case {"detail": {"code": str(code)}} | {"detail": {"status": str(code)}}:
            return code
        case _:
            return None


def is_known(code: str) -> bool:
    """Whether a provider's error code is one that has a reason here."""
    return code.lower() in _CODES


def of_code(code: str | None) -> str:
    """The reason that a provider's error code stands for; prose is `provider_error`."""
    plain = (code or "").lower()
    if plain in _CODES:
        return _CODES[plain]
    return plain if _BOUNDED.fullmatch(plain) else UNNAMED


def of_status(status: int, code: str | None = None) -> str:
    """The reason that a refused HTTP request stands for; `code` is what its body names, if anything."""
    if (named := _CODES.get((code or "").lower())) is not None:
        return named
    if status in _STATUSES:
        return _STATUSES[status]
    return PROVIDER_DOWN if status >= 500 else f"http_{status}"
