"""At a socket he is welcome, or he is told why not, and he stays no longer than that."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import TypeVar

import pytest

from actors.net.checkup.knock import WELCOME, Door, TurnedAway, answer, knock, reason_of
from actors.net.line import Target
from tests.actors.net.by_hand import HandDial, HandLine

T = TypeVar("T")
TARGET = Target(url="ws://nowhere")
GREETED = Door(target=TARGET, greeting='{"type": "session.update"}')


@pytest.mark.parametrize(
    ("frame", "means"),
    [
        ({"type": "session.updated"}, WELCOME),
        ({"type": "session.created"}, None),
        ({}, None),
        ({"type": "error", "error": {"code": "model_not_found", "message": "prose"}}, "not_found"),
        ({"type": "error", "error": {"code": None, "type": "server_error"}}, "provider_down"),
        ({"type": "error", "error": {"code": "You, who ask"}}, "provider_error"),
        ({"type": "error"}, "provider_error"),
    ],
)
def test_an_answer_is_a_welcome_or_a_reason_or_none(frame: object, means: str | None) -> None:
    assert answer(json.dumps(frame)) == means


async def knocked(dial: HandDial, door: Door, *happens: str) -> tuple[float | str, HandLine[object]]:
    """Knock, and have these things happen at the other end."""
    visit = asyncio.ensure_future(knock(dial, door))
    await asyncio.sleep(0)
    line = dial.last
    for one in happens:
        match one:
            case "open":
                line.open()
            case "abort":
                line.end("aborted")
            case said:
                line.come(type=said)
    for _ in range(3):
        await asyncio.sleep(0)
    assert line.closed is (happens[-1] != "open" or door.greeting is None)
    line.end()
    try:
        return await visit, line
    except TurnedAway as away:
        return reason_of(away), line


def run(visit: Coroutine[object, object, T]) -> T:
    async def in_time() -> T:
        async with asyncio.timeout(5.0):
            return await visit

    return asyncio.run(in_time())


def test_where_nothing_is_to_be_said_an_open_line_is_a_welcome() -> None:
    said, line = run(knocked(HandDial(), Door(target=TARGET), "open"))
    assert isinstance(said, float)
    assert (line.sent, line.closed) == ([], True)


def test_a_greeting_has_to_be_answered() -> None:
    said, line = run(knocked(HandDial(), GREETED, "open", "session.created", "session.updated"))
    assert isinstance(said, float)
    assert line.sent == [{"type": "session.update"}]
    said, _ = run(knocked(HandDial(), GREETED, "open"))
    assert said == "closed"


def test_only_what_is_said_first_counts() -> None:
    said, _ = run(knocked(HandDial(), GREETED, "open", "error", "session.updated"))
    assert said == "provider_error"


@pytest.mark.parametrize("door", [Door(target=TARGET), GREETED])
def test_a_line_that_never_stands_has_its_own_reason(door: Door) -> None:
    said, _ = run(knocked(HandDial(), door, "abort"))
    assert said == "aborted"


def test_a_visit_that_is_broken_off_leaves_no_line_behind() -> None:
    dial = HandDial()

    async def impatient() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await knock(dial, GREETED)

    run(impatient())
    assert dial.last.closed


def test_a_failure_of_another_kind_has_no_name() -> None:
    assert reason_of(RuntimeError("prose")) == "provider_error"
