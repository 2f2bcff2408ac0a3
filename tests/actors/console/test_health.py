"""When all is well, and what is said where it is not, without a name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.console.health import health
from actors.console.report import Health
from messages.lifecycle import LifeState, Scalar
from tests.actors.console.fake import node
from tests.actors.console.test_silence import FINE, REPORT


def test_all_is_well_and_without_an_account_too() -> None:
    assert health(REPORT) == Health(healthy=True)


@pytest.mark.parametrize("report", [replace(REPORT, tree=None), replace(REPORT, tree_age_s=5.1)])
def test_a_house_that_does_not_describe_itself_is_not_well(report: object) -> None:
    assert isinstance(report, type(REPORT))
    assert health(report) == Health(healthy=False, because=("the house does not describe itself",))


def test_two_actors_that_are_not_open_are_one_reason_without_their_names() -> None:
    closing = [node(f"root/stays/{name}", kind="Voice", state=LifeState.CLOSING) for name in ("a", "b")]
    assert health(replace(REPORT, tree=node("root", *closing))).because == ("Voice is closing",)


@pytest.mark.parametrize(
    ("kind", "facts", "because"),
    [
        ("Gateway", {"ready": False, "trouble": "token_refused"}, ("the account is not online",)),
        ("Gateway", {"ready": True}, ()),
        ("Gateway", {}, ()),
        ("Evidence", {"failing": "ENOSPC"}, ("the record cannot be written",)),
        ("Evidence", {"failing": None}, ()),
    ],
)
def test_an_account_that_is_away_and_a_record_that_fails_are_reasons(
    kind: str, facts: dict[str, Scalar], because: tuple[str, ...]
) -> None:
    tree = node("root", node("root/x", kind=kind, facts=facts))
    assert health(replace(REPORT, tree=tree)) == Health(healthy=not because, because=because)


def test_a_lost_link_is_a_reason() -> None:
    lost = replace(FINE, link_lost="4015")
    assert health(replace(REPORT, stays=(lost,))).because == ("a voice link is lost",)
