"""Who may have what done, whatever door he uses: one page, no state, and no by default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from messages.authority import Need, Ruling, Sort, Standing, Surface, Tier
from messages.gateway import Asker
from messages.ids import GuildId, PersonId, RoleId, RoomId

_OF_PEOPLE: Final = frozenset({Surface.TEXT, Surface.VOICE, Surface.MIXED_VOICE})
_FOR_EVERYONE: Final = frozenset({Sort.SOCIAL, Sort.LOOK, Sort.KEEP})
_FOR_OPERATORS: Final = frozenset({Sort.MOVE, Sort.LOOK, Sort.KEEP, Sort.MACHINE})
"""No message asked, so there is none to react to, to answer, or to begin a thread on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """The law of this house; `home` is the guild in this process, always allowed."""

    home: GuildId
    owner: PersonId | None = None
    system: frozenset[PersonId] = frozenset()
    ambient: frozenset[PersonId] = frozenset()
    roles: frozenset[RoleId] = frozenset()
    guilds: frozenset[GuildId] = frozenset()
    channels: frozenset[RoomId] = frozenset()
    open_to_members: bool = False
    owner_only: bool = False
    voice_enabled: bool = True

    def tier(self, person: PersonId, roles: frozenset[RoleId]) -> Tier:
        """Return the highest tier that this person has, with the roles of the guild in which he asks."""
        if person == self.owner:
            return Tier.OWNER
        if person in self.system:
            return Tier.SYSTEM
        return Tier.AMBIENT if person in self.ambient or roles & self.roles else Tier.EVERYONE

    def least(self, askers: tuple[Asker, ...]) -> Tier:
        """Return what several people may have done together; nobody may nothing beyond everyone's."""
        tiers = [Tier.EVERYONE if one.person.bot else self.tier(one.person.id, one.roles) for one in askers]
        return min(tiers, default=Tier.EVERYONE)

    def rule(self, need: Need, standing: Standing) -> Ruling:
        """Return whether a tool may be used in a turn of this standing; what no line allows is refused."""
        tier, surface, sort = standing.tier, standing.surface, need.sort
        if surface is Surface.OPERATOR:
            return Ruling.ALLOWED if sort in _FOR_OPERATORS and tier is Tier.OWNER else Ruling.REFUSED
        if surface not in _OF_PEOPLE or (self.owner_only and tier is not Tier.OWNER):
            return Ruling.REFUSED
        if sort in _FOR_EVERYONE:
            return Ruling.ALLOWED
        if sort is Sort.MOVE and (self.open_to_members or tier >= Tier.AMBIENT):
            return Ruling.ALLOWED
        if sort is Sort.MACHINE and tier >= need.tier:
            doubtful = surface is not Surface.TEXT or (standing.swayed and need.wary)
            return Ruling.CONFIRM if doubtful and need.weighty else Ruling.ALLOWED
        return Ruling.REFUSED

    def may_confirm(self, asker: Asker, tier: Tier) -> bool:
        """Whether this person's word in writing lets a tool of this tier be used."""
        if asker.person.bot or (self.owner_only and asker.person.id != self.owner):
            return False
        return self.tier(asker.person.id, asker.roles) >= tier

    def may_move(self, asker: Asker) -> bool:
        """Whether this person may have him come, go, or open the play surface."""
        standing = Standing(tier=self.tier(asker.person.id, asker.roles), surface=Surface.TEXT)
        return not asker.person.bot and self.rule(Need(sort=Sort.MOVE), standing) is Ruling.ALLOWED

    def allows(self, guild: GuildId, room: RoomId) -> bool:
        """Whether he may be in this voice channel, whoever asks."""
        if guild == self.home:
            return True
        anywhere = not self.channels and not self.owner_only
        return guild in self.guilds and (anywhere or room in self.channels)
