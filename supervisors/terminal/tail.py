"""The ends of the record and of the log, one line each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from actors.console.wire_views import ReceiptOnRecord
from messages.lifecycle import Scalar
from supervisors.terminal.ink import Dated, Piece, Tone, clock, short

_SAID_ELSEWHERE: Final = frozenset(("type", "origin", "stayId"))
_WORST: Final = frozenset(("failed", "lost", "error", "dropped"))
_LEVELS: Final = {
    "CRITICAL": Tone.BAD,
    "ERROR": Tone.BAD,
    "WARNING": Tone.WARN,
    "INFO": Tone.PLAIN,
    "SUCCESS": Tone.GOOD,
}


def receipt(receipt: ReceiptOnRecord) -> Dated | None:
    """A receipt in one line; None if its time is no time."""
    try:
        at = datetime.fromisoformat(receipt.occurred_at).timestamp()
    except ValueError:
        return None
    return Dated(at=at, row=tuple(_receipt(at, receipt)))


def _receipt(at: float, receipt: ReceiptOnRecord) -> Iterator[Piece]:
    yield f"{clock(at)} ", Tone.DIM
    kind, facts = receipt.type, receipt.data
    bad = kind.endswith(".failed") or bool(_WORST & {facts.get("phase"), facts.get("outcome")})
    yield kind.removeprefix("discord.").removeprefix("voice."), Tone.BAD if bad else Tone.STRONG
    for key, value in facts.items():
        if key not in _SAID_ELSEWHERE:
            yield f" {key} ", Tone.DIM
            yield _value(key, value), Tone.PLAIN


def _value(key: str, value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return short(str(value)) if key.endswith("Id") else str(value)


def logged(at: float, level: str, text: str) -> Dated:
    """A line of the log."""
    tone = _LEVELS.get(level, Tone.DIM)
    return Dated(at=at, row=((f"{clock(at)} ", Tone.DIM), (f"{level.lower():<7} ", tone), (text, tone)))
