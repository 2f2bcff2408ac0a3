"""What goes over the window's sill: the status, and an order with what comes of it, as JSON."""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias, assert_never

from pydantic import BaseModel, ConfigDict, StringConstraints, TypeAdapter, ValidationError

from actors.console.report import StatusReport
from messages.console import OperatorAnswered, OperatorNews, OperatorTold

LONGEST_REQUEST = 4_000
"""In characters."""
_REPORT: TypeAdapter[StatusReport] = TypeAdapter(StatusReport)
_OURS = re.compile(r"(127\.0\.0\.1|localhost)(:\d{1,5})?", re.ASCII | re.IGNORECASE)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class Asked(_Strict):
    """The body of `POST /ask`."""

    request: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_REQUEST)
    ]


class Used(_Strict):
    """A line of the answer: he used a tool, and what came of it."""

    tool: str
    outcome: str


class Works(_Strict):
    """A line of the answer that only says that both ends are still there."""

    works: Literal[True]


class Answered(_Strict):
    """The last line: what he says, which may be nothing, or a code for why he cannot."""

    answer: str
    failed: str
    files: tuple[str, ...]


Line: TypeAlias = Used | Works | Answered
_LINE: TypeAdapter[Line] = TypeAdapter(Line)


def to_json(report: StatusReport) -> str:
    """The body of the answer to `GET /status`."""
    return _REPORT.dump_json(report).decode()


def parse(body: bytes) -> StatusReport | None:
    """The report in such a body; None if it is none."""
    try:
        return _REPORT.validate_json(body)
    except ValidationError:
        return None


def request_in(body: bytes) -> str | None:
    """What the operator wants; None if it is no such body."""
    try:
        return Asked.model_validate_json(body).request
    except ValidationError:
        return None


def line_of(news: OperatorNews) -> str:
    """The captain's news as a line of the answer to `POST /ask`."""
    line: Line
    match news:
        case OperatorTold():
            line = Used(tool=_whole(news.tool), outcome=_whole(news.outcome))
        case OperatorAnswered():
            files = tuple(map(_whole, news.files))
            line = Answered(answer=_whole(news.text), failed=_whole(news.failed), files=files)
        case _:
            assert_never(news)
    return line.model_dump_json()


def read_line(raw: bytes | str) -> Line | None:
    """The line that this is; None if it is none of ours."""
    try:
        return _LINE.validate_json(raw)
    except ValidationError:
        return None


def _whole(text: str) -> str:
    """What a model or a server wrote, without the halves of signs that no UTF-8 has."""
    return text.encode("utf-8", "replace").decode()


def is_our_host(header: str | None) -> bool:
    """Whether a Host header names this machine; a page of another host that was pointed here does not."""
    return header is not None and _OURS.fullmatch(header) is not None
