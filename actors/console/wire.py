"""What goes over the window's sill: how things are, and what the captain is asked and answers, as JSON."""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias, assert_never

from pydantic import BaseModel, ConfigDict, StringConstraints, TypeAdapter, ValidationError

from actors.console.report import Health, StatusReport, StayStatus, WhyReport
from messages.console import OperatorAnswered, OperatorNews, OperatorTold
from messages.lifecycle import TreeNode

LONGEST_REQUEST = 4_000
"""In characters."""
_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
READABLE = rf"^[^{_CONTROLS}]*[^{_CONTROLS}\s][^{_CONTROLS}]*$"
"""Something that is not only space, with nothing in it that only a terminal could make something of."""
_REPORT: TypeAdapter[StatusReport] = TypeAdapter(StatusReport)
_STAYS: TypeAdapter[tuple[StayStatus, ...]] = TypeAdapter(tuple[StayStatus, ...])
_TREE: TypeAdapter[TreeNode | None] = TypeAdapter(TreeNode | None)
_WHY: TypeAdapter[WhyReport] = TypeAdapter(WhyReport)
_HEALTH: TypeAdapter[Health] = TypeAdapter(Health)
_OURS = re.compile(r"(127\.0\.0\.1|localhost)(:\d{1,5})?", re.ASCII | re.IGNORECASE)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class Asked(_Strict):
    """The body of `POST /captain/ask`."""

    request: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_REQUEST, pattern=READABLE)]


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


def tree_json(report: StatusReport) -> str:
    """The body of the answer to `GET /tree`; null if the house has never described itself."""
    return _TREE.dump_json(report.tree).decode()


def stays_json(report: StatusReport) -> str:
    """The body of the answer to `GET /stays`."""
    return _STAYS.dump_json(report.stays).decode()


def parse_health(body: bytes) -> Health | None:
    """The health in such a body; None if it is none."""
    try:
        return _HEALTH.validate_json(body)
    except ValidationError:
        return None


def health_json(health: Health) -> str:
    """The body of the answer to `GET /health`."""
    return _HEALTH.dump_json(health).decode()


def why_json(why: WhyReport) -> str:
    """The body of the answer to `GET /why`."""
    return _WHY.dump_json(why).decode()


def parse_why(body: bytes) -> WhyReport | None:
    """The lines and turns in such a body; None if it is none."""
    try:
        return _WHY.validate_json(body)
    except ValidationError:
        return None


def request_in(body: bytes) -> str | None:
    """What the operator wants; None if it is no such body."""
    try:
        return Asked.model_validate_json(body).request.strip()
    except ValidationError:
        return None


def line_of(news: OperatorNews) -> str:
    """The captain's news as a line of the answer to `POST /captain/ask`."""
    line: Line
    match news:
        case OperatorTold():
            line = Used(tool=whole(news.tool), outcome=whole(news.outcome))
        case OperatorAnswered():
            files = tuple(map(whole, news.files))
            line = Answered(answer=whole(news.text), failed=whole(news.failed), files=files)
        case _:
            assert_never(news)
    return line.model_dump_json()


def read_line(raw: bytes | str) -> Line | None:
    """The line that this is; None if it is none of ours."""
    try:
        return _LINE.validate_json(raw)
    except ValidationError:
        return None


def whole(text: str) -> str:
    """What a model or a server wrote, without the halves of signs that no UTF-8 has."""
    return text.encode("utf-8", "replace").decode()


def is_our_host(header: str | None) -> bool:
    """Whether a Host header names this machine; a page of another host that was pointed here does not."""
    return header is not None and _OURS.fullmatch(header) is not None
