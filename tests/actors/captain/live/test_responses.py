"""A turn over a real socket: what is asked, what goes back as it came, and what is reported once."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest
from loguru import logger

from actors.captain.brief import Asked
from actors.captain.live import responses
from actors.net.loop import IoLoop
from messages.captain import MindSpent, MindStepped, MindWorks, ToolCall
from messages.ids import CallId, HandoffId
from messages.tools import ComeToVoice, LeaveVoice, Mistaken, UseMachine
from tests.actors.captain.live.asked import (
    BRIEF,
    H1,
    H2,
    PLAY,
    SECRET,
    SETTINGS,
    Desk,
    came,
    items,
    joins,
    says,
    sent,
)
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.fixtures import KEY, PATIENCE
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.responses_asked import CaptainReply
from tests.loopback.openai.rest import Rest
from tests.loopback.providers import Ground

# --- a turn ---------------------------------------------------------------------------------------


def test_a_turn_of_two_steps_carries_everything_back(desk: Desk, rest: Rest, ground: Ground) -> None:
    rest.brains.captain = joins
    first = desk.step()
    assert (first.step, first.text) == (1, "")
    join, play = first.calls
    assert join.request == ComeToVoice()
    assert play.request == UseMachine(tool="music__play", arguments='{"song": "x"}')
    steered = Asked(speaker="Anna", request="and say hello")
    last = desk.step(2, came(join.call), came(play.call, '{"text": "ok"}'), steered)
    assert last == MindStepped(handoff=H1, step=2, text="joined, and 2 asked")
    assert [item.text("type") for item in items(rest)] == [
        *("message", "reasoning", "function_call", "function_call"),
        *("function_call_output", "function_call_output", "message"),
    ]
    assert ground.violations == []


def test_nothing_of_a_turn_is_left_with_the_server(desk: Desk, rest: Rest) -> None:
    says(rest, "Hello.")
    desk.step()
    body = sent(rest)
    assert (body.text("model"), body.flag("stream")) == ("gpt-6.1-sol", True)
    assert body.fields["store"] is False
    assert body.fields["include"] == ["reasoning.encrypted_content"]
    assert body.fields["reasoning"] == {"effort": "low"}
    assert body.fields["parallel_tool_calls"] is True
    assert body.number("max_output_tokens") == SETTINGS.max_output_tokens
    assert "previous_response_id" not in body
    strict = {tool.text("name"): tool.fields["strict"] for tool in body.bodies("tools")}
    assert strict == {"voice_join": True, "voice_leave": True, "remember": True, "music__play": False}


def test_a_turn_without_tools_and_effort_sends_neither(loop: IoLoop, rest: Rest) -> None:
    desk = Desk(loop, rest.base_url, replace(SETTINGS, reasoning_effort="", model="gpt-6-luna"))
    desk.begin(brief=replace(BRIEF, tools=(), machines=()))
    desk.step()
    assert not {"tools", "parallel_tool_calls", "reasoning"} & set(sent(rest).fields)
    assert desk.mind.describe() == "responses, gpt-6-luna, told captain/1"
    desk.mind.close()


def test_silence_is_an_answer_and_a_thought_that_led_to_it_is_not_taken_back(
    desk: Desk, rest: Rest, ground: Ground
) -> None:
    says(rest, "")
    assert desk.step().text == ""
    says(rest, " (silence)\n")
    assert desk.step(2, Asked(speaker="Anna", request="and?")).text == ""
    assert [item.text("type") for item in items(rest)] == ["message", "message"]
    assert ground.violations == []


def test_a_mistake_of_the_model_is_a_call_all_the_same(desk: Desk, rest: Rest, ground: Ground) -> None:
    says(rest, "", ("rm", "{}"), ("voice_join", '{"channel_id": "1"}'), ("music__play", "["))
    calls = desk.step().calls
    assert [call.request.tool for call in calls if isinstance(call.request, Mistaken)] == [
        *("rm", "voice_join", "music__play"),
    ]
    says(rest, "Well.")
    assert desk.step(2, *(came(call.call) for call in calls)).text == "Well."
    assert ground.violations == []


def test_a_call_that_comes_twice_is_one_and_one_that_borrows_a_name_gets_its_own(
    desk: Desk, rest: Rest, ground: Ground
) -> None:
    calls = (("voice_join", "{}"), ("voice_join", "{}"), ("voice_leave", "{}"))
    rest.brains.captain = lambda _: CaptainReply(calls=calls, ids=("same", "same", "same"))
    join, leave = desk.step().calls
    assert join == ToolCall(call=CallId("same"), request=ComeToVoice())
    assert (leave.request, leave.call != join.call) == (LeaveVoice(), True)
    rest.brains.captain = lambda _: CaptainReply(calls=calls[:1], ids=("same",))
    (again,) = desk.step(2, came(join.call), came(leave.call)).calls
    assert again.call not in {join.call, leave.call}
    says(rest, "Done.")
    assert desk.step(3, came(again.call)).text == "Done."
    assert ground.violations == []


def test_a_name_that_is_made_up_for_a_call_is_nobody_elses(desk: Desk, rest: Rest) -> None:
    calls = (("voice_join", "{}"), ("voice_leave", "{}"))
    rest.brains.captain = lambda _: CaptainReply(calls=calls, ids=("call_2_1", "not a name"))
    join, leave = desk.step().calls
    assert (join.call, leave.call) == ("call_2_1", "call_3_1")


def test_half_a_letter_stops_nothing(desk: Desk, rest: Rest, ground: Ground) -> None:
    half = "half \ud83d"
    asked = Asked(speaker=half, request=half, observations=(half,))
    desk.begin(H2, replace(BRIEF, asked=(asked,), machines=(replace(PLAY, description=half, schema=half),)))
    says(rest, half, ("music__play", json.dumps({"song": half})))
    first = desk.step(turn=H2)
    assert first.text == "half \ufffd"
    says(rest, "Whole.")
    assert desk.step(2, came(first.calls[0].call, half), asked, turn=H2).text == "Whole."
    assert ground.violations == []


def test_a_failed_step_is_asked_again_as_it_was(desk: Desk, rest: Rest, ground: Ground) -> None:
    rest.brains.captain = joins
    join, play = desk.step().calls
    rest.next(Fault(cut_after=3))
    desk.mind.think(H1, 2, (came(join.call), came(play.call)))
    assert desk.failed(3) == "aborted"
    rest.next(Fault(end_after=4))
    assert desk.failed(4) == "aborted"
    assert desk.step(5).text == "joined, and 1 asked"
    assert sent(rest, -1).fields["input"] == sent(rest, -2).fields["input"]
    assert ground.violations == []


def test_a_mind_at_work_is_told_so_and_no_more_than_once_a_second(
    desk: Desk, rest: Rest, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(rest, "one two three four five")
    desk.step()
    assert [type(one) for one in desk.said.received()] == [MindWorks, MindSpent, MindStepped]
    monkeypatch.setattr(responses, "PROGRESS_SECONDS", 0.0)
    desk.said.clear()
    desk.step(2)
    assert len(desk.said.received()) > 5


# --- breaking off ---------------------------------------------------------------------------------


@pytest.mark.parametrize("parting", ["over", "close"])
def test_a_turn_that_is_over_is_hung_up_on_and_silent(
    desk: Desk, rest: Rest, ground: Ground, parting: str
) -> None:
    says(rest, "one two three")
    rest.next(Fault(stall_after=4))
    desk.mind.think(H1, 1, ())
    desk.said.expect(MindWorks, PATIENCE)
    if parting == "over":
        desk.mind.over(H1)
    else:
        desk.mind.close()
    ground.until(lambda: rest.exchanges[0].dropped, what="a hang-up")
    desk.mind.think(H1, 2, ())
    desk.begin(H2)
    if parting == "over":
        assert desk.step(turn=H2).handoff == H2
    assert [one.handoff for one in desk.ends()] == ([H2] if parting == "over" else [])
    assert desk.mind._turns.keys() == ({H2} if parting == "over" else set())


def test_a_whole_answer_does_not_wait_for_the_end_of_its_stream(
    desk: Desk, rest: Rest, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "LINGER_SECONDS", 0.05)
    says(rest, "")
    rest.next(Fault(stall_after=5))
    assert desk.step().text == ""
    ground.until(lambda: rest.exchanges[0].dropped, what="a hang-up")
    assert len(desk.ends()) == 1


def test_a_hundred_turns_think_side_by_side_and_leave_nothing(desk: Desk, rest: Rest) -> None:
    rest.brains.captain = joins
    turns = [HandoffId(f"turn-{number}") for number in range(100)]
    for turn in turns:
        desk.begin(turn)
        desk.mind.think(turn, 1, ())
    stepped = [desk.stepped() for _ in turns]
    assert {one.handoff for one in stepped} == set(turns)
    kept = [sum(map(len, turn.items)) for turn in desk.mind._turns.values()]
    assert sum(kept) < 100 * 8_192
    for turn in turns:
        desk.mind.over(turn)
    says(rest, "Still here.")
    assert desk.step().text == "Still here."
    assert list(desk.mind._turns) == [H1]


def test_a_turn_that_remembers_too_much_ends(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "MOST_BYTES", 100)
    assert desk.failed() == "context_length_exceeded"


# --- discretion -----------------------------------------------------------------------------------


def test_neither_key_nor_words_get_into_a_log_or_a_repr(
    desk: Desk, rest: Rest, ground: Ground, caplog: pytest.LogCaptureFixture
) -> None:
    lines: list[str] = []
    sink = logger.add(lines.append, level=0, diagnose=True, backtrace=True)
    caplog.set_level(logging.DEBUG)
    says(rest, f"You said {SECRET}.", ("music__play", json.dumps({"song": SECRET})))
    desk.begin(H2, replace(BRIEF, asked=(Asked(speaker="Anna", request=SECRET),)))
    desk.step(turn=H2)
    ground.refuse_next(400, {"error": {"message": f"include {PROSE} {SECRET}", "code": None}})
    ground.refuse_next(500, {"error": {"message": f"{PROSE} {SECRET}", "code": None}})
    assert desk.failed() == "provider_down"
    logger.remove(sink)
    logged = caplog.text + "".join(repr(record.args) for record in caplog.records) + "".join(lines)
    assert "include" in logged
    for word in (SECRET, KEY, PROSE):
        assert word not in logged
        assert word not in repr(vars(desk.mind))
