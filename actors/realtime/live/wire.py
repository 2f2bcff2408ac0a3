"""Of all that OpenAI's Realtime says, the little that matters; its prose ends here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from actors.net import reasons
from actors.net.plain import plain_json
from actors.net.usage import Tokens, tokens_of

_LETTER: TypeAdapter[dict[str, object]] = TypeAdapter(dict[str, object])

Status = Literal["completed", "cancelled", "incomplete", "failed"]

_STATUSES: dict[str, Status] = {
    "completed": "completed",
    "cancelled": "cancelled",
    "incomplete": "incomplete",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCreated:
    """The session stands; `expires_at` is an epoch second."""

    expires_at: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPlaced:
    """An item lies in the conversation, behind `previous`, or as its first."""

    item: str
    previous: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseBegan:
    """A response begins; `turn` is what ours say of themselves."""

    response: str
    turn: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageBegan:
    """The response begins to say something, which will lie in the conversation as this item."""

    response: str
    item: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AtWork:
    """Something else came of a response, such as a thought or a piece of a call."""

    response: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCame:
    """More text of a response."""

    response: str
    item: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A function that the model called, or began to call."""

    call: str
    name: str
    arguments: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseDone:
    """A response is over; `reason` is a bounded code where it is not completed."""

    response: str
    turn: str | None
    status: Status
    reason: str
    calls: tuple[Call, ...]
    messages: tuple[str, ...]
    used: Tokens | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """The provider did not like something: our letter `about`, if it says so. `reason` is a bounded code."""

    reason: str
    about: str | None


Frame: TypeAlias = (
    SessionCreated
    | ItemPlaced
    | ResponseBegan
    | MessageBegan
    | AtWork
    | TextCame
    | ResponseDone
    | Complaint
    | None
)
"""None is whatever does not matter here."""


def decode(text: str) -> Frame:
    """One letter of the provider; raises ValueError for what is no JSON object or lacks what it needs."""
    try:
        return _read(_LETTER.validate_json(plain_json(text)))
    except ValidationError:  # whose words would quote the letter
        raise ValueError("a frame cannot be read") from None


def _read(letter: Mapping[str, object]) -> Frame:
    match letter.get("type"):
        case "session.created":
            return SessionCreated(expires_at=_Created.model_validate(letter).session.expires_at)
        case "conversation.item.added" | "conversation.item.created":
            placed = _Placed.model_validate(letter)
            return ItemPlaced(item=placed.item.id, previous=placed.previous_item_id)
        case "response.created":
            response = _Began.model_validate(letter).response
            return ResponseBegan(response=response.id, turn=response.turn)
        case "response.output_item.added":
            output = _Output.model_validate(letter)
            if output.item.type != "message":
                return AtWork(response=output.response_id)
            return MessageBegan(response=output.response_id, item=output.item.id)
        case "response.output_text.delta":
            delta = _Delta.model_validate(letter)
            return TextCame(response=delta.response_id, item=delta.item_id, text=delta.delta)
        case "response.done":
            return _done(_Began.model_validate(letter).response)
        case "error":
            error = _Complained.model_validate(letter).error
            return Complaint(reason=error.reason, about=error.event_id)
        case str(kind) if kind.startswith("response."):
            response_id = letter.get("response_id")
            return AtWork(response=response_id) if isinstance(response_id, str) else None
        case _:
            return None


def _done(response: _Response) -> ResponseDone:
    details = response.status_details
    reason = ""
    if details is not None:
        reason = details.error.reason if details.error is not None else reasons.of_code(details.reason)
    status = _STATUSES.get(response.status, "failed")
    return ResponseDone(
        response=response.id,
        turn=response.turn,
        status=status,
        reason="" if status == "completed" else reason or reasons.UNNAMED,
        calls=tuple(
            Call(call=item.call_id, name=item.name, arguments=item.arguments)
            for item in response.output
            if item.type == "function_call" and item.call_id
        ),
        messages=tuple(item.id for item in response.output if item.type == "message"),
        used=tokens_of(response.usage),
    )


# --- the shapes of its letters ----------------------------------------------------------------------

Id = Annotated[str, Field(min_length=1, max_length=256)]


class _Session(BaseModel):
    expires_at: Annotated[float, Field(allow_inf_nan=False)] | None = None


class _Created(BaseModel):
    session: _Session


class _Item(BaseModel):
    id: Id
    type: str = ""
    # It goes on record as a part of a name of ours, so that it must not be prose.
    call_id: str = Field(default="", max_length=256, pattern=r"^[A-Za-z0-9_.:-]*$")
    name: str = ""
    arguments: str = ""


class _Placed(BaseModel):
    item: _Item
    previous_item_id: Id | None = None


class _Error(BaseModel):
    code: str | None = None
    type: str | None = None
    event_id: str | None = None

    @property
    def reason(self) -> str:
        return reasons.of_code(self.code or self.type)


class _Complained(BaseModel):
    error: _Error


class _Details(BaseModel):
    reason: str | None = None
    error: _Error | None = None


class _Response(BaseModel):
    id: Id
    status: str = ""
    status_details: _Details | None = None
    output: tuple[_Item, ...] = ()
    metadata: dict[str, str] | None = None
    usage: object = None

    @property
    def turn(self) -> str | None:
        return (self.metadata or {}).get("turn")


class _Began(BaseModel):
    response: _Response


class _Output(BaseModel):
    response_id: Id
    item: _Item


class _Delta(BaseModel):
    response_id: Id
    item_id: Id
    delta: str
