"""What a browser in a seat may say and is told: JSON that names its type; whatever is binary is sound."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

LONGEST_NAME = 32
LONGEST_LINE = 2_000
"""Both in characters."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


# --- what he says -----------------------------------------------------------------------------------


class Join(_Strict):
    """He comes, under this name, with sound at so many samples a second."""

    type: Literal["join"]
    name: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
    rate: Annotated[int, Field(ge=8_000, le=96_000)]
    token: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32,128}$")] | None = Field(
        default=None, repr=False
    )
    """A secret of the browser's own, by which it is the same person when it comes back."""


class Consent(_Strict):
    """He lets himself be heard, or no longer."""

    type: Literal["consent"]
    granted: bool


class Wrote(_Strict):
    """He writes in the room's chat."""

    type: Literal["line"]
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_LINE)]


class Press(_Strict):
    """He presses a button under the latest question."""

    type: Literal["press"]
    granted: bool


class Leave(_Strict):
    """He goes."""

    type: Literal["leave"]


Said: TypeAlias = Join | Consent | Wrote | Press | Leave
_SAID: TypeAdapter[Said] = TypeAdapter(Annotated[Said, Field(discriminator="type")])


def read(text: str) -> Said | None:
    """What this frame says; None if it is none of ours."""
    try:
        return _SAID.validate_json(text)
    except ValidationError:
        return None


# --- what he is told --------------------------------------------------------------------------------


class Neighbour(_Strict):
    """One who is here; `slot` is the first byte of his sound."""

    person: str
    name: str
    slot: int


class Welcome(_Strict):
    """He has his seat: who he is now, the rate of all sound that he gets, and who is here."""

    type: Literal["welcome"] = "welcome"
    person: str
    name: str
    rate: int
    people: tuple[Neighbour, ...]
    present: bool


class People(_Strict):
    """Who is here now, and whether Clankie is."""

    type: Literal["people"] = "people"
    people: tuple[Neighbour, ...]
    present: bool


class Outcome(_Strict):
    """What came of his consent: granted, withdrawn, not_in_room or no_stay."""

    type: Literal["consent"] = "consent"
    outcome: str


class Line(_Strict):
    """What somebody wrote."""

    type: Literal["line"] = "line"
    name: str
    text: str
    his: bool


class Question(_Strict):
    """What Clankie wants a yes or no to; no longer, if it is not open."""

    type: Literal["question"] = "question"
    text: str
    open: bool


class Error(_Strict):
    """Why the seat is taken away, and what to do about it."""

    type: Literal["error"] = "error"
    error: str


Told: TypeAlias = Welcome | People | Outcome | Line | Question | Error


def text_of(told: Told) -> str:
    """The frame, also where a model wrote halves of signs that no UTF-8 has."""
    return _whole(told).model_dump_json()


def _whole(told: Told) -> Told:
    if not isinstance(told, Line | Question):
        return told
    return told.model_copy(update={"text": told.text.encode("utf-8", "replace").decode()})
