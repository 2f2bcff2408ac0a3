"""What `clankie status` says of a stay beside its people: how fast he is, the cost, and who hushed him."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.console.report import Latencies, Latency, StatusReport, StayCosts, StayStatus
from messages.ids import RoomId, StayId
from supervisors.commands import status

STAY = StayStatus(
    stay_id=StayId("s1"),
    room_id=RoomId("den"),
    humans=2,
    consented=1,
    floor="engaged",
    link_lost=None,
    hindrance=None,
    last_turn="spoke",
    last_failure=None,
    last_reason=None,
)


def said_of(stay: StayStatus, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    report = StatusReport(
        version="1",
        uptime_s=1.0,
        tree=None,
        tree_age_s=None,
        stays=(stay,),
        reasons=(),
        evidence_lost=0,
    )
    monkeypatch.setattr(status, "fetch_status", lambda *_: report)
    assert status.show(None, 1, as_json=False) == 0
    return capsys.readouterr().out


def test_how_fast_he_is_what_he_costs_and_who_hushed_him_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stay = replace(
        STAY,
        hushed_s=200.0,
        costs=StayCosts(amount=0.256, currency="EUR", unpriced=("thinker",)),
        latencies=Latencies(
            first_audio=Latency(last_ms=900, median_ms=700), cut_to_silence=Latency(last_ms=50, median_ms=60)
        ),
    )
    said = said_of(stay, monkeypatch, capsys)
    for line in (
        "  at the median: first sound after 700 ms, silent after a cut in 60 ms\n",
        "  costs so far about 0.26 EUR; without a price in [costs]: thinker\n",
        "  the operator has told him to be silent for 4 more minutes\n",
    ):
        assert line in said


def test_what_was_not_measured_and_costs_nothing_is_not_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = said_of(STAY, monkeypatch, capsys)
    assert "median" not in said
    assert "cost" not in said
    priced = replace(STAY, costs=StayCosts(amount=1.0))
    assert "costs so far about 1.00 USD\n" in said_of(priced, monkeypatch, capsys)
