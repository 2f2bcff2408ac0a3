"""The plain requests, made by the vendor's own library."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import httpx
import pytest
from elevenlabs import VoiceSettings
from elevenlabs.client import AsyncElevenLabs
from elevenlabs.client import ElevenLabs as Library
from elevenlabs.core import ApiError

from tests.loopback.elevenlabs.client import VOICE
from tests.loopback.elevenlabs.server import KEY, ElevenLabs

FORMAT = "pcm_24000"
FLASH = "eleven_flash_v2_5"


@contextmanager
def library_of(server: ElevenLabs, key: str | None = KEY) -> Generator[Library]:
    """The vendor's library, on a client that is closed again."""
    with httpx.Client(trust_env=False) as line:
        yield Library(api_key=key, base_url=server.service.base_url, httpx_client=line)


@pytest.fixture
def library(server: ElevenLabs) -> Iterator[Library]:
    with library_of(server) as library:
        yield library


def status_of(error: ApiError) -> object:
    """The name of what went wrong."""
    return error.body["detail"]["status"]


def test_voices_and_models_are_what_the_library_expects(library: Library) -> None:
    assert library.voices.get(VOICE).name == "Rachel"
    assert VOICE in {voice.voice_id for voice in library.voices.get_all().voices}
    models = {model.model_id: model for model in library.models.list()}
    assert models["eleven_v4_turbo"].can_do_text_to_speech
    rates = models[FLASH].model_rates
    assert rates is not None
    assert rates.character_cost_multiplier == 0.5


def test_speech_comes_whole_and_in_pieces_and_is_paid_for(server: ElevenLabs, library: Library) -> None:
    before = library.user.subscription.get().character_count
    settings = VoiceSettings(stability=0.5, similarity_boost=0.75, speed=1.1)
    whole = library.text_to_speech.convert(
        VOICE, text="Hello.", model_id=FLASH, output_format=FORMAT, voice_settings=settings
    )
    assert len(b"".join(whole)) == 6 * 60 * 48
    streamed = library.text_to_speech.stream(
        VOICE, text="Hi.", model_id="eleven_v3", output_format="pcm_48000"
    )
    assert len(b"".join(streamed)) == 3 * 60 * 96
    assert library.user.get().subscription.character_count == before + 9
    assert [request["path"] for request in server.requests] == [
        f"/v1/text-to-speech/{VOICE}",
        f"/v1/text-to-speech/{VOICE}/stream",
    ]
    assert server.requests[0]["voice_settings"] == {"stability": 0.5, "similarity_boost": 0.75, "speed": 1.1}
    assert not server.violations


def test_the_library_without_threads_works_as_well(server: ElevenLabs) -> None:
    async def do() -> None:
        async with httpx.AsyncClient(trust_env=False) as line:
            library = AsyncElevenLabs(api_key=KEY, base_url=server.service.base_url, httpx_client=line)
            assert (await library.voices.get(VOICE)).voice_id == VOICE
            speech = library.text_to_speech.stream(VOICE, text="Hello.", model_id=FLASH, output_format=FORMAT)
            assert len(b"".join([piece async for piece in speech])) == 6 * 60 * 48
            subscription = await library.user.subscription.get()
            assert (subscription.status, subscription.tier) == ("active", "creator")

    asyncio.run(do())


@pytest.mark.parametrize(
    ("key", "status"), [("wrong", "invalid_api_key"), (None, "needs_authorization")], ids=["wrong", "none"]
)
def test_a_wrong_key_is_refused(server: ElevenLabs, key: str | None, status: str) -> None:
    with library_of(server, key) as library, pytest.raises(ApiError) as refusal:
        library.voices.get(VOICE)
    assert (refusal.value.status_code, status_of(refusal.value)) == (401, status)


@pytest.mark.parametrize(
    ("voice", "model", "output_format", "text", "status", "code"),
    [
        ("nobody", FLASH, FORMAT, "Hi.", 404, "voice_not_found"),
        (VOICE, "eleven_v9", FORMAT, "Hi.", 400, "model_not_found"),
        (VOICE, FLASH, "mp3_44100_128", "Hi.", 400, "unsupported_output_format"),
        (VOICE, FLASH, "pcm_1", "Hi.", 400, "invalid_parameters"),
        (VOICE, FLASH, FORMAT, "", 422, "invalid_parameters"),
    ],
)
def test_a_request_that_asks_for_what_there_is_not_is_refused(
    library: Library, voice: str, model: str, output_format: str, text: str, status: int, code: str
) -> None:
    with pytest.raises(ApiError) as refusal:
        list(library.text_to_speech.convert(voice, text=text, model_id=model, output_format=output_format))
    assert (refusal.value.status_code, status_of(refusal.value)) == (status, code)


def test_the_next_request_can_be_refused(server: ElevenLabs, library: Library) -> None:
    server.refuse_next(403, "missing_permissions")
    with pytest.raises(ApiError) as refusal:
        library.models.list()
    assert (refusal.value.status_code, status_of(refusal.value)) == (403, "missing_permissions")
    assert library.models.list()


def test_a_full_plan_and_an_empty_purse_refuse_speech(server: ElevenLabs, library: Library) -> None:

    def speak() -> None:
        list(library.text_to_speech.convert(VOICE, text="Hi.", model_id=FLASH, output_format=FORMAT))

    def refused() -> tuple[int | None, object]:
        with pytest.raises(ApiError) as refusal:
            speak()
        return refusal.value.status_code, status_of(refusal.value)

    server.manners.character_limit = 2
    assert refused() == (401, "quota_exceeded")
    server.manners.forbidden_formats.add(FORMAT)
    assert refused() == (403, "output_format_not_allowed")
    server.manners.forbidden_formats.clear()
    server.manners.character_limit = 3
    speak()


def test_fields_and_parameters_that_nobody_knows_are_noted(server: ElevenLabs, library: Library) -> None:
    options = {
        "additional_query_parameters": {"colour": "blue"},
        "additional_body_parameters": {"mood": "merry"},
    }
    speech = library.text_to_speech.convert(
        VOICE,
        text="Hi.",
        model_id=FLASH,
        output_format=FORMAT,
        request_options=options,  # type: ignore[arg-type]
    )
    assert list(speech)
    assert server.violations == [
        f"/v1/text-to-speech/{VOICE} has no parameter colour",
        "a request for speech has no field mood",
    ]
