"""One line of a lane, one thing that happened: what does not fit to the letter is not believed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Annotated, Final, Literal, assert_never
from urllib.parse import quote, unquote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from actors.captain.journal import (
    Entry,
    HeardAsked,
    LaneId,
    Note,
    SaidAnswer,
    ToolBegun,
    ToolEnded,
    TurnOver,
)

LONGEST_TEXT: Final = 16_000
"""More characters of what was asked or answered are not written down."""
LONGEST_CODE: Final = 64
LAST_SECOND: Final = 4_102_444_800.0
"""The end of the year 2099, in seconds of the epoch: a line that is later was written by no clock."""
_STRICT: Final = ConfigDict(strict=True, extra="forbid", str_max_length=LONGEST_TEXT, allow_inf_nan=False)
_FILE: Final = re.compile(r"(operator|(?:text|voice)-[A-Za-z0-9_.~%-]*)\.jsonl")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


class _Line(BaseModel):
    """Exactly one of its parts is there."""

    model_config = _STRICT

    v: Literal[1]
    asked: HeardAsked | None = None
    begun: ToolBegun | None = None
    ended: ToolEnded | None = None
    said: SaidAnswer | None = None
    over: TurnOver | None = None


class _Notes(BaseModel):
    model_config = _STRICT

    v: Literal[1]
    notes: Annotated[tuple[Note, ...], Field(max_length=100_000)]


def to_line(entry: Entry) -> bytes:
    """An entry as one line of JSON, with its line end."""
    match entry:
        case HeardAsked():
            part = {"asked": asdict(_cut(entry))}
        case ToolBegun():
            part = {"begun": asdict(entry)}
        case ToolEnded():
            part = {"ended": asdict(entry)}
        case SaidAnswer():
            part = {"said": asdict(_cut(entry))}
        case TurnOver():
            part = {"over": asdict(entry)}
        case _:
            assert_never(entry)
    return _dump(part) + b"\n"


def parse_line(line: bytes) -> Entry | None:
    """An entry; None for a line that is none, such as one that was never written to its end."""
    try:
        found = _Line.model_validate_json(line)
    except ValidationError:
        return None
    parts = [one for one in (found.asked, found.begun, found.ended, found.said, found.over) if one]
    return parts[0] if len(parts) == 1 and _is_ours(parts[0]) else None


def to_notes(notes: tuple[Note, ...]) -> bytes:
    """All notes as one JSON object."""
    return _dump({"notes": [asdict(one) for one in notes]})


def parse_notes(text: bytes) -> tuple[Note, ...] | None:
    """All notes; None if that is no such object."""
    try:
        return _Notes.model_validate_json(text).notes
    except ValidationError:
        return None


def file_of(lane: LaneId) -> str:
    """A file name for this lane, whatever its room is called."""
    return f"{quote(lane, safe='', errors='surrogatepass')}.jsonl"


def lane_of(name: str) -> LaneId | None:
    """The lane of a file; None for a file that is not ours."""
    match = _FILE.fullmatch(name)
    if match is None:
        return None
    try:
        lane = LaneId(unquote(match[1], errors="surrogatepass"))
    except UnicodeDecodeError:
        return None
    return lane if file_of(lane) == name else None


def _is_ours(entry: Entry) -> bool:
    """Whether some clock of ours and some code of ours may have written it."""
    reason = entry.reason if isinstance(entry, TurnOver) else ""
    is_code = len(reason) <= LONGEST_CODE and reason.isprintable()
    return is_code and 0.0 <= entry.at <= LAST_SECOND


def _cut(entry: HeardAsked | SaidAnswer) -> HeardAsked | SaidAnswer:
    return replace(entry, text=entry.text[:LONGEST_TEXT])


def _dump(part: Mapping[str, object]) -> bytes:
    text = json.dumps({"v": 1, **part}, ensure_ascii=False, separators=(",", ":"))
    return _SURROGATE.sub("", text).encode()
