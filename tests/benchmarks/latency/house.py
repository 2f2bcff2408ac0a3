"""The house as a program of its own, which leaves behind what its actors were told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from supervisors.paths import kept_in
from supervisors.secrets import TOKEN_VARIABLE
from tests.benchmarks.latency.moments import Moment, read
from tests.benchmarks.latency.outside import Outside
from tests.source import ROOT

CLOSE_SECONDS: Final = 20.0
MOST_HEARD: Final = 100
"""At so many people at a time the house opens lines to OpenAI; by default at 25."""
MOST_STAYS: Final = 100
"""In so many rooms he may be; by default in one."""
MEMBERSHIP_EVERY: Final = 0.1
"""How soon after a turn about who came another may follow; by default 10 s."""


class House:
    """Up inside its `with` statement; `moments` is what its actors were told, once it is closed."""

    def __init__(self, outside: Outside, guilds: list[int], folder: Path) -> None:
        self._noted, self._log = folder / "moments.json", folder / "clankie.log"
        config = folder / "config.toml"
        config.write_text(_toml(_tables(outside, guilds, folder)), "utf-8")
        module = "tests.benchmarks.latency.probed"
        self._command = (sys.executable, "-m", module, str(config), str(self._noted))
        self._environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith("CLANKIE_")},
            TOKEN_VARIABLE: outside.discord.token,
            "CLANKIE_OPENAI_API_KEY": outside.openai.service.key,
            "CLANKIE_ELEVENLABS_API_KEY": outside.elevenlabs.service.key,
        }

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=subprocess.STDOUT
            )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(CLOSE_SECONDS)
        finally:
            self._process.kill()
            self._process.wait()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def moments(self) -> list[Moment]:
        """What was noted; OSError if it did not get so far."""
        return read(json.loads(self._noted.read_text("utf-8")))

    @property
    def last_words(self) -> str:
        """What it said last in its log."""
        return "\n".join(self._log.read_text("utf-8", "replace").splitlines()[-20:])


def _tables(outside: Outside, guilds: list[int], folder: Path) -> Mapping[str, Mapping[str, object]]:
    discord = outside.discord
    return {
        "discord": {"proxy": discord.proxy, "ca_file": str(discord.ca_file)},
        "authority": {"join_policy": "guild_members", "guilds": [str(guild) for guild in guilds]},
        "gateway": {"max_stays": MOST_STAYS},
        "stay": {"consent_policy": "presence", "most_heard": MOST_HEARD},
        "floor": {"membership_every": MEMBERSHIP_EVERY},
        "capture": {"provider": "openai"},
        "realtime": {"provider": "openai"},
        "tts": {"provider": "elevenlabs"},
        "openai": {"base_url": outside.openai.service.base_url},
        "elevenlabs": {"base_url": outside.elevenlabs.service.base_url},
        **kept_in(folder),
    }


def _toml(tables: Mapping[str, Mapping[str, object]]) -> str:
    lines: list[str] = []
    for table, values in tables.items():
        lines += [f"[{table}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items())]
    return "\n".join(lines) + "\n"
