"""Every receipt that took time, or a moment, is somewhere in the timeline, and where it belongs."""

from __future__ import annotations

import pytest

from messages import evidence as say
from messages.ids import CallId, HandoffId, LineId, PersonId, RoomId, SegmentId, StayId, TurnId, UtteranceId
from supervisors.report.density import MOST_BINS, by_the_minute, is_dense, stretches
from supervisors.report.gathering import Found, Stamped, gather
from supervisors.report.lanes import count, lanes
from supervisors.report.marks import LOOKS, Lane, Mark
from supervisors.report.people import People
from supervisors.report.picture import picture
from supervisors.report.rows import numbers, rows
from supervisors.report.story import Story, stories
from tests.supervisors.report.evening import evening, write

STAY, ANN, BOB = StayId("s1"), PersonId("1000000001"), PersonId("bob")
TURN, SPEECH, SEGMENT = TurnId("t-1"), UtteranceId("t-1-speech"), SegmentId("s1-1.1")


def story(*told: tuple[float, say.Receipt]) -> Story:
    (one,) = stories(Found(stays={STAY: [Stamped(at=at, receipt=receipt) for at, receipt in told]}))
    return one


def drawn(*told: tuple[float, say.Receipt]) -> dict[str, list[tuple[str, float, float]]]:
    """The looks of every lane, with where they begin and end."""
    one = story(*told)
    people = People(receipt for _, receipt in told)
    return {
        lane.name: [(mark.look, round(mark.began, 3), round(mark.ended, 3)) for mark in lane.marks]
        for lane in lanes(one, people)
    }


def utterance(person: PersonId = ANN) -> say.Utterance:
    return say.Utterance(
        stay_id=STAY, person_id=person, segment_id=SEGMENT, duration_ms=2_000, voiced_ms=1_500
    )


def transcribed(outcome: str) -> say.Transcription:
    return say.Transcription(
        stay_id=STAY, person_id=ANN, segment_id=SEGMENT, outcome=outcome, latency_ms=600, characters=9
    )


def played(phase: str, speech: UtteranceId = SPEECH) -> say.Playback:
    return say.Playback(stay_id=STAY, utterance_id=speech, turn_id=TURN, phase=phase, at_ms=0)


def ducked(phase: str = "ducked") -> say.Overlap:
    return say.Overlap(
        stay_id=STAY, person_id=ANN, segment_id=SEGMENT, utterance_id=SPEECH, phase=phase, reaction="duck"
    )


def left() -> say.Left:
    return say.Left(stay_id=STAY, reason="operator", duration_ms=1)


@pytest.mark.parametrize(
    ("outcome", "look"), [("words", "said"), ("empty", "empty"), ("dropped", "lost"), ("failed", "lost")]
)
def test_a_voice_ends_where_the_transcript_says_that_it_did(outcome: str, look: str) -> None:
    assert drawn((10.0, utterance()), (10.01, transcribed(outcome))) == {
        "person 1 …0001": [(look, 7.41, 9.41)]
    }


def test_a_voice_without_a_transcript_is_drawn_all_the_same_and_words_without_a_voice_as_well() -> None:
    assert drawn((10.0, utterance()), (12.0, left())) == {"person 1 …0001": [("lost", 7.4, 9.4)]}
    assert drawn((10.0, transcribed("words"))) == {"person 1 …0001": [("said", 9.1, 9.4)]}


def test_who_may_be_heard_is_told_from_the_grant_to_whatever_ended_it() -> None:
    def consent(phase: str, person: PersonId = ANN) -> say.Consent:
        return say.Consent(stay_id=STAY, person_id=person, phase=phase)

    told = ((1.0, consent("granted")), (2.0, consent("granted", BOB)), (5.0, consent("withdrawn")))
    assert drawn(*told, (8.0, consent("counted")), (9.0, left())) == {
        "person 1 …0001": [("may", 1, 5)],
        "person 2 bob": [("may", 2, 9)],
    }


def test_comings_goings_and_written_lines_are_moments() -> None:
    def change(what: str) -> say.Membership:
        return say.Membership(stay_id=STAY, person_id=ANN, change=what, humans=1)

    typed = say.TextInput(stay_id=STAY, person_id=ANN, line_id=LineId("l"), characters=4)
    found = drawn((1.0, change("arrived")), (2.0, typed), (3.0, change("departed")), (4.0, change("moved")))
    assert found == {"person 1 …0001": [("came", 1, 1), ("typed", 2, 2), ("went", 3, 3), ("came", 4, 4)]}


VOICES = [
    ("drained", [("voice", 1, 3)]),
    ("failed", [("voice-failed", 1, 3)]),
    ("cut", [("voice-cut", 1, 3), ("stop", 3, 3)]),
]


@pytest.mark.parametrize(("phase", "marks"), VOICES)
def test_his_voice_goes_from_started_to_its_end(phase: str, marks: list[tuple[str, float, float]]) -> None:
    told = ((0.9, played("buffered")), (1.0, played("started")), (3.0, played(phase)), (4.0, left()))
    assert drawn(*told)["Clankie"] == marks


def test_a_voice_that_never_ended_goes_to_the_next_or_to_the_end_of_the_record() -> None:
    told = ((1.0, played("started")), (3.0, played("started", UtteranceId("u2"))), (5.0, left()))
    assert drawn(*told)["Clankie"] == [("voice-failed", 1, 3), ("voice-failed", 3, 5)]


@pytest.mark.parametrize("ending", [ducked("resumed"), played("drained")])
def test_he_is_quieter_until_he_rises_or_is_done(ending: say.Receipt) -> None:
    found = drawn((1.0, played("started")), (2.0, ducked()), (3.0, ending), (4.0, left()))
    assert ("duck", 2, 3) in found["Clankie"]


def test_the_wait_before_his_voice_is_the_latency_of_the_response() -> None:
    response = say.Response(
        stay_id=STAY,
        turn_id=TURN,
        utterance_id=SPEECH,
        trigger="address",
        whole=True,
        decision_to_first_audio_ms=400,
    )
    found = drawn((1.0, played("started")), (3.0, played("drained")), (3.1, response))
    assert ("wait", 0.6, 1.0) in found["Clankie"]


def test_the_floor_is_held_by_one_after_the_other() -> None:
    def floor(state: str, holder: PersonId | None = None) -> say.Floor:
        return say.Floor(stay_id=STAY, state=state, holder_id=holder)

    told = (
        (1.0, floor("engaged", ANN)),
        (2.0, floor("engaged", BOB)),
        (4.0, floor("dormant")),
        (6.0, left()),
    )
    assert drawn(*told) == {"floor": [("holds", 1, 2), ("holds", 2, 4)]}


def test_work_and_trouble_last_until_they_are_over() -> None:
    def handoff(phase: str) -> say.Handoff:
        return say.Handoff(stay_id=STAY, handoff_id=HandoffId("h"), asker_id=ANN, phase=phase)

    def link(phase: str) -> say.Degraded:
        return say.Degraded(stay_id=STAY, phase=phase, reason="x")

    tool = say.CaptainTool(
        handoff_id=HandoffId("h"), name="react", surface="voice", outcome="refused", latency_ms=500
    )
    found = drawn(
        (1.0, handoff("began")),
        (2.0, link("lost")),
        (3.0, tool),
        (4.0, link("restored")),
        (5.0, handoff("failed")),
        (6.0, link("hindered")),
        (6.5, say.Degraded(stay_id=STAY, phase="restarted", reason="crashed", part="voice")),
        (7.0, say.Failed(stay_id=STAY, stage="playback", reason="stalled")),
        (8.0, handoff("began")),
        (9.0, left()),
    )
    assert found["captain"] == [("tool-bad", 2.5, 3), ("work-bad", 1, 5), ("work-bad", 8, 9)]
    assert found["trouble"] == [("link", 2, 4), ("trouble", 6.5, 6.5), ("trouble", 7, 7), ("hindered", 6, 9)]


def test_a_line_and_its_turn_share_a_row_and_a_tool_alone_makes_none() -> None:
    def judged(line: str) -> say.FloorDecision:
        return say.FloorDecision(
            stay_id=STAY,
            person_id=ANN,
            line_id=LineId(line),
            heard_as="addressed",
            decision="wake",
            rule="r",
            turn_id=TURN,
        )

    tool = say.RealtimeTool(stay_id=STAY, turn_id=None, call_id=CallId("c"), name="t", phase="called")
    greeting = say.ModelResponse(
        stay_id=STAY, turn_id=TurnId("t-0"), phase="completed", trigger="greeting", outcome="silent"
    )
    joined = say.Joined(stay_id=STAY, room_id=RoomId("r"), humans=1, bots=0, encryption="dave")
    told = rows(
        story(
            (0.0, joined),
            (1.0, greeting),
            (2.0, judged("l1")),
            (3.0, judged("l2")),
            (4.0, tool),
            (5.0, played("started")),
        )
    )
    assert [(row.line and row.line.line_id, row.joins, row.silent) for row in told] == [
        (None, False, True),
        ("l1", True, False),
        ("l2", False, False),
    ]
    assert numbers(told) == {"t-0": 0, "l1": 1, "l2": 2, "t-1": 2}


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[Story, tuple[Lane, ...]]:
    """A stay of hours, and its lanes."""
    path = write(tmp_path_factory.mktemp("long") / "receipts.jsonl", evening(9_000))
    (one,) = stories(gather([path], lambda _: None))
    return one, lanes(one, People(stamped.receipt for stamped in one.stamped))


def test_every_look_that_is_drawn_has_words(long: tuple[Story, tuple[Lane, ...]]) -> None:
    assert {mark.look for lane in long[1] for mark in lane.marks} <= set(LOOKS)


def test_a_long_stay_is_drawn_by_the_minute(long: tuple[Story, tuple[Lane, ...]]) -> None:
    one, found = long
    assert is_dense(found)
    binned = by_the_minute(found, one.began, one.ended)
    assert count(binned) <= MOST_BINS * len(found)
    looks = [mark.look for lane in binned for mark in lane.marks]
    assert {"level0", "level9"} <= set(looks) <= {f"level{number}" for number in range(10)}


def test_stretches_hold_every_mark_and_only_their_own(long: tuple[Story, tuple[Lane, ...]]) -> None:
    one, found = long
    several = list(stretches(found, one.began, one.ended))
    assert [a.ended for a in several[:-1]] == [b.began for b in several[1:]]
    for lane, parts in zip(found, zip(*(stretch.lanes for stretch in several), strict=True), strict=True):
        told = sum(mark.ended - mark.began for part in parts for mark in part.marks)
        assert told == pytest.approx(sum(mark.ended - mark.began for mark in lane.marks), abs=1.0)
    for stretch in several:
        marks = [mark for lane in stretch.lanes for mark in lane.marks]
        assert len(marks) < 1_000
        inside = [mark for mark in marks if mark.began < stretch.ended and mark.ended >= stretch.began]
        assert inside == marks


def test_a_moment_counts_in_a_minute() -> None:
    lane = Lane(name="a", title="a", look="bad", marks=(Mark(began=61.0, ended=61.0, look="trouble"),))
    (binned,) = by_the_minute([lane], 0.0, 180.0)
    assert [(mark.began, mark.ended) for mark in binned.marks] == [(60.0, 120.0)]


def decades(many: int) -> Lane:
    """A clock was set right after the first of these moments."""
    after = [Mark(began=1e9 + number, ended=1e9 + number, look="trouble") for number in range(many)]
    whole = Mark(began=0.0, ended=1e9 + many, look="may", strip="back")
    return Lane(name="a", title="a", look="bad", marks=(whole, *after))


def test_where_nothing_changes_for_decades_there_is_no_stretch() -> None:
    several = list(stretches([decades(4_000)], 0.0, 1e9 + 4_000))
    assert 3 <= len(several) <= 40
    assert sum(mark.look == "trouble" for one in several for mark in one.lanes[0].marks) == 4_000
    assert all(one.lanes[0].marks[0].look == "may" for one in several)
    assert several[0].ended < several[1].began
    assert {(mark.began, mark.ended) for mark in several[0].lanes[0].marks} == {(0.0, several[0].ended)}


def test_what_began_before_a_stay_or_ends_after_it_is_in_its_first_or_last_stretch() -> None:
    many = tuple(Mark(began=at / 10, ended=at / 10, look="trouble") for at in range(6_000))
    outside = Mark(began=-1e4, ended=-1e4, look="came"), Mark(began=1e4, ended=1e4, look="went")
    several = list(stretches([Lane(name="a", title="a", look="bad", marks=(*outside, *many))], 0.0, 600.0))
    assert (several[0].began, several[-1].ended) == (0.0, 600.0)
    assert [one.lanes[0].marks[0].look for one in (several[0], several[-1])] == ["came", "went"]


def test_decades_have_as_many_ticks_as_minutes() -> None:
    for span in (60.0, 1e9):
        text = "".join(picture([decades(1)], 0.0, span, zero=0.0, rows={}, label="x"))
        assert 5 <= text.count("<text x=") <= 13


def test_what_happened_all_at_once_is_one_stretch() -> None:
    lane = Lane(name="a", title="a", look="bad", marks=(Mark(began=5.0, ended=5.0, look="trouble"),) * 4_000)
    (one,) = stretches([lane], 5.0, 5.0)
    assert one.lanes == (lane,)
