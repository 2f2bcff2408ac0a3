"""Speaking on a line by hand: what is sent, and when a unit is over, in both dialects."""

import pytest

from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, UnitSpoken
from tests.actors.tts.live.scene import ONE, TWO, Scene
from tests.actors.tts.live.talk import DIALOGUE, MODELS, SPEECH, sounding

WHOLE = ["u1.0 Hello", "u1.0 there.", f"u1.0 {len(sounding('.'))}"]
"""What is reported of the text with all of its sound: the words to their last letters, and the rest."""


@pytest.fixture(params=MODELS)
def scene(request: pytest.FixtureRequest) -> Scene:
    return Scene(str(request.param))


@pytest.fixture
def speech() -> Scene:
    return Scene(SPEECH)


@pytest.fixture
def dialogue() -> Scene:
    return Scene(DIALOGUE)


def test_no_line_is_dialled_before_there_is_something_to_say(scene: Scene) -> None:
    assert scene.dial.lines == []
    scene.port.prepare(ONE)
    scene.port.prepare(ONE)
    assert len(scene.dial.lines) == 1
    scene.speak()
    assert len(scene.dial.lines) == 1


def test_a_whole_utterance_is_told_word_by_word_and_then_over(scene: Scene) -> None:
    scene.speak()
    assert scene.sent()[:3] == ["open c1", "say c1", "flush c1"]
    scene.line.open()
    scene.line.come(brand_new="a frame of tomorrow")
    scene.sound()
    assert scene.heard() == WHOLE
    scene.finish()
    assert scene.events == [UnitSpoken(connection=ONE, utterance=UtteranceId("u1"), unit=0)]
    scene.forget()


def test_the_last_unit_of_speech_closes_its_context_at_once_and_no_second_time(speech: Scene) -> None:
    speech.speak()
    assert speech.sent() == ["open c1", "say c1", "flush c1", "close c1"]
    speech.final()
    speech.forget()
    assert speech.sent() == []


def test_a_dialogue_is_closed_only_when_its_flush_was_answered(dialogue: Scene) -> None:
    dialogue.speak()
    dialogue.sound(text="Hello there")
    dialogue.wait(5.0)
    assert dialogue.heard() == WHOLE[:2]
    assert dialogue.sent() == ["open c1", "say c1", "flush c1"]
    dialogue.turn_over()
    assert dialogue.heard() == ["u1.0 spoken"]
    dialogue.forget()
    assert dialogue.sent() == ["close c1"]


def test_a_dialogue_whose_flush_is_never_answered_goes_on_when_all_of_it_has_sounded(dialogue: Scene) -> None:
    for unit in range(3):
        dialogue.speak(unit=unit, last=unit == 2)
        dialogue.sound()
        dialogue.wait(0.9)
        assert f"u1.{unit} spoken" not in dialogue.heard()
        dialogue.wait(0.1)
        assert dialogue.heard() == [f"u1.{unit} spoken"]
    dialogue.turn_over()
    assert dialogue.heard() == []


def test_a_late_answer_to_one_flush_is_not_taken_for_the_answer_to_the_next(dialogue: Scene) -> None:
    dialogue.speak(last=False)
    dialogue.sound()
    dialogue.wait(1.0)
    dialogue.speak(unit=1)
    dialogue.sound(text="Hello")
    dialogue.heard()
    dialogue.turn_over()
    assert dialogue.heard() == []
    dialogue.turn_over()
    assert dialogue.heard() == ["u1.1 spoken"]


def test_words_whose_sound_never_came_are_not_told_with_the_next_unit(speech: Scene) -> None:
    speech.speak(last=False)
    speech.sound(pcm=b"\1\0")
    speech.wait(0.5)
    assert speech.heard() == ["u1.0 2", "u1.0 spoken"]
    speech.speak(unit=1, text="So.")
    speech.sound(text="", pcm=sounding("ello there."))
    assert speech.heard() == [f"u1.1 {len(sounding('ello there.'))}"]


def test_units_of_one_utterance_go_into_one_context_and_others_into_others(scene: Scene) -> None:
    scene.speak(last=False)
    scene.speak("u2", last=False)
    scene.sound("c1")
    if scene.dialogue:
        scene.turn_over("c1")
    assert scene.heard() == [*WHOLE, "u1.0 spoken"]
    scene.sent()
    scene.speak(unit=1, last=False)
    assert scene.sent() == ["say c1", "flush c1"]
    scene.sound("c2")
    assert scene.heard()[0] == "u2.0 Hello"


def test_speech_that_goes_on_is_over_when_its_last_sign_has_sounded(speech: Scene) -> None:
    speech.speak(last=False)
    speech.sound(text="Hello the")
    assert speech.heard() == ["u1.0 Hello", f"u1.0 {len(sounding(' the'))}"]
    speech.sound(text="re")
    assert speech.heard() == ["u1.0 there."]
    speech.sound(text=".")
    assert speech.heard() == [f"u1.0 {len(sounding('.'))}", "u1.0 spoken"]


def test_speech_that_says_a_number_in_more_words_than_were_written_is_not_over_early(speech: Scene) -> None:
    speech.speak(text="It costs 5.30 now.", last=False)
    speech.sound(text="It costs five dollars ")
    speech.sound(text="and thirty cents now")
    assert "u1.0 spoken" not in speech.heard()
    speech.sound(text=". ")
    assert speech.heard()[-1] == "u1.0 spoken"


def test_letters_whose_sound_has_not_come_yet_do_not_end_a_unit(speech: Scene) -> None:
    speech.speak(last=False)
    speech.sound(pcm=b"\1\0")
    assert speech.heard() == ["u1.0 2"]
    speech.sound(text="", pcm=sounding("ello there."))
    assert speech.heard()[-1] == "u1.0 spoken"


def test_speech_without_alignment_is_over_after_half_a_second_of_silence(speech: Scene) -> None:
    speech.speak(last=False)
    speech.wait(10.0)
    speech.sound(text="", pcm=b"\1\0\1\0")
    speech.wait(0.4)
    speech.sound(text="", pcm=b"\1\0")
    speech.wait(0.4)
    assert speech.heard() == ["u1.0 4", "u1.0 2"]
    speech.wait(0.1)
    assert speech.heard() == ["u1.0 spoken"]


def test_a_frame_without_sound_begins_no_silence(scene: Scene) -> None:
    scene.speak(last=False)
    scene.sound(text="", pcm=b"")
    scene.wait(5.0)
    assert scene.heard() == []


def test_a_last_unit_whose_end_is_never_told_is_over_all_the_same_and_its_place_stays_taken(
    speech: Scene,
) -> None:
    speech.speak()
    speech.sound()
    speech.wait(0.9)
    assert "u1.0 spoken" not in speech.heard()
    speech.wait(0.1)
    assert speech.heard() == ["u1.0 spoken"]
    speech.sound(text="")
    speech.final()
    assert speech.heard() == []


def test_a_last_unit_that_is_not_covered_has_more_patience(speech: Scene) -> None:
    speech.speak()
    speech.sound(text="Hello")
    speech.wait(2.4)
    assert "u1.0 spoken" not in speech.heard()
    speech.wait(0.1)
    assert speech.heard() == ["u1.0 spoken"]


def test_the_end_of_an_utterance_that_is_known_too_late_closes_its_context(scene: Scene) -> None:
    scene.speak(last=False)
    scene.sound()
    if scene.dialogue:
        scene.turn_over()
    scene.sent()
    scene.forget()
    assert scene.sent() == ["close c1"]
    scene.forget()
    assert scene.sent() == []


def test_half_a_sample_is_kept_for_its_other_half_in_each_context_of_its_own(scene: Scene) -> None:
    scene.speak("u1", last=False)
    scene.speak("u2", last=False)
    scene.sound("c1", "", b"\1\0\2")
    scene.sound("c2", "", b"\5")
    scene.sound("c1", "", b"\0")
    scene.sound("c2", "", b"\0\6\0")
    sounds = [(made.utterance, made.pcm) for made in scene.events if isinstance(made, SoundMade)]
    assert sounds == [("u1", b"\1\0"), ("u1", b"\2\0"), ("u2", b"\5\0\6\0")]


def test_a_forgotten_utterance_is_closed_and_what_comes_late_of_it_is_not_told(scene: Scene) -> None:
    scene.speak(last=False)
    scene.sound(text="Hello")
    scene.heard()
    scene.sent()
    scene.forget()
    assert scene.sent() == ["close c1"]
    scene.sound(text=" there.")
    scene.finish()
    scene.final()
    scene.sound()
    scene.wait(60.0)
    assert scene.heard() == []


def test_a_higher_number_is_a_fresh_line_and_the_older_one_ends_with_what_it_still_does(scene: Scene) -> None:
    scene.speak("u1")
    scene.speak("u2")
    older = scene.line
    scene.speak("u2", connection=TWO)
    assert older is not scene.line
    assert scene.sent()[:3] == ["open c3", "say c3", "flush c3"]
    assert scene.sent(older)[-1] == "close c2"
    scene.heard()
    older.come(isFinalAudioForTurn=True, isFinal=True, contextId="c1")
    assert scene.events == [UnitSpoken(connection=ONE, utterance=UtteranceId("u1"), unit=0)]
    assert older.farewell == {"close_socket": True}
    older.end()
    assert not scene.line.closed
    scene.speak("u3", connection=ONE)
    assert len(scene.dial.lines) == 2


def test_an_older_line_with_nothing_to_do_ends_at_once(scene: Scene) -> None:
    scene.port.prepare(ONE)
    scene.port.prepare(TWO)
    assert [line.closed for line in scene.dial.lines] == [True, False]
    scene.port.prepare(Connection(2))
    assert len(scene.dial.lines) == 2
