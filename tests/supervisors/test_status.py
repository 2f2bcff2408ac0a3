"""What `clankie status` says of a stay beside its people: how fast he is, the cost, and who hushed him."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.console.report import Health, Latencies, Latency, Reason, StatusReport, StayCosts, StayStatus
from messages.ids import RoomId, StayId
from messages.lifecycle import LifeState, TreeNode
from supervisors.commands import health, status

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


REPORT = StatusReport(
    version="1", uptime_s=1.0, tree=None, tree_age_s=None, stays=(STAY,), reasons=(), evidence_lost=0
)
ORDERS = "\x1b]0;mine\x07\x9b2J\u202e"
"""What a terminal would obey."""


def said_of(
    report: StatusReport,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    as_json: bool = False,
) -> str:
    monkeypatch.setattr(status, "fetch_status", lambda *_: report)
    assert status.show(None, 1, as_json=as_json) == 0
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
    said = said_of(replace(REPORT, stays=(stay,)), monkeypatch, capsys)
    for line in (
        "  at the median: first sound after 700 ms, silent after a cut in 60 ms\n",
        "  costs so far about 0.26 EUR; without a price in [costs]: thinker\n",
        "  the operator has told him to be silent for 4 more minutes\n",
    ):
        assert line in said


def test_what_was_not_measured_and_costs_nothing_is_not_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = said_of(REPORT, monkeypatch, capsys)
    assert "median" not in said
    assert "cost" not in said
    priced = replace(REPORT, stays=(replace(STAY, costs=StayCosts(amount=1.0)),))
    assert "costs so far about 1.00 USD\n" in said_of(priced, monkeypatch, capsys)


def test_whoever_named_it_the_terminal_gets_no_orders_and_a_pipe_gets_whole_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = {"servers_in_trouble": f"{ORDERS}: {ORDERS}", "told": ORDERS, "long": "far " * 30}
    node = TreeNode(
        path=f"root/{ORDERS}",
        kind="Captain",
        state=LifeState.OPEN,
        restarts=0,
        mailbox_depth=0,
        facts=facts,
        children=(),
    )
    stay = replace(STAY, room_id=RoomId(ORDERS), floor=ORDERS, last_turn=ORDERS, hindrance=ORDERS)
    costs = StayCosts(amount=1.0, currency=ORDERS, unpriced=(ORDERS,))
    report = replace(
        REPORT,
        version=ORDERS,
        tree=node,
        stays=(replace(stay, costs=costs),),
        reasons=(Reason(at=1e300, stay_id=None, text=ORDERS),),
    )
    said = said_of(report, monkeypatch, capsys)
    assert said.replace("\n", "").isprintable()
    assert facts["long"].strip() in said
    assert "--:--:--" in said
    assert said_of(report, monkeypatch, capsys, as_json=True).isascii()


def test_what_ails_him_is_said_without_orders_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(health, "fetch_health", lambda _: Health(healthy=False, because=(f"ill{ORDERS}",)))
    assert health.tell(None, 1) == 1
    assert capsys.readouterr().out == "ill]0;mine2J\n"
