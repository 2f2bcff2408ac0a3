"""How it stands with the house in one line: whether it is well, and why he is silent."""

from __future__ import annotations

from collections.abc import Iterator

from actors.console.health import health
from actors.console.report import StatusReport
from actors.console.silence import why_silent
from supervisors.terminal.durations import in_units
from supervisors.terminal.ink import Piece, Row, Tone


def standing(report: StatusReport) -> Row:
    """The line; of several reasons for his silence the gravest."""
    return tuple(_pieces(report))


def _pieces(report: StatusReport) -> Iterator[Piece]:
    state = health(report)
    if state.healthy:
        yield "healthy", Tone.GOOD
    else:
        yield f"not well: {'; '.join(state.because)}", Tone.BAD
    if silent := why_silent(report):
        yield " · silent, for ", Tone.DIM
        yield silent[0], Tone.WARN
        if len(silent) > 1:
            yield f" (and {len(silent) - 1} more)", Tone.DIM
    if report.evidence_lost:
        yield f" · {report.evidence_lost} receipts lost", Tone.BAD


def opened(report: StatusReport) -> str:
    """The version, and for how long the house has been open."""
    return f"clankie {report.version} · open for {in_units(report.uptime_s)}"
