"""What a theatre and a house in another process say to each other: one JSON object a line."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from messages.lifecycle import TreeNode
from supervisors.rehearsal.minds import CaptainReplyEntry, ReplyEntry, Scripted


class NotOurs(Exception):
    """A line that neither side would write."""


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Script(_Said):
    """To the house, first of all: what the scripted model will decide, and what the captain will do."""

    kind: Literal["script"] = "script"
    replies: tuple[ReplyEntry, ...]
    captain: tuple[CaptainReplyEntry, ...] = ()


class Join(_Said):
    """To the house: come into this room; answered with Came."""

    kind: Literal["join"] = "join"
    room: str


class Leave(_Said):
    """To the house: leave whatever room you are in."""

    kind: Literal["leave"] = "leave"


class Ask(_Said):
    """To the house: whoever has the machine wants this of the captain; answered with Told and Answered."""

    kind: Literal["ask"] = "ask"
    handoff: str
    request: str


class Crash(_Said):
    """To the house: let the actor whose path ends in `name` crash; answered with Crashed."""

    kind: Literal["crash"] = "crash"
    name: str


class Look(_Said):
    """To the house: show who is in you; answered with Seen."""

    kind: Literal["look"] = "look"


class Opened(_Said):
    """From the house: every model is loaded, the tree is up, and the account is ready."""

    kind: Literal["opened"] = "opened"


class Came(_Said):
    """From the house: he is in the room, or `refused` with a detail."""

    kind: Literal["came"] = "came"
    room: str = ""
    stay: str = ""
    refused: str = ""
    detail: str = ""


class Told(_Said):
    """From the house: the captain used a tool for the operator."""

    kind: Literal["told"] = "told"
    handoff: str
    tool: str
    outcome: str


class Answered(_Said):
    """From the house: what the captain says to the operator, once."""

    kind: Literal["answered"] = "answered"
    handoff: str
    text: str
    failed: str = ""
    files: tuple[str, ...] = ()


class Crashed(_Said):
    """From the house: it is ordered, or there is nobody of that name."""

    kind: Literal["crashed"] = "crashed"
    problem: str = ""


class Seen(_Said):
    """From the house: its tree."""

    kind: Literal["seen"] = "seen"
    tree: TreeNode


class Receipted(_Said):
    """From the house: one receipt, as written, at this second of the wall clock."""

    kind: Literal["receipted"] = "receipted"
    at: float
    line: str


class Heard(_Said):
    """From the house: somebody's final line."""

    kind: Literal["heard"] = "heard"
    stay_id: str
    person_id: str
    label: str
    text: str
    typed: bool


class Spoke(_Said):
    """From the house: what the room really heard of him."""

    kind: Literal["spoke"] = "spoke"
    stay_id: str
    utterance_id: str
    text: str
    whole: bool


ToHouse: TypeAlias = Script | Join | Leave | Ask | Crash | Look
FromHouse: TypeAlias = Opened | Came | Told | Answered | Crashed | Seen | Receipted | Heard | Spoke
S = TypeVar("S")
_TO_HOUSE: TypeAdapter[ToHouse] = TypeAdapter(Annotated[ToHouse, Field(discriminator="kind")])
_FROM_HOUSE: TypeAdapter[FromHouse] = TypeAdapter(Annotated[FromHouse, Field(discriminator="kind")])


def line(said: ToHouse | FromHouse) -> bytes:
    """One object as one line, its end included."""
    return said.model_dump_json().encode() + b"\n"


def script(replies: tuple[Scripted, ...]) -> Script:
    """The script of both minds."""
    return Script(
        replies=tuple(one for one in replies if isinstance(one, ReplyEntry)),
        captain=tuple(one for one in replies if isinstance(one, CaptainReplyEntry)),
    )


def to_house(text: bytes) -> ToHouse:
    """Read what a theatre wrote; raises NotOurs."""
    return _read(_TO_HOUSE, text)


def from_house(text: bytes) -> FromHouse:
    """Read what a house wrote; raises NotOurs."""
    return _read(_FROM_HOUSE, text)


def _read(kind: TypeAdapter[S], text: bytes) -> S:
    try:
        return kind.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise NotOurs(f"a line that is none of ours ({first['type']})") from None
