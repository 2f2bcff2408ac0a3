"""The schema that is given away says of a line what the record itself says of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

from actors.evidence import wire
from actors.evidence.schema import DIALECT, schema
from messages.evidence import BridgeReady
from tests.actors.evidence.test_wire import NOON, changed, line_of, receipts, with_fact

VALIDATOR = Draft202012Validator(schema())


def test_it_is_a_schema_of_its_dialect() -> None:
    assert meta.is_valid(schema())
    assert schema()["$schema"] == DIALECT


@pytest.mark.parametrize("kind", wire.KINDS)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_every_line_of_ours_is_valid(kind: str, data: st.DataObject) -> None:
    line = wire.to_line(
        data.draw(receipts(wire.KINDS[kind])), entry_id="e", occurred_at=NOON, origin="loopback"
    )
    assert isinstance(line, str)
    VALIDATOR.validate(json.loads(line))


@pytest.mark.parametrize(
    "text",
    [
        with_fact(words="what he said"),
        with_fact(reason="bored"),
        with_fact(origin="den"),
        with_fact(durationMs="1"),
        with_fact(durationMs=None),
        with_fact(type="joined"),
        with_fact(stayId="x" * 513),
        json.dumps({"type": "discord.voice.left"}),
    ],
)
def test_what_the_record_would_not_write_is_not(text: str) -> None:
    assert not VALIDATOR.is_valid(json.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        with_fact(durationMs=wire.MAX_NUMBER + 1),
        with_fact(durationMs=-wire.MAX_NUMBER - 1),
        changed(occurredAt="1969-12-31T23:59:59.999Z"),
        changed(occurredAt="9999-12-31T23:59:59.999Z"),
    ],
)
def test_nobody_counts_or_dates_beyond_what_can_be_reckoned_with(text: str) -> None:
    assert not VALIDATOR.is_valid(json.loads(text))
    assert isinstance(wire.parse_line(text), wire.Malformed)


def test_a_line_is_of_one_kind() -> None:
    assert len(list(VALIDATOR.iter_errors(json.loads(line_of(BridgeReady(rooms=3)))))) == 0
