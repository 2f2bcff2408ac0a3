"""Who may move him and where he may be: the same rules for everybody, whatever door they use."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from actors.gateway.settings import AuthoritySettings
from messages.gateway import Asker
from messages.ids import GuildId, PersonId, RoleId, RoomId


class Tier(IntEnum):
    """How much somebody may ask for; who may do more may also do less."""

    EVERYONE = 0
    AMBIENT = 1
    SYSTEM = 2
    OWNER = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """What the `[authority]` table means; `home` is the guild in this process, always allowed."""

    home: GuildId
    owner: PersonId | None
    system: frozenset[PersonId]
    ambient: frozenset[PersonId]
    roles: frozenset[RoleId]
    guilds: frozenset[GuildId]
    channels: frozenset[RoomId]
    open_to_members: bool
    owner_only: bool
    voice_enabled: bool

    @classmethod
    def of(cls, settings: AuthoritySettings, home: GuildId) -> Self:
        """Read the settings; ids are written as Discord writes them, in decimal."""
        return cls(
            home=home,
            owner=None if settings.owner is None else PersonId(str(settings.owner)),
            system=frozenset(PersonId(str(one)) for one in settings.system_actors),
            ambient=frozenset(PersonId(str(one)) for one in settings.ambient_users),
            roles=frozenset(RoleId(str(one)) for one in settings.ambient_roles),
            guilds=frozenset(GuildId(str(one)) for one in settings.guilds),
            channels=frozenset(RoomId(str(one)) for one in settings.channels),
            open_to_members=settings.join_policy == "guild_members",
            owner_only=settings.profile == "owner",
            voice_enabled=settings.voice_enabled,
        )

    def tier(self, person: PersonId, roles: frozenset[RoleId]) -> Tier:
        """Return the highest tier that this person has, with the roles of the guild in which he asks."""
        if person == self.owner:
            return Tier.OWNER
        if person in self.system:
            return Tier.SYSTEM
        return Tier.AMBIENT if person in self.ambient or roles & self.roles else Tier.EVERYONE

    def may_move(self, asker: Asker) -> bool:
        """Whether this person may have him come, go, or open the play surface."""
        if asker.person.bot:
            return False
        tier = self.tier(asker.person.id, asker.roles)
        if self.owner_only:
            return tier is Tier.OWNER
        return self.open_to_members or tier >= Tier.AMBIENT

    def allows(self, guild: GuildId, room: RoomId) -> bool:
        """Whether he may be in this voice channel, whoever asks."""
        if guild == self.home:
            return True
        anywhere = not self.channels and not self.owner_only
        return guild in self.guilds and (anywhere or room in self.channels)
