"""What a further stay costs the house: he is in one room, then in many more, with a person in each."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Final

from supervisors.paths import kept_in
from tests.benchmarks.bench import tell
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.server import Discord
from tests.source import ROOT

CLOSE_SECONDS: Final = 15.0


def main(more: int) -> None:
    """Measure once."""
    with Discord() as discord, tempfile.TemporaryDirectory() as folder:
        guilds = [discord.guild(f"Home {number}") for number in range(more + 1)]
        rooms = [_peopled(discord, guild) for guild in guilds]
        asked = json.dumps((_tables(discord, guilds, Path(folder)), discord.token))
        command = (sys.executable, "-m", "tests.benchmarks.media.house", asked)
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        ) as house:
            assert house.stdin
            assert house.stdout
            one = _weight(house.stdin, house.stdout, rooms[:1])
            all_of_them = _weight(house.stdin, house.stdout, rooms[1:])
            house.stdin.close()
            house.wait(CLOSE_SECONDS)
    tell({"one_mb": one, "further_mb": (all_of_them - one) / more})


def _peopled(discord: Discord, guild: Guild) -> str:
    room = guild.voice("General")
    Participant(discord.voice, guild.member("Ada")).join(room)
    return str(room.id)


def _weight(orders: IO[str], answers: IO[str], rooms: list[str]) -> float:
    print(json.dumps(rooms), file=orders, flush=True)
    return float(answers.readline())


def _tables(discord: Discord, guilds: list[Guild], folder: Path) -> dict[str, dict[str, object]]:
    law: dict[str, object] = {"guilds": [str(guild.id) for guild in guilds], "join_policy": "guild_members"}
    return {
        "discord": {"proxy": discord.proxy, "ca_file": str(discord.ca_file)},
        "authority": law,
        "gateway": {"max_stays": len(guilds)},
        "stay": {"consent_policy": "presence"},
        **{table: dict(values) for table, values in kept_in(folder).items()},
    }


if __name__ == "__main__":
    main(int(sys.argv[1]))
