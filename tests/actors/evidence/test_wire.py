"""A receipt survives its line, and nothing but a receipt does."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from types import NoneType
from typing import get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.chronicle.kinds import kind_of
from actors.evidence import wire
from actors.evidence.closed import CLOSED
from actors.floor.addressing import HeardAs
from actors.floor.barge_in import CutRule
from actors.floor.engagement import Verdict
from actors.floor.settings import OnOverlap
from messages import evidence as say
from messages.ids import LineId, PersonId, StayId

NOON = datetime(2026, 1, 1, 12, 0, 0, 123000, tzinfo=UTC)
LEFT = say.Left(stay_id=StayId("s1"), reason="self_decided", duration_ms=61_000)
MOMENTS = st.integers(0, 10**14).map(lambda us: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us))
ANY: dict[object, st.SearchStrategy[object]] = {
    int: st.integers(-wire.MAX_NUMBER, wire.MAX_NUMBER),
    bool: st.booleans(),
    NoneType: st.none(),
    str: st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.just("x" * wire.MAX_STRING),
}


def receipts(kind: type[say.Receipt]) -> st.SearchStrategy[say.Receipt]:
    """Every receipt of one kind, whatever stands in its fields."""

    def values(hint: object) -> st.SearchStrategy[object]:
        members = [getattr(each, "__supertype__", each) for each in get_args(hint) or (hint,)]
        return st.one_of([ANY[member] for member in members])

    def closed(name: str, hint: object) -> st.SearchStrategy[object]:
        words = CLOSED.get((kind_of(kind), name))
        if words is None:
            return values(hint)
        return st.sampled_from([*words, *([None] if NoneType in get_args(hint) else [])])

    return st.builds(kind, **{name: closed(name, hint) for name, hint in get_type_hints(kind).items()})


def line_of(receipt: say.Receipt) -> str:
    line = wire.to_line(receipt, entry_id="e1", occurred_at=NOON, origin="local")
    assert isinstance(line, str), line
    return line


def changed(**changes: object) -> str:
    """The line of LEFT with another envelope."""
    return json.dumps({**json.loads(line_of(LEFT)), **changes})


def with_fact(**facts: object) -> str:
    """The line of LEFT with other facts in its data."""
    return changed(data={**json.loads(line_of(LEFT))["data"], **facts})


def blamed(text: str) -> str:
    answer = wire.parse_line(text)
    assert isinstance(answer, wire.Malformed), answer
    return answer.reason


@pytest.mark.parametrize("kind", wire.KINDS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_kind_of_receipt_comes_back_as_it_was(kind: str, data: st.DataObject) -> None:
    receipt = data.draw(receipts(wire.KINDS[kind]))
    moment = data.draw(MOMENTS)
    line = wire.to_line(receipt, entry_id="e1", occurred_at=moment, origin="discord")
    assert isinstance(line, str)
    assert "\n" not in line
    entry = wire.parse_line(line)
    assert isinstance(entry, wire.Entry)
    assert entry.receipt == receipt
    assert entry.occurred_at == moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    assert (entry.id, entry.origin) == ("e1", "discord")


@pytest.mark.parametrize("kind", wire.KINDS)
def test_no_kind_has_more_facts_than_a_line_may_hold(kind: str) -> None:
    assert len(fields(wire.KINDS[kind])) + len(("type", "origin")) <= wire.MAX_FIELDS


def test_a_line_looks_as_promised_and_leaves_out_what_is_none() -> None:
    receipt = say.FloorDecision(
        stay_id=StayId("s1"),
        person_id=PersonId("p1"),
        line_id=LineId("l1"),
        heard_as="addressed",
        decision="wake",
        rule="name",
    )
    assert line_of(receipt) == (
        '{"schemaVersion":1,"id":"e1","occurredAt":"2026-01-01T12:00:00.123Z",'
        '"type":"discord.voice.floor_decision","data":{"type":"floor_decision","origin":"local",'
        '"personId":"p1","lineId":"l1","heardAs":"addressed","decision":"wake","rule":"name","stayId":"s1"}}'
    )


def test_what_belongs_to_no_stay_says_where_it_belongs() -> None:
    assert line_of(say.BridgeReady(rooms=3)) == (
        '{"schemaVersion":1,"id":"e1","occurredAt":"2026-01-01T12:00:00.123Z",'
        '"type":"discord.bridge.ready","data":{"type":"bridge_ready","origin":"local","rooms":3}}'
    )


def test_a_moment_elsewhere_is_written_in_utc() -> None:
    there = NOON.astimezone(timezone(timedelta(hours=9)))
    assert wire.stamp(there) == "2026-01-01T12:00:00.123Z"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line: no JSON"),
        (line_of(LEFT)[:-9], "line: no JSON"),
        ("[]", "line: no object of JSON"),
        (changed(schemaVersion=2), "schemaVersion: none of the words that may stand there"),
        (changed(note="hello"), "note: nothing that belongs there"),
        (changed(id=""), "id: empty"),
        (changed(occurredAt="yesterday"), "occurredAt: not written as it should be"),
        (changed(occurredAt="2026-02-30T12:00:00.000Z"), "occurredAt: no such moment"),
        (changed(type="discord.voice.joined"), "type: does not agree with data.type"),
        (with_fact(type="secret"), "data.type: no such kind of receipt"),
        (with_fact(type=None), "data.type: no text"),
        (with_fact(words="what he said"), "words: nothing that belongs there"),
        (with_fact(durationMs="61000"), "durationMs: no whole number"),
        (with_fact(durationMs=True), "durationMs: no whole number"),
        (with_fact(reason="bored"), "reason: none of the words that may stand there"),
        (with_fact(reason="x" * 513), "data.reason: too long"),
        (with_fact(reason=["a"]), "data.reason: no text"),
        (with_fact(**{f"f{i}": i for i in range(30)}), "data: more than fits"),
    ],
)
def test_anything_else_is_refused_with_the_place_and_never_the_value(text: str, reason: str) -> None:
    assert blamed(text) == reason


def test_a_receipt_that_does_not_fit_is_not_written() -> None:
    wordy = say.BridgeStopped(reason="x" * 513)
    answer = wire.to_line(wordy, entry_id="e1", occurred_at=NOON, origin="local")
    assert answer == wire.Malformed(reason="reason: too long")


def test_a_word_that_is_not_among_those_there_are_is_not_written() -> None:
    sad = say.Volition(stay_id=StayId("s1"), outcome="sad")
    answer = wire.to_line(sad, entry_id="e1", occurred_at=NOON, origin="local")
    assert answer == wire.Malformed(reason="outcome: none of the words that may stand there")


@pytest.mark.parametrize(
    ("kind", "field", "enum"),
    [
        ("floor_decision", "heard_as", HeardAs),
        ("floor_decision", "decision", Verdict),
        ("interrupted", "rule", CutRule),
        ("overlap", "reaction", OnOverlap),
    ],
)
def test_the_words_are_those_of_the_room_that_says_them(kind: str, field: str, enum: type[StrEnum]) -> None:
    assert CLOSED[kind, field] == tuple(each.value for each in enum)


def test_every_closed_set_is_of_a_field_that_there_is() -> None:
    for kind, field in CLOSED:
        assert field in {each.name for each in fields(wire.KINDS[kind])}


def test_a_transcript_line_carries_the_words() -> None:
    words = say.HeardWords(
        stay_id=StayId("s1"), person_id=PersonId("p1"), label="Ann", text="grüß\ndich", typed=False
    )
    assert json.loads(wire.words_line(words, occurred_at=NOON)) == {
        "schemaVersion": 1,
        "occurredAt": "2026-01-01T12:00:00.123Z",
        "stayId": "s1",
        "personId": "p1",
        "label": "Ann",
        "text": "grüß\ndich",
        "typed": False,
    }
