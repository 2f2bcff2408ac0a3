"""What may be sent to each path, and what is said of everything else."""

from __future__ import annotations

import json

import pytest

from actors.console.wire_bodies import BODIES
from actors.console.wire_orders import (
    ONLY_THE_PERSON,
    Malformed,
    answer_json,
    order_in,
    parse_answer,
    status_of,
)
from messages import console as ask
from messages.console import OrderAnswer, OrderResult
from messages.ids import PersonId, RoomId, StayId

STAY, ANN = StayId("s1"), PersonId("ann")


@pytest.mark.parametrize(
    ("path", "body", "order"),
    [
        ("/stays/join", "{}", ask.JoinOrdered()),
        ("/stays/join", '{"room": "42"}', ask.JoinOrdered(room=RoomId("42"))),
        ("/stays/join", '{"room": null}', ask.JoinOrdered()),
        ("/stays/leave", '{"stay": "s1"}', ask.LeaveOrdered(stay=STAY)),
        ("/say", '{"text": " Grüße,\\n hi "}', ask.SayOrdered(text="Grüße,\n hi")),
        ("/say", json.dumps({"text": "x" * 600, "stay": "s1"}), ask.SayOrdered(text="x" * 600, stay=STAY)),
        ("/hush", "{}", ask.HushOrdered(seconds=300.0)),
        ("/hush", '{"seconds": 0, "stay": "s1"}', ask.HushOrdered(seconds=0.0, stay=STAY)),
        ("/hush", '{"seconds": 86400}', ask.HushOrdered(seconds=86_400.0)),
        ("/interrupt", "{}", ask.InterruptOrdered()),
        ("/consent", '{"person": "ann", "granted": false}', ask.WithdrawOrdered(person=ANN)),
        ("/consent", '{"person": "ann", "granted": true}', ONLY_THE_PERSON),
        ("/actors/restart", '{"path": "root/body/gateway"}', ask.RestartOrdered(path="root/body/gateway")),
        ("/evidence/flush", "{}", ask.FlushOrdered()),
        ("/evidence/purge", '{"person": "ann"}', ask.PurgeOrdered(person=ANN)),
        ("/shutdown", "{}", ask.ShutdownOrdered()),
    ],
)
def test_an_order_is_read_from_its_body(path: str, body: str, order: ask.Order | OrderAnswer) -> None:
    assert order_in(path, body.encode()) == order


@pytest.mark.parametrize(
    ("path", "body", "wrong"),
    [
        ("/say", b"", "this is no JSON"),
        ("/say", b"\xff", "this is no JSON"),
        ("/say", b"[" * 60_000, "this is no JSON"),
        ("/say", b'{"text": "\\ud800"}', "this is no JSON"),
        ("/say", b"[]", "this is no JSON object"),
        ("/say", b"{}", "'text' is missing"),
        ("/say", b'{"text": ""}', "'text' is empty"),
        ("/say", b'{"text": " \\n "}', "'text' is blank, or has a control character in it"),
        ("/say", b'{"text": "a\\u0000"}', "'text' is blank, or has a control character in it"),
        ("/say", b'{"text": "\\u001b[2J"}', "'text' is blank, or has a control character in it"),
        ("/say", b'{"text": "' + b"x" * 601 + b'"}', "'text' has more than 600 characters"),
        ("/say", b'{"text": 5}', "'text' is not what it should be"),
        ("/say", b'{"text": "a", "loud\\u001b": 1}', "nobody knows a field 'loud\\x1b' here"),
        ("/hush", b'{"seconds": NaN}', "'seconds' is not what it should be"),
        ("/hush", b'{"seconds": 1e999}', "'seconds' is not what it should be"),
        ("/hush", b'{"seconds": -1}', "'seconds' is not what it should be"),
        ("/hush", b'{"seconds": 86401}', "'seconds' is not what it should be"),
        ("/hush", b'{"seconds": true}', "'seconds' is not what it should be"),
        ("/hush", b'{"seconds": "5"}', "'seconds' is not what it should be"),
        ("/consent", b'{"person": "a", "granted": 0}', "'granted' is not what it should be"),
        ("/stays/join", b'{"room": "a b"}', "'room' has a blank or a control character in it"),
        ("/stays/join", b'{"room": ""}', "'room' is empty"),
        ("/stays/join", b'{"room": "' + b"x" * 129 + b'"}', "'room' has more than 128 characters"),
    ],
)
def test_what_is_no_such_order_is_said_with_what_to_send_and_without_the_value(
    path: str, body: bytes, wrong: str
) -> None:
    malformed = order_in(path, body)
    assert isinstance(malformed, Malformed)
    assert malformed.sentence.startswith(f"{wrong}; send {{")
    assert malformed.sentence.isprintable()
    assert len(malformed.sentence) < 200


@pytest.mark.parametrize("path", BODIES)
def test_every_order_says_what_to_send(path: str) -> None:
    malformed = order_in(path, b'{"unheard_of": 1}')
    assert isinstance(malformed, Malformed)
    assert "; send {" in malformed.sentence


def test_another_path_takes_no_orders() -> None:
    with pytest.raises(KeyError):
        order_in("/status", b"{}")


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (OrderResult.DONE, 200),
        (OrderResult.PENDING, 202),
        (OrderResult.REFUSED, 409),
        (OrderResult.GONE, 410),
    ],
)
def test_an_answer_goes_out_and_comes_in_as_it_was(result: OrderResult, status: int) -> None:
    answer = OrderAnswer(result=result, code="done", text="it is done", facts={"room": "den", "lines": 2})
    assert status_of(answer) == status
    assert parse_answer(answer_json(answer)) == answer


def test_halves_of_signs_do_not_go_out() -> None:
    answer = OrderAnswer(result=OrderResult.DONE, code="done", text="in \ud83d", facts={"name": "\ud83d"})
    read = parse_answer(answer_json(answer))
    assert read is not None
    assert (read.text, read.facts) == ("in ?", {"name": "?"})


@pytest.mark.parametrize("raw", ["", "{}", '{"result":"maybe","code":"c","text":"t","facts":{}}'])
def test_what_is_no_answer_is_none(raw: str) -> None:
    assert parse_answer(raw) is None
