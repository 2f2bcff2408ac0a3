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

    def __post_init__(self) -> None:
        """Refuse what is no port."""
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port must be between 0 and 65535, got {self.port}; 0 takes any free port")
