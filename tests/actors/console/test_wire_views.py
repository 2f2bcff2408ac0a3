"""What viewers are shown, on its way out and back in."""

from __future__ import annotations

import json

import pytest

from actors.chronicle.why import JudgedLine, Turn
from actors.console import wire, wire_views
from actors.console.report import Health, StatusReport, WhyReport
from messages.console import OperatorAnswered, OperatorTold
from messages.evidence import HeardWords, SpokenWords
from messages.ids import HandoffId, LineId, PersonId, StayId, TurnId, UtteranceId
from tests.actors.console.fake import a_house

STAY, ANN = StayId("s1"), PersonId("ann")
REPORT = StatusReport(
    version="1",
    uptime_s=1.0,
    tree=a_house(),
    tree_age_s=0.0,
    stays=(),
    reasons=(),
    evidence_lost=0,
)
LINE = '{"schemaVersion":1,"id":"a","occurredAt":"2026-01-01T12:00:00.000Z","type":"t","data":{"n":1}}'


def test_a_status_comes_back_as_it_was() -> None:
    assert wire_views.parse_view(wire_views.status_view(REPORT)) == wire_views.StatusView(status=REPORT)


def test_a_receipt_is_shown_as_it_is_on_record() -> None:
    shown = wire_views.receipt_view(f"{LINE}\n")
    assert json.loads(shown) == {"view": "receipt", "receipt": json.loads(LINE)}
    assert "\n" not in shown
    read = wire_views.parse_view(shown)
    assert isinstance(read, wire_views.ReceiptView)
    assert (read.receipt.occurred_at, read.receipt.data) == ("2026-01-01T12:00:00.000Z", {"n": 1})


def test_words_say_whose_they_are() -> None:
    heard = HeardWords(stay_id=STAY, person_id=ANN, label="Ann\ud83d", text="hi", typed=True)
    spoken = SpokenWords(stay_id=STAY, utterance_id=UtteranceId("u"), text="hel", whole=False)
    assert wire_views.parse_view(wire_views.words_view(heard, 5.0)) == wire_views.WordsView(
        at=5.0,
        stay_id=STAY,
        person_id=ANN,
        label="Ann?",
        text="hi",
        typed=True,
        his=False,
        whole=True,
    )
    assert wire_views.parse_view(wire_views.words_view(spoken, 6.0)) == wire_views.WordsView(
        at=6.0,
        stay_id=STAY,
        person_id=None,
        label="Clankie",
        text="hel",
        typed=False,
        his=True,
        whole=False,
    )


def test_a_line_of_the_log_is_shown() -> None:
    shown = wire_views.parse_view(wire_views.log_view(5.0, "INFO", "he came\udcff"))
    assert shown == wire_views.LogView(at=5.0, level="INFO", text="he came?")


@pytest.mark.parametrize("raw", ["", "{}", '{"view":"other"}', b"\xff"])
def test_what_is_no_view_is_none(raw: str | bytes) -> None:
    assert wire_views.parse_view(raw) is None


def test_why_comes_back_as_it_was() -> None:
    line = JudgedLine(
        at=1.0,
        stay_id=STAY,
        line_id=LineId("l"),
        person_id=ANN,
        heard_as="none",
        decision="ignore",
        rule="dormant",
        turn_id=None,
    )
    why = WhyReport(
        lines=(line,), turns=(Turn(turn_id=TurnId("t"), stay_id=STAY, at=1.0, lines=(LineId("l"),)),)
    )
    assert wire.parse_why(wire.why_json(why).encode()) == why
    assert wire.parse_why(b"{}") is None


def test_parts_of_the_status_are_what_they_are_in_it() -> None:
    whole = json.loads(wire.to_json(REPORT))
    assert json.loads(wire.tree_json(REPORT)) == whole["tree"]
    assert json.loads(wire.stays_json(REPORT)) == whole["stays"]
    assert wire.health_json(Health(healthy=True)) == '{"healthy":true,"because":[]}'


@pytest.mark.parametrize(
    ("body", "request_"),
    [
        ('{"request": " come here\\n"}', "come here"),
        ('{"request": " "}', None),
        ('{"request": "a\\u0000"}', None),
        ('{"request": "a", "more": 1}', None),
    ],
)
def test_a_request_is_readable_or_none(body: str, request_: str | None) -> None:
    assert wire.request_in(body.encode()) == request_


def test_news_of_the_captain_are_lines() -> None:
    used = OperatorTold(handoff=HandoffId("h"), tool="react", outcome="done")
    answered = OperatorAnswered(handoff=HandoffId("h"), text="yes", files=("a.png",))
    assert wire.read_line(wire.line_of(used)) == wire.Used(tool="react", outcome="done")
    assert wire.read_line(wire.line_of(answered)) == wire.Answered(answer="yes", failed="", files=("a.png",))
    assert wire.read_line("{}") is None
