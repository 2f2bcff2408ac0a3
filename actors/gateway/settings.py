"""Where he may be, who may move him, how long he may take to come, and what he reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

LARGEST_ID = 2**63 - 1


def _within(key: str, value: float, least: int, most: int, remedy: str) -> None:
    if not least <= value <= most:
        raise ValueError(f"{key} must be between {least} and {most}, got {value}; {remedy}")


def _check_ids(**named: tuple[int, ...]) -> None:
    for key, ids in named.items():
        for one in ids:
            if not 0 < one <= LARGEST_ID:
                raise ValueError(f"{key} must be of Discord's ids, got {one}; copy it with Copy ID")


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewaySettings:
    """In how many rooms he may be, and how long he may take to come."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    max_stays: int = 1
    """In how many rooms he may be at the same time, each in a server of its own."""
    join_seconds: float = 40.0
    """Who asked him to come is refused if nothing was heard of the stay by then; more than its own limit."""
    watch_open_seconds: float = 10.0
    """How long the play surface may take to open."""
    watch_seconds: float = 3600.0
    """How long the play surface stays open."""
    confirm_seconds: float = 60.0
    """How long what was asked aloud waits for somebody to press a button."""

    def __post_init__(self) -> None:
        _within("max_stays", self.max_stays, 1, 100, "1 is usual")
        _within("join_seconds", self.join_seconds, 1, 300, "40 leaves a stay its 35")
        _within("watch_open_seconds", self.watch_open_seconds, 1, 60, "10 is usual")
        _within("watch_seconds", self.watch_seconds, 60, 86_400, "3600 is an hour")
        _within("confirm_seconds", self.confirm_seconds, 5, 60, "the captain waits no longer")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSettings:
    """What he reads and answers outside of the room that he is in; people and channels by Discord's ids."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    enabled: bool = True
    """Whether he answers in writing at all; what is written in the room that he is in, he reads anyway."""
    reply_policy: str = "addressed"
    """"addressed": he reads what mentions, answers or names him; "all": everything."""
    dms: str = "owner_only"
    """Who may write to him in private: "owner_only" the owner, "allowlist" `dm_users` too, "deny" nobody."""
    dm_users: tuple[int, ...] = ()
    """People who may write to him in private, with `dms` "allowlist"."""
    channels: tuple[int, ...] = ()
    """The channels and threads that he reads; all in the servers of `[authority] guilds` if it is empty."""
    engaged_messages: int = 5
    """After an answer he reads so many messages of that channel, whoever they are for."""
    answer_seconds: float = 600.0
    """What has no answer by then is given up, and the channel is told."""

    def __post_init__(self) -> None:
        _check_ids(dm_users=self.dm_users, channels=self.channels)
        if self.reply_policy not in ("addressed", "all"):
            raise ValueError(f'reply_policy must be "addressed" or "all", got "{self.reply_policy}"')
        if self.dms not in ("deny", "owner_only", "allowlist"):
            raise ValueError(f'dms must be "deny", "owner_only" or "allowlist", got "{self.dms}"')
        _within("engaged_messages", self.engaged_messages, 0, 100, "5 is usual")
        _within("answer_seconds", self.answer_seconds, 1, 3600, "600 is usual")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthoritySettings:
    """Where he may be and who may move him; people, roles, servers and channels by their Discord ids."""

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

    def is_nobodys(self) -> bool:
        """Whether nobody at all could have him come and go."""
        named = self.owner is not None or self.system_actors or self.ambient_users or self.ambient_roles
        return not named and self.join_policy != "guild_members"

    def __post_init__(self) -> None:
        _check_ids(
            owner=() if self.owner is None else (self.owner,),
            system_actors=self.system_actors,
            ambient_users=self.ambient_users,
            ambient_roles=self.ambient_roles,
            guilds=self.guilds,
            channels=self.channels,
        )
        if self.join_policy not in ("ambient", "guild_members"):
            raise ValueError(f'join_policy must be "ambient" or "guild_members", got "{self.join_policy}"')
        if self.profile not in ("bot", "owner"):
            raise ValueError(f'profile must be "bot" or "owner", got "{self.profile}"')
        if self.profile == "owner" and not (self.owner and self.guilds and self.channels):
            raise ValueError('profile "owner" needs owner, guilds and channels; name all three, or use "bot"')
