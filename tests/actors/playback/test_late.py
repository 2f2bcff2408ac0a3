"""What comes late changes nothing of what was said and heard before."""

from actors.playback.state import TellRealtime
from messages.realtime import SpeechWasHeard
from messages.voice import SoundFailed
from tests.actors.playback.test_core import CUT, HELLO, QUEUE, STARTED, C, Mouth, U, sent, sound


def test_after_the_cut_no_more_text_of_it_is_told_to_the_floor() -> None:
    mouth = Mouth().hears(QUEUE, sound(10), CUT, HELLO)
    assert mouth.last == ()


def test_a_link_that_breaks_takes_nothing_back_of_what_was_heard() -> None:
    mouth = Mouth().hears(QUEUE, sound(20), HELLO, STARTED, sent(10))
    mouth.hears(SoundFailed(connection=C, utterance=U, frames=0, reason="reset"))
    heard = mouth.told(TellRealtime)
    assert heard == [SpeechWasHeard(utterance=U, text="Hello", whole=False)]
