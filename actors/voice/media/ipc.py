"""A letter crosses as one message, whole or not at all, and what is no letter is refused."""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeGuard, get_args

from actors.voice.media import mail
from actors.voice.media.mail import Heard, Letter, News, Sound, Voices
from messages.audio import FRAME_BYTES

VERSION: Final = 3
HEADER: Final = struct.Struct("<BBHIIQ")
"""Kind, flags, count of frames, utterance, connection or RTP time, monotonic nanoseconds."""
MOST_BYTES: Final = 16_384
"""No letter is longer; a longer one would be cut off by its reader without a word."""
MOST_FRAMES: Final = 10
LONGEST_WORD: Final = 128
"""Characters of a text in the news; a note may say more."""

_NANOSECONDS: Final = 1_000_000_000
_FRAME: Final = struct.Struct(f"<QQI?{FRAME_BYTES}s")
"""User, monotonic nanoseconds, RTP time, whether it was made up, and the sound."""
_LENGTH: Final = struct.Struct("<H")


class Garbled(Exception):
    """Bytes that are no letter; the text says what is wrong with them and quotes none of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """How values of one type are written and read; reading returns the value and where the next begins."""

    write: Callable[[object], bytes]
    read: Callable[[bytes, int], tuple[object, int]]


def _fixed(code: str) -> _Form:
    form = struct.Struct(f"<{code}")

    def write(value: object) -> bytes:
        return form.pack(value)

    def read(letter: bytes, at: int) -> tuple[object, int]:
        return form.unpack_from(letter, at)[0], at + form.size

    return _Form(write=write, read=read)


def _write_text(value: object) -> bytes:
    raw = str(value).encode()
    return _LENGTH.pack(len(raw)) + raw


def _read_text(letter: bytes, at: int) -> tuple[object, int]:
    begin = at + _LENGTH.size
    end = begin + int(_LENGTH.unpack_from(letter, at)[0])
    if end > len(letter):
        raise Garbled("a text ends too early")
    return letter[begin:end].decode(), end


def _perhaps(form: _Form) -> _Form:
    def write(value: object) -> bytes:
        return b"\0" if value is None else b"\1" + form.write(value)

    def read(letter: bytes, at: int) -> tuple[object, int]:
        return form.read(letter, at + 1) if letter[at] else (None, at + 1)

    return _Form(write=write, read=read)


_TEXT: Final = _Form(write=_write_text, read=_read_text)
_NUMBER: Final = _fixed("q")
_FORMS: Final[dict[object, _Form]] = {
    "int": _NUMBER,
    "float": _fixed("d"),
    "bool": _fixed("?"),
    "str": _TEXT,
    "str | None": _perhaps(_TEXT),
    "int | None": _perhaps(_NUMBER),
}


def _kinds() -> tuple[Callable[..., Letter], ...]:
    """Every kind of letter; its place is its number on the pipe."""
    return get_args(mail.Order) + tuple(kind for kind in get_args(mail.News) if kind is not mail.Ping)


_KINDS: Final = _kinds()
_NUMBERS: Final[dict[object, int]] = {kind: number for number, kind in enumerate(_KINDS, start=1)}
_SOUND: Final = _NUMBERS[Sound]
_VOICES: Final = _NUMBERS[Voices]
_NEWS: Final = frozenset(get_args(mail.News))
_LAYOUTS: Final = {
    kind: tuple((field.name, _FORMS[field.type]) for field in dataclasses.fields(kind))  # type: ignore[arg-type]
    for kind in _KINDS
    if kind not in {Sound, Voices}
}


def is_news(letter: Letter) -> TypeGuard[News]:
    """Whether this is for the house to read."""
    return isinstance(letter, get_args(mail.News))


def encode(letter: Letter) -> bytes:
    """The message for a letter, at most MOST_BYTES long, or ValueError for one that cannot be sent."""
    if isinstance(letter, Sound):
        return _encode_sound(letter)
    if isinstance(letter, Voices):
        return _encode_voices(letter)
    kind = type(letter)
    body = b"".join(form.write(getattr(letter, name)) for name, form in _LAYOUTS[kind])
    if len(body) > MOST_BYTES - HEADER.size:
        raise ValueError(f"a {kind.__name__} of {len(body)} bytes is too long to be sent")
    return HEADER.pack(_NUMBERS[kind], 0, 0, 0, 0, 0) + body


def decode(message: bytes) -> Letter:
    """The letter in a message, or Garbled."""
    if not HEADER.size <= len(message) <= MOST_BYTES:
        raise Garbled(f"{len(message)} bytes are no letter")
    number = message[0]
    if number == _VOICES:
        return _decode_voices(message)
    if number == _SOUND:
        return _decode_sound(message)
    if not 1 <= number <= len(_KINDS):
        raise Garbled(f"there is no letter of kind {number}")
    kind = _KINDS[number - 1]
    values: dict[str, object] = {}
    at = HEADER.size
    try:
        for name, form in _LAYOUTS[kind]:
            values[name], at = form.read(message, at)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise Garbled(f"letter of kind {number}: {type(error).__name__}") from error
    if at != len(message):
        raise Garbled(f"letter of kind {number}: {len(message) - at} bytes too many")
    if kind in _NEWS and not all(_is_told(kind, value) for value in values.values()):
        raise Garbled(f"letter of kind {number}: nothing that could be shown")
    return kind(**values)


def _is_told(kind: Callable[..., Letter], value: object) -> bool:
    """Whether it may be put on record and shown: whoever parses sound may have been taken over."""
    if isinstance(value, str):
        return value.isprintable() and (kind is mail.Note or len(value) <= LONGEST_WORD)
    return not isinstance(value, float) or math.isfinite(value)


def _encode_sound(letter: Sound) -> bytes:
    count = -(-len(letter.pcm) // FRAME_BYTES)
    if not 1 <= count <= MOST_FRAMES:
        raise ValueError(f"{len(letter.pcm)} bytes of sound do not fit into a letter")
    return HEADER.pack(_SOUND, 0, count, letter.utterance, letter.connection, 0) + letter.pcm


def _decode_sound(message: bytes) -> Sound:
    _kind, _flags, count, utterance, connection, _time = HEADER.unpack_from(message)
    pcm = message[HEADER.size :]
    if not 1 <= count <= MOST_FRAMES or count != -(-len(pcm) // FRAME_BYTES):
        raise Garbled(f"{len(pcm)} bytes of sound are not {count} frames")
    return Sound(connection=connection, utterance=utterance, pcm=pcm)


def _encode_voices(letter: Voices) -> bytes:
    count = len(letter.frames)
    if not 1 <= count <= MOST_FRAMES:
        raise ValueError(f"{count} frames do not fit into a letter")
    written = [
        _FRAME.pack(one.user, round(one.at * _NANOSECONDS), one.timestamp, one.concealed, one.pcm)
        for one in letter.frames
    ]
    return HEADER.pack(_VOICES, 0, count, 0, 0, 0) + b"".join(written)


def _decode_voices(message: bytes) -> Voices:
    count = int(HEADER.unpack_from(message)[2])
    if not 1 <= count <= MOST_FRAMES or len(message) != HEADER.size + count * _FRAME.size:
        raise Garbled(f"what was heard is not {count} frames")
    return Voices(
        frames=tuple(
            Heard(user, pcm, at / _NANOSECONDS, timestamp, concealed)
            for user, at, timestamp, concealed, pcm in _FRAME.iter_unpack(memoryview(message)[HEADER.size :])
        )
    )
