"""Whatever the provider writes is news, of no interest, or a ValueError, and never anything else."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.capture.live import wire
from actors.capture.live.hello import MOST_KEYWORDS, hello
from actors.capture.live.wire import (
    Cleared,
    Committed,
    MoreText,
    NotTranscribed,
    Refused,
    SetUp,
    Transcribed,
    decode,
)
from actors.capture.settings import CaptureSettings

WORDS = "conversation.item.input_audio_transcription"
KINDS_OF_WORDS = ("delta", "completed")
TYPES = (
    "error",
    "session.updated",
    "input_audio_buffer.committed",
    "input_audio_buffer.cleared",
    f"{WORDS}.delta",
    f"{WORDS}.completed",
    f"{WORDS}.failed",
    f"{WORDS}.segment",
    "brand.new",
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(TYPES),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(("item_id", "delta", "transcript", "error", "code", "event_id", "type"))
FRAMES = st.builds(
    lambda kind, more: {**more, "type": kind},
    st.sampled_from(TYPES),
    st.dictionaries(KEYS, ANYTHING | st.dictionaries(KEYS, ANYTHING)),
)


@pytest.mark.parametrize(
    ("frame", "news"),
    [
        ({"type": "session.updated", "session": {}}, SetUp()),
        ({"type": "input_audio_buffer.committed", "item_id": "i"}, Committed(item="i")),
        ({"type": "input_audio_buffer.cleared", "event_id": "e"}, Cleared()),
        ({"type": f"{WORDS}.delta", "item_id": "i", "delta": " he"}, MoreText(item="i", text=" he")),
        ({"type": f"{WORDS}.delta", "item_id": "i", "delta": None}, MoreText(item="i", text="")),
        ({"type": f"{WORDS}.delta", "item_id": "i"}, MoreText(item="i", text="")),
        (
            {"type": f"{WORDS}.completed", "item_id": "i", "transcript": "hello"},
            Transcribed(item="i", text="hello"),
        ),
        (
            {"type": f"{WORDS}.failed", "item_id": "i", "error": {"code": "insufficient_quota"}},
            NotTranscribed(item="i", reason="quota"),
        ),
        ({"type": f"{WORDS}.failed", "item_id": "i"}, NotTranscribed(item="i", reason="provider_error")),
        ({"type": f"{WORDS}.segment", "item_id": "i", "speaker": "A"}, None),
        ({"type": "session.created"}, None),
        (
            {"type": "error", "error": {"code": "invalid_api_key", "event_id": "hello"}},
            Refused(reason="unauthorized", order="hello"),
        ),
        (
            {"type": "error", "error": {"code": "model_not_found", "message": "The model `x`…"}},
            Refused(reason="not_found", order=None),
        ),
        (
            {"type": "error", "error": {"type": "server_error", "code": None}},
            Refused(reason="provider_down", order=None),
        ),
        (
            {"type": "error", "error": {"code": "Your words were: hello"}},
            Refused(reason="provider_error", order=None),
        ),
    ],
)  # fmt: skip
def test_frames_are_read_as_news(frame: dict[str, object], news: wire.News | None) -> None:
    assert decode(json.dumps(frame)) == news


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[1, 2]",
        "null",
        "{}",
        '{"type": 3}',
        '{"type": "error"}',
        '{"type": "input_audio_buffer.committed"}',
        '{"type": "input_audio_buffer.committed", "item_id": 3}',
        f'{{"type": "{WORDS}.completed", "item_id": "i"}}',
        f'{{"type": "{WORDS}.delta", "delta": "x"}}',
        "[" * 100_000,
        '{"type":' * 100_000,
    ],
)
def test_what_is_no_frame_or_lacks_a_field_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(text)


@given(ANYTHING | FRAMES)
def test_no_json_raises_anything_but_a_value_error(frame: object) -> None:
    try:
        news = decode(json.dumps(frame))
    except ValueError:
        return
    if isinstance(news, Refused | NotTranscribed):
        assert len(news.reason) <= 64


def test_half_a_letter_does_not_get_in_where_nobody_could_write_it_down() -> None:
    news = decode(f'{{"type": "{WORDS}.delta", "item_id": "i", "delta": "a\\ud800b"}}')
    assert news == MoreText(item="i", text="a\ufffdb")


@given(
    st.text(st.characters() | st.characters(categories=["Cs"]), min_size=1), st.sampled_from(KINDS_OF_WORDS)
)
def test_half_a_letter_never_passes(text: str, kind: str) -> None:
    frame = {"type": f"{WORDS}.{kind}", "item_id": text, "delta": text, "transcript": text}
    news = decode(json.dumps(frame))
    assert isinstance(news, MoreText | Transcribed)
    assert (news.item + news.text).encode()


def test_sound_and_orders_are_what_the_provider_reads() -> None:
    appended = json.loads(wire.append(b"\x00\x01\xff"))
    assert appended == {"type": "input_audio_buffer.append", "audio": "AAH/"}
    assert base64.b64decode(appended["audio"]) == b"\x00\x01\xff"
    assert json.loads(wire.commit("c")) == {"type": "input_audio_buffer.commit", "event_id": "c"}
    assert json.loads(wire.clear("c")) == {"type": "input_audio_buffer.clear", "event_id": "c"}


def transcription(settings: CaptureSettings, *names: str) -> dict[str, object]:
    session = json.loads(hello(settings, names))["session"]
    assert session["type"] == "transcription"
    heard: dict[str, dict[str, object]] = session["audio"]["input"]
    assert heard["turn_detection"] is None
    assert heard["format"] == {"type": "audio/pcm", "rate": 24000}
    return heard["transcription"]


@pytest.mark.parametrize("model", ["gpt-live-transcribe", "gpt-transcribe", "one-of-tomorrow"])
def test_a_model_of_today_or_tomorrow_gets_all_languages_and_how_his_names_are_spelled(model: str) -> None:
    settings = CaptureSettings(
        model=model, languages=("en", "pt-BR", "EN"), keywords=("Pykka", " ", "Clankie")
    )
    assert transcription(settings, "Clankie", "Clanker") == {
        "model": model,
        "languages": ["en", "pt"],
        "keywords": ["Clankie", "Clanker", "Pykka"],
    }


@pytest.mark.parametrize(
    "model", ["gpt-realtime-whisper", "whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe"]
)
def test_a_model_that_refuses_keywords_gets_none_and_the_language_if_there_is_but_one(model: str) -> None:
    settings = CaptureSettings(model=model, languages=("de-AT", "de"), keywords=("Pykka",))
    assert transcription(settings, "Clankie") == {"model": model, "language": "de"}
    settings = CaptureSettings(model=model, languages=("de", "en"))
    assert transcription(settings, "Clankie") == {"model": model}


def test_keywords_are_bounded_and_his_names_are_never_the_ones_left_out() -> None:
    many = CaptureSettings(keywords=tuple(f"word{number}" for number in range(500)))
    keywords = transcription(many, "Clankie")["keywords"]
    assert isinstance(keywords, list)
    assert (len(keywords), keywords[0]) == (MOST_KEYWORDS, "Clankie")
    assert "keywords" not in transcription(CaptureSettings())


def test_noise_is_reduced_as_it_is_configured() -> None:
    def reduced(settings: CaptureSettings) -> object:
        return json.loads(hello(settings, ()))["session"]["audio"]["input"]["noise_reduction"]

    assert reduced(CaptureSettings()) == {"type": "near_field"}
    assert reduced(CaptureSettings(noise_reduction="none")) is None
