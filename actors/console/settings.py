"""Where the console listens: on this machine, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from messages.lifecycle import Scalar

HOST = "127.0.0.1"
"""No setting: whoever may open this port may look into the house."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSettings:
    """The `[console]` table."""

    __pydantic_config__: ClassVar[dict[str, Scalar]] = {"extra": "forbid"}

    port: int = 4330
    """The TCP port on 127.0.0.1; 0 takes any free one."""
    directory: Path = Path("~/.local/state/clankie/console")
    """Where the key is that `clankie ask` shows, for as long as the house is open; made with mode 0700."""
    ask_seconds: float = 1200.0
    """How long the captain may take for what `clankie ask` wants, waiting behind others included."""

    def __post_init__(self) -> None:
        """Refuse what is no port, and what cannot work."""
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port must be between 0 and 65535, got {self.port}; 0 takes any free port")
        if self.directory == Path():
            raise ValueError("directory must not be empty; name a folder, or leave it out for the default")
        if not 0 < self.ask_seconds <= 86_400:
            raise ValueError(
                f"ask_seconds must be above 0 and at most 86400, got {self.ask_seconds}; take it out"
            )


def key_file(directory: Path, port: int) -> Path:
    """The file with the key for the console that listens on this port."""
    return directory / f"console-{port}.key"


def door_file(directory: Path, port: int) -> Path:
    """The file that leads a browser to the page of that console, with the key."""
    return directory / f"console-{port}.html"
