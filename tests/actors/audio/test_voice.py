"""The local voice says what it is told, at once, and says nothing when there is nothing to say."""

import pytest

from actors.audio import models as packages
from actors.audio import pcm
from actors.audio.models import ModelMissing
from actors.audio.voice import LEAD_SECONDS, LocalVoice
from tests import models
from tests.speech.clips import error_rate

SENTENCES = (
    "Hello there, it is nice to hear you again.",
    "We could try the other door first.",
    "I will tell the captain about it tomorrow morning.",
)


def say(text: str, pitch: float = 1.0) -> bytes:
    return b"".join(models.voice().stream(text, pitch))


def silence_before(sound: bytes) -> float:
    return next(i for i, sample in enumerate(pcm.samples(sound)) if abs(sample) > 500) / pcm.RATE


@pytest.mark.parametrize("pitch", [0.8, 1.0, 1.25])
def test_what_it_says_can_be_understood(pitch: float) -> None:
    heard = [(text, models.whisper().transcribe(say(text, pitch)).text) for text in SENTENCES]
    assert error_rate(heard) <= 0.15


@pytest.mark.parametrize("word", ["Yeah.", "Okay.", "Nice.", "No.", "Stop.", "Wait."])
def test_one_word_is_understood_too(word: str) -> None:
    sound = say(word)
    assert 0.3 < pcm.seconds(sound) < 1.0
    assert models.whisper().transcribe(sound).text.strip(".!?, ") == word.strip(".")


def test_each_sentence_comes_when_it_is_ready() -> None:
    pieces = list(models.voice().stream("Hello there. We could try the other door first. Good night."))
    assert len(pieces) == 3
    assert all(silence_before(piece) <= LEAD_SECONDS + 0.02 for piece in pieces)
    assert all(len(piece) % 2 == 0 for piece in pieces)


def test_the_same_words_are_the_same_sound() -> None:
    assert say(SENTENCES[0]) == say(SENTENCES[0])


def test_a_sentence_sounds_the_same_alone_and_after_another() -> None:
    assert list(models.voice().stream(f"Good night. {SENTENCES[1]}"))[1] == say(SENTENCES[1])


def test_another_pitch_is_another_speaker_at_the_same_pace() -> None:
    low, usual, high = (say(SENTENCES[0], pitch) for pitch in (0.75, 1.0, 1.3))
    assert len({low, usual, high}) == 3
    assert pcm.seconds(low) == pytest.approx(pcm.seconds(usual), rel=0.1)
    assert pcm.seconds(high) == pytest.approx(pcm.seconds(usual), rel=0.1)


@pytest.mark.parametrize("pitch", [0.0, 0.59, 1.61, -1.0])
def test_nobody_has_such_a_pitch(pitch: float) -> None:
    with pytest.raises(ValueError, match="is outside"):
        say("Hello.", pitch)


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "...", "?!", "--", '"', "😀", "日本語", "\0\7", "\ud800"]
)
def test_without_words_there_is_no_sound(text: str) -> None:
    assert say(text) == b""


@pytest.mark.parametrize(
    "text", ["*nods*", "<b>", "é à ü", "http://x.y/z?q=1", "$5.3k @#%^&*", "a" * 3000, "3.14"]
)
def test_strange_text_is_said_somehow(text: str) -> None:
    assert pcm.seconds(say(text)) > 0.2


def test_signs_that_the_network_never_learned_are_no_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models.voice()._hibari, "phonemize", lambda _: ["\u0436"])
    assert say("Hello.") == b""


def test_it_is_as_loud_as_a_person_and_never_clips() -> None:
    sound = say(" ".join(SENTENCES))
    assert -26 < pcm.rms_dbfs(sound) < -16
    assert pcm.peak_dbfs(sound) < -0.1


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "package_folder", lambda _: None)
    with pytest.raises(ModelMissing, match=r"pip install .*hibari-tts") as missing:
        LocalVoice()
    assert "hibari-tts" in missing.value.what
    assert "make setup" in missing.value.remedy


def test_a_package_without_its_file_is_a_missing_model() -> None:
    with pytest.raises(ModelMissing, match="is installed without assets/nothing"):
        packages.packaged_file("pytest", "assets/nothing", "pytest")
    with pytest.raises(ModelMissing, match="is not installed"):
        packages.packaged_file("no_such_package", "model.bin", "no-such-package")
