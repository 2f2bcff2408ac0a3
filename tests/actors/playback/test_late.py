"""What comes late changes nothing of what was said and heard before."""

from actors.playback.core import stopped
from actors.playback.decisions import Decision, Record, TellRealtime, TellVoice
from messages.evidence import Failed, Playback
from messages.realtime import SpeechWasHeard
from messages.voice import CutSound, SoundFailed
from tests.actors.playback.test_core import CUT, HELLO, QUEUE, STARTED, C, Mouth, U, sent, sound

SILENCE = TellVoice(message=CutSound(utterance=U))


def test_after_the_cut_no_more_text_of_it_is_told_to_the_floor() -> None:
    mouth = Mouth().hears(QUEUE, sound(10), CUT, HELLO)
    assert mouth.last == ()


def test_what_was_not_given_to_the_link_before_the_cut_is_let_go_at_once() -> None:
    mouth = Mouth().hears(QUEUE, sound(100))
    assert mouth.state.speeches[0].waiting.size > 0
    assert mouth.hears(CUT).state.speeches[0].waiting.size == 0


def test_a_link_that_breaks_takes_nothing_back_of_what_was_heard() -> None:
    mouth = Mouth().hears(QUEUE, sound(20), HELLO, STARTED, sent(10))
    mouth.hears(SoundFailed(connection=C, utterance=U, frames=0, reason="reset"))
    heard = mouth.told(TellRealtime)
    assert heard == [SpeechWasHeard(utterance=U, text="Hello", whole=False)]


def recorded(decisions: tuple[Decision, ...]) -> list[str]:
    entries = [one.receipt for one in decisions if isinstance(one, Record)]
    phases = [entry.phase for entry in entries if isinstance(entry, Playback)]
    return phases + [f"failed at {entry.stage}" for entry in entries if isinstance(entry, Failed)]


def test_a_life_that_ends_in_mid_sentence_silences_the_link_and_says_what_was_heard() -> None:
    mouth = Mouth().speaking().at(10.6)
    last = stopped(mouth.state, "crashed", mouth.now)
    assert SILENCE in last
    assert TellRealtime(message=SpeechWasHeard(utterance=U, text="Hello", whole=False)) in last
    assert recorded(last) == ["failed", "failed at playback"]


def test_an_orderly_end_in_mid_sentence_is_a_cut_and_no_failure() -> None:
    mouth = Mouth().speaking()
    assert recorded(stopped(mouth.state, None, mouth.now)) == ["cut"]


def test_what_never_began_needs_no_silence() -> None:
    assert SILENCE not in stopped(Mouth().hears(QUEUE).state, "crashed", 11.0)
    assert stopped(Mouth().state, "crashed", 11.0) == ()
