"""Where he may be, who may move him, and how long he may take to come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewaySettings:
    """The `[gateway]` table."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    max_stays: int = 1
    """In how many rooms he may be at the same time, each in a server of its own."""
    join_seconds: float = 40.0
    """Who asked him to come is refused if nothing was heard of the stay by then; more than its own limit."""
    watch_open_seconds: float = 10.0
    """How long the play surface may take to open."""
    watch_seconds: float = 3600.0
    """How long the play surface stays open."""

    def __post_init__(self) -> None:
        if not 1 <= self.max_stays <= 100:
            raise ValueError(f"max_stays must be between 1 and 100, got {self.max_stays}; 1 is usual")
        if not 1.0 <= self.join_seconds <= 300.0:
            raise ValueError(
                f"join_seconds must be between 1 and 300, got {self.join_seconds}; 40 leaves a stay its 35"
            )
        if not 1.0 <= self.watch_open_seconds <= 60.0:
            raise ValueError(
                f"watch_open_seconds must be between 1 and 60, got {self.watch_open_seconds}; 10 is usual"
            )
        if not 60.0 <= self.watch_seconds <= 86_400.0:
            raise ValueError(
                f"watch_seconds must be between 60 and 86400, got {self.watch_seconds}; 3600 is an hour"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthoritySettings:
    """The `[authority]` table; people, roles, servers and channels by their Discord ids."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    owner: int | None = None
    """Whom he belongs to; without one nobody has the owner's rights."""
    system_actors: tuple[int, ...] = ()
    """People on whose behalf machine tools may be used; nobody, if it is empty."""
    ambient_users: tuple[int, ...] = ()
    """People who may have him come and go."""
    ambient_roles: tuple[int, ...] = ()
    """Roles whose members may have him come and go."""
    join_policy: str = "ambient"
    """"ambient": only those named above move him; "guild_members": so does everybody in an allowed server."""
    profile: str = "bot"
    """"bot": for a server; "owner": for the owner alone, who is heard wherever his order brings him."""
    guilds: tuple[int, ...] = ()
    """The servers that he may be in; none, if it is empty."""
    channels: tuple[int, ...] = ()
    """The voice channels that he may be in; all in those servers if it is empty (profile "owner": none)."""
    voice_enabled: bool = True
    """Whether he may be in voice channels at all."""

    def __post_init__(self) -> None:
        if self.join_policy not in ("ambient", "guild_members"):
            raise ValueError(f'join_policy must be "ambient" or "guild_members", got "{self.join_policy}"')
        if self.profile not in ("bot", "owner"):
            raise ValueError(f'profile must be "bot" or "owner", got "{self.profile}"')
        if self.profile == "owner" and not (self.owner and self.guilds and self.channels):
            raise ValueError('profile "owner" needs owner, guilds and channels; name all three, or use "bot"')
