"""What a tool gave back, cut to a bearable size: text for the mind, and files for the chat."""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from actors.net.plain import plain
from messages.attachment import MOST_ATTACHED_BYTES, MOST_ATTACHMENTS, Attachment

LONGEST_TEXT: Final = 64 << 10
"""Bytes of text that one use may bring."""
TOOL_ERROR: Final = "tool_error"
CUT: Final = "[too_large: the rest was left out]"
LEFT_OUT: Final = "[too_large: a file was left out]"
UNREADABLE: Final = "[a file could not be read]"
ANY_KIND: Final = "application/octet-stream"
_KIND: Final = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.+-]{0,63}")
_STRANGE: Final = re.compile(r"[^A-Za-z0-9_-]+")
_ENDINGS: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "audio/mpeg": "mp3",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "video/mp4": "mp4",
    "application/pdf": "pdf",
    "application/json": "json",
    "application/zip": "zip",
    "text/plain": "txt",
    "text/markdown": "md",
    "text/csv": "csv",
}
"""How files of a kind are called; another kind is called `bin`, whatever the server calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one use; `failed` is a code, or empty."""

    text: str = field(repr=False, default="")
    attachments: tuple[Attachment, ...] = ()
    failed: str = ""


def read(result: CallToolResult) -> Outcome:
    """Take what there is room for, and say in the text what there was no room for."""
    pack = _Pack()
    for block in result.content:
        pack.take(block)
    text = "\n".join(pack.texts)
    if not text and result.structured_content is not None:
        text = _as_json(result.structured_content)
    return Outcome(
        text="\n".join(part for part in (bounded(text), *pack.notes) if part),
        attachments=tuple(pack.files),
        failed=TOOL_ERROR if result.is_error else "",
    )


def bounded(text: str) -> str:
    """The beginning of a text, and a word on it if that is not all."""
    written = plain(text[: LONGEST_TEXT + 1]).encode()
    if len(written) <= LONGEST_TEXT:
        return written.decode()
    return written[: LONGEST_TEXT - len(CUT) - 1].decode(errors="ignore") + "\n" + CUT


def _as_json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""


class _Pack:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.files: list[Attachment] = []
        self.notes: list[str] = []
        self._room = MOST_ATTACHED_BYTES

    def take(self, block: ContentBlock) -> None:
        match block:
            case TextContent(text=text) | EmbeddedResource(resource=TextResourceContents(text=text)):
                self.texts.append(text)
            case ImageContent() | AudioContent():
                self._file(block.data, block.mime_type, block.type)
            case EmbeddedResource(resource=BlobResourceContents(blob=blob, uri=uri, mime_type=kind)):
                self._file(blob, kind or "", _stem(uri))
            case ResourceLink():
                self.texts.append(f"{block.name}: {block.uri}")
            case _:
                self._note(UNREADABLE)

    def _file(self, written: str, kind: str, stem: str) -> None:
        if len(self.files) >= MOST_ATTACHMENTS or len(written) * 3 // 4 - 2 > self._room:
            self._note(LEFT_OUT)
            return
        try:
            data = base64.b64decode(written, validate=True)
        except (binascii.Error, ValueError):
            self._note(UNREADABLE)
            return
        if len(data) > self._room:
            self._note(LEFT_OUT)
            return
        self._room -= len(data)
        kind = kind.partition(";")[0].strip().lower()
        kind = kind if _KIND.fullmatch(kind) else ANY_KIND
        self.files.append(Attachment(name=self._name(stem, _ENDINGS.get(kind, "bin")), kind=kind, data=data))

    def _name(self, stem: str, ending: str) -> str:
        name = f"{stem}.{ending}"
        taken = any(file.name == name for file in self.files)
        return f"{stem}-{len(self.files) + 1}.{ending}" if taken else name

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _stem(uri: str) -> str:
    """A plain name for a file from the last part of its address."""
    try:
        path = unquote(urlsplit(uri).path)
    except ValueError:
        path = ""
    last = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return _STRANGE.sub("_", last.rpartition(".")[0] or last).strip("_-")[:48] or "file"
