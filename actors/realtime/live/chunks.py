"""A streamed answer comes in crumbs, and every server bakes them a little differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict

from actors.net.plain import plain
from actors.net.usage import Tokens, tokens_of

MOST_CALLS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPiece:
    """A part of a call; which call it belongs to is for whoever puts them together."""

    index: int | None = None
    id: str = ""
    tool: str = ""
    arguments: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What one chunk brought; `finish` is why it was the last, empty as long as it was not."""

    text: str = field(default="", repr=False)
    calls: tuple[CallPiece, ...] = ()
    finish: str = ""
    thought: bool = False
    """Whether it brought thoughts, of which nothing is kept."""
    used: Tokens | None = None
    """What the whole answer has used so far, where the server says so."""

    @property
    def is_progress(self) -> bool:
        """Whether the model is at work."""
        return bool(self.text or self.calls or self.thought)


_Plain: TypeAlias = Annotated[str, AfterValidator(plain)]


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", from_attributes=True, hide_input_in_errors=True)


class _Function(_Lenient):
    name: _Plain | None = None
    arguments: _Plain | None = None


class _Call(_Lenient):
    index: int | None = None
    id: _Plain | None = None
    function: _Function | None = None


class _Delta(_Lenient):
    content: _Plain | None = None
    tool_calls: list[_Call] | None = None
    # A field of one server's or another's making; whatever is in it is not for us.
    reasoning_content: object = None
    reasoning: object = None


class _Choice(_Lenient):
    delta: _Delta | None = None
    finish_reason: _Plain | None = None


class _Chunk(_Lenient):
    choices: list[_Choice] | None = None
    usage: object = None


def read(chunk: object) -> Piece:
    """What a chunk says, an object of the library or plain JSON; raises ValueError for what is no chunk."""
    whole = _Chunk.model_validate(chunk)
    choices, used = whole.choices, tokens_of(whole.usage)
    if not choices:
        return Piece(used=used)
    delta = choices[0].delta or _Delta()
    calls = tuple(
        CallPiece(
            index=call.index,
            id=call.id or "",
            tool=(call.function and call.function.name) or "",
            arguments=(call.function and call.function.arguments) or "",
        )
        for call in delta.tool_calls or ()
    )
    return Piece(
        text=delta.content or "",
        calls=calls,
        finish=choices[0].finish_reason or "",
        thought=bool(delta.reasoning_content or delta.reasoning),
        used=used,
    )


@dataclass(slots=True)
class _Growing:
    index: int | None
    id: str = ""
    tool: str = ""
    arguments: str = field(default="", repr=False)


@dataclass(slots=True)
class Calls:
    """The calls of one answer, put together."""

    _growing: list[_Growing] = field(default_factory=list)

    def take(self, pieces: Sequence[CallPiece]) -> None:
        """Add what came; raises ValueError for more calls than anybody makes."""
        for piece in pieces:
            call = next((one for one in reversed(self._growing) if one.index == piece.index), None)
            if call is None or _begins_anew(call, piece):
                call = _Growing(index=piece.index)
                self._growing.append(call)
            call.id, call.tool = call.id or piece.id, call.tool or piece.tool
            call.arguments += piece.arguments
        if len(self._growing) > MOST_CALLS:
            raise ValueError("too many calls in one answer")

    def whole(self) -> tuple[tuple[str, str], ...]:
        """Tool and arguments of each call that names a tool."""
        return tuple((call.tool, call.arguments) for call in self._growing if call.tool)


def _begins_anew(call: _Growing, piece: CallPiece) -> bool:
    """Some servers give every call of an answer the same index, and some give none an id."""
    if piece.id and call.id:
        return piece.id != call.id
    return bool(piece.tool and call.tool)
