"""The installed program for a Discord of ours: what its environment and its config.toml are."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Mapping
from pathlib import Path

from supervisors.environment import variable
from supervisors.rehearsal.kinds import Inner, Setting
from supervisors.rehearsal.stage import Overrides
from supervisors.secrets import TOKEN_VARIABLE, Keys
from supervisors.settings import BadConfig, load


def command(config: Path) -> tuple[str, ...]:
    """How it is run."""
    return (sys.executable, "-m", "supervisors", "run", "--config", str(config))


def _secrets(token: str, keys: Keys) -> dict[str, str]:
    given = {
        TOKEN_VARIABLE: token,
        "CLANKIE_OPENAI_API_KEY": keys.openai,
        "CLANKIE_ELEVENLABS_API_KEY": keys.elevenlabs,
        "CLANKIE_CHAT_API_KEY": keys.chat,
        "CLANKIE_CAPTAIN_API_KEY": keys.captain,
    }
    return {name: key for name, key in given.items() if key is not None}


def environment(tables: Overrides, token: str, keys: Keys) -> dict[str, str]:
    """This process's own with the secrets, without what would lead it off this stage: it wins over a file."""
    led = tuple(variable(table, "") for table in ("discord", "authority", "evidence", "captain", "console"))
    set_here = {variable(table, key) for table, values in tables.items() for key in values}
    kept = {
        name: text
        for name, text in os.environ.items()
        if name.upper() not in set_here and not name.upper().startswith(led)
    }
    return {**kept, **_secrets(token, keys)}


def configured(tables: Overrides, state: Path) -> Path:
    """Write its config.toml there; a wrong setting is a ValueError in words."""
    try:
        load(None, tables)
    except BadConfig as error:
        raise ValueError(str(error)) from None
    state.mkdir(parents=True, exist_ok=True)
    config = state / "config.toml"
    config.write_text("\n".join(_toml(tables)) + "\n", "utf-8")
    return config


def _toml(tables: Overrides) -> Generator[str]:
    for table, values in sorted(tables.items()):
        yield f"[{table}]"
        for key, value in sorted(values.items()):
            yield f"{json.dumps(key)} = {_written(value)}"


def _written(value: Setting | Inner | Mapping[str, Inner]) -> str:
    """A value as TOML has it: tables stand in one line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{json.dumps(key)} = {_written(one)}' for key, one in value.items())} }}"
    return json.dumps(value)
