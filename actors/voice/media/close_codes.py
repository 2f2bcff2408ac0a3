"""Why a voice websocket was closed, and what to do about it: one table, so that nobody guesses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Plan(StrEnum):
    """What comes after a close."""

    RESUME = "resume"
    """The same session on the same endpoint; nobody notices."""
    FRESH = "fresh"
    """Leave, dial again, begin anew."""
    FRESH_ONCE = "fresh_once"
    """Begin anew with new credentials; if the next line ends with the same code, it is terminal."""
    WAIT_FOR_STATE = "wait_for_state"
    """His own voice state says what happened: gone, moved, or a new server."""
    TERMINAL = "terminal"
    """Trying again would change nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a close means: a bounded code and a sentence that tells the operator what helps."""

    plan: Plan
    reason: str
    remedy: str


def _verdict(plan: Plan, reason: str, remedy: str) -> Verdict:
    return Verdict(plan=plan, reason=reason, remedy=remedy)


_OURS: Final = "This is a mistake in Clankie: please report it with this code."
_BY_ITSELF: Final = "Nothing to do: he comes back by himself."

LOST: Final = _verdict(Plan.RESUME, "connection_lost", _BY_ITSELF)
"""No close code, or one of the websocket's own (1001, 1006, ...)."""
CLOSED_AGAIN: Final = _verdict(Plan.FRESH, "closed_normally", _BY_ITSELF)
"""The second 1000 on one line: resuming is not what the server wants."""
UNKNOWN: Final = _verdict(Plan.FRESH, "unknown_close", _BY_ITSELF)

TABLE: Final = {
    1000: _verdict(Plan.RESUME, "closed_normally", _BY_ITSELF),
    4000: _verdict(Plan.RESUME, "connection_lost", _BY_ITSELF),
    4001: _verdict(Plan.TERMINAL, "unknown_opcode", _OURS),
    4002: _verdict(Plan.TERMINAL, "undecodable", _OURS),
    4003: _verdict(Plan.TERMINAL, "not_authenticated", _OURS),
    4004: _verdict(Plan.FRESH_ONCE, "authentication_failed", "Let him leave and join the channel again."),
    4005: _verdict(Plan.TERMINAL, "already_authenticated", _OURS),
    4006: _verdict(Plan.FRESH, "session_invalid", _BY_ITSELF),
    4008: _verdict(Plan.FRESH, "rate_limited", _BY_ITSELF),
    4009: _verdict(Plan.FRESH, "session_timed_out", _BY_ITSELF),
    4011: _verdict(Plan.FRESH_ONCE, "server_not_found", "Let him leave and join the channel again."),
    4012: _verdict(Plan.TERMINAL, "unknown_protocol", _OURS),
    4014: _verdict(Plan.WAIT_FOR_STATE, "disconnected", "Somebody moved or removed him."),
    4015: _verdict(Plan.RESUME, "voice_server_crashed", _BY_ITSELF),
    4016: _verdict(Plan.TERMINAL, "unknown_encryption_mode", _OURS),
    4017: _verdict(
        Plan.TERMINAL,
        "dave_required",
        "The call demands end-to-end encryption: check that davey is installed and up to date.",
    ),
    4020: _verdict(Plan.TERMINAL, "bad_request", _OURS),
    4021: _verdict(Plan.TERMINAL, "disconnected_rate_limited", "Wait some minutes before he joins again."),
    4022: _verdict(Plan.WAIT_FOR_STATE, "call_terminated", "The call was ended for everybody."),
}
"""Every close code of voice gateway v8 that is known."""

OPENING_TIMED_OUT: Final = _verdict(Plan.FRESH, "opening_timed_out", _BY_ITSELF)
UDP_UNREACHABLE: Final = _verdict(
    Plan.FRESH, "udp_unreachable", "Check that UDP may leave this machine: no answer came to five questions."
)
NO_COMMON_MODE: Final = _verdict(
    Plan.TERMINAL,
    "no_common_mode",
    "The voice server offers no encryption that he knows: update Clankie.",
)
RESUME_FAILED: Final = _verdict(Plan.FRESH, "resume_failed", _BY_ITSELF)
DAVE_STORM: Final = _verdict(Plan.FRESH, "dave_storm", _BY_ITSELF)
DAVE_BACKLOG: Final = _verdict(Plan.FRESH, "dave_backlog", _BY_ITSELF)
DAVE_UNAVAILABLE: Final = _verdict(
    Plan.FRESH_ONCE, "dave_unavailable", "Check that davey is installed and up to date."
)


def verdict(code: int | None) -> Verdict:
    """What a close with this code means; None is a connection that broke without one."""
    if code is None or (code < 4000 and code not in TABLE):
        return LOST
    return TABLE.get(code, UNKNOWN)
