"""Which libraries are installed, and whether one of them has overwritten another."""

from __future__ import annotations

import importlib
from importlib import metadata
from typing import Final

from actors.audio.models import package_folder

RIVALS: Final = ("py-cord", "nextcord", "disnake", "discord", "discord.py-self", "py-cord-dev")
"""Distributions that may bring a package called `discord`, of which the last one installed wins."""


def run_setup(extra: str) -> str:
    """What installs one of the project's extras, which are on no index."""
    return f"run: make setup in the checkout (without make: pip install '.[{extra}]' there)"


def version_of(distribution: str) -> str | None:
    """The installed version, or None."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def rivals() -> tuple[str, ...]:
    """The installed distributions that write into discord.py's own folder."""
    return tuple(name for name in RIVALS if version_of(name) is not None and _brings_discord(name))


def stranger() -> str | None:
    """Where `import discord` leads, if that is not the installed discord.py."""
    folder = package_folder("discord")
    if folder is None or version_of("discord.py") is None:
        return None
    own = metadata.distribution("discord.py").locate_file("discord")
    return None if str(folder) == str(own) else str(folder)


def unloadable(module: str) -> str | None:
    """Why an installed module cannot be imported, or None if it can."""
    try:
        importlib.import_module(module)
    except (ImportError, OSError) as error:
        return type(error).__name__
    return None


def _brings_discord(distribution: str) -> bool:
    files = metadata.files(distribution) or []
    return any(file.parts[0] == "discord" for file in files)
