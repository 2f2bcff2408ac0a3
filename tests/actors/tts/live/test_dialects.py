"""What goes out, letter by letter, in both dialects."""

import json

import pytest

from actors.net.service import Service
from actors.tts.live.dialects import Dialect, Dialogue, Speech, dialect_of
from actors.tts.settings import TtsSettings

SERVICE = Service(base_url="https://api.elevenlabs.io", key="secret-key")


def frames(dialect: Dialect) -> list[object]:
    sent = (dialect.opening("c1"), *dialect.saying("c1", "Hello there."), dialect.closing("c1"))
    return [json.loads(frame) for frame in sent]


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (None, Speech),
        ("eleven_flash_v2_5", Speech),
        ("eleven_turbo_v2", Speech),
        ("eleven_multilingual_v2", Speech),
        ("a_model_of_tomorrow", Speech),
        ("eleven_v3", Dialogue),
        ("eleven_v3_conversational", Dialogue),
        ("eleven_v4", Dialogue),
        ("eleven_v4_turbo", Dialogue),
    ],
)
def test_the_model_says_which_dialect_it_is(model: str | None, kind: type[Dialect]) -> None:
    assert type(dialect_of(TtsSettings(model=model))) is kind


def test_speech_has_the_voice_in_its_address_and_the_key_in_its_header_only() -> None:
    target = dialect_of(TtsSettings(language="de")).target(SERVICE)
    assert target.url == (
        "wss://api.elevenlabs.io/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb/multi-stream-input"
        "?model_id=eleven_flash_v2_5&output_format=pcm_24000&auto_mode=true&inactivity_timeout=180"
        "&sync_alignment=true&apply_text_normalization=auto&language_code=de"
    )
    assert target.headers == {"xi-api-key": "secret-key"}
    assert "secret-key" not in repr(target)


def test_a_language_is_told_only_if_it_is_set_and_the_model_takes_one() -> None:
    assert "language_code" not in dialect_of(TtsSettings()).target(SERVICE).url
    multilingual = TtsSettings(model="eleven_multilingual_v2", language="de")
    assert "language_code" not in dialect_of(multilingual).target(SERVICE).url
    assert "language_code" not in dialect_of(TtsSettings(model="eleven_v3")).target(SERVICE).url


def test_a_voice_cannot_leave_its_place_in_the_address() -> None:
    target = dialect_of(TtsSettings(voice="../x?y=1")).target(SERVICE)
    assert "/v1/text-to-speech/..%2Fx%3Fy%3D1/multi-stream-input?" in target.url


def test_speech_is_opened_by_a_space_with_settings_and_said_with_a_space_at_its_end() -> None:
    settings = TtsSettings(stability=0.25, similarity=1.0, speed=1.1)
    assert frames(dialect_of(settings)) == [
        {
            "context_id": "c1",
            "text": " ",
            "voice_settings": {"stability": 0.25, "similarity_boost": 1.0, "speed": 1.1},
        },
        {"context_id": "c1", "text": "Hello there. "},
        {"context_id": "c1", "flush": True},
        {"context_id": "c1", "close_context": True},
    ]


def test_a_dialogue_names_its_one_voice_in_the_first_frame() -> None:
    settings = TtsSettings(model="eleven_v4_turbo", voice="V", language="en")
    dialect = dialect_of(settings)
    assert dialect.target(SERVICE).url == (
        "wss://api.elevenlabs.io/v1/text-to-dialogue/multi-stream-input"
        "?model_id=eleven_v4_turbo&output_format=pcm_24000&sync_alignment=true&language_code=en"
    )
    assert frames(dialect) == [
        {"context_id": "c1", "voices": ["V"], "voice_settings": {"stability": 0.5}},
        {"context_id": "c1", "inputs": [{"text": "Hello there. ", "voice_id": "V"}]},
        {"context_id": "c1", "flush": True},
        {"context_id": "c1", "close_context": True},
    ]
