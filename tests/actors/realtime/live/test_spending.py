"""A model is paid for what it read and wrote, whether or not anybody wanted to hear it."""

from __future__ import annotations

import pytest

from messages.ids import TurnId
from messages.realtime import ModelSpent, RealtimePortEvent, ResponseEnding
from messages.usage import Spending
from tests.actors.realtime.live.asked import Room, answers
from tests.actors.realtime.live.dialogue import ONE, Dialogue, Letter, ended
from tests.loopback.discord.body import Body
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.fixtures import PATIENCE
from tests.loopback.openai.rest import Rest
from tests.loopback.providers import Ground

USAGE: Letter = {"input_tokens": 9, "output_tokens": 2, "input_token_details": {"cached_tokens": 4}}


def done(talk: Dialogue, status: str, usage: object, *, turn: str | None = "t1") -> None:
    response = {"id": "r1", "status": status, "output": [], "usage": usage}
    talk.come("response.done", response={**response, "metadata": turn and {"turn": turn}})


def spent(told: list[RealtimePortEvent]) -> list[Spending]:
    return [one.spent for one in told if isinstance(one, ModelSpent)]


SPENT = Spending(
    provider="openai", model="gpt-realtime-2.1", input_tokens=9, cached_tokens=4, output_tokens=2
)


@pytest.mark.parametrize("status", ["completed", "cancelled", "failed", "incomplete"])
def test_a_response_is_paid_for_however_it_ended(status: str) -> None:
    talk = Dialogue()
    talk.ask()
    talk.begin()
    done(talk, status, USAGE)
    first, *rest = talk.told()
    assert first == ModelSpent(connection=ONE, spent=SPENT)
    assert len(rest) == 1


def test_one_that_nobody_wants_any_more_is_paid_for_without_another_word() -> None:
    talk = Dialogue()
    talk.ask()
    talk.begin()
    talk.cancel()
    done(talk, "cancelled", USAGE)
    assert talk.told() == [ModelSpent(connection=ONE, spent=SPENT)]


def test_one_that_nobody_asked_for_is_paid_for() -> None:
    talk = Dialogue()
    talk.begin(turn=None)
    done(talk, "completed", USAGE, turn=None)
    assert talk.told() == [ModelSpent(connection=ONE, spent=SPENT)]


@pytest.mark.parametrize("usage", [None, "9", [], {"input_tokens": -1, "output_tokens": 2}, {"input": 1}])
def test_a_usage_that_is_none_is_no_error_of_the_answer(usage: object) -> None:
    talk = Dialogue()
    talk.ask()
    talk.begin()
    done(talk, "completed", usage)
    assert talk.told() == [ended()]


# --- chat completions -------------------------------------------------------------------------------


def paid(room: Room) -> Spending:
    return room.said.expect(ModelSpent, PATIENCE).spent


def test_the_last_chunk_says_what_an_answer_of_a_chat_has_used(room: Room, rest: Rest) -> None:
    answers(rest, "Hello Anna. How are you?")
    room.ask()
    used, bill = paid(room), Body.of(rest.billed[0])
    cached = bill.body("prompt_tokens_details").number("cached_tokens")
    assert (used.provider, used.model) == ("local", "gpt-6-luna")
    assert used.input_tokens == bill.number("prompt_tokens") > used.cached_tokens == cached > 0
    assert used.output_tokens == bill.number("completion_tokens") > 0
    assert [type(one) for one in room.said.received()].count(ModelSpent) == 1


def test_a_server_that_cannot_count_is_asked_once_more_and_then_never_again(
    room: Room, ground: Ground, rest: Rest
) -> None:
    rest.takes_stream_options = False
    for turn in ("t1", "t2"):
        room.ask(turn=TurnId(turn))
        assert room.ended().ending is ResponseEnding.COMPLETED
    assert [exchange.status for exchange in rest.exchanges] == [400, 200, 200]
    assert ["stream_options" in asked for asked in rest.chats] == [True, False, False]
    assert not any(isinstance(one, ModelSpent) for one in room.said.received())
    ground.refuse_next(400)
    room.ask(turn=TurnId("t3"))
    assert (room.ended().reason, len(rest.exchanges)) == ("http_400", 4)


def test_a_refusal_of_something_else_does_not_make_him_stop_counting(room: Room, rest: Rest) -> None:
    rest.takes_tools = False
    room.ask()
    assert room.ended().reason == "http_400"
    rest.takes_tools = True
    room.ask(turn=TurnId("t2"))
    assert paid(room).output_tokens > 0


def test_an_answer_that_breaks_off_before_it_was_counted_is_counted_by_nobody(room: Room, rest: Rest) -> None:
    rest.next(Fault(cut_after=2))
    room.ask()
    assert room.ended().ending is ResponseEnding.FAILED
    assert not any(isinstance(one, ModelSpent) for one in room.said.received())
