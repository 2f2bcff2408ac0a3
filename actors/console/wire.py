"""The status as JSON, and back into the same types."""

from __future__ import annotations

import re

from pydantic import TypeAdapter, ValidationError

from actors.console.report import StatusReport

_REPORT: TypeAdapter[StatusReport] = TypeAdapter(StatusReport)
_OURS = re.compile(r"(127\.0\.0\.1|localhost)(:\d{1,5})?", re.ASCII | re.IGNORECASE)


def to_json(report: StatusReport) -> str:
    """The body of the answer to `GET /status`."""
    return _REPORT.dump_json(report).decode()


def parse(body: bytes) -> StatusReport | None:
    """The report in such a body; None if it is none."""
    try:
        return _REPORT.validate_json(body)
    except ValidationError:
        return None


def is_our_host(header: str | None) -> bool:
    """Whether a Host header names this machine; a page of another host that was pointed here does not."""
    return header is not None and _OURS.fullmatch(header) is not None
