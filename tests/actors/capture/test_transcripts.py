"""When words are asked for, which of them are told, and what becomes of those that never come."""

from dataclasses import replace

import pytest

from actors.capture.decisions import (
    Ask,
    AskWords,
    BeginSound,
    Connect,
    Decision,
    Disconnect,
    DropSound,
    TellStay,
    TellVoiceBegan,
)
from actors.capture.events import EarCloses
from actors.capture.settings import CaptureSettings
from actors.capture.state import facts
from messages.capture import ListenClosely, ListenerLost, TranscriptFailed, TranscriptReady
from messages.evidence import Failed, Transcription
from messages.floor import WordsFailed, WordsHeard
from messages.ids import CaptureId, Connection, SegmentId
from messages.stay import EarTroubled, EarWorks
from tests.actors.capture.listener import (
    ANNA,
    FIRST,
    ONE,
    SECOND,
    Listener,
    about,
    asks,
    receipts,
    told,
    words,
)


def test_partials_come_only_while_he_speaks() -> None:
    ear = Listener()
    assert asks(ear.hear(0.9, windows=40)) == []
    ear.do(ListenClosely(on=True))
    assert asks(ear.hear(0.9, windows=17)) == [AskWords(segment=FIRST, ask=Ask.PARTIAL)] * 2
    ear.do(ListenClosely(on=False))
    assert asks(ear.hear(0.9, windows=17)) == []


def test_the_first_partial_comes_300_ms_after_the_voice_and_others_each_500_ms() -> None:
    ear = Listener()
    ear.hear(0.9, windows=3)
    ear.do(ListenClosely(on=True))
    assert asks(ear.hear(0.9, windows=6)) == []
    assert asks(ear.hear(0.9)) == [AskWords(segment=FIRST, ask=Ask.PARTIAL)]
    assert asks(ear.hear(0.9, windows=15)) == []
    assert asks(ear.hear(0.9)) == [AskWords(segment=FIRST, ask=Ask.PARTIAL)]


def test_listening_closely_ends_with_its_segment_so_that_a_lost_floor_is_not_waited_for() -> None:
    ear = Listener()
    ear.hear(0.9, windows=3)
    ear.do(ListenClosely(on=True))
    ear.say()
    assert asks(ear.hear(0.9, windows=40)) == []


def test_a_pause_while_he_speaks_is_asked_about_at_once_and_is_a_guess() -> None:
    ear = Listener()
    ear.hear(0.9, windows=3)
    ear.do(ListenClosely(on=True))
    assert asks(ear.hear(0.9, windows=5)) == []
    assert asks(ear.hear(0.0, windows=4)) == [AskWords(segment=FIRST, ask=Ask.PARTIAL)]
    ear = Listener()
    ear.hear(0.9, windows=9)
    ear.do(ListenClosely(on=True))
    ear.hear(0.9, windows=3)
    assert asks(ear.hear(0.0, windows=5)) == [AskWords(segment=FIRST, ask=Ask.GUESS)]
    assert asks(ear.hear(0.0, windows=14)) == [AskWords(segment=FIRST, ask=Ask.FINAL, settled=True)]


def test_words_so_far_are_told_once_each() -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    assert [heard.text for heard in words(ear.ready("Stop.", final=False))] == ["Stop."]
    assert ear.ready("Stop.", final=False) == []
    assert ear.ready("haha", final=False) == []
    assert ear.ready("", final=False) == []
    assert ear.ready("Stop it.", final=True) == []
    assert ear.ready("Stop.", final=False, segment=SECOND) == []


def test_the_final_is_told_with_the_times_of_the_voice() -> None:
    ear = Listener()
    ear.say(30)
    ear.now += 0.2
    done = ear.ready("Go forward ten meters.")
    assert told(done) == [
        WordsHeard(
            person=ANNA,
            segment=FIRST,
            text="Go forward ten meters.",
            final=True,
            began=about(100.0),
            ended=about(100.96),
            voiced=about(0.96),
        )
    ]
    receipt = receipts(done)[0]
    assert isinstance(receipt, Transcription)
    assert (receipt.outcome, receipt.characters, receipt.latency_ms) == ("words", 22, 808)
    assert ear.ready("again") == []


@pytest.mark.parametrize(
    ("text", "speechless", "outcome", "reason"),
    [
        ("", False, "empty", None),
        (" [BLANK_AUDIO] ...", False, "empty", None),
        ("Thank you for watching!", False, "dropped", "hallucinated_phrase"),
        ("ご視聴ありがとうございました。", False, "dropped", "hallucinated_phrase"),
        ("Ha ha ha!", False, "dropped", "laughter"),
        ("پررپ", False, "dropped", "foreign_script"),
        ("Something", True, "dropped", "speechless"),
    ],
)
def test_what_is_not_speech_is_a_final_without_words(
    text: str, speechless: bool, outcome: str, reason: str | None
) -> None:
    ear = Listener()
    ear.say()
    done = ear.do(
        TranscriptReady(connection=ONE, segment=FIRST, text=text, final=True, speechless=speechless)
    )
    assert [heard.text for heard in words(done)] == [""]
    receipt = receipts(done)[0]
    assert isinstance(receipt, Transcription)
    assert (receipt.outcome, receipt.reason) == (outcome, reason)


def test_a_final_of_an_earlier_speaker_stays_with_its_segment() -> None:
    ear = Listener()
    ear.say()
    ear.say()
    assert words(ear.ready("second", segment=SECOND))[0].segment == SECOND
    assert words(ear.ready("first"))[0].segment == FIRST


def test_a_final_that_is_not_back_in_8_seconds_has_failed() -> None:
    ear = Listener()
    ear.say()
    assert ear.wait(7.99) == []
    done = ear.wait(0.02)
    assert told(done) == [WordsFailed(person=ANNA.id, segment=FIRST, reason="deadline")]
    assert DropSound(segment=FIRST) in done
    assert [type(receipt) for receipt in receipts(done)] == [Transcription, Failed]
    assert ear.ready("too late") == []


def test_only_the_final_that_is_overdue_fails() -> None:
    ear = Listener()
    ear.say()
    ear.wait(5.0)
    ear.say()
    assert [message for message in told(ear.wait(3.0)) if isinstance(message, WordsFailed)] == [
        WordsFailed(person=ANNA.id, segment=FIRST, reason="deadline")
    ]
    assert len(ear.state.transcriber.awaited) == 1


def test_a_failed_final_is_told_and_a_failed_partial_is_not() -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    failure = TranscriptFailed(connection=ONE, segment=FIRST, reason="overloaded")
    assert ear.do(failure) == []
    ear.hear(0.0, windows=19)
    assert told(ear.do(failure)) == [WordsFailed(person=ANNA.id, segment=FIRST, reason="overloaded")]


def test_a_lost_listener_fails_what_it_had_and_is_reopened_after_a_pause() -> None:
    ear = Listener()
    ear.say()
    ear.hear(0.9, windows=20)
    done = ear.do(ListenerLost(connection=ONE, reason="reset"))
    assert told(done) == [WordsFailed(person=ANNA.id, segment=FIRST, reason="reset")]
    closed = ear.hear(0.0, windows=19)
    assert WordsFailed(person=ANNA.id, segment=SECOND, reason="listener_lost") in told(closed)
    ear.now += 1.0
    assert Connect(connection=Connection(2)) in ear.hear(0.9, windows=3)


def test_within_the_pause_voice_is_told_but_given_to_nobody() -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    lost = ear.do(ListenerLost(connection=ONE, reason="reset"))
    assert [type(receipt) for receipt in receipts(lost)] == [Failed]
    resting = replace(ear.state.transcriber, retry_at=ear.now + 100)
    ear.state = replace(ear.state, transcriber=resting)
    ear.wait(0.7)
    done = ear.hear(0.9, windows=30) + ear.hear(0.0, windows=19)
    assert [type(d) for d in done if isinstance(d, TellVoiceBegan | BeginSound | AskWords)] == [
        TellVoiceBegan
    ]
    assert WordsFailed(person=ANNA.id, segment=SECOND, reason="listener_lost") in told(done)


def test_pauses_double_up_to_half_a_minute_and_a_final_that_comes_ends_that() -> None:
    ear = Listener()
    pauses: list[float] = []
    for number in range(1, 8):
        ear.hear(0.9, windows=3)
        ear.do(ListenerLost(connection=Connection(number), reason="reset"))
        pauses.append(ear.state.transcriber.retry_at - ear.now)
        ear.wait(40)
    assert [round(pause) for pause in pauses] == [1, 2, 4, 8, 16, 30, 30]
    ear.say()
    text = TranscriptReady(
        connection=Connection(8), segment=SegmentId("ear.8"), text="hello", final=True, speechless=False
    )
    assert words(ear.do(text))
    assert ear.state.transcriber.retry_after == 0.0


def test_events_of_another_connection_are_old_letters() -> None:
    ear = Listener()
    ear.say()
    old = Connection(7)
    for event in (
        TranscriptReady(connection=old, segment=FIRST, text="old", final=True, speechless=False),
        TranscriptFailed(connection=old, segment=FIRST, reason="old"),
        ListenerLost(connection=old, reason="old"),
    ):
        assert ear.do(event) == []
    assert len(ear.state.transcriber.awaited) == 1


def test_an_unused_listener_is_closed_after_two_minutes_and_reopened_on_demand() -> None:
    ear = Listener()
    ear.say()
    ear.ready("hello")
    assert ear.wait(119.9) == []
    assert ear.wait(0.2) == [Disconnect(connection=ONE)]
    assert Connect(connection=Connection(2)) in ear.hear(0.9, windows=3)


def test_a_listener_that_owes_words_is_in_use() -> None:
    ear = Listener(CaptureSettings(idle_seconds=1.0))
    ear.say()
    assert ear.wait(7.9) == []
    assert Disconnect(connection=ONE) in ear.wait(2.0)


def test_an_ear_that_closes_leaves_nobody_waiting() -> None:
    ear = Listener()
    ear.say()
    ear.hear(0.9, windows=10)
    done = ear.do(EarCloses())
    assert told(done) == [
        WordsFailed(person=ANNA.id, segment=FIRST, reason="ear_closed"),
        WordsFailed(person=ANNA.id, segment=SECOND, reason="ear_closed"),
    ]
    assert Listener().do(EarCloses()) == []


def test_a_status_page_learns_no_words() -> None:
    ear = Listener()
    ear.hear(0.9, windows=10)
    assert facts(ear.state) == {
        "person": "anna",
        "hearing": True,
        "listening_closely": False,
        "segments": 1,
        "awaited": 0,
        "failed": 0,
        "trouble": "",
    }


WORKS = EarWorks(person=ANNA.id, capture=CaptureId("ear"))


def news(decisions: list[Decision]) -> list[EarTroubled | EarWorks]:
    return [decision.message for decision in decisions if isinstance(decision, TellStay)]


def lose(ear: Listener, number: int, reason: str = "reset") -> list[EarTroubled | EarWorks]:
    """A voice opens the listener for the time of this number, and it is lost."""
    ear.hear(0.9, windows=3)
    lost = ear.do(ListenerLost(connection=Connection(number), reason=reason))
    ear.wait(40)
    return news(lost)


def test_an_ear_that_gets_words_says_so_once() -> None:
    ear = Listener()
    ear.say()
    assert news(ear.ready("hello")) == [WORKS]
    ear.say()
    assert news(ear.ready("haha", segment=SECOND)) == []


def test_an_ear_without_an_answer_is_no_trouble_until_it_is_lost_twice_in_a_row() -> None:
    ear = Listener()
    assert lose(ear, 1) == []
    ear.say()
    final = TranscriptReady(
        connection=Connection(2), segment=SegmentId("ear.2"), text="Ha ha!", final=True, speechless=False
    )
    assert news(ear.do(final)) == [WORKS]
    assert lose(ear, 2) == []
    assert lose(ear, 3) == [EarTroubled(person=ANNA.id, capture=WORKS.capture, reason="reset")]
    assert lose(ear, 4, "timeout") == []
    assert facts(ear.state)["trouble"] == "reset"


@pytest.mark.parametrize("reason", ["unauthorized", "forbidden", "quota", "not_found"])
def test_an_ear_that_is_refused_is_in_trouble_at_once_and_until_words_come(reason: str) -> None:
    ear = Listener()
    assert lose(ear, 1, reason) == [EarTroubled(person=ANNA.id, capture=WORKS.capture, reason=reason)]
    assert lose(ear, 2, reason) == []
    ear.say()
    final = TranscriptReady(
        connection=Connection(3), segment=SegmentId("ear.3"), text="hello", final=True, speechless=False
    )
    assert news(ear.do(final)) == [WORKS]
    assert lose(ear, 3, reason) == [EarTroubled(person=ANNA.id, capture=WORKS.capture, reason=reason)]


@pytest.mark.parametrize("reason", ["unauthorized", "quota"])
def test_a_transcript_that_is_refused_is_trouble_at_once(reason: str) -> None:
    ear = Listener()
    ear.say()
    refused = ear.do(TranscriptFailed(connection=ONE, segment=FIRST, reason=reason))
    assert news(refused) == [EarTroubled(person=ANNA.id, capture=WORKS.capture, reason=reason)]


def test_finals_that_fail_are_trouble_twice_in_a_row() -> None:
    ear = Listener()
    ear.say()
    failure = TranscriptFailed(connection=ONE, segment=FIRST, reason="overloaded")
    assert news(ear.do(failure)) == []
    ear.say()
    ear.ready("hello", segment=SECOND)
    ear.say()
    assert news(ear.wait(9)) == []
    ear.say()
    overdue = [EarTroubled(person=ANNA.id, capture=WORKS.capture, reason="deadline")]
    assert news(ear.wait(9)) == overdue
    assert facts(ear.state)["trouble"] == "deadline"


def test_a_loss_that_costs_several_finals_is_one_miss() -> None:
    ear = Listener()
    ear.say()
    ear.say()
    assert news(ear.do(ListenerLost(connection=ONE, reason="reset"))) == []
