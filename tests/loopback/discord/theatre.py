"""Where scenarios are rehearsed over a Discord on this machine: a new one for each, and him as a program."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from supervisors.environment import variable
from supervisors.paths import kept_in
from supervisors.rehearsal.kinds import Plain
from supervisors.rehearsal.remote import RemoteHouse
from supervisors.rehearsal.scenario import Scripted
from supervisors.rehearsal.stage import Lender, Overrides, merged, nobody_lends
from supervisors.secrets import TOKEN_VARIABLE, Keys
from supervisors.settings import BadConfig, load
from supervisors.speech import LocalSpeech
from tests.loopback.discord.scene import Scene
from tests.loopback.discord.server import Discord

Value: TypeAlias = Plain | list[int]
Tables: TypeAlias = Mapping[str, Mapping[str, Value]]


class DiscordTheatre:
    """Fulfils the rehearsal's Theatre; the models here are the people's voices and the judge's ear."""

    def __init__(self, lender: Lender = nobody_lends) -> None:
        self.speech = LocalSpeech(load(None))
        self._lender = lender
        self._discord: Discord | None = None

    def room(self) -> Scene:
        """A voice channel of a Discord of its own."""
        self._let_go()
        self._discord = Discord().__enter__()
        return Scene(self._discord)

    @contextmanager
    def open(
        self, *, settings: Overrides, room: Scene, replies: tuple[Scripted, ...], state: Path
    ) -> Generator[RemoteHouse]:
        """Run the installed program for this channel; a wrong setting is a ValueError in words."""
        try:
            with self._lender(self.speech, replies, settings) as lent:
                tables = _tables(merged(settings, lent.settings), room, state)
                config = _configured(tables, state)
                house = RemoteHouse(
                    (sys.executable, "-m", "supervisors", "run", "--config", str(config)),
                    {**_environment(tables), **_secrets(lent.keys), TOKEN_VARIABLE: room.discord.token},
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


def _tables(settings: Overrides, room: Scene, state: Path) -> Tables:
    ours: Tables = {
        "discord": {"proxy": room.discord.proxy, "ca_file": str(room.discord.ca_file)},
        "authority": {"guilds": [room.guild.id], "join_policy": "guild_members"},
        **kept_in(state),
    }
    return {table: {**settings.get(table, {}), **ours.get(table, {})} for table in {*settings, *ours}}


def _secrets(keys: Keys) -> dict[str, str]:
    given = {
        "CLANKIE_OPENAI_API_KEY": keys.openai,
        "CLANKIE_ELEVENLABS_API_KEY": keys.elevenlabs,
        "CLANKIE_CHAT_API_KEY": keys.chat,
        "CLANKIE_CAPTAIN_API_KEY": keys.captain,
    }
    return {name: key for name, key in given.items() if key is not None}


def _environment(tables: Tables) -> dict[str, str]:
    """This process's own, without what would lead the program off this stage: it wins over a file."""
    led = tuple(variable(table, "") for table in ("discord", "authority", "evidence", "captain", "console"))
    set_here = {variable(table, key) for table, values in tables.items() for key in values}
    return {
        name: text
        for name, text in os.environ.items()
        if name.upper() not in set_here and not name.upper().startswith(led)
    }


def _configured(tables: Tables, state: Path) -> Path:
    try:
        load(None, tables)
    except BadConfig as error:
        raise ValueError(str(error)) from None
    state.mkdir(parents=True, exist_ok=True)
    config = state / "config.toml"
    config.write_text("\n".join(_toml(tables)) + "\n", "utf-8")
    return config


def _toml(tables: Tables) -> Generator[str]:
    for table, values in sorted(tables.items()):
        yield f"[{table}]"
        for key, value in sorted(values.items()):
            yield f"{key} = {json.dumps(value)}"
