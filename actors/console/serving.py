"""What is decided to be said at the window, as the JSON that it is said in."""

from __future__ import annotations

from typing import assert_never

from actors.console import decisions, wire, wire_views
from actors.console.port import View


def answer(told: decisions.Tell) -> None:
    """Tell whoever asked."""
    match told:
        case decisions.Answer(asked=asked, report=report):
            asked.answer(wire.to_json(report))
        case decisions.AnswerWhy(asked=asked, why=why):
            asked.answer("" if why is None else wire.why_json(why))
        case decisions.AnswerOrder(given=given, answer=said):
            given.answer(said)
        case decisions.PassOn(asked=asked, news=news):
            asked.news(wire.line_of(news))
        case _:
            assert_never(told)


def shown(seen: decisions.Show, at: float) -> tuple[View, str]:
    """What viewers get to see; `at` is wall-clock seconds."""
    match seen:
        case decisions.ShowStatus(report=report):
            return View.STATUS, wire_views.status_view(report)
        case decisions.ShowReceipt(json_line=line):
            return View.RECEIPT, wire_views.receipt_view(line)
        case decisions.ShowWords(words=words):
            return View.WORDS, wire_views.words_view(words, at)
        case _:
            assert_never(seen)
