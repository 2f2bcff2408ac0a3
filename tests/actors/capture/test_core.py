"""When a segment begins, when it ends, and who is told what in between."""

import pytest

from actors.capture.decisions import (
    Ask,
    AskWords,
    BeginSound,
    Connect,
    DropSound,
    TellVoiceBegan,
)
from actors.capture.settings import CaptureSettings
from messages.capture import CaptureTick, ListenerLost
from messages.evidence import Transcription, Utterance
from messages.floor import VoiceEnded, VoiceHeld, WordsFailed
from messages.ids import Connection, StayId, Token
from tests.actors.capture.listener import (
    ANNA,
    FIRST,
    ONE,
    SECOND,
    WINDOW,
    Listener,
    about,
    asks,
    receipts,
    told,
    words,
)


def test_three_voiced_windows_begin_a_segment_with_its_pre_roll() -> None:
    ear = Listener()
    ear.hear(0.0, windows=10)
    assert ear.hear(0.9, 0.5) == []
    assert ear.hear(0.5) == [
        Connect(connection=ONE),
        TellVoiceBegan(segment=FIRST, at=about(100.32)),
        BeginSound(connection=ONE, segment=FIRST, before=about(0.396)),
    ]


@pytest.mark.parametrize(("gap", "before"), [(0.4, 5 * WINDOW), (0.2, 3 * WINDOW + 0.3)])
def test_sound_from_before_a_gap_is_no_pre_roll_unless_packets_were_merely_late(
    gap: float, before: float
) -> None:
    ear = Listener()
    ear.hear(0.9, windows=20)
    ear.hear(0.0, windows=3)
    ear.wait(gap)
    ear.hear(0.0, windows=2)
    begun = [one.before for one in ear.hear(0.9, windows=3) if isinstance(one, BeginSound)]
    assert begun == [about(before)]


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
    ear.hear(0.0, windows=10)
    done = ear.hear(0.9, windows=103)
    assert asks(done) == [AskWords(segment=FIRST, ask=Ask.FINAL)]
    assert [begun.segment for begun in done if isinstance(begun, TellVoiceBegan)] == [FIRST, SECOND]
    assert [begun.before for begun in done if isinstance(begun, BeginSound)] == [pytest.approx(0.396), 0.0]


def test_whoever_does_not_pause_gets_his_lost_listener_back_where_his_segment_is_continued() -> None:
    ear = Listener(CaptureSettings(longest_seconds=3.2))
    ear.hear(0.9, windows=20)
    ear.do(ListenerLost(connection=ONE, reason="reset"))
    done = ear.hear(0.9, windows=90)
    two = Connection(2)
    assert [one for one in done if isinstance(one, Connect | BeginSound)] == [
        Connect(connection=two),
        BeginSound(connection=two, segment=SECOND, before=0.0),
    ]


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


def test_an_end_of_packets_in_a_young_segment_is_noticed_as_soon_as_in_an_old_one() -> None:
    ear = Listener()
    ear.hear(0.9, windows=3)
    ear.hear(0.0, windows=4)
    assert [type(message) for message in told(ear.wait(0.11))][:1] == [VoiceEnded]


def test_an_end_of_packets_is_noticed_where_only_the_end_of_an_unused_listener_was_due() -> None:
    ear = Listener()
    ear.say()
    ear.ready("hello")
    ear.wait(30.0)
    ear.hear(0.9, windows=3)
    assert [type(message) for message in told(ear.wait(1.0))][:1] == [VoiceEnded]


def test_without_a_pre_roll_late_packets_do_not_part_a_word_from_its_beginning() -> None:
    ear = Listener(CaptureSettings(pre_roll_seconds=0.0))
    ear.hear(0.9)
    ear.wait(0.06)
    begun = [one.before for one in ear.hear(0.9, windows=2) if isinstance(one, BeginSound)]
    assert begun == [about(3 * WINDOW)]


def test_a_final_is_given_up_in_time_however_short_that_is() -> None:
    ear = Listener(CaptureSettings(final_seconds=0.01))
    ear.say()
    failed = WordsFailed(person=ANNA.id, segment=FIRST, reason="deadline")
    assert failed in told(ear.wait(0.02))
