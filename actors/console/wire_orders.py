"""Orders as they come in at the window, field by field, and what became of them as it goes out."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, assert_never

from pydantic import ValidationError

from actors.console.wire import whole
from actors.console.wire_bodies import (
    BODIES,
    Body,
    ConsentBody,
    FlushBody,
    HushBody,
    InterruptBody,
    JoinBody,
    LeaveBody,
    OrderBody,
    PurgeBody,
    RestartBody,
    SayBody,
    ShutdownBody,
)
from messages.console import (
    FlushOrdered,
    HushOrdered,
    InterruptOrdered,
    JoinOrdered,
    LeaveOrdered,
    Order,
    OrderAnswer,
    OrderResult,
    PurgeOrdered,
    RestartOrdered,
    SayOrdered,
    ShutdownOrdered,
    WithdrawOrdered,
)
from messages.ids import PersonId, RoomId, StayId

if TYPE_CHECKING:
    from collections.abc import Mapping

_STATUS: Final = {
    OrderResult.DONE: HTTPStatus.OK,
    OrderResult.PENDING: HTTPStatus.ACCEPTED,
    OrderResult.REFUSED: HTTPStatus.CONFLICT,
    OrderResult.GONE: HTTPStatus.GONE,
}
_WANTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "/stays/join": '{"room": ID}, or {} for where the owner is',
        "/stays/leave": '{"stay": ID}, or {} for all',
        "/say": '{"text": 1 to 600 characters}, and "stay" if there are several',
        "/hush": '{"seconds": 0 to 86400}, and "stay" if there are several',
        "/interrupt": '{}, or {"stay": ID}',
        "/consent": '{"person": ID, "granted": false}, and "stay" if there are several',
        "/actors/restart": '{"path": a path as in GET /tree}',
        "/evidence/flush": "{}",
        "/evidence/purge": '{"person": ID}',
        "/shutdown": "{}",
    }
)
_SPOKEN: Final = frozenset(("text", "request"))
ONLY_THE_PERSON: Final = OrderAnswer(
    result=OrderResult.REFUSED,
    code="only_the_person",
    text="only the person can consent to be heard: by /clankie voice-consent opt-in, or at a seat",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """What is wrong with a body, alone and in a sentence that says what to send; neither quotes a value."""

    fault: str
    sentence: str


class AnswerBody(Body):
    """What became of an order."""

    result: OrderResult
    code: str
    text: str
    facts: dict[str, str | int | float | bool | None]


def order_in(path: str, body: bytes) -> Order | OrderAnswer | Malformed:
    """The order in a body sent to one of the paths in BODIES, or the answer where nobody need be asked.

    Raises KeyError for any other path.
    """
    kind = BODIES[path]
    try:
        wanted = kind.model_validate_json(body)
    except ValidationError as error:
        return Malformed(fault=what_is_wrong(error), sentence=f"{what_is_wrong(error)}; send {_WANTED[path]}")
    return _order(wanted)


def what_is_wrong(error: ValidationError) -> str:
    """The first fault in words, without the value; a field that nobody knows is named by its beginning."""
    fault = error.errors(include_url=False, include_input=False)[0]
    name = ".".join(str(part) for part in fault["loc"])[:40]
    match fault["type"]:
        case "json_invalid":
            return "this is no JSON"
        case "model_type" | "model_attributes_type":
            return "this is no JSON object"
        case "missing":
            return f"{name!a} is missing"
        case "extra_forbidden":
            return f"nobody knows a field {name!a} here"
        case "string_too_short":
            return f"{name!a} is empty"
        case "string_too_long":
            return f"{name!a} has more than {fault.get('ctx', {}).get('max_length')} characters"
        case "string_pattern_mismatch" if name in _SPOKEN:
            return f"{name!a} is blank, or has a control character in it"
        case "string_pattern_mismatch":
            return f"{name!a} has a blank or a control character in it"
        case _:
            return f"{name!a} is not what it should be"


def status_of(answer: OrderAnswer) -> HTTPStatus:
    """The status with which it is answered."""
    return _STATUS[answer.result]


def answer_json(answer: OrderAnswer) -> str:
    """The body of the answer to an order."""
    facts = {key: whole(value) if isinstance(value, str) else value for key, value in answer.facts.items()}
    said = AnswerBody(result=answer.result, code=answer.code, text=whole(answer.text), facts=facts)
    return said.model_dump_json()


def parse_answer(raw: bytes | str) -> OrderAnswer | None:
    """What became of an order, from such a body; None if it is none."""
    try:
        said = AnswerBody.model_validate_json(raw)
    except ValidationError:
        return None
    return OrderAnswer(result=said.result, code=said.code, text=said.text, facts=said.facts)


def _order(wanted: OrderBody) -> Order | OrderAnswer:
    match wanted:
        case JoinBody(room=room):
            return JoinOrdered(room=None if room is None else RoomId(room))
        case LeaveBody(stay=stay):
            return LeaveOrdered(stay=_stay(stay))
        case SayBody(text=text, stay=stay):
            return SayOrdered(text=text.strip(), stay=_stay(stay))
        case HushBody(seconds=seconds, stay=stay):
            return HushOrdered(seconds=seconds, stay=_stay(stay))
        case InterruptBody(stay=stay):
            return InterruptOrdered(stay=_stay(stay))
        case ConsentBody(person=person, granted=False, stay=stay):
            return WithdrawOrdered(person=PersonId(person), stay=_stay(stay))
        case ConsentBody():
            return ONLY_THE_PERSON
        case RestartBody(path=path):
            return RestartOrdered(path=path)
        case FlushBody():
            return FlushOrdered()
        case PurgeBody(person=person):
            return PurgeOrdered(person=PersonId(person))
        case ShutdownBody():
            return ShutdownOrdered()
        case _:
            assert_never(wanted)


def _stay(name: str | None) -> StayId | None:
    return None if name is None else StayId(name)
