"""One more voice channel of a play, perhaps in another guild, with the guild's lobby beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from messages.ids import MessageId, PersonId
from messages.people import Person
from supervisors.rehearsal.scenario import RoomEntry
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.rooms import TextRoom
from tests.loopback.discord.scene import Scene, addressed


class Annex:
    """Fulfils the rehearsal's Annex; `barred`, he lacks the permission to come in."""

    def __init__(self, scene: Scene, entry: RoomEntry, guild: Guild, lobby: TextRoom) -> None:
        self.guild, self.allowed = guild, entry.allowed
        self.channel = guild.voice(entry.name)
        if entry.barred:
            self.channel.deny("connect")
        self._scene, self._lobby = scene, lobby

    def arrive(self, person: Person, /) -> None:
        """Sit down, and connect."""
        self._scene.played(person, self.guild).join(self.channel)

    def depart(self, person: PersonId, /) -> None:
        """Hang up and go."""
        self._scene.participants[self.guild.id, person].leave()

    def write(self, person: Person, text: str, /) -> MessageId:
        """Write to him in the lobby of this guild, naming him."""
        return addressed(self._scene.played(person, self.guild), self.guild, self._lobby, text)


def annexes(scene: Scene, entries: Sequence[RoomEntry]) -> Mapping[str, Annex]:
    """Build every room, and each guild once."""
    guilds: dict[str, tuple[Guild, TextRoom]] = {}
    made: dict[str, Annex] = {}
    for entry in entries:
        guild, lobby = scene.guild, scene.lobby
        if entry.server is not None:
            if entry.server not in guilds:
                other = scene.discord.guild(entry.server)
                guilds[entry.server] = (other, other.text("lobby"))
            guild, lobby = guilds[entry.server]
        made[entry.name] = Annex(scene, entry, guild, lobby)
    return made


def allowed(scene: Scene, rooms: Sequence[Annex], *, by_name: bool) -> Mapping[str, tuple[int, ...]]:
    """The guilds and, `by_name` or where one of their rooms is not allowed, the channels he may be in."""
    open_rooms = [room for room in rooms if room.allowed]
    guilds = dict.fromkeys((scene.guild.id, *(room.guild.id for room in open_rooms)))
    named = by_name or any(room.guild.id in guilds for room in rooms if not room.allowed)
    channels = (scene.channel.id, *(room.channel.id for room in open_rooms)) if named else ()
    return {"guilds": tuple(guilds), "channels": channels}
