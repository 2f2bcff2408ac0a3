"""TOML that somebody wrote: tables and values, or one sentence on why it is none."""

from __future__ import annotations

import tomllib
from typing import Any, Final

_LONGEST: Final = 1_024
"""Bits of a number; what is longer cannot even be shown, what is too large for a setting its table says."""
_TOO_LONG: Final = "a number in it is too long"


class NotToml(Exception):
    """What is wrong with it, perhaps with its place in brackets."""


def tables_in(text: str) -> dict[str, Any]:
    """The whole of it; raises NotToml, whatever it is."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotToml(str(error)) from None
    except RecursionError:
        raise NotToml("it is nested too deeply") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise NotToml(_TOO_LONG) from None
    _have_modest_numbers(tables)
    return tables


def _have_modest_numbers(tables: dict[str, Any]) -> None:
    """Written otherwise than by its digits a number may be of any length, and cannot be shown."""
    waiting: list[object] = [tables]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, int) and value.bit_length() > _LONGEST:
            raise NotToml(_TOO_LONG)
