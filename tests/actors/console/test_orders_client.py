"""Orders from another program over real sockets: what is sent, what comes back, and what failures mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from actors.console import client
from actors.console.live import guard, orders
from actors.console.orders_client import order
from actors.console.settings import HOST, key_file
from messages.console import HushOrdered, OrderAnswer, OrderGiven, OrderResult, SayOrdered, ShutdownOrdered
from tests.actors.console.window import DONE, Stranger, Window


def test_an_order_is_given_as_it_was_meant_and_answered(window: Window) -> None:
    assert order(window.port, window.directory, "/say", {"text": "Grüß dich ✓", "stay": None}) == DONE
    assert window.told.expect(OrderGiven).order == SayOrdered(text="Grüß dich ✓", stay=None)
    assert order(window.port, window.directory, "/hush", {}) == DONE
    assert window.told.expect(OrderGiven).order == HushOrdered(seconds=300.0)
    assert order(window.port, window.directory, "/shutdown", {}) == DONE
    assert window.told.expect(OrderGiven).order == ShutdownOrdered()


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (OrderResult.DONE, 200),
        (OrderResult.PENDING, 202),
        (OrderResult.REFUSED, 409),
        (OrderResult.GONE, 410),
    ],
)
def test_a_refusal_is_an_answer_too(window: Window, result: OrderResult, status: int) -> None:
    window.answer = OrderAnswer(result=result, code="x", text="So it is.")
    reply = window.says("POST /interrupt", b"{}")
    assert (reply.status, json.loads(reply.body)["result"]) == (status, result.value)
    assert order(window.port, window.directory, "/interrupt", {}) == window.answer


def test_only_the_person_can_consent_and_nobody_is_asked(window: Window) -> None:
    answer = order(window.port, window.directory, "/consent", {"person": "p1", "granted": True})
    assert (answer.result, answer.code) == (OrderResult.REFUSED, "only_the_person")
    assert not any(isinstance(event, OrderGiven) for event in window.told.received())


def test_whoever_waits_for_an_order_may_wait_longer_than_anybody_else(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "LIFE_SECONDS", 0.05)
    monkeypatch.setattr(orders, "ORDER_SECONDS", 0.3)
    window.answers = False
    with pytest.raises(client.NoAnswer, match="the console does not answer; look into its log"):
        order(window.port, window.directory, "/stays/join", {})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (None, "'text' is missing"),
        ("", "'text' is empty"),
        ("x" * 601, "'text' has more than 600 characters"),
        ("\x1b[2J", "'text' is blank, or has a control character in it"),
    ],
)
def test_what_is_malformed_is_said_in_words_that_are_not_of_http(
    window: Window, text: str | None, fault: str
) -> None:
    with pytest.raises(client.BadRequest) as caught:
        order(window.port, window.directory, "/say", {"text": text})
    assert str(caught.value) == f"{fault}; mend that and try again"


def test_an_order_that_the_house_does_not_know_is_of_another_version(window: Window) -> None:
    with pytest.raises(client.OtherVersion, match=f"{HOST}:{window.port} is of another version"):
        order(window.port, window.directory, "/dance", {})
    with pytest.raises(client.OtherVersion):
        order(window.port, window.directory, "/status", {})


@pytest.mark.parametrize(
    ("says", "error"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n{}", client.NotClankie),
        (b"HTTP/1.1 401 No\r\n\r\n", client.NotClankie),
        (b"HTTP/1.1 401 No\r\nServer: clankie\r\n\r\n", client.NoKey),
        (b"HTTP/1.1 200 OK\r\nServer: clankie\r\n\r\n{}", client.OtherVersion),
        (b"HTTP/1.1 200 OK\r\nServer: clankie\r\n\r\n" + b"[" * 9_999, client.OtherVersion),
        (b'HTTP/1.1 422 No\r\nServer: clankie\r\n\r\n{"error":"\\u001b[2J"}', client.OtherVersion),
        (b"HTTP/1.1 422 No\r\nServer: clankie\r\n\r\n" + b"[" * 99_999, client.OtherVersion),
        (b'HTTP/1.1 422 No\r\nServer: clankie\r\n\r\n{"error":"no"}', client.BadRequest),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", client.NoAnswer),
        (b"220 mail.example.com ESMTP\r\n", client.NotClankie),
    ],
    ids=range(10),
)
def test_whoever_else_answers_is_not_taken_for_him(
    tmp_path: Path, says: bytes, error: type[client.ClientError]
) -> None:
    stranger = Stranger(says)
    key_file(tmp_path, stranger.port).write_text("key")
    with pytest.raises(error) as caught:
        order(stranger.port, tmp_path, "/say", {"text": "a"}, seconds=5)
    assert str(caught.value).isprintable()
    assert caught.value.remedy
    stranger.close()


def test_without_a_key_nothing_is_sent(window: Window, tmp_path: Path) -> None:
    with pytest.raises(client.NoKey, match="the key of the house is not at"):
        order(window.port, tmp_path / "elsewhere", "/say", {"text": "a"})
