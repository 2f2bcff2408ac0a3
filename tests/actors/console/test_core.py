"""What the console answers, and to whom, and when."""

from __future__ import annotations

from typing import get_args

import pytest

from actors.console.core import step
from actors.console.decisions import Answer, Decision, Listen, Log, LookAround, Wake, Watch
from actors.console.reasons import sentence
from actors.console.recounting import MAX_REASONS
from actors.console.report import StatusReport
from actors.console.state import State
from actors.console.viewing import MAX_ASKERS
from messages import console as ask
from messages import evidence as say
from messages.ids import (
    CallId,
    HandoffId,
    LineId,
    PersonId,
    RoomId,
    SegmentId,
    StayId,
    Token,
    TurnId,
    UtteranceId,
)
from tests.actors.console.fake import a_house, node
from tests.probe import Probe

NEW = State(version="1", opened_at=100.0, token=Token(0), ask_seconds=60.0)
STAY, ANN, BOB, TURN, SAID, PART = (
    StayId("s1"),
    PersonId("ann"),
    PersonId("bob"),
    TurnId("t1"),
    UtteranceId("u1"),
    SegmentId("g1"),
)
JOINED = say.Joined(stay_id=STAY, room_id=RoomId("r1"), humans=2, bots=1, encryption="dave")


def after(
    *events: ask.ConsoleMessage, state: State = NEW, now: float = 100.0
) -> tuple[State, tuple[Decision, ...]]:
    decisions: tuple[Decision, ...] = ()
    for event in events:
        state, decisions = step(state, event, now)
    return state, decisions


def asked() -> ask.StatusAsked:
    return ask.StatusAsked(answer=lambda _: None)


def recorded(*receipts: say.Receipt) -> list[say.Recorded]:
    return [say.Recorded(receipt=each, at=float(at), json_line="{}") for at, each in enumerate(receipts)]


def report_after(*receipts: say.Receipt) -> StatusReport:
    _, decisions = after(*recorded(*receipts), asked(), a_house())
    [answer] = decisions
    assert isinstance(answer, Answer)
    return answer.report


def consent(person: PersonId, phase: str) -> say.Consent:
    return say.Consent(stay_id=STAY, person_id=person, phase=phase)


def turn(phase: str, outcome: str | None = None, reason: str | None = None) -> say.ModelResponse:
    return say.ModelResponse(
        stay_id=STAY, turn_id=TURN, phase=phase, trigger="address", outcome=outcome, reason=reason
    )


def failed(stage: str) -> say.Failed:
    return say.Failed(stay_id=STAY, stage=stage, reason="timeout")


HEARD = say.Response(
    stay_id=STAY,
    turn_id=TURN,
    utterance_id=SAID,
    trigger="address",
    whole=True,
    decision_to_first_audio_ms=700,
)


def test_a_question_is_answered_when_the_house_has_described_itself() -> None:
    question, house = asked(), a_house(lost=3)
    state, decisions = after(question)
    assert decisions == (LookAround(), Wake(seconds=1.0, message=ask.TreeDue(token=Token(1))))
    state, decisions = after(house, state=state, now=100.5)
    [answer] = decisions
    assert isinstance(answer, Answer)
    assert answer.asked is question
    assert answer.report.tree is house
    assert (answer.report.uptime_s, answer.report.tree_age_s, answer.report.evidence_lost) == (0.5, 0.0, 3)
    assert state.asking == ()


def test_a_house_that_says_nothing_in_time_is_answered_for_with_the_last_look() -> None:
    house = a_house()
    state, _ = after(house, asked(), now=110)
    state, decisions = after(ask.TreeDue(token=Token(1)), state=state, now=111)
    [answer] = decisions
    assert isinstance(answer, Answer)
    assert (answer.report.tree, answer.report.tree_age_s) == (house, 1.0)


def test_a_house_that_never_said_anything_is_none() -> None:
    _, decisions = after(asked(), ask.TreeDue(token=Token(1)))
    [answer] = decisions
    assert isinstance(answer, Answer)
    assert (answer.report.tree, answer.report.tree_age_s, answer.report.evidence_lost) == (None, None, None)


def test_a_record_that_does_not_say_what_it_lost_leaves_that_open() -> None:
    _, decisions = after(asked(), node("root", node("root/evidence", kind="Evidence")))
    [answer] = decisions
    assert isinstance(answer, Answer)
    assert answer.report.evidence_lost is None


def test_a_record_that_opened_is_asked_for_its_news() -> None:
    assert after(say.EvidenceOpened(record=Probe[say.Watch]())) == (NEW, (Watch(words=False),))


def test_those_who_ask_meanwhile_share_one_look_and_an_old_timer_answers_nobody() -> None:
    one, two = asked(), asked()
    state, decisions = after(one, two)
    assert decisions == ()
    state, decisions = after(a_house(), state=state)
    assert [each.asked for each in decisions if isinstance(each, Answer)] == [one, two]
    state, _ = after(asked(), state=state)
    assert after(ask.TreeDue(token=Token(1)), state=state)[1] == ()


def test_beyond_the_bound_those_who_ask_are_answered_at_once() -> None:
    last = asked()
    _, decisions = after(*[asked() for _ in range(MAX_ASKERS)], last)
    [answer] = decisions
    assert isinstance(answer, Answer)
    assert answer.asked is last


def test_a_server_that_listens_and_one_that_cannot_are_said() -> None:
    state, decisions = after(ask.ServerReady(port=4330))
    assert decisions == (Log(text="the console listens on port 4330", failed=False),)
    assert state.server == "port 4330"
    state, decisions = after(ask.ServerFailed(reason="EADDRINUSE", remedy="stop the other"))
    again = Wake(seconds=5.0, message=ask.ListenDue())
    text = "the console cannot listen (EADDRINUSE) and tries on: stop the other"
    assert decisions == (Log(text=text, failed=True), again)
    assert state.server == "EADDRINUSE"


def test_one_that_cannot_listen_tries_again_and_says_so_once() -> None:
    failed = ask.ServerFailed(reason="EADDRINUSE", remedy="stop the other")
    state, decisions = after(failed, ask.ListenDue())
    assert decisions == (Listen(),)
    assert after(failed, state=state)[1] == (Wake(seconds=5.0, message=ask.ListenDue()),)


def test_words_change_nothing() -> None:
    spoken = say.SpokenWords(stay_id=STAY, utterance_id=SAID, text="hello", whole=True)
    heard = say.HeardWords(stay_id=STAY, person_id=ANN, label="Ann", text="hi", typed=False)
    assert after(spoken, heard) == (NEW, ())


def test_a_stay_is_told_by_its_receipts() -> None:
    floor = say.Floor(stay_id=STAY, state="engaged", holder_id=ANN)
    lost = say.Degraded(stay_id=STAY, phase="lost", reason="4015")
    granted = [
        consent(ANN, "granted"),
        consent(BOB, "granted"),
        consent(BOB, "withdrawn"),
        consent(ANN, "counted"),
    ]
    gone = say.Membership(stay_id=STAY, person_id=BOB, change="departed", humans=1)
    [stay] = report_after(
        JOINED,
        *granted,
        gone,
        floor,
        lost,
        turn("requested"),
        turn("completed", "silent"),
        failed("playback"),
    ).stays
    assert (stay.room_id, stay.humans, stay.consented) == ("r1", 1, 1)
    assert (stay.floor, stay.link_lost, stay.last_turn, stay.last_failure) == (
        "engaged",
        "4015",
        "silent",
        "playback",
    )
    assert stay.last_reason == "timeout"


def test_being_heard_ends_a_failure_and_a_link_comes_back() -> None:
    degraded = [say.Degraded(stay_id=STAY, phase=phase, reason="4015") for phase in ("lost", "restored")]
    [stay] = report_after(JOINED, failed("playback"), *degraded, turn("failed"), HEARD).stays
    assert (stay.last_failure, stay.last_reason, stay.link_lost) == (None, None, None)
    assert stay.last_turn == "spoke"


def test_what_the_server_does_to_his_voice_is_known_until_it_ends() -> None:
    muted = say.Degraded(stay_id=STAY, phase="hindered", reason="server_muted")
    freed = say.Degraded(stay_id=STAY, phase="freed", reason="server_muted")
    lost = say.Degraded(stay_id=STAY, phase="lost", reason="4015")
    again = say.Degraded(stay_id=STAY, phase="restarted", reason="crashed", part="realtime")
    assert [stay.link_lost for stay in report_after(JOINED, lost, again).stays] == ["4015"]
    assert [stay.hindrance for stay in report_after(JOINED, muted).stays] == ["server_muted"]
    assert [stay.hindrance for stay in report_after(JOINED, muted, freed).stays] == [None]


def test_moved_he_is_in_the_other_room_where_nobody_has_consented() -> None:
    moved = say.Degraded(stay_id=STAY, phase="lost", reason="moved", room_id=RoomId("r2"))
    here = say.Membership(stay_id=STAY, person_id=BOB, change="moved", humans=1)
    before = (JOINED, consent(ANN, "granted"), consent(ANN, "moved"), moved)
    [alone] = report_after(*before).stays
    assert (alone.room_id, alone.humans, alone.consented) == ("r2", 0, 0)
    [stay] = report_after(*before, here, consent(BOB, "granted")).stays
    assert (stay.room_id, stay.humans, stay.consented) == ("r2", 1, 1)


def test_what_belongs_to_no_stay_explains_no_silence() -> None:
    there = report_after(say.BridgeReady(rooms=2))
    assert (there.stays, there.reasons) == ((), ())


def test_what_the_captain_did_is_a_reason_without_a_stay() -> None:
    tool = say.CaptainTool(
        handoff_id=HandoffId("h"), name="react", surface="text", outcome="done", latency_ms=1
    )
    [reason] = report_after(tool).reasons
    assert (reason.stay_id, reason.text) == (None, sentence(tool))


def test_a_failed_turn_without_an_outcome_is_failed() -> None:
    [stay] = report_after(JOINED, turn("failed")).stays
    assert stay.last_turn == "failed"


def test_a_console_that_came_too_late_says_what_it_does_not_know() -> None:
    other = say.Left(stay_id=StayId("s2"), reason="kicked", duration_ms=1)
    [stay] = report_after(consent(ANN, "granted"), other).stays
    assert (stay.room_id, stay.humans, stay.consented, stay.floor) == (None, None, None, None)


def test_stays_do_not_mix_and_one_that_ended_is_gone() -> None:
    second = say.Joined(stay_id=StayId("s2"), room_id=RoomId("r2"), humans=1, bots=1, encryption="dave")
    left = say.Left(stay_id=STAY, reason="kicked", duration_ms=1)
    report = report_after(JOINED, second, consent(ANN, "granted"), left)
    assert [(stay.stay_id, stay.consented) for stay in report.stays] == [("s2", 0)]


def test_the_last_reasons_are_kept_in_order() -> None:
    many = [say.Volition(stay_id=STAY, outcome=str(number)) for number in range(MAX_REASONS + 5)]
    reasons = report_after(*many).reasons
    assert [reason.at for reason in reasons] == [float(number) for number in range(5, MAX_REASONS + 5)]
    assert reasons[-1].text == "speaking unasked was 34"


def transcription(outcome: str, reason: str | None = None) -> say.Transcription:
    return say.Transcription(
        stay_id=STAY,
        person_id=ANN,
        segment_id=PART,
        outcome=outcome,
        latency_ms=1,
        characters=0,
        reason=reason,
    )


def playback(phase: str, reason: str | None = None) -> say.Playback:
    return say.Playback(stay_id=STAY, utterance_id=SAID, turn_id=TURN, phase=phase, at_ms=1, reason=reason)


def tool(phase: str, outcome: str | None = None) -> say.RealtimeTool:
    return say.RealtimeTool(
        stay_id=STAY, turn_id=TURN, call_id=CallId("c"), name="voice_leave", phase=phase, outcome=outcome
    )


SENTENCES: list[tuple[say.StayReceipt, str | None]] = [
    (JOINED, "he came into room r1 with 2 people, dave"),
    (say.Left(stay_id=STAY, reason="kicked", duration_ms=1), "he left: kicked"),
    (
        say.Membership(stay_id=STAY, person_id=BOB, change="departed", humans=1),
        "bob departed; people in the room: 1",
    ),
    (consent(ANN, "granted"), "consent of ann: granted"),
    (consent(ANN, "counted"), None),
    (transcription("words"), None),
    (transcription("empty"), "what ann said gave no words: empty"),
    (transcription("dropped", "laughter"), "what ann said gave no words: dropped: laughter"),
    (
        say.FloorDecision(
            stay_id=STAY,
            person_id=ANN,
            line_id=LineId("l"),
            heard_as="none",
            decision="ignore",
            rule="dormant",
        ),
        "a line of ann was heard as none: ignore: dormant",
    ),
    (say.Floor(stay_id=STAY, state="dormant"), "the floor is dormant"),
    (say.Floor(stay_id=STAY, state="engaged", rule="name"), "the floor is engaged: name"),
    (say.Volition(stay_id=STAY, outcome="suppressed"), "speaking unasked was suppressed"),
    (
        say.Overlap(
            stay_id=STAY, person_id=ANN, segment_id=PART, utterance_id=SAID, phase="ducked", reaction="duck"
        ),
        "ann talked over him: ducked, duck",
    ),
    (
        say.Interrupted(
            stay_id=STAY,
            person_id=ANN,
            segment_id=PART,
            utterance_id=SAID,
            turn_id=TURN,
            rule="control",
            partial=True,
            word_end_to_cut_ms=1,
        ),
        "ann cut him off: control",
    ),
    (turn("requested"), "a turn was asked for: address"),
    (turn("completed", "silent"), "the turn for address ended silent"),
    (
        turn("failed", reason="quota"),
        "the turn for address ended failed: the account at the provider is used up",
    ),
    (HEARD, "he was heard, to the end: address"),
    (tool("called"), None),
    (tool("answered", "accepted"), "tool voice_leave: accepted"),
    (tool("answered"), "tool voice_leave: answered"),
    (
        say.Handoff(stay_id=STAY, handoff_id=HandoffId("h"), asker_id=ANN, phase="failed", reason="late"),
        "work of the captain for ann: failed: late",
    ),
    (playback("started"), None),
    (playback("cut"), "his speech was cut"),
    (playback("failed", "deadline"), "his speech failed: no answer came in time"),
    (say.Degraded(stay_id=STAY, phase="lost", reason="4015"), "the voice link is lost: 4015"),
    (
        say.Degraded(stay_id=STAY, phase="lost", reason="moved", room_id=RoomId("r2")),
        "the voice link is lost: moved to room r2",
    ),
    (
        say.Degraded(stay_id=STAY, phase="hindered", reason="server_muted"),
        "the server is in the way of his voice: server_muted",
    ),
    (
        say.Degraded(stay_id=STAY, phase="freed", reason="server_muted"),
        "the server is in the way of his voice no longer: server_muted",
    ),
    (
        say.Degraded(stay_id=STAY, phase="restarted", reason="crashed", part="mouth/floor"),
        "mouth/floor failed and began anew: crashed",
    ),
    (failed("playback"), "speech could not be played: timeout"),
    (failed("speech_synthesis"), "words could not be turned into speech: no answer came in time"),
    (say.Utterance(stay_id=STAY, person_id=ANN, segment_id=PART, duration_ms=1, voiced_ms=1), None),
    (say.TextInput(stay_id=STAY, person_id=ANN, line_id=LineId("l"), characters=1), None),
    (say.Usage(stay_id=STAY, service="speech", provider="local", model="voice", characters=9), None),
]


@pytest.mark.parametrize(("receipt", "text"), SENTENCES)
def test_a_receipt_explains_itself_in_one_sentence_or_not_at_all(
    receipt: say.StayReceipt, text: str | None
) -> None:
    assert sentence(receipt) == text


def test_no_kind_of_receipt_is_without_an_example_above() -> None:
    assert {type(receipt) for receipt, _ in SENTENCES} == set(get_args(say.StayReceipt))


@pytest.mark.parametrize("stage", ["speech_synthesis", "playback"])
def test_a_turn_that_could_not_be_said_is_no_turn_that_spoke(stage: str) -> None:
    spoken, unsaid = turn("completed", "spoke"), failed(stage)
    for told in ((spoken, unsaid), (unsaid, spoken)):
        [stay] = report_after(JOINED, *told).stays
        assert (stay.last_turn, stay.last_failure) == ("failed", stage)
    [stay] = report_after(JOINED, spoken, unsaid, HEARD).stays
    assert (stay.last_turn, stay.last_failure) == ("spoke", None)
