"""Text into sound and back, as OpenAI's two addresses for it take and refuse it; sans I/O."""

from __future__ import annotations

import base64
import io
import json
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from actors.audio.resample import Resampler
from tests.loopback.discord.body import Body
from tests.loopback.openai.refusals import wrong

RATE: Final = 24_000
BLOCK_BYTES: Final = 4_097
"""How much sound comes at once; an odd number, since nobody promises whole samples."""
# fmt: off
VOICES: Final = frozenset({
    "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer",
    "verse",
})
# fmt: on
LONGEST_TEXT: Final = 4_096
SHORTEST_SECONDS: Final = 0.1
FORMATS: Final = ("pcm", "wav")
WRITERS: Final = frozenset({"gpt-transcribe", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "whisper-1"})
"""The models that write down a file; the live ones only listen to a socket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One file that was to be written down: its form's fields, by name, and its length."""

    fields: dict[str, list[str]]
    name: str
    seconds: float


def check_speech(body: Body) -> None:
    """Raise Refused for a text that OpenAI would not speak."""
    text, form, speed = (
        body.text("input"),
        body.fields.get("response_format", "mp3"),
        body.fields.get("speed", 1.0),
    )
    if not text:
        raise wrong("Invalid 'input': string too short.", "input", "string_too_short")
    if len(text) > LONGEST_TEXT:
        raise wrong("Invalid 'input': string too long.", "input", "string_too_long")
    if body.text("voice") not in VOICES:
        raise wrong("Invalid value for 'voice'.", "voice", "invalid_value")
    if form not in FORMATS:
        raise wrong(f"This server has no encoder for {form!r}.", "response_format", "invalid_value")
    if not isinstance(speed, (int, float)) or not 0.25 <= speed <= 4.0:
        raise wrong("Invalid 'speed'.", "speed", "decimal_above_max_value")
    if body.text("stream_format") == "sse" and body.text("model").startswith("tts-1"):
        raise wrong("This model does not support 'sse'.", "stream_format", "unsupported_value")


def blocks(sound: Iterator[bytes]) -> Iterator[bytes]:
    """The same sound in blocks of a size that is no multiple of a sample."""
    rest = b""
    for piece in sound:
        rest += piece
        while len(rest) >= BLOCK_BYTES:
            yield rest[:BLOCK_BYTES]
            rest = rest[BLOCK_BYTES:]
    if rest:
        yield rest


def delta(block: bytes) -> bytes:
    """A block as an event of a stream."""
    return event({"type": "speech.audio.delta", "audio": base64.b64encode(block).decode()})


def event(body: object) -> bytes:
    """A body as an event of a stream."""
    return b"data: " + json.dumps(body, separators=(",", ":")).encode() + b"\n\n"


DONE: Final = event({"type": "speech.audio.done", "usage": {"input_tokens": 1, "output_tokens": 1}})
"""Ends the stream of a voice."""


def wav_header() -> bytes:
    """What stands before sound whose length is not known yet."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setparams((1, 2, RATE, 0, "NONE", ""))
        writer.writeframes(b"")
    header = bytearray(file.getvalue())
    header[4:8] = header[40:44] = b"\xff\xff\xff\xff"
    return bytes(header)


def sound_of(file: bytes, name: str) -> bytes:
    """24 kHz mono 16-bit samples of a WAV file; raises Refused for anything else, and for a mere moment."""
    if not name.lower().endswith(".wav"):
        raise wrong("Unrecognized file format.", "file", "unsupported_format")
    try:
        with wave.open(io.BytesIO(file)) as reader:
            shape = (reader.getnchannels(), reader.getsampwidth())
            rate, sound = reader.getframerate(), bytes(reader.readframes(reader.getnframes()))
    except (wave.Error, EOFError):
        raise wrong("Audio file might be corrupted or unsupported.", "file", "invalid_value") from None
    if shape != (1, 2):
        raise wrong("This server takes one channel of 16 bits.", "file", "invalid_value")
    if rate != RATE:
        resampler = Resampler(rate, RATE)
        sound = resampler.feed(sound) + resampler.flush()
    if len(sound) < SHORTEST_SECONDS * RATE * 2:
        raise wrong(
            "Audio file is too short. Minimum audio length is 0.1 seconds.", "file", "audio_too_short"
        )
    return sound
