"""What a response has used is on record once, whatever became of the response."""

from __future__ import annotations

import pytest

from actors.realtime.decisions import Record
from messages.evidence import Usage
from messages.ids import Connection, StayId
from messages.realtime import ModelSpent
from messages.usage import Spending
from tests.actors.realtime.talk import ONE, TWO, Talk, line

SPENT = Spending(provider="openai", model="m", input_tokens=9, cached_tokens=4, output_tokens=2)
RECEIPT = Usage(
    stay_id=StayId("stay"),
    service="conversation",
    provider="openai",
    model="m",
    input_tokens=9,
    cached_tokens=4,
    output_tokens=2,
)


@pytest.mark.parametrize("connection", [ONE, TWO])
def test_money_is_spent_on_an_old_connection_too(connection: Connection) -> None:
    talk = Talk()
    talk.ask(line("Clankie?"))
    assert talk.do(ModelSpent(connection=connection, spent=SPENT)) == [Record(receipt=RECEIPT)]


def test_it_neither_ends_the_turn_nor_counts_as_progress() -> None:
    talk = Talk()
    talk.ask(line("Clankie?"))
    before = talk.state
    talk.do(ModelSpent(connection=ONE, spent=SPENT))
    assert talk.state == before
