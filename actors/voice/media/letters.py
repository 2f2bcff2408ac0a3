"""What a voice server writes that counts, each letter with its meaning and in units that can be trusted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """Op 8: seconds between two heartbeats, at most 5."""

    beat: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """Op 2: where sound goes, and the ways to encrypt it that are offered."""

    ssrc: int
    ip: str
    port: int
    modes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Op 4: how sound is encrypted on the way, and the version of the encryption from end to end."""

    mode: str
    secret_key: bytes = field(repr=False)
    dave_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """Op 6: the heartbeat arrived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reunited:
    """Op 9: the session goes on; what was missed follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """Ops 5 and 12: whose stream it is."""

    ssrc: int
    user: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """Op 11: users who are on the call."""

    users: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Went:
    """Op 13: a user has left."""

    user: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepareTransition:
    """Op 21: another version will count from op 22 on; id 0: at once."""

    transition: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecuteTransition:
    """Op 22: now."""

    transition: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepareEpoch:
    """Op 24: the group begins anew when `epoch` is 1."""

    version: int
    epoch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalSender:
    """Op 25."""

    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """Op 27."""

    append: bool
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """Op 29."""

    transition: int
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome:
    """Op 30."""

    transition: int
    body: bytes = field(repr=False)


GroupLetter: TypeAlias = (
    PrepareTransition | ExecuteTransition | PrepareEpoch | ExternalSender | Proposals | Commit | Welcome
)
LineLetter: TypeAlias = Hello | Ready | Description | Acknowledged | Reunited | Stream | Came | Went
Letter: TypeAlias = LineLetter | GroupLetter
