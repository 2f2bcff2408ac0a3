"""The rules of one utterance after the other, each with exactly one end."""

from collections.abc import Iterable

from actors.playback.core import step
from actors.playback.decisions import (
    Decision,
    Record,
    TellFloor,
    TellRealtime,
    TellStay,
    TellTts,
    TellVoice,
    Wake,
)
from actors.playback.settings import PlaybackSettings
from actors.playback.state import State
from messages.audio import FRAME_BYTES
from messages.evidence import Failed, Playback, SpokenWords
from messages.floor import SpeechCut, SpeechDrained, SpeechFailed, SpeechQueued, SpeechStarted, SpeechTold
from messages.ids import Connection, StayId, Token, TurnId, UtteranceId
from messages.playback import (
    AlignText,
    AskForMore,
    BreakSpeech,
    CutSpeech,
    Duck,
    EndSpeech,
    LinkRestarted,
    PlaybackMessage,
    PlaybackTick,
    QueueSound,
    QueueSpeech,
    Unduck,
)
from messages.realtime import SpeechWasHeard
from messages.stay import SayInChat
from messages.tts import DropSpeech, MoreWanted
from messages.voice import (
    CutSound,
    EndSound,
    HoldSound,
    PlaySound,
    SetGain,
    SoundCut,
    SoundDrained,
    SoundFailed,
    SoundSent,
    SoundStarted,
    SoundUnderrun,
)

STAY, C = StayId("s1"), Connection(1)
U, V = UtteranceId("u1"), UtteranceId("u2")
TU, TV = TurnId("t1"), TurnId("t2")
QUEUE = QueueSpeech(utterance=U, turn=TU)
QUEUE_V = QueueSpeech(utterance=V, turn=TV)
CUT = CutSpeech(utterance=U)
END = EndSpeech(utterance=U)
STARTED = SoundStarted(connection=C, utterance=U, at=10.5)
HELLO = AlignText(utterance=U, text="Hello there.")
ASKS = AskForMore(utterance=U)


def sound(frames: int, utterance: UtteranceId = U) -> QueueSound:
    return QueueSound(utterance=utterance, pcm=bytes(frames * FRAME_BYTES))


def sent(frames: int) -> SoundSent:
    return SoundSent(connection=C, utterance=U, frames=frames)


def drained(frames: int, utterance: UtteranceId = U) -> SoundDrained:
    return SoundDrained(connection=C, utterance=utterance, frames=frames)


def broken(unheard: str) -> BreakSpeech:
    return BreakSpeech(utterance=U, turn=TU, reason="quota", unheard=unheard)


class Mouth:
    """Playback and the time."""

    def __init__(self, settings: PlaybackSettings | None = None) -> None:
        self.state = State(settings=settings or PlaybackSettings(), stay=STAY)
        self.now = 10.0
        self.last: tuple[Decision, ...] = ()

    def hears(self, *events: PlaybackMessage) -> "Mouth":
        for event in events:
            self.state, self.last = step(self.state, event, self.now)
        return self

    def at(self, now: float) -> "Mouth":
        self.now = now
        return self

    def told(self, *kinds: type[Decision]) -> list[object]:
        return [
            decision.receipt if isinstance(decision, Record) else getattr(decision, "message", None)
            for decision in self.last
            if isinstance(decision, kinds)
        ]

    def speaking(self, *more: PlaybackMessage) -> "Mouth":
        """He has said the first half of "Hello there."."""
        return self.hears(QUEUE, sound(10), HELLO, END, STARTED, sent(5), *more)


def frames_played(decisions: Iterable[object]) -> list[int]:
    return [len(order.pcm) // FRAME_BYTES for order in decisions if isinstance(order, PlaySound)]


def phase(name: str, at_ms: int, frames: int, **more: object) -> Playback:
    return Playback(
        stay_id=STAY,
        utterance_id=U,
        turn_id=TU,
        phase=name,
        at_ms=at_ms,
        frames=frames,
        **more,  # type: ignore[arg-type]
    )


def test_an_utterance_is_queued_and_its_time_is_watched_at_once() -> None:
    mouth = Mouth().hears(QUEUE)
    assert mouth.last == (
        TellFloor(message=SpeechQueued(utterance=U, turn=TU)),
        Wake(seconds=15.0, message=PlaybackTick(token=Token(1))),
    )


def test_he_begins_once_200_ms_have_gathered_and_is_given_400_ms_ahead() -> None:
    mouth = Mouth().hears(QUEUE, sound(9))
    assert mouth.last == (Wake(seconds=0.12, message=PlaybackTick(token=Token(2))),)
    mouth.at(10.05).hears(sound(40))
    assert mouth.told(Record) == [phase("buffered", 50, 0)]
    assert frames_played(mouth.told(TellVoice)) == [10, 10]
    assert frames_played(mouth.hears(sent(5)).told(TellVoice)) == [5]


def test_he_begins_with_less_when_it_does_not_grow() -> None:
    mouth = Mouth().hears(QUEUE, sound(3))
    assert frames_played(mouth.at(10.12).hears(PlaybackTick(token=Token(2))).told(TellVoice)) == [3]


def test_a_timer_of_sound_that_has_grown_since_does_nothing() -> None:
    mouth = Mouth().hears(QUEUE, sound(3), sound(3), PlaybackTick(token=Token(2)))
    assert mouth.last == ()
    assert mouth.state.old_letters == 1


def test_nothing_gathers_without_sound() -> None:
    assert Mouth().hears(QUEUE, QueueSound(utterance=U, pcm=b"")).last == ()


def test_he_begins_with_less_when_that_is_all() -> None:
    orders = Mouth().hears(QUEUE, sound(3), END).told(TellVoice)
    assert frames_played(orders) == [3]
    assert orders[-1] == EndSound(utterance=U)


def test_the_last_frame_is_filled_up_and_the_end_is_told_once() -> None:
    mouth = Mouth().hears(QUEUE, sound(10), QueueSound(utterance=U, pcm=b"12"), END)
    assert frames_played(mouth.told(TellVoice)) == [1]
    assert mouth.hears(sent(5)).last == ()


def test_started_is_told_once() -> None:
    mouth = Mouth().hears(QUEUE, sound(10), STARTED)
    assert mouth.last == (
        TellFloor(message=SpeechStarted(utterance=U, turn=TU, at=10.5)),
        Record(receipt=phase("started", 500, 0)),
    )
    assert mouth.hears(STARTED).last == ()


def test_what_was_said_to_the_end_was_heard_as_a_whole() -> None:
    mouth = Mouth().speaking().at(11.0).hears(drained(10))
    assert mouth.last == (
        TellFloor(message=SpeechDrained(utterance=U, turn=TU, started=True, text="Hello there.")),
        Record(receipt=phase("drained", 1_000, 10)),
        TellRealtime(message=SpeechWasHeard(utterance=U, text="Hello there.", whole=True)),
        Record(receipt=SpokenWords(stay_id=STAY, utterance_id=U, text="Hello there.", whole=True)),
    )
    assert mouth.hears(drained(10), STARTED, CUT).last == ()


def test_silence_that_drained_was_heard_by_nobody() -> None:
    mouth = Mouth().hears(QUEUE, sound(10), HELLO, END, drained(10))
    assert mouth.told(TellFloor) == [SpeechDrained(utterance=U, turn=TU, started=False, text="")]
    assert mouth.told(TellRealtime) == [SpeechWasHeard(utterance=U, text="", whole=False)]


def test_an_utterance_without_sound_drains_at_once() -> None:
    mouth = Mouth().hears(QUEUE, END)
    assert mouth.told(TellFloor) == [SpeechDrained(utterance=U, turn=TU, started=False, text="")]
    assert mouth.told(TellVoice) == []


def test_the_floor_is_told_text_that_is_on_its_way() -> None:
    mouth = Mouth().hears(QUEUE, sound(10), HELLO)
    assert mouth.last == (TellFloor(message=SpeechTold(utterance=U, text="Hello there.")),)


def test_with_fifteen_seconds_waiting_no_more_is_asked_for_until_there_is_room() -> None:
    mouth = Mouth().hears(QUEUE, sound(775), HELLO, ASKS)
    assert mouth.told(TellTts) == []
    assert mouth.hears(sent(5)).told(TellTts) == []
    assert mouth.hears(sent(10)).told(TellTts) == [MoreWanted(utterance=U)]
    assert mouth.hears(sent(15)).told(TellTts) == []


def test_a_five_minute_answer_never_overflows() -> None:
    mouth, units, done, most = Mouth().hears(QUEUE), 60, 0, 0.0
    mouth.hears(sound(250), HELLO, ASKS)
    units -= 1
    while done < 60 * 250:
        wanted = bool(mouth.told(TellTts))
        if wanted and units:
            units -= 1
            mouth.hears(sound(250), HELLO, ASKS)
        elif wanted:
            mouth.hears(END)
        else:
            done += 5
            mouth.at(mouth.now + 0.1).hears(sent(done))
        most = max(most, mouth.state.speeches[0].waiting.seconds)
    assert units == 0
    assert most < 20.0
    assert mouth.hears(drained(done)).told(TellFloor)[0].__class__ is SpeechDrained


def test_the_next_utterance_begins_after_the_drain_of_the_one_before() -> None:
    mouth = Mouth().speaking(QUEUE_V, sound(20, V))
    assert mouth.told(TellVoice) == []
    mouth.hears(drained(10))
    assert frames_played(mouth.told(TellVoice)) == [10, 10]
    assert Wake(seconds=15.4, message=PlaybackTick(token=Token(2))) in mouth.last


def test_a_cut_silences_at_once_and_ends_when_the_voice_link_has_said_so() -> None:
    mouth = Mouth().speaking().at(10.6).hears(CUT)
    assert mouth.told(TellVoice) == [CutSound(utterance=U)]
    assert mouth.hears(CUT, sound(5), sent(5)).last == ()
    ack = SoundCut(connection=C, utterance=U, frames=6, dropped=4, at=10.615)
    mouth.at(10.7).hears(ack)
    assert mouth.last == (
        TellFloor(message=SpeechCut(utterance=U, turn=TU, started=True, text="Hello")),
        Record(receipt=phase("cut", 700, 6, decision_to_silence_ms=15)),
        TellRealtime(message=SpeechWasHeard(utterance=U, text="Hello", whole=False)),
        Record(receipt=SpokenWords(stay_id=STAY, utterance_id=U, text="Hello", whole=False)),
    )
    assert mouth.hears(ack).last == ()


def test_a_cut_that_the_voice_link_never_answers_is_a_cut_after_a_second() -> None:
    mouth = Mouth().speaking(CutSpeech(utterance=U, reason="operator"))
    wake = mouth.last[-1]
    assert isinstance(wake, Wake)
    assert wake.seconds == 1.0
    mouth.at(11.0).hears(wake.message)
    assert mouth.told(TellFloor) == [SpeechCut(utterance=U, turn=TU, started=True, text="Hello")]
    assert mouth.told(Record)[0] == phase("cut", 1_000, 5, reason="operator")


def test_a_cut_of_what_has_not_begun_needs_no_voice_link() -> None:
    mouth = Mouth().hears(QUEUE, sound(3), CUT)
    assert mouth.told(TellFloor) == [SpeechCut(utterance=U, turn=TU, started=False, text="")]
    assert mouth.told(TellVoice) == []


def test_a_cut_of_one_that_waits_leaves_the_one_that_speaks_alone() -> None:
    mouth = Mouth().speaking(QUEUE_V, CutSpeech(utterance=V))
    assert mouth.told(TellFloor) == [SpeechCut(utterance=V, turn=TV, started=False, text="")]
    assert [speech.utterance for speech in mouth.state.speeches] == [U]


def test_an_utterance_that_was_cut_before_it_came_is_cut_when_it_comes() -> None:
    mouth = Mouth().hears(CUT, QUEUE)
    assert mouth.told(TellFloor) == [SpeechCut(utterance=U, turn=TU, started=False, text="")]
    assert mouth.hears(sound(20)).last == ()


def test_a_cut_link_that_fails_meanwhile_is_still_a_cut() -> None:
    failed = SoundFailed(connection=C, utterance=U, frames=6, reason="reset")
    mouth = Mouth().speaking(CUT, failed)
    assert mouth.told(TellFloor) == [SpeechCut(utterance=U, turn=TU, started=True, text="Hello")]


def test_speech_that_drained_before_the_cut_arrived_has_drained() -> None:
    mouth = Mouth().speaking(CUT, drained(10))
    assert isinstance(mouth.told(TellFloor)[0], SpeechDrained)


def test_a_synthesizer_that_fails_before_any_sound_leaves_the_text_to_the_chat() -> None:
    mouth = Mouth().hears(QUEUE, broken("Hello there."))
    assert mouth.told(TellFloor) == [SpeechFailed(utterance=U, turn=TU, started=False, reason="quota")]
    assert mouth.told(TellStay) == [SayInChat(text="Hello there.")]
    assert mouth.told(Record) == [phase("failed", 0, 0, reason="quota")]


def test_a_synthesizer_that_fails_later_is_played_as_far_as_it_came() -> None:
    mouth = Mouth().hears(QUEUE, sound(10), HELLO, STARTED, broken("How are you?"))
    assert mouth.told(TellVoice) == [EndSound(utterance=U)]
    mouth.hears(drained(10))
    assert mouth.told(TellFloor) == [SpeechFailed(utterance=U, turn=TU, started=True, reason="quota")]
    assert mouth.told(TellRealtime) == [SpeechWasHeard(utterance=U, text="Hello there.", whole=False)]
    assert mouth.told(TellStay) == [SayInChat(text="How are you?")]


def test_a_voice_link_that_begins_a_new_life_fails_what_it_had_been_given() -> None:
    mouth = Mouth().speaking(LinkRestarted())
    assert mouth.told(TellFloor) == [
        SpeechFailed(utterance=U, turn=TU, started=True, reason="voice_restarted")
    ]
    assert mouth.told(TellStay) == [SayInChat(text="there.")]
    failed = Failed(stay_id=STAY, stage="playback", reason="voice_restarted", utterance_id=U, turn_id=TU)
    assert mouth.told(Record)[-1] == failed


def test_a_voice_link_that_begins_a_new_life_costs_nothing_that_it_was_not_given() -> None:
    assert Mouth().hears(LinkRestarted()).last == ()
    assert Mouth().hears(QUEUE, sound(3), LinkRestarted()).last == ()


def test_half_an_answer_is_not_posted() -> None:
    failed = SoundFailed(connection=C, utterance=U, frames=0, reason="link_down")
    mouth = Mouth().hears(QUEUE, sound(10), HELLO, failed)
    assert mouth.told(TellStay) == []
    assert mouth.told(TellTts) == [DropSpeech(utterance=U)]


def test_speech_that_fails_after_its_last_word_has_nothing_to_post() -> None:
    failed = SoundFailed(connection=C, utterance=U, frames=10, reason="reset")
    assert Mouth().speaking(failed).told(TellStay, TellTts) == []


def test_speech_that_the_voice_link_gave_up_for_another_has_failed() -> None:
    ack = SoundCut(connection=C, utterance=U, frames=6, dropped=4, at=10.6)
    told = Mouth().speaking(ack).told(TellFloor)
    assert told == [SpeechFailed(utterance=U, turn=TU, started=True, reason="superseded")]


def test_speech_that_is_not_sent_is_overdue_fifteen_seconds_after_its_length() -> None:
    mouth = Mouth().hears(QUEUE, sound(50)).at(25.0).hears(PlaybackTick(token=Token(1)))
    assert mouth.last == (Wake(seconds=1.0, message=PlaybackTick(token=Token(2))),)
    mouth.at(26.0).hears(PlaybackTick(token=Token(2)))
    assert mouth.told(TellVoice) == [CutSound(utterance=U)]
    assert mouth.told(TellFloor) == [SpeechFailed(utterance=U, turn=TU, started=False, reason="overdue")]


def test_speech_without_any_sound_is_overdue_without_a_word_to_the_voice_link() -> None:
    mouth = Mouth().hears(QUEUE).at(25.0).hears(PlaybackTick(token=Token(1)))
    assert mouth.told(TellVoice) == []
    assert mouth.told(TellTts) == [DropSpeech(utterance=U)]


def test_timers_of_speech_that_is_over_do_nothing() -> None:
    assert Mouth().hears(QUEUE, END, PlaybackTick(token=Token(1))).last == ()


def test_who_is_talked_over_gets_quieter_and_comes_back() -> None:
    mouth = Mouth().speaking(Duck(utterance=U))
    assert mouth.told(TellVoice) == [SetGain(utterance=U, decibels=-12.0, seconds=0.06)]
    mouth.hears(Unduck(utterance=U))
    assert mouth.told(TellVoice) == [SetGain(utterance=U, decibels=0.0, seconds=0.15)]


def test_a_pause_does_not_count_against_the_deadline() -> None:
    mouth = Mouth(PlaybackSettings(on_overlap="pause")).speaking(Duck(utterance=U))
    assert mouth.told(TellVoice) == [HoldSound(utterance=U, held=True)]
    assert mouth.hears(Duck(utterance=U)).last == ()
    mouth.at(25.5).hears(PlaybackTick(token=mouth.state.watch))
    assert isinstance(mouth.last[0], Wake)
    mouth.at(30.0).hears(Unduck(utterance=U))
    assert mouth.told(TellVoice) == [HoldSound(utterance=U, held=False)]
    assert mouth.state.speeches[0].since == 30.0


def test_who_ignores_being_talked_over_or_has_not_begun_or_is_cut_does_nothing() -> None:
    duck = Duck(utterance=U)
    assert Mouth(PlaybackSettings(on_overlap="ignore")).speaking(duck).last == ()
    assert Mouth().hears(QUEUE, duck).last == ()
    assert Mouth().speaking(CUT, duck).last == ()
    assert Mouth().hears(duck).last == ()


def test_an_underrun_is_counted() -> None:
    mouth = Mouth().speaking(SoundUnderrun(connection=C, utterance=U, frames=10))
    assert (mouth.state.underruns, mouth.state.speeches[0].sent) == (1, 10)


def test_more_utterances_than_may_wait_fail() -> None:
    mouth = Mouth(PlaybackSettings(most_utterances=1)).hears(QUEUE, QUEUE_V)
    assert mouth.told(TellFloor) == [
        SpeechQueued(utterance=V, turn=TV),
        SpeechFailed(utterance=V, turn=TV, started=False, reason="queue_full"),
    ]
