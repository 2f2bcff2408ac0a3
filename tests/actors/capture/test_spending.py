"""What an ear has used comes on record in sums, at moments that are nobody's last word."""

from __future__ import annotations

import dataclasses

from actors.capture.decisions import Decision, Record
from actors.capture.events import EarCloses
from actors.capture.spending import BLUR_SECONDS
from messages.capture import ListenerSpent
from messages.evidence import Usage
from messages.ids import Connection, StayId
from messages.usage import Spending
from tests.actors.capture.listener import Listener


def spends(milliseconds: int, connection: int = 1) -> ListenerSpent:
    spent = Spending(provider="openai", model="m", audio_ms=milliseconds)
    return ListenerSpent(connection=Connection(connection), spent=spent)


def usages(decisions: list[Decision]) -> list[Usage]:
    receipts = (one.receipt for one in decisions if isinstance(one, Record))
    return [receipt for receipt in receipts if isinstance(receipt, Usage)]


def used(milliseconds: int) -> Usage:
    return Usage(
        stay_id=StayId("stay"),
        service="transcription",
        provider="openai",
        model="m",
        audio_ms=milliseconds,
    )


def test_it_is_added_up_for_ten_seconds() -> None:
    ear = Listener()
    assert ear.do(spends(500)) == []
    assert ear.wait(BLUR_SECONDS / 2) == []
    assert ear.do(spends(700, connection=7)) == []
    assert usages(ear.wait(BLUR_SECONDS / 2 - 0.01)) == []
    assert usages(ear.wait(0.01)) == [used(1200)]
    assert usages(ear.wait(5 * BLUR_SECONDS)) == []
    ear.do(spends(100))
    assert usages(ear.wait(BLUR_SECONDS)) == [used(100)]


def test_no_segment_that_ends_brings_it_out() -> None:
    ear = Listener()
    ear.do(spends(500))
    ear.hear(0.9, windows=30)
    assert usages(ear.wait(5.0)) == []
    assert (ear.state.open, ear.state.segments) == (None, 1)


def test_what_is_left_is_told_when_the_ear_closes_and_only_once() -> None:
    ear = Listener()
    ear.do(spends(500))
    assert usages(ear.do(EarCloses())) == [used(500)]
    assert usages(ear.do(EarCloses())) == []
    assert usages(ear.wait(2 * BLUR_SECONDS)) == []


def test_a_receipt_of_it_has_no_field_for_a_person_or_for_what_was_said() -> None:
    assert {field.name for field in dataclasses.fields(Usage)} == {
        "stay_id",
        "service",
        *(field.name for field in dataclasses.fields(Spending)),
    }
