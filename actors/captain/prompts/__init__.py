"""What the captain is told of his work stands in a file of its own, and has a version."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

_VERSIONED: Final = re.compile(r"version: (\d+)\n+(.+)", re.DOTALL)


def prompt() -> str:
    """How the captain works, in the words of captain.md."""
    return _read()[1]


def prompt_version() -> str:
    """Such as "captain/1"; whoever changes what the file means changes its number as well."""
    return f"captain/{_read()[0]}"


@cache
def _read() -> tuple[str, str]:
    """The version and the text; raises ValueError for a file that does not begin with its version."""
    written = _VERSIONED.fullmatch(files(__name__).joinpath("captain.md").read_text(encoding="utf-8"))
    if written is None:
        raise ValueError("captain.md does not begin with its version")
    return written[1], written[2].strip()
