"""One page tells the whole rehearsal: verdicts, a picture of who spoke when, every line, every receipt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from html import escape
from importlib.resources import files
from string import Template

from messages.evidence import Receipt
from supervisors.rehearsal.crashes import Crash, crash_lanes
from supervisors.rehearsal.drawing import AXIS, heights, scale, svg
from supervisors.rehearsal.judge import Verdict
from supervisors.rehearsal.kinds import kind_of
from supervisors.rehearsal.lanes import Lane, lanes
from supervisors.rehearsal.moments import (
    Moments,
    Sounding,
    Writing,
    heard,
    line_began,
    receipts,
    said,
    speech_began,
)
from supervisors.rehearsal.scenario import Scenario
from supervisors.rehearsal.written import noted, written_lanes

MARGIN_SECONDS = 0.5
CUT_OFF = "cut off"
HIDDEN = frozenset({"stay_id"})
"""Fields that are the same in every receipt of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that a page is made of."""

    scenario: Scenario
    moments: Moments
    soundings: tuple[Sounding, ...]
    verdicts: tuple[Verdict, ...]
    why: str
    """Why the rehearsal ended."""
    crashes: tuple[Crash, ...] = ()
    writings: tuple[Writing, ...] = ()


def page(report: Report) -> str:
    """The HTML of a report; it loads nothing but the recordings beside it, and works without them."""
    end = MARGIN_SECONDS + max((moment.at for moment in report.moments), default=1.0)
    end = max([end, *(sounding.ended + MARGIN_SECONDS for sounding in report.soundings)])
    drawn = lanes(report.scenario, report.moments, report.soundings, end)
    drawn = (*drawn, *written_lanes(report.writings, receipts(report.moments), end))
    drawn = (*drawn, *crash_lanes(report.crashes, end))
    failed = sum(not verdict.held for verdict in report.verdicts)
    template = Template(files("supervisors.rehearsal").joinpath("timeline.html").read_text("utf-8"))
    return template.substitute(
        title=escape(report.scenario.title),
        outcome="bad" if failed else "good",
        summary=_summary(len(report.verdicts), failed),
        why=escape(f"{report.moments[-1].at if report.moments else 0:.1f} s; over because {report.why}."),
        verdicts="\n".join(map(_verdict, report.verdicts)),
        names=_names(drawn),
        picture=svg(drawn, end),
        scale=f"{scale(drawn, end):.4f}",
        lines="\n".join(_lines(report)),
        receipts="\n".join(_row(at, receipt, report.scenario) for at, receipt in receipts(report.moments)),
        count=str(len(receipts(report.moments))),
    )


def _summary(count: int, failed: int) -> str:
    if not count:
        return "Nothing was expected"
    if failed:
        return f"{failed} of {count} expectations did not hold"
    return f"All {count} expectations held" if count > 1 else "The one expectation held"


def _verdict(verdict: Verdict) -> str:
    mark, word, look = ("✓", "held", "held") if verdict.held else ("✗", "did not hold", "broken")
    what, _, came = verdict.sentence.partition("; ")
    return (
        f'<li class="{look}"><span class="mark" role="img" aria-label="{word}">{mark}</span>'
        f"<span>{escape(what)}{f' <small>{escape(came)}</small>' if came else ''}</span></li>"
    )


def _names(drawn: Sequence[Lane]) -> str:
    tall = [f'<div style="height:{AXIS:.0f}px"></div>']
    for lane, height in zip(drawn, heights(drawn), strict=True):
        tall.append(f'<div style="height:{height:.0f}px"><span>{escape(lane.name)}</span></div>')
    return "\n".join(tall)


def _lines(report: Report) -> list[str]:
    """Everything that was said, by him or to him, in the order in which it began."""
    told = [
        (
            line_began(line, at, report.soundings),
            report.scenario.name(line.person_id),
            line.text,
            "typed" if line.typed else "",
        )
        for at, line in heard(report.moments)
    ]
    told += [
        (speech_began(words, at, report.moments), "Clankie", words.text, "" if words.whole else CUT_OFF)
        for at, words in said(report.moments)
    ]
    told += [(one.at, one.who or "Clankie", one.text, noted(one)) for one in report.writings]
    return [
        f"<li{' class=his' if who == 'Clankie' else ''}><time>{at:.1f} s</time><b>{escape(who)}</b>"
        f"<q>{escape(text)}</q>{f'<em{_look(note)}>{escape(note)}</em>' if note else ''}</li>"
        for at, who, text, note in sorted(told)
    ]


def _look(note: str) -> str:
    return " class=cut" if note == CUT_OFF else ""


def _row(at: float, receipt: Receipt, scenario: Scenario) -> str:
    values = [
        f"<span><i>{escape(field.name.replace('_', ' '))}</i> {escape(scenario.name(str(value)))}</span>"
        for field in fields(receipt)
        if field.name not in HIDDEN and (value := getattr(receipt, field.name)) not in {None, ""}
    ]
    kind = escape(kind_of(receipt).replace("_", " "))
    return f"<tr><td>{at:.2f}</td><th scope=row>{kind}</th><td>{' '.join(values)}</td></tr>"
