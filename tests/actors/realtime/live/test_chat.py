"""A mind behind an address: the real library speaks to a server that goes wrong in every way we know."""

from __future__ import annotations

import json
import logging
import threading

import pytest

from actors.net import sdk
from actors.net.loop import IoLoop
from actors.net.service import Service
from actors.realtime.items import CallAnswered, Said
from actors.realtime.live import chat
from actors.realtime.live.wording import VERSION
from messages.ids import ResponseId
from messages.realtime import (
    ModelSpent,
    RealtimePortEvent,
    ResponseEnded,
    ResponseEnding,
    ResponseText,
    ToolCalled,
)
from tests.actors.realtime.live.asked import SECRET, SETTINGS, Room, answers, failed, messages
from tests.actors.realtime.talk import ONE, R1, R2, T1, T2, TWO, U1
from tests.loopback.discord.body import Body
from tests.loopback.openai.chat import Call
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.fixtures import KEY, PATIENCE
from tests.loopback.openai.mind import Reply
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.rest import Rest
from tests.loopback.providers import Ground

# --- answers --------------------------------------------------------------------------------------


def test_an_answer_is_reported_as_it_comes_and_its_end_once(room: Room, rest: Rest) -> None:
    answers(rest, "Hello Anna. How are you?")
    room.ask()
    assert room.ended() == ResponseEnded(connection=ONE, response=R1, ending=ResponseEnding.COMPLETED)
    assert room.text() == "Hello Anna. How are you?"
    assert len(room.said.received()) > 3
    asked = Body.of(rest.chats[0])
    assert set(asked.fields) == {"model", "messages", "tools", "stream", "stream_options", "max_tokens"}
    assert rest.chats[0]["max_tokens"] == SETTINGS.max_output_tokens


def test_the_next_question_carries_the_conversation_so_far(room: Room, rest: Rest, ground: Ground) -> None:
    answers(rest, "One. Two. Three.")
    room.ask()
    room.ended()
    room.mind.add(ONE, Said(utterance=U1, text="One. Tw", interrupted=True))
    room.ask("go on", T2)
    room.ended()
    roles = [(one.text("role"), one.text("content")) for one in messages(rest)]
    assert [role for role, _ in roles] == ["system", "user", "assistant", "user"]
    assert roles[2][1] == "One. Tw (interrupted)"
    assert json.loads(roles[3][1]) == {"speaker": "Anna", "text": "go on"}
    assert ground.violations == []


def answered(room: Room) -> list[RealtimePortEvent]:
    """What was reported, but for what it used, which a server tells when it likes."""
    return [one for one in room.said.received() if not isinstance(one, ModelSpent)]


def test_calls_are_reported_before_the_end_and_get_their_one_output(room: Room, rest: Rest) -> None:
    asking = Call(name="ask_clankie", arguments='{"request": "the time"}', id="same")
    answers(rest, "One moment.", asking, Call(name="voice_leave", id="other"))
    room.ask()
    room.ended()
    first, second = (one for one in room.said.received() if isinstance(one, ToolCalled))
    assert (first.name, first.request) == ("ask_clankie", "the time")
    assert (second.name, second.request) == ("voice_leave", "")
    assert isinstance(answered(room)[-1], ResponseEnded)
    room.mind.add(ONE, CallAnswered(call=first.call, outcome="handed_off", text="later"))
    answers(rest, "Well.", asking)
    room.ask("and?", T2)
    room.ended()
    third = answered(room)[-2]
    assert isinstance(third, ToolCalled)
    assert len({first.call, second.call, third.call}) == 3
    outputs = [json.loads(one.text("content")) for one in messages(rest) if one.text("role") == "tool"]
    assert [output["outcome"] for output in outputs] == ["handed_off", "cancelled"]


def test_arguments_that_are_no_json_are_a_call_all_the_same(room: Room, rest: Rest, ground: Ground) -> None:
    answers(rest, "", Call(name="ask_clankie", arguments='{"request": "the'))
    room.ask()
    room.ended()
    assert room.said.expect(ToolCalled).request == ""
    room.ask("and?", T2)
    room.ended()
    assert ground.violations == []


def test_one_that_is_asked_again_in_a_turn_has_been_told_its_mistake(room: Room, rest: Rest) -> None:
    answers(rest, "", Call(name="rm", arguments="{}"))
    room.ask()
    room.ended()
    (mistake,) = (one for one in room.said.received() if isinstance(one, ToolCalled))
    room.mind.add(ONE, CallAnswered(call=mistake.call, outcome="error", text="There is no such tool."))
    answers(rest, "Well, hello.")
    room.mind.respond(ONE, ResponseId("t1-2"), room.brief(T1))
    room.ended()
    assert [one.text("role") for one in messages(rest)][-2:] == ["assistant", "tool"]
    room.mind.add(ONE, Said(utterance=U1, text="Well", interrupted=True))
    room.ask("and?", T2)
    room.ended()
    told = [(one.text("role"), one.text("content")) for one in messages(rest) if one.text("role") != "tool"]
    assert told[-3:-1] == [("assistant", ""), ("assistant", "Well (interrupted)")]


def test_thoughts_and_silence_are_not_reported(room: Room, rest: Rest) -> None:
    answers(rest, "<think>They greet somebody else.</think>\n(silence)")
    room.ask()
    assert room.ended().ending is ResponseEnding.COMPLETED
    assert room.text().strip() == ""


# --- breaking off ---------------------------------------------------------------------------------


def test_a_cancelled_answer_is_hung_up_on_and_reports_no_end(room: Room, rest: Rest, ground: Ground) -> None:
    rest.next(Fault(stall_after=3))
    room.ask()
    room.said.expect(ResponseText, PATIENCE)
    room.mind.cancel(ONE, R1)
    ground.until(lambda: rest.exchanges[0].dropped)
    room.ask("again", T2)
    assert room.ended().response == R2
    assert messages(rest)[2].text("role") == "assistant"
    assert messages(rest)[2].text("content") != ""
    assert [one for one in room.said.received() if isinstance(one, ResponseEnded)] == [
        ResponseEnded(connection=ONE, response=R2, ending=ResponseEnding.COMPLETED)
    ]


@pytest.mark.parametrize("parting", ["disconnect", "close"])
def test_an_ended_conversation_is_silent(room: Room, rest: Rest, ground: Ground, parting: str) -> None:
    rest.next(Fault(stall_after=3))
    room.ask()
    room.said.expect(ResponseText, PATIENCE)
    if parting == "close":
        room.mind.close()
    else:
        room.mind.disconnect(ONE)
    ground.until(lambda: rest.exchanges[0].dropped)
    before = room.said.received()
    room.ask("are you there?", T2)
    room.mind.cancel(ONE, R2)
    assert room.said.received() == before
    assert len(rest.exchanges) == 1


def test_a_second_question_takes_the_place_of_the_first(room: Room, rest: Rest, ground: Ground) -> None:
    rest.next(Fault(stall_after=3))
    room.ask()
    room.said.expect(ResponseText, PATIENCE)
    room.ask("or rather", T2)
    assert room.ended().response == R2
    ground.until(lambda: rest.exchanges[0].dropped)


def test_an_unknown_conversation_is_asked_nothing(room: Room, rest: Rest) -> None:
    room.ask(connection=TWO)
    room.mind.disconnect(TWO)
    room.ask()
    assert room.ended().connection == ONE
    assert len(rest.chats) == 1


# --- trouble --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "error", "reason"),
    [
        (401, {"code": "invalid_api_key"}, "unauthorized"),
        (403, {"code": None}, "forbidden"),
        (404, {"code": "model_not_found"}, "not_found"),
        (429, {"code": "rate_limit_exceeded", "type": "tokens"}, "rate_limited"),
        (429, {"code": "insufficient_quota"}, "quota"),
        (429, {"code": None, "type": "insufficient_quota"}, "quota"),
        (400, {"code": 400, "type": "invalid_request_error"}, "http_400"),
        (500, {"code": "server_error"}, "provider_down"),
        (503, None, "provider_down"),
        (307, None, "http_307"),
    ],
)
def test_a_refusal_has_a_reason_and_no_prose(
    room: Room,
    ground: Ground,
    rest: Rest,
    status: int,
    error: dict[str, str | int | None] | None,
    reason: str,
) -> None:
    body = None if error is None else {"error": {"message": PROSE, **error}}
    tries = 2 if status == 400 else 1  # once more without what it may not know
    ground.refuse_next(status, body, headers={"Location": rest.base_url}, times=tries)
    room.ask()
    assert failed(room) == reason
    assert len(rest.exchanges) == tries
    room.ask("again", T2)
    assert room.ended().ending is ResponseEnding.COMPLETED


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault(cut_after=3), "aborted"),
        (Fault(end_after=3), "aborted"),
        (Fault(garbage_after=3), "bad_frame"),
        (Fault(cut_after=0), "aborted"),
    ],
)
def test_a_broken_answer_has_failed(room: Room, rest: Rest, fault: Fault, reason: str) -> None:
    rest.next(fault)
    room.ask()
    assert failed(room) == reason
    assert room.ask("again", T2) == R2
    assert room.ended().ending is ResponseEnding.COMPLETED


def test_thoughts_are_progress(room: Room, rest: Rest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "PROGRESS_SECONDS", 0.0)
    answers(rest, "<think>So they greet me.</think>Hello.")
    room.ask()
    room.ended()
    told = [one.text for one in room.said.received() if isinstance(one, ResponseText)]
    assert (told.count("") > 1, "".join(told)) == (True, "Hello.")
    monkeypatch.setattr(chat, "PROGRESS_SECONDS", 60.0)
    room.ask("again", T2)
    room.ended()
    told = [one.text for one in room.said.received() if isinstance(one, ResponseText) and one.response == R2]
    assert (told.count(""), told[0], "".join(told)) == (1, "", "Hello.")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(pieces=("Well, ",), failure="server_error"), "provider_down"),
        (Reply(pieces=("Well, ",), failure="rate_limit_exceeded"), "rate_limited"),
        (Reply(pieces=(), incomplete="content_filter"), "content_filter"),
        (Reply(pieces=("<think>Hm",), incomplete="max_output_tokens"), "max_output_tokens"),
    ],
)
def test_an_answer_that_the_server_gives_up_has_failed(
    room: Room, rest: Rest, reply: Reply, reason: str
) -> None:
    rest.brains.think = lambda _: reply
    room.ask()
    assert failed(room) == reason


@pytest.mark.parametrize(
    "body",
    [
        "<html>log in</html>",
        {"error": {"message": PROSE}},
        {"choices": [{"message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}]},
    ],
)
def test_what_is_no_stream_cannot_be_read(room: Room, ground: Ground, body: object) -> None:
    ground.refuse_next(200, body)
    room.ask()
    assert failed(room) == "bad_frame"


def test_an_answer_that_trickles_ends(
    room: Room, rest: Rest, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "WHOLE_SECONDS", 0.5)
    sdk.warm()
    answers(rest, "word " * 200)
    rest.next(Fault(between_seconds=0.02))
    room.ask()
    assert failed(room) == "timeout"
    ground.until(lambda: rest.exchanges[0].dropped)


def test_an_answer_is_whole_before_its_stream_is(
    room: Room, rest: Rest, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "LINGER_SECONDS", 0.05)
    answers(rest, "Hi.")
    rest.next(Fault(stall_after=3))
    room.ask()
    assert room.ended().ending is ResponseEnding.COMPLETED
    ground.until(lambda: rest.exchanges[0].dropped)
    assert len([one for one in room.said.received() if isinstance(one, ResponseEnded)]) == 1


def test_nobody_there_is_unreachable(loop: IoLoop) -> None:
    room = Room(loop, "http://127.0.0.1:9/v1")
    room.ask()
    assert failed(room) == "unreachable"
    room.mind.close()


def test_a_library_that_is_not_installed_is_a_reason(loop: IoLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError(name="openai")

    monkeypatch.setattr(sdk, "warm", missing)
    room = Room(loop, "http://127.0.0.1:9/v1")
    room.ask()
    assert failed(room) == "not_installed"
    room.mind.close()


# --- discretion -----------------------------------------------------------------------------------


def test_neither_key_nor_words_get_into_a_log(
    room: Room, rest: Rest, ground: Ground, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answers(rest, f"You said {SECRET}.")
    room.ask(SECRET)
    room.ended()
    ground.refuse_next(500, {"error": {"message": PROSE, "code": None}})
    room.ask(SECRET, T2)
    assert room.ended().ending is ResponseEnding.FAILED
    logged = caplog.text + "".join(repr(record.args) for record in caplog.records)
    for word in (SECRET, KEY, PROSE):
        assert word not in logged
    assert KEY not in repr(vars(room.mind))


def test_the_library_is_imported_and_the_client_made_on_another_thread(
    loop: IoLoop, rest: Rest, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers: list[str] = []
    make = sdk.openai_client

    def watched(service: Service, read_seconds: float) -> object:
        makers.append(threading.current_thread().name)
        return make(service, read_seconds)

    monkeypatch.setattr(sdk, "openai_client", watched)
    room = Room(loop, rest.base_url)
    room.ask()
    room.ended()
    room.mind.close()
    assert len(makers) == 1
    assert makers[0] != "io-loop"


def test_this_machine_is_spoken_to_without_a_proxy(
    loop: IoLoop, rest: Rest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody")
    room = Room(loop, rest.base_url)
    room.ask()
    assert room.ended().ending is ResponseEnding.COMPLETED
    room.mind.close()


def test_it_says_what_it_is(room: Room) -> None:
    assert room.mind.describe() == f"chat completions, gpt-6-luna, told {VERSION}"
