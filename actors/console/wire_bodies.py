"""What an order looks like at the window: a path, and the fields of the body that is sent there."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from actors.console.wire import READABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_SAY: Final = 600
LONGEST_NAME: Final = 128
LONGEST_HUSH: Final = 86_400.0
_Name = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^\x00-\x20\x7f-\xa0]+$")
]


class Body(BaseModel):
    """The body of an order."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, hide_input_in_errors=True, allow_inf_nan=False
    )


class JoinBody(Body):
    """Come into a room, or to where the owner is."""

    room: _Name | None = None


class LeaveBody(Body):
    """Leave one stay's room, or all."""

    stay: _Name | None = None


class SayBody(Body):
    """Say exactly this."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_SAY, pattern=READABLE)]
    stay: _Name | None = None


class HushBody(Body):
    """Be silent for so many seconds; 0 ends that."""

    seconds: Annotated[float, Field(ge=0.0, le=LONGEST_HUSH)] = 300.0
    stay: _Name | None = None


class InterruptBody(Body):
    """Stop what he is saying."""

    stay: _Name | None = None


class ConsentBody(Body):
    """Hear somebody no longer; that somebody may be heard, only that person can say."""

    person: _Name
    granted: bool
    stay: _Name | None = None


class RestartBody(Body):
    """Give the actor at this path a new life."""

    path: _Name


class FlushBody(Body):
    """Put the record on disk."""


class PurgeBody(Body):
    """Take this person out of what is kept."""

    person: _Name


class ShutdownBody(Body):
    """Close the house in good order."""


OrderBody: TypeAlias = (
    JoinBody
    | LeaveBody
    | SayBody
    | HushBody
    | InterruptBody
    | ConsentBody
    | RestartBody
    | FlushBody
    | PurgeBody
    | ShutdownBody
)
BODIES: Final[Mapping[str, type[OrderBody]]] = MappingProxyType(
    {
        "/stays/join": JoinBody,
        "/stays/leave": LeaveBody,
        "/say": SayBody,
        "/hush": HushBody,
        "/interrupt": InterruptBody,
        "/consent": ConsentBody,
        "/actors/restart": RestartBody,
        "/evidence/flush": FlushBody,
        "/evidence/purge": PurgeBody,
        "/shutdown": ShutdownBody,
    }
)
"""What an order at each path looks like."""
