"""What the house says to a model stands in a file that people can read, and has a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Final

NAME: Final = "conversation"
HOUSE: Final = "house"
_VERSION: Final = re.compile(r"\Aversion: (\d+)\n")
_HEADING: Final = re.compile(r"^# (\w+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A file of prompts: `version` as in "conversation/1", and each part by its heading."""

    version: str
    parts: Mapping[str, str] = field(repr=False)


def load() -> Prompt:
    """Read the file that comes with the house."""
    return parse(resources.files(__name__).joinpath(f"{NAME}.md").read_text("utf-8"))


def parse(text: str) -> Prompt:
    """A first line "version: 1", then parts under "# name"; ValueError for what is none of it."""
    version = _VERSION.match(text)
    if version is None:
        raise ValueError('a prompt begins with a line such as "version: 1"')
    before, *found = _HEADING.split(text[version.end() :])
    names, texts = found[::2], [part.strip() for part in found[1::2]]
    if before.strip() or len(set(names)) < len(names) or not all(texts):
        raise ValueError("each part of a prompt stands once, under its heading, and is not empty")
    return Prompt(version=f"{NAME}/{version[1]}", parts=dict(zip(names, texts, strict=True)))
