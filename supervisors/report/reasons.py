"""The table of reasons: what was heard, what it was taken for, what was decided, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from actors.chronicle.why import Turn
from supervisors.report import words
from supervisors.report.people import People
from supervisors.report.rows import Row
from supervisors.report.words import elapsed, milliseconds, moment

A_PAGE = 500
"""So many rows are shown at once; those of a long stay are folded up."""
_HEAD = (
    "<thead><tr><th scope=col>when<th scope=col>who<th scope=col>heard<th scope=col>he"
    "<th scope=col>because<th scope=col>asked, for<th scope=col>and he<th scope=col class=n>answer"
    "<th scope=col class=n>first audio<th scope=col class=n>model<tbody>"
)


def reasons(told: Sequence[Row], people: People, zero: float, stay: int) -> Iterator[str]:
    """The whole table, in pages if it is long; row number n has the id r<stay>-n."""
    if not told:
        yield "<p class=none>Nobody said anything to him, and he was asked nothing."
        return
    yield "<div class=sift><label>Find <input type=search autocomplete=off spellcheck=false "
    yield 'placeholder="person 1, silent, a stop word …"></label>'
    yield "<label><input type=checkbox class=quiet> only where he stayed silent</label>"
    yield f"<output>{words.many(len(told), 'row')}</output></div>"
    pages = [range(low, min(low + A_PAGE, len(told))) for low in range(0, len(told), A_PAGE)]
    if len(pages) > 1:
        yield "<div class=folded>"
    for page in pages:
        if len(pages) > 1:
            began, ended = told[page[0]].at - zero, told[page[-1]].at - zero
            span = f"{elapsed(began, tenths=False)} to {elapsed(ended, tenths=False)}"
            yield f"<details class=rows><summary>{span} <small>{len(page)} rows</small></summary>"
        yield "<div class=wide tabindex=0 role=group aria-label=Reasons><table class=why>"
        yield _HEAD
        for number in page:
            yield _row(told[number], number, people, zero, stay)
        yield "</table></div>"
        if len(pages) > 1:
            yield "</details>"
    if len(pages) > 1:
        yield "</div>"


def _row(row: Row, number: int, people: People, zero: float, stay: int) -> str:
    since = row.at - zero
    cells = [
        f"<tr id=r{stay}-{number}{' class=q' if row.silent else ''}>",
        f"<td><a href=#t{stay} data-at={since:.2f}>{elapsed(since)}</a> ",
        f"<small>{moment(row.at):%H:%M:%S}</small>",
    ]
    line = row.line
    if line is None:
        cells.append("<td class=no>nobody<td><td><td>")
    else:
        cells.append(f'<td><span class=who title="{escape(line.person_id)}">')
        cells.append(
            f"<i class={people.look(line.person_id)}></i>{escape(people.name(line.person_id))}</span>"
        )
        cells.append(f"<td>{escape(words.in_words(line.heard_as, words.CLASSES))}")
        cells.append(f"<td>{escape(words.in_words(line.decision, words.DECISIONS))}")
        cells.append(f"<td>{escape(words.rule(line.rule))}")
    return "".join(cells) + _turn(row)


def _turn(row: Row) -> str:
    turn = row.turn
    if turn is None:
        return "<td class=no>not asked<td><td><td><td>"
    if row.joins:
        return "<td class=no>with a later line<td><td><td><td>"
    asked = escape(words.trigger(turn.trigger)) if turn.trigger else "never: its moment had passed"
    answer, audio = milliseconds(turn.speech_end_to_first_audio_ms), milliseconds(turn.first_audio_ms)
    took = f"<td class=n>{answer}<td class=n>{audio}<td class=n>{milliseconds(turn.model_ms)}"
    return f"<td>{asked}<td>{_outcome(turn)}{took}"


def _outcome(turn: Turn) -> str:
    if not turn.outcome:
        return "" if not turn.trigger else "<span class=no>nothing more on record</span>"
    told = escape(words.in_words(turn.outcome, words.OUTCOMES))
    why = words.rule(turn.reason) if turn.reason else ""
    tools = ", ".join(turn.tools)
    more = "; ".join(filter(None, (why, tools)))
    look = turn.outcome if turn.outcome in words.OUTCOMES else "failed"
    return f"<b class=o-{look}>{told}</b>" + (f" <small>{escape(more)}</small>" if more else "")
