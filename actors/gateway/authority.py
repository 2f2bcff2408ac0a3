"""What the `[authority]` table means; ids are written as Discord writes them, in decimal."""

from __future__ import annotations

from actors.authority import Authority
from actors.gateway.settings import AuthoritySettings
from messages.ids import GuildId, PersonId, RoleId, RoomId


def authority_of(settings: AuthoritySettings, home: GuildId) -> Authority:
    """Return the law that these settings make; `home` is the guild in this process."""
    return Authority(
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
