"""Who may have what done, as the operator is promised it: written down once more, without the code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ORDER = ("everyone", "ambient", "system", "owner")


@dataclass(frozen=True)
class Law:
    """What an operator has written into `[authority]`, as plain names."""

    owner: str | None = None
    system: frozenset[str] = frozenset()
    ambient: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    guilds: frozenset[str] = frozenset()
    channels: frozenset[str] = frozenset()
    members_may_move: bool = False
    owners_alone: bool = False
    voice: bool = True


@dataclass(frozen=True)
class Somebody:
    """Who speaks, with the roles that he has where he speaks."""

    name: str
    roles: frozenset[str] = frozenset()
    bot: bool = False


def rank(law: Law, one: Somebody) -> int:
    """How high somebody stands; a machine never stands for anybody."""
    if one.bot:
        return 0
    if law.owner is not None and one.name == law.owner:
        return 3
    if one.name in law.system:
        return 2
    return 1 if one.name in law.ambient or law.roles & one.roles else 0


def together(law: Law, people: Sequence[Somebody]) -> int:
    """Several are as high as the lowest of them; nobody is as low as everybody."""
    return min((rank(law, one) for one in people), default=0)


def verdict(law: Law, how: str, rank_of: int, sort: str, need: int, *, weighty: bool, doubted: bool) -> str:
    """allowed, confirm or refused; `doubted`: the mind has read what others wrote, and must ask then."""
    if how == "operator":
        return "allowed" if rank_of == 3 and sort in {"move", "look", "keep", "machine"} else "refused"
    if how == "membership":
        return "refused"
    if law.owners_alone and rank_of < 3:
        return "refused"
    if sort in {"social", "look", "keep"}:
        return "allowed"
    if sort == "move":
        return "allowed" if law.members_may_move or rank_of >= 1 else "refused"
    if rank_of < need:
        return "refused"
    aloud = how in {"voice", "mixed_voice"}
    return "confirm" if weighty and (aloud or doubted) else "allowed"


def may_move(law: Law, one: Somebody) -> bool:
    """Whether he may have him come and go."""
    if one.bot:
        return False
    if law.owners_alone:
        return rank(law, one) == 3
    return law.members_may_move or rank(law, one) >= 1


def comes(law: Law, one: Somebody, guild: str, where: str | None) -> str:
    """What becomes of his asking him to come into the room where he is."""
    if not may_move(law, one):
        return "authority"
    if not law.voice:
        return "voice_disabled"
    if where is None:
        return "not_in_voice"
    anywhere = not law.channels and not law.owners_alone
    if guild not in law.guilds or not (anywhere or where in law.channels):
        return "allowlist"
    return "begins"
