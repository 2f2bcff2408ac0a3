"""How what comes is read, in both spellings, and that what cannot be read is not quoted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.tts.live.wire import Heard, Letter, Refusal, decode
from tests.actors.tts.live.talk import MODELS, error, final, sound, sounding, turn_over


@pytest.mark.parametrize("model", MODELS)
def test_sound_comes_with_the_ends_of_its_letters(model: str) -> None:
    assert decode(json.dumps(sound(model, "c1", "Hi"))) == Heard(
        context="c1", pcm=sounding("Hi"), letters=(Letter(sign="H", end=10.0), Letter(sign="i", end=20.0))
    )


@pytest.mark.parametrize("model", MODELS)
def test_the_end_of_a_context_is_told(model: str) -> None:
    assert decode(json.dumps(final(model, "c1"))) == Heard(context="c1", over=True)


def test_the_end_of_a_turn_is_told() -> None:
    assert decode(json.dumps(turn_over("c1"))) == Heard(context="c1", turn_over=True)


def test_an_alignment_may_be_empty_or_cut_short() -> None:
    for empty in (None, {}, {"chars": None, "charStartTimesMs": None, "charDurationsMs": None}):
        assert decode(json.dumps({"contextId": "c1", "alignment": empty})) == Heard(context="c1")
    short = {"chars": ["a", "b"], "char_start_times_ms": [0, 5], "char_durations_ms": [5]}
    read = decode(json.dumps({"context_id": "c1", "alignment": short}))
    assert read == Heard(context="c1", letters=(Letter(sign="a", end=5.0),))


def test_an_error_is_a_code_and_never_its_prose() -> None:
    assert decode(json.dumps(error("quota_exceeded"))) == Refusal(reason="quota")
    assert decode(json.dumps(error("input_timeout_exceeded"))) == Refusal(reason="input_timeout_exceeded")
    assert decode(json.dumps(error("You said: hello"))) == Refusal(reason="provider_error")
    assert decode('{"error": {"status": "bad"}}') == Refusal(reason="provider_error")
    assert decode('{"message": "prose", "code": 1011}') == Refusal(reason="provider_error")


def test_what_is_about_no_context_says_nothing() -> None:
    assert decode("{}") is None
    assert decode('{"brand_new": 1, "audio": null}') is None


@pytest.mark.parametrize("moment", [1e308, -1e308, float("inf"), float("nan")])
@pytest.mark.parametrize("key", ["charStartTimesMs", "charDurationsMs"])
def test_a_letter_at_no_moment_of_any_sound_is_no_letter(key: str, moment: float) -> None:
    alignment = {"chars": ["a"], "charStartTimesMs": [0], "charDurationsMs": [5]} | {key: [moment]}
    with pytest.raises(ValueError, match=key):
        decode(json.dumps({"contextId": "c1", "alignment": alignment}))


@given(st.text(st.characters() | st.characters(categories=["Cs"])))
def test_half_a_letter_never_passes(text: str) -> None:
    alignment = {"chars": [text], "char_start_times_ms": [0], "char_durations_ms": [5]}
    read = decode(json.dumps({"context_id": text, "alignment": alignment}))
    assert isinstance(read, Heard)
    assert (read.context + read.letters[0].sign).encode() == 2 * read.context.encode()


@pytest.mark.parametrize(
    "secret",
    [
        "my words",
        '"my words"',
        "[1]",
        "null",
        '{"contextId": "c1", "audio": "my words!"}',
        '{"contextId": "c1", "audio": 5, "note": "my words"}',
        '{"contextId": "c1", "alignment": {"chars": "my words"}}',
    ],
)
def test_what_is_no_frame_is_refused_without_being_quoted(secret: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        decode(secret)
    assert "my words" not in str(refused.value)
