"""The frames of both dialects: camels on one side, snakes on the other."""

from __future__ import annotations

import base64
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tests.loopback.elevenlabs.catalogue import Dialect
from tests.loopback.elevenlabs.sound import Chunk, Timed
from tests.loopback.providers import Frame

Unit = Annotated[float, Field(ge=0, le=1)]


class _Taken(BaseModel):
    """What the vendor does not know is taken, so that it can be told."""

    model_config = ConfigDict(extra="allow", strict=True)


class VoiceSettings(_Taken):
    """How a voice is to sound."""

    stability: Unit | None = None
    similarity_boost: Unit | None = None
    style: Unit | None = None
    use_speaker_boost: bool | None = None
    speed: Annotated[float, Field(ge=0.7, le=1.2)] | None = None


class GenerationConfig(_Taken):
    """After how many characters each generation begins."""

    chunk_length_schedule: list[Annotated[int, Field(ge=50, le=500)]] | None = None


class SpeechMessage(_Taken):
    """What a client says on the text-to-speech socket."""

    text: str | None = None
    context_id: str | None = None
    voice_settings: VoiceSettings | None = None
    generation_config: GenerationConfig | None = None
    pronunciation_dictionary_locators: list[object] | None = None
    flush: bool = False
    close_context: bool = False
    close_socket: bool = False
    xi_api_key: str | None = None
    authorization: str | None = None


class SpeechRequest(_Taken):
    """The body of a request for speech."""

    text: Annotated[str, Field(min_length=1, max_length=40_000)]
    model_id: str | None = None
    language_code: str | None = None
    voice_settings: VoiceSettings | None = None
    seed: Annotated[int, Field(ge=0)] | None = None
    previous_text: str | None = None
    next_text: str | None = None
    apply_text_normalization: str | None = None


class DialogueSettings(_Taken):
    """How the voices of a dialogue are to sound."""

    stability: Unit | None = None
    clone_strength: Unit | None = None


class DialogueInput(_Taken):
    """A line of a dialogue."""

    text: str
    voice_id: str
    new_turn: bool = False


class DialogueMessage(_Taken):
    """What a client says on the text-to-dialogue socket."""

    context_id: str | None = None
    voices: list[str] | None = None
    voice_settings: DialogueSettings | None = None
    pronunciation_dictionary_locators: list[object] | None = None
    inputs: list[DialogueInput] | None = None
    flush: bool = False
    close_context: bool = False
    close_socket: bool = False
    keep_alive: bool = False
    xi_api_key: str | None = None
    authorization: str | None = None


def audio(dialect: Dialect, context: str, chunk: Chunk) -> Frame:
    """Sound of a context."""
    sound = base64.b64encode(chunk.audio).decode()
    if dialect is Dialect.SPEECH:
        timed = chunk.timed and _camels(chunk.timed)
        return {
            "audio": sound,
            "isFinal": None,
            "contextId": context,
            "alignment": timed,
            "normalizedAlignment": timed,
        }
    timed = chunk.timed and _snakes(chunk.timed)
    return {"audio": sound, "alignment": timed, "normalized_alignment": None, "context_id": context}


def final(dialect: Dialect, context: str) -> Frame:
    """The last frame of a context."""
    if dialect is Dialect.DIALOGUE:
        return {"is_final": True, "context_id": context}
    return {
        "audio": None,
        "isFinal": True,
        "contextId": context,
        "alignment": None,
        "normalizedAlignment": None,
    }


def turn_over(context: str) -> Frame:
    """All the sound of one flush is out; only dialogues have this."""
    return {"is_final_audio_for_turn": True, "context_id": context}


def error(code: str, message: str, close_code: int = 1008, param: str | None = None) -> Frame:
    """What is said before the socket is closed with `close_code`; `message` is prose."""
    return {"message": message, "error": code, "code": close_code, "param": param}


def _camels(timed: Timed) -> Frame:
    return {
        "chars": timed.chars,
        "charStartTimesMs": timed.starts,
        "charDurationsMs": timed.durations,
    }


def _snakes(timed: Timed) -> Frame:
    return {
        "chars": timed.chars,
        "char_start_times_ms": timed.starts,
        "char_durations_ms": timed.durations,
    }
