"""When a segment begins, when it ends, and who is told what in between."""

from dataclasses import replace
from typing import cast

import pytest

from actors.capture.core import step
from actors.capture.decisions import (
    Ask,
    AskWords,
    BeginSound,
    CaptureDecision,
    Connect,
    Disconnect,
    DropSound,
    Record,
    TellFloor,
    TellVoiceBegan,
    Wake,
)
from actors.capture.phrases import phrase_book
from actors.capture.settings import CaptureSettings
from actors.capture.state import CaptureEvent, Ear, EarCloses, State, WindowHeard, facts
from messages.capture import CaptureTick, ListenClosely, ListenerLost, TranscriptFailed, TranscriptReady
from messages.evidence import Failed, Transcription, Utterance
from messages.floor import VoiceEnded, VoiceHeld, WordsFailed, WordsHeard
from messages.ids import CaptureId, Connection, PersonId, SegmentId, StayId, Token
from messages.people import Person

ANNA = Person(id=PersonId("anna"), label="Anna")
FIRST, SECOND = SegmentId("ear.1"), SegmentId("ear.2")
ONE = Connection(1)
WINDOW = 0.032


def about(seconds: float) -> float:
    return cast(float, pytest.approx(seconds))


class Listener:
    """A core with its own time: windows follow each other, and timers fire when asked for."""

    def __init__(self, settings: CaptureSettings | None = None) -> None:
        ear = Ear(
            stay=StayId("stay"),
            person=ANNA,
            capture=CaptureId("ear"),
            settings=settings or CaptureSettings(),
            book=phrase_book(),
        )
        self.state = State(ear=ear)
        self.now = 100.0
        self.wake: tuple[float, Token] | None = None

    def hear(self, *probabilities: float, windows: int = 1) -> list[CaptureDecision]:
        done: list[CaptureDecision] = []
        for probability in probabilities * windows:
            self.now += WINDOW
            done += self.do(WindowHeard(probability=probability, at=self.now))
        return done

    def do(self, event: CaptureEvent) -> list[CaptureDecision]:
        self.state, decisions = step(self.state, event, self.now)
        for decision in decisions:
            if isinstance(decision, Wake):
                self.wake = (self.now + decision.seconds, decision.token)
        return [decision for decision in decisions if not isinstance(decision, Wake)]

    def wait(self, seconds: float) -> list[CaptureDecision]:
        end, done = self.now + seconds, list[CaptureDecision]()
        while self.wake is not None and self.wake[0] <= end:
            self.now, token = self.wake
            self.wake = None
            done += self.do(CaptureTick(token=token))
        self.now = end
        return done

    def ready(self, text: str, *, final: bool = True, segment: SegmentId = FIRST) -> list[CaptureDecision]:
        return self.do(
            TranscriptReady(connection=ONE, segment=segment, text=text, final=final, speechless=False)
        )

    def say(self, voiced: int = 30) -> list[CaptureDecision]:
        """A whole segment of `voiced` windows, closed by silence."""
        return self.hear(0.9, windows=voiced) + self.hear(0.0, windows=19)


def told(decisions: list[CaptureDecision]) -> list[object]:
    return [decision.message for decision in decisions if isinstance(decision, TellFloor)]


def receipts(decisions: list[CaptureDecision]) -> list[object]:
    return [decision.receipt for decision in decisions if isinstance(decision, Record)]


def asks(decisions: list[CaptureDecision]) -> list[AskWords]:
    return [decision for decision in decisions if isinstance(decision, AskWords)]


def words(decisions: list[CaptureDecision]) -> list[WordsHeard]:
    return [message for message in told(decisions) if isinstance(message, WordsHeard)]


def test_three_voiced_windows_begin_a_segment_with_its_pre_roll() -> None:
    ear = Listener()
    assert ear.hear(0.9, 0.5) == []
    assert ear.hear(0.5) == [
        Connect(connection=ONE),
        TellVoiceBegan(segment=FIRST, at=about(100.0)),
        BeginSound(connection=ONE, segment=FIRST, before=about(0.396)),
    ]


@pytest.mark.parametrize("probabilities", [(0.9, 0.9, 0.49, 0.9, 0.9), (0.4,) * 20])
def test_less_voice_in_a_row_is_no_segment(probabilities: tuple[float, ...]) -> None:
    assert Listener().hear(*probabilities) == []


def test_voice_on_both_sides_of_a_gap_is_not_in_a_row() -> None:
    ear = Listener()
    ear.hear(0.9, 0.9)
    ear.now += 0.2
    assert ear.hear(0.9) == []


def test_the_floor_hears_about_every_100_ms_of_voice() -> None:
    ear = Listener()
    held = [message for message in told(ear.hear(0.9, windows=16)) if isinstance(message, VoiceHeld)]
    assert [round(message.voiced, 3) for message in held] == [0.128, 0.224, 0.32, 0.416, 0.512]


def test_600_ms_of_silence_end_a_segment() -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    spoken_until = ear.now
    before = ear.hear(0.34, windows=18)
    assert not any(isinstance(message, VoiceEnded) for message in told(before))
    ended = ear.hear(0.34)
    assert told(ended) == [VoiceEnded(person=ANNA.id, segment=FIRST, at=spoken_until, voiced=about(0.64))]
    assert receipts(ended) == [
        Utterance(stay_id=StayId("stay"), person_id=ANNA.id, segment_id=FIRST, duration_ms=640, voiced_ms=640)
    ]
    assert ear.state.open is None


def test_a_faint_window_prolongs_a_segment_without_counting_as_voice() -> None:
    ear = Listener()
    ear.hear(0.9, windows=10)
    ear.hear(0.0, windows=18)
    ear.hear(0.4)
    assert told(ear.hear(0.0, windows=18)) == []
    ended = told(ear.hear(0.0))[0]
    assert isinstance(ended, VoiceEnded)
    assert ended.voiced == pytest.approx(0.32)


@pytest.mark.parametrize(("silent", "wait"), [(3, 0.1), (0, 0.6)])
def test_packets_that_end_end_the_segment_sooner_after_silence(silent: int, wait: float) -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    ear.hear(0.0, windows=silent)
    assert told(ear.wait(wait - 0.01)) == []
    assert any(isinstance(message, VoiceEnded) for message in told(ear.wait(0.02)))


def test_packets_that_go_on_move_the_timer() -> None:
    ear = Listener()
    ear.hear(0.9, windows=10)
    for _ in range(100):
        assert not any(isinstance(message, VoiceEnded) for message in told(ear.hear(0.9)))
        if ear.wake is not None and ear.wake[0] <= ear.now:
            ear.wait(0)
    assert ear.state.open is not None


def test_a_timer_of_before_is_an_old_letter() -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    state = ear.state
    assert ear.do(CaptureTick(token=Token(state.token - 1))) == []
    assert ear.state == state


def test_a_short_segment_earns_no_utterance_but_is_transcribed() -> None:
    ear = Listener()
    ended = ear.say(voiced=8)
    assert receipts(ended) == []
    assert asks(ended)[-1] == AskWords(segment=FIRST, ask=Ask.FINAL, settled=True)


def test_near_silence_is_dropped_unheard() -> None:
    ear = Listener()
    ended = ear.say(voiced=5)
    assert asks(ended) == []
    assert DropSound(segment=FIRST) in ended
    assert [(heard.text, heard.final) for heard in words(ended)] == [("", True)]
    receipt = receipts(ended)[0]
    assert isinstance(receipt, Transcription)
    assert (receipt.outcome, receipt.reason) == ("dropped", "near_silence")


def test_a_long_segment_is_closed_and_continued() -> None:
    ear = Listener(CaptureSettings(longest_seconds=3.2))
    done = ear.hear(0.9, windows=103)
    assert asks(done) == [AskWords(segment=FIRST, ask=Ask.FINAL)]
    assert [begun.segment for begun in done if isinstance(begun, TellVoiceBegan)] == [FIRST, SECOND]
    assert [begun.before for begun in done if isinstance(begun, BeginSound)] == [pytest.approx(0.396), 0.0]


def test_a_guess_is_asked_for_250_ms_into_silence_and_settles_the_final() -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    assert asks(ear.hear(0.0, windows=7)) == []
    assert asks(ear.hear(0.0)) == [AskWords(segment=FIRST, ask=Ask.GUESS)]
    assert asks(ear.hear(0.0, windows=11)) == [AskWords(segment=FIRST, ask=Ask.FINAL, settled=True)]


def test_voice_after_a_guess_unsettles_it() -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    ear.hear(0.0, windows=8)
    ear.hear(0.9)
    ear.hear(0.0, windows=3)
    assert asks(ear.wait(0.2)) == [AskWords(segment=FIRST, ask=Ask.FINAL, settled=False)]


def test_partials_come_only_while_he_speaks() -> None:
    ear = Listener()
    assert asks(ear.hear(0.9, windows=40)) == []
    ear.do(ListenClosely(on=True))
    assert asks(ear.hear(0.9, windows=17)) == [AskWords(segment=FIRST, ask=Ask.PARTIAL)] * 2
    ear.do(ListenClosely(on=False))
    assert asks(ear.hear(0.9, windows=17)) == []


def test_the_first_partial_comes_300_ms_after_the_voice_and_others_each_500_ms() -> None:
    ear = Listener()
    ear.do(ListenClosely(on=True))
    assert asks(ear.hear(0.9, windows=9)) == []
    assert asks(ear.hear(0.9)) == [AskWords(segment=FIRST, ask=Ask.PARTIAL)]
    assert asks(ear.hear(0.9, windows=15)) == []
    assert asks(ear.hear(0.9)) == [AskWords(segment=FIRST, ask=Ask.PARTIAL)]


def test_a_pause_while_he_speaks_is_asked_about_at_once_and_is_a_guess() -> None:
    ear = Listener()
    ear.do(ListenClosely(on=True))
    assert asks(ear.hear(0.9, windows=8)) == []
    assert asks(ear.hear(0.0, windows=4)) == [AskWords(segment=FIRST, ask=Ask.PARTIAL)]
    ear = Listener()
    ear.do(ListenClosely(on=True))
    ear.hear(0.9, windows=12)
    assert asks(ear.hear(0.0, windows=5)) == [AskWords(segment=FIRST, ask=Ask.GUESS)]
    assert asks(ear.hear(0.0, windows=14)) == [AskWords(segment=FIRST, ask=Ask.FINAL, settled=True)]


def test_words_so_far_are_told_once_each() -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    assert [heard.text for heard in words(ear.ready("Stop.", final=False))] == ["Stop."]
    assert ear.ready("Stop.", final=False) == []
    assert ear.ready("haha", final=False) == []
    assert ear.ready("", final=False) == []
    assert ear.ready("Stop.", final=True) == []
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
    assert (receipt.outcome, receipt.characters, receipt.latency_ms) == ("words", 22, 200)
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
    assert len(ear.state.awaited) == 1


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
    ear.state = replace(ear.state, retry_at=ear.now + 100)
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
        pauses.append(ear.state.retry_at - ear.now)
        ear.wait(40)
    assert [round(pause) for pause in pauses] == [1, 2, 4, 8, 16, 30, 30]
    ear.say()
    text = TranscriptReady(
        connection=Connection(8), segment=SegmentId("ear.8"), text="hello", final=True, speechless=False
    )
    assert words(ear.do(text))
    assert ear.state.retry_after == 0.0


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
    assert len(ear.state.awaited) == 1


def test_an_unused_listener_is_closed_after_two_minutes_and_reopened_on_demand() -> None:
    ear = Listener()
    ear.say()
    ear.ready("hello")
    assert ear.wait(119.9) == []
    assert ear.wait(0.2) == [Disconnect(connection=ONE)]
    assert Connect(connection=Connection(2)) in ear.hear(0.9, windows=3)


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
    }
