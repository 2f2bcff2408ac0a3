"""A key is shown to one address, and never in the clear to another machine."""

from __future__ import annotations

import pytest

from actors.net.service import Service, checked_base, is_loopback


@pytest.mark.parametrize(
    ("base", "address"),
    [
        ("https://api.example.com/v1", "wss://api.example.com/v1/realtime?model=a+b&intent=c%26d"),
        ("https://api.example.com/v1/", "wss://api.example.com/v1/realtime?model=a+b&intent=c%26d"),
        ("http://127.0.0.1:80", "ws://127.0.0.1:80/realtime?model=a+b&intent=c%26d"),
        ("HTTPS://api.example.com", "wss://api.example.com/realtime?model=a+b&intent=c%26d"),
    ],
)
def test_a_socket_is_under_the_same_base(base: str, address: str) -> None:
    service = Service(base_url=checked_base(base), key="sk-secret")
    assert service.socket("/realtime", {"model": "a b", "intent": "c&d"}) == address


def test_the_key_is_in_no_repr() -> None:
    assert "sk-secret" not in repr(Service(base_url="https://api.example.com", key="sk-secret"))


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1",
        "https://api.example.com:8443",
        "http://localhost:1234/v1",
        "http://127.0.0.1/v1",
        "http://[::1]:8080",
        "https://b\u00fccher.example/v1",
        "https://my_models.example./v1",
        "https://8.8.8.8/models/v1",
    ],
)
def test_an_address_that_keeps_the_key_safe_is_taken_as_it_is(url: str) -> None:
    assert checked_base(url) == url


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("", "begin with https"),
        ("api.example.com", "begin with https"),
        ("wss://api.example.com", "begin with https"),
        ("https://", "begin with https"),
        ("https://api.example.com/a path", "begin with https"),
        ("https://api.example.com:port", "no address"),
        ("https://[::1", "no address"),
        ("https://api.example.com/v1?key=a", "nothing but a host"),
        ("https://api.example.com/#a", "nothing but a host"),
        ("https://me:secret@api.example.com", "nothing but a host"),
        ("https://\u2603.\u2603\u2603/v1", "cannot be"),
        ("https://api..example.com/v1", "cannot be"),
        ("https://-api.example.com/v1", "cannot be"),
        ("https://" + "a" * 64 + ".com/v1", "cannot be"),
        ("https://api.example.com:0/v1", "cannot be"),
        ("https://api.example.com:65536/v1", "no address"),
        ("https://api.example.com/v1/chat/completions", "take /chat/completions from its end"),
        ("https://api.example.com/v1/models/", "take /models/ from its end"),
        ("https://api.example.com/v1/realtime", "take /realtime from its end"),
        ("http://api.example.com", "only this machine"),
        ("http://localhost.example.com", "only this machine"),
        ("http://127.0.0.1.example.com", "only this machine"),
    ],
)
def test_any_other_is_refused_with_a_remedy_that_does_not_repeat_it(url: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong) as refusal:
        checked_base(url)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("192.168.0.1", False),
        ("localhost.example.com", False),
        ("", False),
    ],
)
def test_this_machine_is_known_by_its_name(host: str, is_ours: bool) -> None:
    assert is_loopback(host) is is_ours
