"""What ElevenLabs says, as its two sockets spell it, and what is in what we say."""

from __future__ import annotations

import base64
from collections.abc import Iterable

from actors.tts.live.dialects import Dialect, Dialogue, Speech, dialect_of
from actors.tts.settings import TtsSettings

SPEECH, DIALOGUE = "eleven_flash_v2_5", "eleven_v4_turbo"
MODELS = (SPEECH, DIALOGUE)
LETTER_MS = 10
"""How long each character sounds."""
LETTER_BYTES = LETTER_MS * 48


def dialect(model: str) -> Dialect:
    return dialect_of(TtsSettings(model=model))


def is_dialogue(model: str) -> bool:
    assert isinstance(dialect(model), Dialogue | Speech)
    return dialect(model).acknowledges


def sounding(text: str) -> bytes:
    """The sound of a text: as long as it has characters."""
    return b"\1\0" * (len(text) * LETTER_BYTES // 2)


def sound(model: str, context: object, text: str, pcm: bytes | None = None) -> dict[str, object]:
    """The frame with the sound of `text`, whose characters are timed from its beginning."""
    audio = base64.b64encode(sounding(text) if pcm is None else pcm).decode()
    starts = [LETTER_MS * at for at in range(len(text))]
    lengths = [LETTER_MS] * len(text)
    if is_dialogue(model):
        timed = {"chars": list(text), "char_start_times_ms": starts, "char_durations_ms": lengths}
        return {"audio": audio, "alignment": timed, "normalized_alignment": None, "context_id": context}
    timed = {"chars": list(text), "charStartTimesMs": starts, "charDurationsMs": lengths}
    return {"audio": audio, "isFinal": None, "contextId": context, "alignment": timed if text else None}


def turn_over(context: object) -> dict[str, object]:
    return {"is_final_audio_for_turn": True, "context_id": context}


def final(model: str, context: object) -> dict[str, object]:
    if is_dialogue(model):
        return {"is_final": True, "context_id": context}
    return {"audio": None, "isFinal": True, "contextId": context, "alignment": None}


def error(code: str) -> dict[str, object]:
    return {"message": "You have used up: Hello there.", "error": code, "code": 1008, "param": None}


def kinds(frames: Iterable[dict[str, object]]) -> list[str]:
    """Each frame in short: what it does, and to which context."""
    return [f"{_kind(frame)} {frame.get('context_id')}" for frame in frames]


def _kind(frame: dict[str, object]) -> str:
    if "voice_settings" in frame:
        return "open"
    for name, short in (("flush", "flush"), ("close_context", "close"), ("text", "say"), ("inputs", "say")):
        if name in frame:
            return short
    return "?"
