"""What a play sets: the files and programs that it names lie beside it, like its recordings."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from supervisors.rehearsal.kinds import Inner, Plain, Setting

PYTHON: Final = "python"
"""As a command, the very Python that a rehearsal runs with."""
_BESIDE: Final = ("./", "../")


def placed(folder: Path, table: Mapping[str, Setting]) -> dict[str, Setting]:
    """The same settings, with whole paths; `folder` is the scenario's."""
    return {key: _setting(folder, key, value) for key, value in table.items()}


def _setting(folder: Path, key: str, value: Setting) -> Setting:
    if isinstance(value, Mapping):
        return {
            name: {inner: _inner(folder, inner, one) for inner, one in table.items()}
            for name, table in value.items()
        }
    if isinstance(value, tuple):
        return tuple(_plain(folder, key, one) for one in value)
    return _plain(folder, key, value)


def _inner(folder: Path, key: str, value: Inner) -> Inner:
    if isinstance(value, Mapping):
        return {name: _plain(folder, name, one) for name, one in value.items()}
    if isinstance(value, tuple):
        return tuple(_plain(folder, key, one) for one in value)
    return _plain(folder, key, value)


def _plain(folder: Path, key: str, value: Plain) -> Plain:
    if not isinstance(value, str):
        return value
    if key == "command" and value == PYTHON:
        return sys.executable
    return str((folder / value).absolute()) if key.endswith("_file") or value.startswith(_BESIDE) else value
