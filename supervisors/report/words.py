"""The codes of receipts in the words of a reader, and lengths and moments in figures."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from supervisors.rehearsal.phrases import RULES, TRIGGERS, plain

CLASSES: Final[Mapping[str, str]] = {
    "empty": "no words",
    "none": "ordinary talk",
    "mentioned": "speaks of him",
    "addressed": "speaks to him",
}
DECISIONS: Final[Mapping[str, str]] = {
    "ignore": "let it pass",
    "drop": "dropped it",
    "listen": "only listened",
    "offer": "might answer",
    "wake": "woke up",
    "hold": "kept talking",
    "volition": "might speak unasked",
    "cut": "stopped talking",
}
OUTCOMES: Final[Mapping[str, str]] = {
    "spoke": "spoke",
    "silent": "stayed silent",
    "tool": "used a tool",
    "failed": "failed",
    "cut": "was cut off",
}
LEFT: Final[Mapping[str, str]] = {
    "self_decided": "his own decision",
    "captain": "his captain took him away",
    "operator": "the operator's order",
    "slash": "a slash command",
    "kicked": "he was thrown out",
    "moved": "moved to where he may not be",
    "media_lost": "the voice link was lost for good",
    "gateway_lost": "the account was lost",
    "crashed": "a crash",
    "shutdown": "the house was closed",
    "replaced": "another stay took its place",
    "join_failed": "he never got in",
}
_MORE_RULES: Final[Mapping[str, str]] = {
    "reply_to_all": "here he answers everybody",
    "echo": "it was his own echo",
    "gone": "whoever said it was gone, or not to be heard",
    "leaving": "he was leaving",
    "fragment": "too short to be meant for him",
    "mentioned_over_speech": "it was about him, while he spoke",
    "short_over_speech": "a few words while he spoke",
    "control_of_others": "a stop word of somebody else",
    "acknowledgement_as_answer": "an acknowledgement that may be an answer",
    "volition": "it was quiet for long enough",
    "volition_busy": "he was busy",
    "too_many": "more waited for one turn than he can answer in it",
}
_ENCRYPTION: Final[Mapping[str, str]] = {
    "dave": "from end to end",
    "transport": "as far as Discord, not from end to end",
    "local": "none is needed: it stays on this machine",
}


def trigger(code: str) -> str:
    """What a turn was asked for."""
    return TRIGGERS.get(code, plain(code))


def rule(code: str) -> str:
    """The rule that decided."""
    return RULES.get(code) or _MORE_RULES.get(code) or plain(code)


def encryption(code: str) -> str:
    """How far his voice is protected."""
    return _ENCRYPTION.get(code, plain(code))


def in_words(code: str, table: Mapping[str, str]) -> str:
    """A code by its table, and readable where that does not know it."""
    return table.get(code, plain(code))


def reason(left: str | None, *, goes_on: bool) -> str:
    """Why he left, as far as he has and it is on record."""
    if left is None:
        return "not over yet" if goes_on else "not on record"
    return in_words(left, LEFT)


def milliseconds(value: float | None) -> str:
    """For example 85 ms, 0.69 s, 12.4 s."""
    if value is None:
        return "–"
    if value < 200:
        return f"{value:.0f} ms"
    return f"{value / 1000:.2f} s" if value < 10_000 else f"{value / 1000:.1f} s"


def length(seconds: float) -> str:
    """For example 15.2 s, 4 min 5 s, 3 h 12 min."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def elapsed(seconds: float, *, tenths: bool = True) -> str:
    """For example 0:07.3, 12:40.0 or 3:12:40.0."""
    whole, tenth = divmod(round(max(seconds, 0) * 10), 10)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    told = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    return f"{told}.{tenth}" if tenths else told


def moment(at: float) -> datetime:
    """A wall-clock second in the time of this machine."""
    return datetime.fromtimestamp(at, UTC).astimezone()


def many(number: int, one: str, more: str = "") -> str:
    """For example 1 stay, 2 stays, 12,345 stays."""
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"
