"""A turn is what its receipts say of it, in whatever order they come."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from actors.chronicle.why import JudgedLine, Turn, after, line_of, turn_of
from messages import evidence as say
from messages.ids import (
    CallId,
    HandoffId,
    LineId,
    PersonId,
    RoomId,
    SegmentId,
    StayId,
    TurnId,
    UtteranceId,
)

STAY, ANN, TURN, OTHER = StayId("s1"), PersonId("ann"), TurnId("t-1"), TurnId("t-2")
SPEECH, SEGMENT = UtteranceId("t-1-speech"), SegmentId("s1-1.1")


def judged(line: str = "l1", turn: TurnId | None = TURN) -> say.FloorDecision:
    return say.FloorDecision(
        stay_id=STAY,
        person_id=ANN,
        line_id=LineId(line),
        heard_as="addressed",
        decision="wake",
        rule="addressed",
        turn_id=turn,
    )


def model(phase: str, outcome: str | None = None, reason: str | None = None) -> say.ModelResponse:
    latency = None if phase == "requested" else 300
    return say.ModelResponse(
        stay_id=STAY,
        turn_id=TURN,
        phase=phase,
        trigger="address",
        outcome=outcome,
        reason=reason,
        latency_ms=latency,
        first_text_ms=120 if outcome == "spoke" else None,
    )


def sound(phase: str, reason: str | None = None, silence: int | None = None) -> say.Playback:
    return say.Playback(
        stay_id=STAY,
        utterance_id=SPEECH,
        turn_id=TURN,
        phase=phase,
        at_ms=0,
        reason=reason,
        decision_to_silence_ms=silence,
    )


def cut(rule: str = "control") -> say.Interrupted:
    return say.Interrupted(
        stay_id=STAY,
        person_id=ANN,
        segment_id=SEGMENT,
        utterance_id=SPEECH,
        turn_id=TURN,
        rule=rule,
        partial=True,
        word_end_to_cut_ms=60,
    )


def response(whole: bool = True) -> say.Response:
    return say.Response(
        stay_id=STAY,
        turn_id=TURN,
        utterance_id=SPEECH,
        trigger="address",
        whole=whole,
        decision_to_first_audio_ms=75,
        speech_end_to_first_audio_ms=698,
    )


def tool(phase: str = "called", turn: TurnId | None = TURN) -> say.RealtimeTool:
    return say.RealtimeTool(stay_id=STAY, turn_id=turn, call_id=CallId("c1"), name="voice_leave", phase=phase)


def failed(reason: str = "quota", turn: TurnId | None = TURN) -> say.Failed:
    return say.Failed(stay_id=STAY, stage="conversation_session", reason=reason, turn_id=turn)


def volition(outcome: str = "offered") -> say.Volition:
    return say.Volition(stay_id=STAY, outcome=outcome, turn_id=TURN)


def told(receipts: Sequence[say.StayReceipt]) -> Turn:
    """The turn after these receipts, one a second from second 100."""
    turn: Turn | None = None
    for number, receipt in enumerate(receipts):
        turn = after(turn, receipt, 100.0 + number)
    assert turn is not None
    return turn


SPOKEN = (judged(), model("requested"), model("completed", "spoke"), sound("buffered"), sound("started"))
CASES: list[tuple[str, Sequence[say.StayReceipt], tuple[str, str, float | None]]] = [
    ("asked", (judged(), model("requested")), ("", "", None)),
    ("on its way", SPOKEN, ("spoke", "", None)),
    ("heard to its end", (*SPOKEN, sound("drained"), response()), ("spoke", "", 105)),
    ("never begun to sound", (*SPOKEN[:3], sound("drained")), ("silent", "", 103)),
    ("silent", (model("requested"), model("completed", "silent")), ("silent", "", 101)),
    ("a tool", (model("requested"), tool(), model("completed", "tool")), ("tool", "", 102)),
    (
        "a tool, and a word",
        (tool(), model("completed", "tool"), sound("started"), sound("drained")),
        ("tool", "", 103),
    ),
    ("a tool, a word on its way", (tool(), model("completed", "tool"), sound("started")), ("tool", "", None)),
    ("refused", (model("requested"), failed(), model("failed", "failed", "busy")), ("failed", "quota", 102)),
    ("failed, by the phase alone", (model("failed", None, "busy"),), ("failed", "busy", 100)),
    ("cut", (*SPOKEN, cut(), sound("cut", silence=15)), ("cut", "control", 106)),
    (
        "cut, then the model notices",
        (*SPOKEN[:2], sound("started"), cut(), sound("cut", silence=15), model("completed", "cut")),
        ("cut", "control", 104),
    ),
    ("hushed", (*SPOKEN, sound("cut", silence=15)), ("cut", "", 105)),
    ("its sound failed", (*SPOKEN, sound("failed", "stalled")), ("failed", "stalled", 105)),
    (
        "drained before the model is done",
        (judged(), sound("started"), sound("drained"), model("completed", "spoke")),
        ("spoke", "", 102),
    ),
    ("known by its response alone", (response(),), ("spoke", "", None)),
    ("known by half a response alone", (response(whole=False),), ("cut", "", None)),
]


@pytest.mark.parametrize(
    ("receipts", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_came_of_a_turn(
    receipts: Sequence[say.StayReceipt], expected: tuple[str, str, float | None]
) -> None:
    turn = told(receipts)
    assert (turn.outcome, turn.reason, turn.ended_at) == expected
    assert (turn.turn_id, turn.stay_id, turn.at) == (TURN, STAY, 100.0)


def test_a_turn_knows_all_lines_that_asked_for_it_and_each_once() -> None:
    turn = told((judged("l1"), judged("l2"), judged("l1"), model("requested")))
    assert turn.lines == ("l1", "l2")
    assert turn.trigger == "address"


def test_a_turn_knows_how_long_everything_took() -> None:
    turn = told((*SPOKEN, cut(), sound("cut", silence=15), sound("failed"), response(whole=False)))
    assert (turn.model_ms, turn.first_text_ms) == (300, 120)
    assert (turn.first_audio_ms, turn.speech_end_to_first_audio_ms) == (75, 698)
    assert turn.cut_to_silence_ms == 15
    assert turn.audible_at == 104


def test_a_tool_is_named_when_it_is_called_and_not_again_when_it_answers() -> None:
    assert told((tool(), tool("answered"), tool())).tools == ("voice_leave", "voice_leave")


def test_an_unprompted_turn_is_one_before_it_is_asked() -> None:
    assert told((volition(),)).trigger == "volition"
    assert told((model("requested"), volition("taken"))).trigger == "address"


def test_what_is_of_no_turn_or_of_another_changes_nothing() -> None:
    begun = told((model("requested"),))
    utterance = say.Left(stay_id=STAY, reason="operator", duration_ms=1)
    assert after(begun, utterance, 200.0) is begun
    assert after(begun, judged(turn=OTHER), 200.0) is begun
    assert after(begun, failed(turn=None), 200.0) is begun
    assert after(None, judged(turn=None), 200.0) is None


@pytest.mark.parametrize(
    "receipt", [judged(), model("requested"), sound("cut"), cut(), response(), tool(), failed(), volition()]
)
def test_these_name_their_turn(receipt: say.StayReceipt) -> None:
    assert turn_of(receipt) == TURN


def test_others_name_none() -> None:
    joined = say.Joined(stay_id=STAY, room_id=RoomId("r"), humans=1, bots=0, encryption="dave")
    handoff = say.Handoff(stay_id=STAY, handoff_id=HandoffId("h"), asker_id=ANN, phase="began")
    assert [turn_of(one) for one in (joined, handoff, judged(turn=None))] == [None, None, None]


def test_a_line_is_what_the_floor_made_of_it() -> None:
    assert line_of(judged(), 7.5) == JudgedLine(
        at=7.5,
        stay_id=STAY,
        line_id=LineId("l1"),
        person_id=ANN,
        heard_as="addressed",
        decision="wake",
        rule="addressed",
        turn_id=TURN,
    )
    assert line_of(model("requested"), 7.5) is None
