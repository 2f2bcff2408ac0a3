"""Text becomes units, units become sound, and a failure names the utterance that it is a failure of."""

import pytest

from actors.tts.core import REMEMBERED, step, stopped
from actors.tts.decisions import Decision, Forget, Prepare, Record, Speak, TellPlayback, Wake
from actors.tts.settings import TtsSettings
from actors.tts.state import State
from messages.evidence import Failed
from messages.ids import Connection, StayId, Token, TurnId, UtteranceId
from messages.playback import AlignText, AskForMore, BreakSpeech, EndSpeech, QueueSound, QueueSpeech
from messages.tts import (
    DropSpeech,
    MoreWanted,
    SayEnd,
    SayText,
    SoundMade,
    SynthesisFailed,
    SynthesizerLost,
    TtsMessage,
    TtsTick,
    UnitSpoken,
)

STAY, U, V, T = StayId("s1"), UtteranceId("u1"), UtteranceId("u2"), TurnId("t1")
ONE, TWO = Connection(1), Connection(2)
END, MORE, DROP = SayEnd(utterance=U), MoreWanted(utterance=U), DropSpeech(utterance=U)
FORGET = Forget(connection=ONE, utterance=U)
ASKS = AskForMore(utterance=U)


def say(text: str, utterance: UtteranceId = U) -> SayText:
    return SayText(utterance=utterance, turn=T, text=text)


def made(pcm: bytes = b"12", connection: Connection = ONE, unit: int = 0, text: str = "") -> SoundMade:
    return SoundMade(connection=connection, utterance=U, unit=unit, pcm=pcm, text=text)


def spoken(unit: int = 0, connection: Connection = ONE) -> UnitSpoken:
    return UnitSpoken(connection=connection, utterance=U, unit=unit)


def failed(connection: Connection = ONE) -> SynthesisFailed:
    return SynthesisFailed(connection=connection, utterance=U, reason="quota")


def lost(connection: Connection = ONE) -> SynthesizerLost:
    return SynthesizerLost(connection=connection, reason="reset")


def speak(
    text: str, unit: int = 0, connection: Connection = ONE, utterance: UtteranceId = U, last: bool = False
) -> Speak:
    return Speak(connection=connection, utterance=utterance, unit=unit, text=text, last=last)


def after(*events: TtsMessage) -> tuple[State, tuple[Decision, ...]]:
    state, decisions = State(settings=TtsSettings(), stay=STAY), tuple[Decision, ...]()
    for event in events:
        state, decisions = step(state, event)
    return state, decisions


def told(*events: TtsMessage) -> list[object]:
    return [decision.message for decision in after(*events)[1] if isinstance(decision, TellPlayback)]


def asked(*events: TtsMessage) -> list[Decision]:
    return [decision for decision in after(*events)[1] if isinstance(decision, Speak | Forget)]


def broke(unheard: str, reason: str = "quota") -> tuple[Decision, ...]:
    return (
        TellPlayback(message=BreakSpeech(utterance=U, turn=T, reason=reason, unheard=unheard)),
        Record(
            receipt=Failed(stay_id=STAY, stage="speech_synthesis", reason=reason, utterance_id=U, turn_id=T)
        ),
    )


def test_the_first_text_queues_the_utterance_and_the_first_unit_is_spoken_at_once() -> None:
    assert after(say("Hello there. How"))[1] == (
        TellPlayback(message=QueueSpeech(utterance=U, turn=T)),
        speak("Hello there."),
        Wake(seconds=6.0, message=TtsTick(token=Token(1))),
    )


def test_text_comes_in_any_portions() -> None:
    assert asked(say("It costs 5."), say("30")) == []
    assert asked(say("It costs 5."), say("30"), say(" today. ")) == [speak("It costs 5.30 today.")]


def test_sound_goes_to_playback_and_a_whole_unit_tells_its_text() -> None:
    assert told(say("One. "), made()) == [QueueSound(utterance=U, pcm=b"12")]
    assert told(say("One. "), made(), spoken()) == [AlignText(utterance=U, text="One."), ASKS]


def test_more_is_asked_for_when_a_unit_is_whole_and_not_when_a_word_of_it_is() -> None:
    assert ASKS not in told(say("One two. Three. "), made(text="One"))
    assert ASKS in told(say("One two. Three. "), made(text="One"), spoken())
    assert ASKS not in told(say("One. "), END, made(), spoken())


def test_text_whose_first_sentence_is_not_whole_yet_has_the_synthesizer_connect() -> None:
    assert after(say("Hello"))[1][1:] == (Prepare(connection=ONE),)
    assert after(say("Hello"), say(" there"))[1] == ()


def test_a_unit_is_known_to_be_the_last_one_once_all_of_the_text_has_come() -> None:
    assert asked(say("One"), END) == [speak("One", last=True)]
    assert asked(say("One. Two. "), END, made(), spoken(), MORE) == [speak("Two.", unit=1, last=True)]
    assert asked(say("One. Two. "), MORE, END, made(), spoken()) == [speak("Two.", unit=1, last=True)]


def test_sound_of_which_the_text_is_known_is_aligned_at_once_and_the_rest_at_the_end() -> None:
    events = (say("One two three. "), made(text="One"), made(text="two"))
    assert told(*events) == [QueueSound(utterance=U, pcm=b"12"), AlignText(utterance=U, text="two")]
    assert told(*events, spoken()) == [AlignText(utterance=U, text="three."), ASKS]
    assert told(*events, made(text="three."), spoken()) == [ASKS]


def test_a_synthesizer_that_says_it_otherwise_does_not_make_text_come_twice() -> None:
    events = (say("Costs 20 dollars. "), made(text="costs twenty"))
    assert told(*events)[1:] == [AlignText(utterance=U, text="costs twenty")]
    assert told(*events, spoken()) == [AlignText(utterance=U, text="dollars."), ASKS]
    assert told(*events, made(text="dollars and more than that"), spoken()) == [ASKS]


def test_what_of_a_unit_was_synthesized_is_not_posted_when_the_rest_fails() -> None:
    events = (say("One two three. Four. "), END, made(text="One"), made(text="two"))
    assert after(*events, failed())[1] == (*broke("three. Four."), FORGET)
    assert stopped(after(*events)[0], "crashed")[:2] == broke("three. Four.", "crashed")


def test_the_next_unit_waits_until_it_is_wanted() -> None:
    assert asked(say("One. Two. "), made(), spoken()) == []
    assert asked(say("One. Two. "), made(), spoken(), MORE) == [speak("Two.", unit=1)]
    assert asked(say("One. Two. "), MORE) == []
    assert asked(say("One. Two. "), MORE, made(), spoken()) == [speak("Two.", unit=1)]


def test_an_utterance_ends_when_all_of_its_text_was_spoken() -> None:
    assert told(say("One. "), END) == []
    state, decisions = after(say("One. "), END, made(), spoken())
    assert decisions[1:] == (TellPlayback(message=EndSpeech(utterance=U)), FORGET)
    assert state.speeches == ()


def test_an_utterance_without_words_ends_at_once() -> None:
    assert told(say("… "), END) == [EndSpeech(utterance=U)]


def test_after_a_drop_nothing_is_heard_of_it_again() -> None:
    assert after(say("One. Two. "), DROP)[1] == (FORGET,)
    for late in (say("Three. "), END, MORE, made(), spoken(), failed(), lost(), DROP):
        state, decisions = after(say("One. Two. "), DROP, late)
        assert (decisions, state.speeches) == ((), ())


def test_what_is_dropped_before_it_comes_does_not_come() -> None:
    assert after(DROP, say("One. "))[1] == ()


def test_only_so_many_names_are_remembered() -> None:
    drops = [DropSpeech(utterance=UtteranceId(f"u{number}")) for number in range(REMEMBERED + 5)]
    assert len(after(*drops)[0].gone) == REMEMBERED


def test_a_failure_before_the_first_sound_is_tried_once_more_on_a_fresh_connection() -> None:
    assert asked(say("One. "), failed()) == [speak("One.", connection=TWO)]
    assert asked(say("One. "), lost()) == [speak("One.", connection=TWO)]


def test_a_second_failure_is_the_end_and_names_the_utterance_once() -> None:
    state, decisions = after(say("One. Two"), END, failed(), failed(TWO))
    assert decisions == (*broke("One. Two"), Forget(connection=TWO, utterance=U))
    assert step(state, failed(TWO))[1] == ()


def test_a_unit_that_is_spoken_without_a_sound_has_failed() -> None:
    assert asked(say("One. "), END, spoken()) == [speak("One.", connection=TWO, last=True)]
    assert after(say("One. "), END, spoken(), spoken(connection=TWO))[1][:2] == broke("One.", "no_sound")
    events = (say("One. Two. "), END, made(), spoken(), MORE, spoken(1))
    assert after(*events)[1] == (*broke("Two.", "no_sound"), FORGET)


def test_late_sound_of_the_connection_before_is_not_heard() -> None:
    assert told(say("One. "), failed(), made()) == []


def test_a_failure_after_sound_leaves_the_rest_of_the_text() -> None:
    _, decisions = after(say("One. Two. Three"), END, made(), spoken(), MORE, failed())
    assert decisions == (*broke("Two. Three"), FORGET)


def test_a_failure_in_the_middle_of_the_text_waits_for_the_rest_of_it() -> None:
    events = (say("One. Two"), made(), failed())
    state, decisions = after(*events)
    assert decisions == (Wake(seconds=5.0, message=TtsTick(token=state.token)),)
    assert told(*events, say(" more. Three"), MORE, END) == [
        BreakSpeech(utterance=U, turn=T, reason="quota", unheard="One. Two more. Three")
    ]
    assert step(state, TtsTick(token=state.token))[1] == (*broke("One. Two"), FORGET)


def test_the_death_of_an_idle_connection_says_nothing_and_the_next_unit_opens_another() -> None:
    assert after(lost())[1] == ()
    idle = (say("One. Two"), made(), spoken(), MORE, lost())
    assert after(*idle)[1] == ()
    assert asked(*idle, END) == [speak("Two", unit=1, connection=TWO, last=True)]


def test_the_death_of_an_older_connection_changes_nothing() -> None:
    state, decisions = after(say("One. "), lost(), made(connection=TWO), lost())
    assert (decisions, state.connection) == ((), TWO)


def test_only_utterances_in_flight_on_a_dead_connection_notice() -> None:
    _, decisions = after(say("One. "), made(), say("Two. ", V), lost())
    assert [decision for decision in decisions if isinstance(decision, Speak)] == [
        speak("Two.", connection=TWO, utterance=V)
    ]


def test_a_unit_that_takes_too_long_has_failed() -> None:
    state, decisions = after(say("One. "), END, TtsTick(token=Token(1)))
    assert decisions[:2] == (FORGET, speak("One.", connection=TWO, last=True))
    _, decisions = step(state, TtsTick(token=state.token))
    assert decisions[1:3] == broke("One.", "timeout")


def test_timers_of_units_that_were_spoken_do_nothing() -> None:
    state, _ = after(say("One. "), made(), spoken())
    assert step(state, TtsTick(token=Token(1)))[1] == ()
    assert step(state, TtsTick(token=state.token))[1] == ()


def test_two_utterances_are_synthesized_side_by_side() -> None:
    assert asked(say("One. "), say("Two. ", V)) == [speak("Two.", utterance=V)]


@pytest.mark.parametrize("wrong", [{"pitch": 3.0}, {"unit_characters": 5}])
def test_settings_that_cannot_work_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be between"):
        TtsSettings(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["English", "en-US", "", "EN"])
def test_a_language_is_a_code(language: str) -> None:
    assert TtsSettings(language="pt").language == "pt"
    with pytest.raises(ValueError, match='a code as "en"'):
        TtsSettings(language=language)


def test_a_piece_has_time_as_long_as_more_sound_of_it_comes() -> None:
    state, decisions = after(say("One. "), made())
    assert decisions[-1] == Wake(seconds=6.0, message=TtsTick(token=Token(2)))
    assert step(state, TtsTick(token=Token(1)))[1] == ()
    assert step(state, TtsTick(token=Token(2)))[1] != ()


def test_news_of_a_connection_that_was_replaced_already_replaces_no_other() -> None:
    assert after(lost(), lost(TWO), lost(ONE))[0].connection == Connection(3)


def test_a_life_that_ends_in_mid_sentence_says_what_will_not_be_heard() -> None:
    state, _ = after(say("One. Two. Thr"))
    assert stopped(state, "crashed")[:2] == broke("One. Two. Thr", "crashed")
    assert stopped(after(say("One. "), made(), spoken(), DropSpeech(utterance=U))[0], "crashed") == ()
