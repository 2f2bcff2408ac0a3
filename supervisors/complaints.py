"""A configuration that cannot be used is complained of in words that say which line to mend, and how."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from pydantic_core import ErrorDetails

from supervisors.environment import variable

_SECRETS = {
    ("discord", "token"): "set CLANKIE_DISCORD_TOKEN, or put it into a token_file of mode 600",
    **{
        (table, key): f"set CLANKIE_{name}_API_KEY, or put it into a key_file of mode 600"
        for table, name in (
            ("openai", "OPENAI"),
            ("elevenlabs", "ELEVENLABS"),
            ("realtime", "CHAT"),
            ("captain", "CAPTAIN"),
        )
        for key in ("key", "api_key")
    },
}
"""What people write into a configuration that must not be there, and where it belongs."""

_BRACES: Final = 'in braces, as in { NAME = "value" }'
_EACH: Final = {
    "captain": "for each server, as in [captain.mcp.music] (docs/captain.md)",
    "costs": 'for each model, as in [costs.prices."gpt-realtime-2.1"] (docs/costs.md)',
}
"""Tables that have tables in them."""


def in_words(
    where: str, heard: Container[tuple[str, str]], error: ErrorDetails, tables: Container[str]
) -> str:
    """One complaint about one of `tables`; `heard` are the table and key of what the environment said."""
    table, *keys = [str(part) for part in error["loc"]] or ["?"]
    place = f"[{table}] {'.'.join(keys)}".rstrip() if keys or table in tables else table
    said = error["msg"].removeprefix("Value error, ")
    # A table that refuses a value says itself which key that is.
    key = keys[0] if keys else said.partition(" ")[0].removeprefix(f"{table}.")
    at = variable(table, key) if (table, key) in heard else f"{where}: {place}"
    match error["type"]:
        case "extra_forbidden" | "unexpected_keyword_argument" if (table, key) in _SECRETS:
            return f"{at} has no place here; {_SECRETS[table, key]}"
        case "extra_forbidden" | "unexpected_keyword_argument":
            return f"{at} is not a setting; take it out (clankie config lists all settings)"
        case "value_error":
            return f"{at}: {said}"
        case "dataclass_type" | "dict_type" | "mapping_type":
            how = _BRACES if keys[-1:] == ["env"] else _EACH.get(table, "under a name of its own")
            return f"{at} is a table; write it {how}"
        case "tuple_type":
            return f"{at} is a list; write it in brackets, as in [1, 2]"
        case _:
            return f"{at}: {said}; correct it, or take it out for the default"
