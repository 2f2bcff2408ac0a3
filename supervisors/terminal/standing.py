"""How it stands with the house in one line: whether it is well, and why he is silent."""

from __future__ import annotations

from collections.abc import Iterator

from actors.console.health import health
from actors.console.report import StatusReport
from actors.console.silence import why_silent
from supervisors.terminal.ink import Piece, Row, Tone, plain


def standing(report: StatusReport) -> Row:
    """The line; of several reasons for his silence the gravest."""
    return tuple(_pieces(report))


def _pieces(report: StatusReport) -> Iterator[Piece]:
    state = health(report)
    if state.healthy:
        yield "healthy", Tone.GOOD
    else:
        yield f"not well: {plain('; '.join(state.because))}", Tone.BAD
    if silent := why_silent(report):
        yield " · silent, for ", Tone.DIM
        yield plain(silent[0]), Tone.WARN
        if len(silent) > 1:
            yield f" (and {len(silent) - 1} more)", Tone.DIM
    if report.evidence_lost:
        yield f" · {report.evidence_lost} receipts lost", Tone.BAD


def opened(report: StatusReport) -> str:
    """The version, and for how long the house has been open."""
    minutes, seconds = divmod(round(report.uptime_s), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    units = ((days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s"))
    long = " ".join([f"{many} {unit}" for many, unit in units if many][:2]) or "0 s"
    return f"clankie {plain(report.version)} · open for {long}"
