"""Where scenarios are rehearsed over a Discord on this machine: a new one for each, and him as a program."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from messages.people import Person
from supervisors.paths import kept_in
from supervisors.rehearsal.minds import Scripted
from supervisors.rehearsal.remote import RemoteHouse
from supervisors.rehearsal.scenario import RoomEntry
from supervisors.rehearsal.stage import Lender, Overrides, merged, nobody_lends
from supervisors.settings import load
from supervisors.speech import LocalSpeech
from tests.loopback.discord.annex import Annex, allowed, annexes
from tests.loopback.discord.program import command, configured, environment
from tests.loopback.discord.scene import Scene
from tests.loopback.discord.server import Discord


class DiscordTheatre:
    """Fulfils the rehearsal's Theatre; the models here are the people's voices and the judge's ear."""

    def __init__(self, lender: Lender = nobody_lends) -> None:
        self.speech = LocalSpeech(load(None))
        self._lender = lender
        self._discord: Discord | None = None
        self._annexes: Mapping[str, Annex] = {}

    @property
    def over_discord(self) -> bool:
        """There may be more than one room."""
        return True

    def room(self) -> Scene:
        """A voice channel of a Discord of its own."""
        self._let_go()
        self._discord = Discord().__enter__()
        self._annexes = {}
        return Scene(self._discord)

    def annexes(self, room: Scene, entries: tuple[RoomEntry, ...]) -> Mapping[str, Annex]:
        """Voice channels beside it, and on other servers."""
        self._annexes = annexes(room, entries)
        return self._annexes

    def number(self, room: Scene, person: Person) -> int:
        """The id of this person's account."""
        return room.played(person, room.guild).id

    @contextmanager
    def open(
        self, *, settings: Overrides, room: Scene, replies: tuple[Scripted, ...], state: Path
    ) -> Generator[RemoteHouse]:
        """Run the installed program for this channel; a wrong setting is a ValueError in words."""
        try:
            with self._lender(self.speech, replies, settings) as lent:
                tables = _tables(merged(settings, lent.settings), room, tuple(self._annexes.values()), state)
                config = configured(tables, state)
                house = RemoteHouse(
                    command(config),
                    environment(tables, room.discord.token, lent.keys),
                    replies,
                    room.names,
                    state / "clankie.log",
                )
                with house:
                    yield house
        finally:
            self._let_go()

    def close(self) -> None:
        """Let go of the last Discord, and of the models' thread."""
        self._let_go()
        self.speech.close()

    def _let_go(self) -> None:
        if self._discord is not None:
            self._discord.close()
            self._discord = None


def _tables(settings: Overrides, room: Scene, others: Sequence[Annex], state: Path) -> Overrides:
    law = settings.get("authority", {})
    ours: Overrides = {
        "discord": {"proxy": room.discord.proxy, "ca_file": str(room.discord.ca_file)},
        "authority": allowed(room, others, by_name=law.get("profile") == "owner"),
        **kept_in(state),
    }
    return merged({"authority": {"join_policy": "guild_members"}}, settings, ours)
