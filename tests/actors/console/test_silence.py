"""Every silence that a report can explain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.console.report import Reason, StatusReport, StayStatus
from actors.console.silence import why_silent
from actors.console.wire import is_our_host, parse, to_json
from messages.ids import RoomId, StayId
from messages.lifecycle import LifeState, Scalar
from tests.actors.console.fake import a_house, node

FINE = StayStatus(
    stay_id=StayId("s1"),
    room_id=RoomId("r1"),
    humans=2,
    consented=1,
    floor="engaged",
    link_lost=None,
    hindrance=None,
    last_turn="spoke",
    last_failure=None,
    last_reason=None,
)
REPORT = StatusReport(
    version="1",
    uptime_s=3.5,
    tree=a_house(),
    tree_age_s=0.1,
    stays=(FINE,),
    reasons=(Reason(at=1.5, stay_id=StayId("s1"), text="he left: kicked"),),
    evidence_lost=0,
)


@pytest.mark.parametrize(
    ("facts", "reasons"),
    [
        ({"ready": True}, ()),
        ({"ready": False, "trouble": "", "remedy": ""}, ("the account is not online yet",)),
        (
            {"ready": False, "trouble": "token_refused", "remedy": "copy it again"},
            ("the account is not online (token_refused): copy it again",),
        ),
    ],
)
def test_an_account_that_is_not_online_is_a_reason_with_its_remedy(
    facts: dict[str, Scalar], reasons: tuple[str, ...]
) -> None:
    tree = node("root", node("root/body/gateway", kind="Gateway", facts=facts))
    assert why_silent(replace(REPORT, tree=tree)) == reasons


@pytest.mark.parametrize(
    ("trouble", "reasons"),
    [
        ("", ()),
        (
            "rate_limited",
            ("the captain could not answer last time: the provider wants to be asked less often",),
        ),
        (
            "too_many_steps",
            ("the captain could not answer last time: it took more steps than a turn may have",),
        ),
        ("odd_code", ("the captain could not answer last time: odd_code",)),
    ],
)
def test_a_captain_who_cannot_answer_is_a_reason(trouble: str, reasons: tuple[str, ...]) -> None:
    tree = node("root", node("root/captain", kind="Captain", facts={"trouble": trouble, "waiting": 2}))
    assert why_silent(replace(REPORT, tree=tree)) == reasons


def test_nothing_keeps_him_when_all_is_well() -> None:
    assert why_silent(REPORT) == ()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "1 more second"),
        (60.0, "60 more seconds"),
        (200.0, "4 more minutes"),
        (3600.0, "60 more minutes"),
    ],
)
def test_a_hush_is_the_first_reason_of_a_stay(seconds: float, words: str) -> None:
    hushed = replace(FINE, hushed_s=seconds, floor="dormant")
    assert why_silent(replace(REPORT, stays=(hushed,)))[0] == (
        f"the operator has told him to be silent for {words}"
    )


@pytest.mark.parametrize(
    ("stay", "reason"),
    [
        (replace(FINE, link_lost="4015"), "the voice link is being reopened (4015)"),
        (replace(FINE, hindrance="server_muted"), "a moderator has muted him on the server"),
        (replace(FINE, hindrance="magic"), "the server is in his way (magic)"),
        (replace(FINE, humans=0, consented=0), "nobody else is in the room"),
        (replace(FINE, consented=0), "nobody has consented to be heard"),
        (replace(FINE, last_failure="speech_synthesis"), "words could not be turned into speech"),
        (replace(FINE, last_failure="magic"), "magic failed"),
        (
            replace(FINE, last_failure="conversation_session", last_reason="quota"),
            "the conversation model could not answer: the account at the provider is used up",
        ),
        (
            replace(FINE, last_failure="voice_link", last_reason="join_overdue"),
            "the voice link did not carry sound: join_overdue",
        ),
        (replace(FINE, floor="dormant"), "the floor is dormant: nobody addressed him"),
        (replace(FINE, last_turn="silent"), "the last turn ended silent by choice"),
        (replace(FINE, last_turn="failed"), "the last turn failed"),
        (replace(FINE, last_turn="cut"), "he was cut off, and nobody has asked him since"),
    ],
)
def test_a_stay_explains_its_silence(stay: StayStatus, reason: str) -> None:
    assert why_silent(replace(REPORT, stays=(stay,))) == (reason,)


def test_with_several_rooms_each_reason_names_its_own() -> None:
    two = (FINE, replace(FINE, room_id=None, floor="dormant"))
    assert why_silent(replace(REPORT, stays=two)) == (
        "in room unknown: the floor is dormant: nobody addressed him",
    )


def test_a_house_without_a_stay_or_a_tree_explains_itself() -> None:
    assert why_silent(replace(REPORT, tree=None, stays=())) == (
        "the house does not describe itself: it is overloaded, or closing",
        "he is not in a room",
    )


def test_an_actor_that_is_not_open_is_named() -> None:
    house = node("root", node("root/captain"), node("root/body/gateway", state=LifeState.ABANDONED))
    assert why_silent(replace(REPORT, tree=house)) == ("root/body/gateway is abandoned",)


def test_a_report_comes_back_as_it_was() -> None:
    facts: dict[str, Scalar] = {"a": 1, "b": 1.5, "c": True, "d": "x", "e": None}
    report = replace(REPORT, tree=node("root", node("root/x", state=LifeState.CLOSING, facts=facts)))
    assert parse(to_json(report).encode()) == report


@pytest.mark.parametrize("body", [b"", b"{}", b"<html>", b"[1]", b'{"version": 1}'])
def test_what_is_no_report_is_none(body: bytes) -> None:
    assert parse(body) is None


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.1:4330", "LOCALHOST:80"])
def test_this_machine_is_known_by_its_names(host: str) -> None:
    assert is_our_host(host)


@pytest.mark.parametrize(
    "host", [None, "", "example.com", "127.0.0.1.example.com", "localhost:", "127.0.0.1:80:80", "x@localhost"]
)
def test_any_other_host_is_a_stranger(host: str | None) -> None:
    assert not is_our_host(host)
