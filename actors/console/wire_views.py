"""What viewers are shown, one JSON object at a time: the status, a receipt, words, a line of the log."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, assert_never

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from actors.console.report import StatusReport
from actors.console.wire import to_json, whole
from messages.evidence import HeardWords, PrivateWords, SpokenWords

_HIS_LABEL = "Clankie"


class _View(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class StatusView(_View):
    """How things are, every second and on connecting."""

    view: Literal["status"] = "status"
    status: StatusReport


class ReceiptOnRecord(_View):
    """One receipt as it is on record."""

    model_config = ConfigDict(alias_generator=to_camel)

    schema_version: Literal[1]
    id: str
    occurred_at: str
    type: str
    data: dict[str, str | int | float | bool]


class ReceiptView(_View):
    """Something happened."""

    view: Literal["receipt"] = "receipt"
    receipt: ReceiptOnRecord


class WordsView(_View):
    """Somebody said or wrote this, or he did (`his`); `at` is seconds since the epoch."""

    view: Literal["words"] = "words"
    at: float
    stay_id: str
    person_id: str | None
    label: str
    text: str
    typed: bool
    his: bool
    whole: bool


class LogView(_View):
    """A line of the log; `at` is seconds since the epoch."""

    view: Literal["log"] = "log"
    at: float
    level: str
    text: str


Shown: TypeAlias = StatusView | ReceiptView | WordsView | LogView
_SHOWN: TypeAdapter[Shown] = TypeAdapter(Annotated[Shown, Field(discriminator="view")])


def status_view(report: StatusReport) -> str:
    """The status as viewers get it."""
    return f'{{"view":"status","status":{to_json(report)}}}'


def receipt_view(json_line: str) -> str:
    """A receipt as viewers get it, from the line on record."""
    return f'{{"view":"receipt","receipt":{json_line.strip()}}}'


def words_view(words: PrivateWords, at: float) -> str:
    """Words as viewers get them who may and want to see them."""
    match words:
        case HeardWords():
            shown = WordsView(
                at=at,
                stay_id=words.stay_id,
                person_id=words.person_id,
                label=whole(words.label),
                text=whole(words.text),
                typed=words.typed,
                his=False,
                whole=True,
            )
        case SpokenWords():
            shown = WordsView(
                at=at,
                stay_id=words.stay_id,
                person_id=None,
                label=_HIS_LABEL,
                text=whole(words.text),
                typed=False,
                his=True,
                whole=words.whole,
            )
        case _:
            assert_never(words)
    return shown.model_dump_json()


def log_view(at: float, level: str, text: str) -> str:
    """A line of the log as viewers get it who want to see it."""
    return LogView(at=at, level=level, text=whole(text)).model_dump_json()


def parse_view(raw: bytes | str) -> Shown | None:
    """What a viewer is shown; None if it is none of ours."""
    try:
        return _SHOWN.validate_json(raw)
    except ValidationError:
        return None
