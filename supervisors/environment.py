"""What the environment has to say, each word of it checked: a name with a slip of the pen changes nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass

PREFIX = "CLANKIE_"
OURS = frozenset(
    {
        "CLANKIE_DEBUG",
        "CLANKIE_DISCORD_TOKEN",
        "CLANKIE_OPENAI_API_KEY",
        "CLANKIE_ELEVENLABS_API_KEY",
        "CLANKIE_CHAT_API_KEY",
        "CLANKIE_CAPTAIN_API_KEY",
    }
)
"""Variables that are no settings."""
SLIPS = {
    "CLANKIE_TOKEN": "the bot token goes into CLANKIE_DISCORD_TOKEN",
    "CLANKIE_DISCORD__TOKEN": "the bot token goes into CLANKIE_DISCORD_TOKEN",
    "CLANKIE_BOT_TOKEN": "the bot token goes into CLANKIE_DISCORD_TOKEN",
    **{
        f"CLANKIE_{table}{slip}": f"the key goes into CLANKIE_{name}_API_KEY"
        for table, name in (
            ("OPENAI", "OPENAI"),
            ("ELEVENLABS", "ELEVENLABS"),
            ("CHAT", "CHAT"),
            ("REALTIME", "CHAT"),
            ("CAPTAIN", "CAPTAIN"),
        )
        for slip in ("_KEY", "__KEY", "_APIKEY", "__APIKEY", "__API_KEY")
    },
    "CLANKIE_REALTIME_API_KEY": "the key goes into CLANKIE_CHAT_API_KEY",
}
"""What is written instead of the name of a secret, and what it should have been."""


class BadVariable(Exception):
    """A variable that is no setting, or not written as one; the text names it and the remedy."""


def variable(table: str, key: str) -> str:
    """CLANKIE_FLOOR__NAME for `name` in [floor]."""
    return f"{PREFIX}{table}__{key}".upper()


def from_environment(
    environment: Mapping[str, str], kinds: Mapping[str, type]
) -> dict[str, dict[str, object]]:
    """The settings that `environment` names, by table and key; raises BadVariable.

    `kinds` are the dataclasses of the tables. A setting that is a list is written as JSON.
    """
    found: dict[str, dict[str, object]] = {}
    for name, text in sorted(environment.items()):
        if name.upper().startswith(PREFIX) and name not in OURS:
            table, _, key = name[len(PREFIX) :].lower().partition("__")
            field = _field(kinds.get(table), key)
            if field is None:
                remedy = f"unset it, or name one as in {PREFIX}FLOOR__NAME (clankie config lists all)"
                remedy = SLIPS.get(name.upper(), remedy)
                raise BadVariable(f"{name} is not a setting; {remedy}")
            if _is_table(field):
                raise BadVariable(f"{name} is a table; write it into the file, as [{table}.{key}.name]")
            found.setdefault(table, {})[key] = _list(name, text) if _is_list(field) else text
    return found


def _field(kind: type | None, key: str) -> Field[object] | None:
    if kind is None or not is_dataclass(kind):
        return None
    return next((field for field in fields(kind) if field.name == key), None)


def _is_list(field: Field[object]) -> bool:
    return isinstance(_default(field), (tuple, list, frozenset))


def _is_table(field: Field[object]) -> bool:
    return isinstance(_default(field), Mapping)


def _default(field: Field[object]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _list(name: str, text: str) -> object:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise BadVariable(f"""{name} is a list; write it as in '["one", "two"]' or '[1, 2]'""")
    return found
