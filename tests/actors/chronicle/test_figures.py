"""The numbers of a stay count each thing once, and say nothing where there was nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.chronicle.figures import Distribution, figures
from messages import evidence as say
from messages.ids import CallId, HandoffId, LineId, PersonId, SegmentId, StayId, TurnId, UtteranceId

STAY, ANN, TURN = StayId("s1"), PersonId("ann"), TurnId("t-1")


def overlap(phase: str, segment: str = "g1", speech: str = "u1") -> say.Overlap:
    return say.Overlap(
        stay_id=STAY,
        person_id=ANN,
        segment_id=SegmentId(segment),
        utterance_id=UtteranceId(speech),
        phase=phase,
        reaction="duck",
    )


def interrupted(segment: str = "g1", rule: str = "control") -> say.Interrupted:
    return say.Interrupted(
        stay_id=STAY,
        person_id=ANN,
        segment_id=SegmentId(segment),
        utterance_id=UtteranceId("u1"),
        turn_id=TURN,
        rule=rule,
        partial=False,
        word_end_to_cut_ms=61,
    )


def transcribed(outcome: str, latency: int = 600) -> say.Transcription:
    return say.Transcription(
        stay_id=STAY,
        person_id=ANN,
        segment_id=SegmentId("g1"),
        outcome=outcome,
        latency_ms=latency,
        characters=1,
    )


def decided(heard: str, decision: str) -> say.FloorDecision:
    return say.FloorDecision(
        stay_id=STAY, person_id=ANN, line_id=LineId("l"), heard_as=heard, decision=decision, rule="r"
    )


def model(phase: str, outcome: str | None = None, first: int | None = None) -> say.ModelResponse:
    return say.ModelResponse(
        stay_id=STAY, turn_id=TURN, phase=phase, trigger="address", outcome=outcome, first_text_ms=first
    )


def played(phase: str, silence: int | None = None) -> say.Playback:
    return say.Playback(
        stay_id=STAY,
        utterance_id=UtteranceId("u1"),
        turn_id=TURN,
        phase=phase,
        at_ms=1,
        decision_to_silence_ms=silence,
    )


OVERLAPS: list[tuple[str, list[say.Receipt], int]] = [
    ("he rose again", [overlap("ducked"), overlap("resumed")], 1),
    ("he was cut off", [overlap("ducked"), interrupted()], 0),
    ("he rose, and was cut off by the same voice", [overlap("ducked"), overlap("resumed"), interrupted()], 0),
    ("and by another voice", [overlap("ducked"), overlap("resumed"), interrupted("g2")], 1),
    ("he was done before he rose", [overlap("ducked"), played("drained")], 0),
    ("he rose twice over one voice", [*[overlap("ducked"), overlap("resumed")] * 2], 1),
    (
        "two voices",
        [overlap("ducked"), overlap("resumed"), overlap("ducked", "g2"), overlap("resumed", "g2")],
        2,
    ),
    ("the record begins in between", [overlap("resumed")], 0),
]


@pytest.mark.parametrize(
    ("receipts", "expected"), [case[1:] for case in OVERLAPS], ids=[case[0] for case in OVERLAPS]
)
def test_an_overlap_is_false_if_it_came_to_nothing(receipts: list[say.Receipt], expected: int) -> None:
    assert figures(receipts).false_overlaps == expected


def test_what_is_heard_is_counted_by_what_it_came_to() -> None:
    utterance = say.Utterance(
        stay_id=STAY, person_id=ANN, segment_id=SegmentId("g1"), duration_ms=900, voiced_ms=700
    )
    typed = say.TextInput(stay_id=STAY, person_id=ANN, line_id=LineId("l"), characters=3)
    found = figures(
        [utterance, utterance, typed, transcribed("words"), transcribed("empty", 900), transcribed("empty")]
    )
    assert (found.utterances, found.voiced_ms, found.typed) == (2, 1400, 1)
    assert found.transcriptions == {"empty": 2, "words": 1}
    assert found.empty_ratio == pytest.approx(2 / 3)
    assert found.transcript.values == (600,)


def test_lines_and_turns_are_counted_crosswise() -> None:
    found = figures(
        [
            decided("addressed", "wake"),
            decided("none", "listen"),
            decided("none", "listen"),
            model("requested"),
            model("completed", "spoke", 120),
            model("failed"),
        ]
    )
    assert found.lines == {"addressed": {"wake": 1}, "none": {"listen": 2}}
    assert found.turns == {"address": {"spoke": 1, "failed": 1}}
    assert found.first_text.values == (120,)


def test_cuts_are_counted_by_rule_and_timed_on_both_sides() -> None:
    found = figures(
        [overlap("ducked"), played("started"), interrupted(), interrupted(rule="address"), played("cut", 15)]
    )
    assert (found.ducks, found.spoken, found.cuts) == (1, 1, {"control": 1, "address": 1})
    assert (found.word_end_to_cut.values, found.cut_to_silence.values) == ((61, 61), (15,))


def test_trouble_work_and_privacy_are_counted() -> None:
    handed = HandoffId("h")
    found = figures(
        [
            say.Failed(stay_id=STAY, stage="playback", reason="stalled"),
            say.Degraded(stay_id=STAY, phase="lost", reason="1006"),
            say.Degraded(stay_id=STAY, phase="restored", reason="1006"),
            say.Degraded(stay_id=STAY, phase="hindered", reason="mute"),
            say.Consent(stay_id=STAY, person_id=ANN, phase="granted"),
            say.Consent(stay_id=STAY, person_id=ANN, phase="counted", decoded=7),
            say.Consent(stay_id=STAY, person_id=PersonId("bob"), phase="counted", unread=5),
            say.RealtimeTool(stay_id=STAY, turn_id=TURN, call_id=CallId("c"), name="t", phase="called"),
            say.RealtimeTool(
                stay_id=STAY, turn_id=TURN, call_id=CallId("c"), name="t", phase="answered", outcome="refused"
            ),
            say.CaptainTool(handoff_id=handed, name="react", surface="voice", outcome="done", latency_ms=3),
            say.Handoff(stay_id=STAY, handoff_id=handed, asker_id=ANN, phase="began"),
            say.Handoff(stay_id=STAY, handoff_id=handed, asker_id=ANN, phase="returned", latency_ms=900),
        ]
    )
    assert found.failures == {"playback": {"stalled": 1}}
    assert (found.links_lost, found.hindered) == (1, 1)
    assert (found.packets_read, found.packets_unread) == (7, 5)
    assert (found.tools, found.captain_tools) == ({"t": {"refused": 1}}, {"react": {"done": 1}})
    assert (found.handoffs, found.handoff.values) == ({"began": 1, "returned": 1}, (900,))


def test_usage_of_him_and_of_his_captain_is_on_one_bill() -> None:
    usage = say.Usage(stay_id=STAY, service="speech", provider="p", model="m", characters=20)
    captain = say.CaptainUsage(handoff_id=HandoffId("h"), provider="p", model="m", output_tokens=3)
    (spent,) = figures([usage, captain]).bill
    assert (spent.characters, spent.output_tokens) == (20, 3)


def test_a_response_is_timed_from_the_decision_and_from_the_speech_where_there_was_one() -> None:
    receipts = [
        say.Response(
            stay_id=STAY,
            turn_id=TURN,
            utterance_id=UtteranceId("u1"),
            trigger="address",
            whole=True,
            decision_to_first_audio_ms=80,
            speech_end_to_first_audio_ms=asked,
        )
        for asked in (700, None)
    ]
    found = figures(receipts)
    assert (found.first_audio.values, found.speech_end_to_first_audio.values) == ((80, 80), (700,))


def test_of_nothing_nothing_is_said() -> None:
    found = figures([])
    assert (found.empty_ratio, found.first_audio.median, found.first_audio.p95) == (None, None, None)


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=60))
def test_a_quantile_is_a_value_that_enough_others_do_not_exceed(values: list[int]) -> None:
    found = Distribution(values=tuple(sorted(values)))
    for part in (0.05, 0.5, 0.95, 1.0):
        value = found.quantile(part)
        assert value is not None
        assert value in values
        assert sum(one <= value for one in values) >= part * len(values)
        assert sum(one < value for one in values) < part * len(values)
    assert (found.median, found.p95) == (found.quantile(0.5), found.quantile(0.95))
