"""Which texts are words, and which are what recognisers make of silence."""

import pytest

from actors.capture.filters import (
    PhraseBook,
    bare,
    is_foreign,
    is_only_laughter,
    why_not_speech,
    without_noises,
)
from actors.capture.phrase_book import phrase_book
from actors.capture.settings import CaptureSettings

ENGLISH = ("en",)


def why(text: str, *, short: bool = True, languages: tuple[str, ...] = ENGLISH) -> str | None:
    return why_not_speech(text, short=short, languages=languages, book=phrase_book())


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for watching!",
        "thanks for watching. Please subscribe.",
        "İzlediğiniz için teşekkürler.",
        "시청해주셔서 감사합니다.",
        "I'm gonna go to the end of the video.",
        "I’m gonna go to the end of the video",
    ],
)
def test_phrases_of_silence_are_known_in_several_languages(text: str) -> None:
    assert why(text, languages=("en", "tr", "ko")) == "hallucinated_phrase"


@pytest.mark.parametrize(
    "text", ["Haha", "ha ha ha", "Hahaha!", "hehehe", "Ho ho ho", "bwahaha", "LOL", "he he he", "jajaja"]
)
def test_laughter_spelled_out_is_laughter(text: str) -> None:
    assert is_only_laughter(text)


@pytest.mark.parametrize(
    "text", ["he", "Hi. Hi!", "aha moment", "Hannah", "hello", "", "who", "he has", "oh"]
)
def test_words_are_not_laughter(text: str) -> None:
    assert not is_only_laughter(text)


@pytest.mark.parametrize(
    "text",
    ["Stop.", "Thank you.", "Thank you for watching the kids.", "Thanks, please subscribe me", "Ja", "5"],
)
def test_what_people_say_is_kept(text: str) -> None:
    assert why(text) is None


def test_a_foreign_script_counts_only_on_a_short_capture() -> None:
    assert why("привет") == "foreign_script"
    assert why("привет", short=False) is None
    assert why("привет", languages=("en", "ru")) is None


def test_a_language_without_an_entry_may_be_written_in_any_script() -> None:
    assert not is_foreign("привет", ("xx",), PhraseBook(phrases=frozenset(), scripts={}))


def test_noises_in_brackets_are_no_words() -> None:
    assert without_noises("[BLANK_AUDIO] hello (coughs) *sighs* there ♪ la la ♪") == "hello there"
    assert bare("  Don’t — STOP! ") == "don't stop"


@pytest.mark.parametrize(
    "wrong",
    [
        {"end_seconds": 0.0},
        {"end_probability": 0.6},
        {"begin_probability": 1.0},
        {"longest_seconds": 0.5},
        {"languages": ()},
    ],
)
def test_settings_that_cannot_work_are_refused_with_a_remedy(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must .*got .*; "):
        CaptureSettings(**wrong)  # type: ignore[arg-type]
