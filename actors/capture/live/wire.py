"""What is said to OpenAI's transcription and what it says, as text on one side and names on the other."""

from __future__ import annotations

import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from actors.net.plain import plain
from actors.net.reasons import of_code
from actors.net.usage import Tokens, milliseconds_of, tokens_of

EMPTY_COMMIT: Final = "input_audio_buffer_commit_empty"
"""The reason of a refused commit: there was nothing, or less than 100 ms, to write down."""
_ITEM: Final = "conversation.item.input_audio_transcription"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """The session is as it was asked to be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """The oldest commit without an answer has become this item."""

    item: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """The buffer was emptied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreText:
    """A few more letters of an item, which may still be growing."""

    item: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcribed:
    """All the words of an item, and what they have used, as far as that is told."""

    item: str
    text: str = field(repr=False)
    audio_ms: int | None = None
    tokens: Tokens | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTranscribed:
    """There will be no words of this item, and why (a bounded code)."""

    item: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Something was refused, and why (a bounded code); `order` is the name of what it was, if it is said."""

    reason: str
    order: str | None


News: TypeAlias = SetUp | Committed | Cleared | MoreText | Transcribed | NotTranscribed | Refused


def decode(text: str) -> News | None:
    """Read one frame; None is news of no interest.

    Raises ValueError for what is no JSON object with a type, or lacks a field that its type needs.
    """
    frame = _object(text)
    match frame:
        case {"type": "error", "error": dict(error)}:
            return Refused(reason=_reason(error), order=_text(error, "event_id") or None)
        case {"type": "input_audio_buffer.committed"}:
            return Committed(item=_name(frame))
        case {"type": "input_audio_buffer.cleared"}:
            return Cleared()
        case {"type": "session.updated"}:
            return SetUp()
        case {"type": str(kind)} if kind.startswith(_ITEM):
            return _words(kind.removeprefix(_ITEM), frame)
        case {"type": str(kind)} if kind != "error":
            return None
        case _:
            raise ValueError("a frame is no object with a type")


def _object(text: str) -> Mapping[object, object]:
    try:
        frame: object = json.loads(text)
    except RecursionError:
        raise ValueError("a frame is nested too deeply") from None
    match frame:
        case dict():
            return frame
        case _:
            raise ValueError("a frame is no object")


def _words(kind: str, frame: Mapping[object, object]) -> News | None:
    match kind:
        case ".completed" if "transcript" not in frame:
            raise ValueError("a frame lacks its transcript")
        case ".delta":
            return MoreText(item=_name(frame), text=_text(frame, "delta"))
        case ".completed":
            usage = frame.get("usage")
            return Transcribed(
                item=_name(frame),
                text=_text(frame, "transcript"),
                audio_ms=milliseconds_of(usage),
                tokens=tokens_of(usage),
            )
        case ".failed":
            error = frame.get("error")
            reason = _reason(error) if isinstance(error, dict) else of_code(None)
            return NotTranscribed(item=_name(frame), reason=reason)
        case _:
            return None


def _name(frame: Mapping[object, object]) -> str:
    """The id of the item that a frame is about."""
    if not (name := _text(frame, "item_id")):
        raise ValueError("a frame lacks its item_id")
    return name


def _text(frame: Mapping[object, object], key: str) -> str:
    """A text of a frame, empty if there is none; half a letter becomes a mark."""
    value = frame.get(key)
    return plain(value) if isinstance(value, str) else ""


def _reason(error: Mapping[object, object]) -> str:
    return of_code(_text(error, "code") or _text(error, "type"))


# --- what is said -----------------------------------------------------------------------------------


def append(pcm: bytes | bytearray) -> str:
    """More sound, 24 kHz mono; written by hand, as it is written fifty times a second."""
    audio = binascii.b2a_base64(pcm, newline=False).decode("ascii")
    return f'{{"type":"input_audio_buffer.append","audio":"{audio}"}}'


def commit(order: str) -> str:
    """Have what was appended since the last commit written down."""
    return f'{{"type":"input_audio_buffer.commit","event_id":"{order}"}}'


def clear(order: str) -> str:
    """Forget what was appended since the last commit."""
    return f'{{"type":"input_audio_buffer.clear","event_id":"{order}"}}'
