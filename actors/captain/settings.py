"""Whose mind the captain is, how patient one may be with him, and which tools of others he has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Literal

MODEL: Final = "gpt-6.1-sol"
"""Where none is named."""
TierName = Literal["everyone", "ambient", "system", "owner"]


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """One server of `[captain.mcp]`: a program of this machine, or an address."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    command: str = ""
    """A program that speaks MCP over its standard input and output."""
    args: tuple[str, ...] = ()
    """Its arguments."""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Variables for it; nothing of his own environment but PATH, HOME and the like reaches it."""
    url: str = ""
    """Where a server that speaks streamable HTTP is; https, but on this machine."""
    token_file: Path | None = None
    """A file of mode 600 with the bearer token for a `url`; "" is none."""
    tier: TierName = "owner"
    """Who may have its tools used: "everyone", "ambient", "system" or "owner"."""
    confirm: Literal["auto", "aloud", "always", "never"] = "auto"
    """What waits for a button: "auto" is what destroys or is for "system" and up, once it was asked aloud or
    he has read others' words; "aloud" the same, asked aloud; "always" every tool, as "auto" does; "never"
    nothing."""

    def __post_init__(self) -> None:
        """Raise ValueError, with a remedy, for what is neither a program nor an address."""
        if self.token_file == Path():
            object.__setattr__(self, "token_file", None)  # an empty text names no file
        if bool(self.command) == bool(self.url):
            raise ValueError("command or url must be set, and not both; name a program or an address")
        if self.url and (self.args or self.env):
            raise ValueError("args and env are for a command; take them out, or name a command")
        if self.command and self.token_file is not None:
            raise ValueError("token_file is for a url; put a program's secrets into its env")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainSettings:
    """The `[captain]` table; times in seconds."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    provider: Literal["local", "openai"] = "local"
    """Whose mind: "local" is a page of rules, "openai" any server that speaks OpenAI's Responses."""
    model: str | None = None
    """The model's name; without one gpt-6.1-sol, and another `base_url` needs one."""
    base_url: str | None = None
    """Where that server is; without one it is OpenAI's, as in [openai]."""
    key_file: Path | None = None
    """A file of mode 600 with the key for `base_url`; CLANKIE_CAPTAIN_API_KEY will do as well."""
    reasoning_effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh"] = "low"
    """How long the model thinks first; "" leaves it to the model."""
    max_output_tokens: int = 2_000
    """Longest answer of one step, in the model's tokens."""
    stall_seconds: float = 300.0
    """A turn of which nothing is heard for so long has failed."""
    step_seconds: float = 120.0
    """How long the model may take for one step."""
    tool_seconds: float = 60.0
    """How long a tool may take; one that waits for a button has that time besides."""
    turn_seconds: float = 900.0
    """How long a turn may take, all in all."""
    turn_steps: int = 10
    """After so many steps a turn has to come to an end."""
    lane_waiting: int = 8
    """How many turns of one room may wait behind the one at work."""
    post_after_stay: bool = True
    """Whether a result that comes after he has left is written into the room's chat."""
    history_entries: int = 40
    """How much of a room's lane the model reads again at each turn."""
    directory: Path = Path("~/.local/state/clankie/captain")
    """Where the lanes and the notes are; made with mode 0700."""
    keep_days: int = 30
    """What is older than this many days is forgotten; notes are kept until somebody deletes them."""
    delay_seconds: float = 1.0
    """How long the local captain takes for an answer."""
    notes_file: Path | None = None
    """A UTF-8 text or Markdown file in which the local captain looks things up; "" is none."""
    mcp: Mapping[str, McpServer] = field(default_factory=dict)
    """Servers of tools, each in a table under a name of its own, with a command or a url: docs/captain.md."""

    def __post_init__(self) -> None:
        """Raise ValueError, with a remedy, for what cannot work."""
        for key in ("stall_seconds", "step_seconds", "tool_seconds", "turn_seconds"):
            value = getattr(self, key)
            if not 0 < value <= 3600:
                raise ValueError(f"{key} must be above 0 and at most 3600, got {value}; take it out")
        self._within("turn_steps", self.turn_steps, 1, 100)
        self._within("lane_waiting", self.lane_waiting, 0, 64)
        self._within("history_entries", self.history_entries, 0, 200)
        self._within("max_output_tokens", self.max_output_tokens, 64, 128_000)
        self._within("keep_days", self.keep_days, 1, 3650)
        if not 0 <= self.delay_seconds < self.stall_seconds:
            raise ValueError(
                f"delay_seconds must be at least 0 and below stall_seconds, got {self.delay_seconds}; "
                "1 is known to work"
            )
        if self.directory == Path():
            raise ValueError("directory must not be empty; name a folder, or leave it out for the default")
        for name in self.mcp:
            if not re.fullmatch(r"[a-z][a-z0-9]{0,23}", name):
                raise ValueError(f"mcp names are up to 24 of a-z and 0-9, got {name!r}; call it so")

    @staticmethod
    def _within(key: str, value: int, least: int, most: int) -> None:
        if not least <= value <= most:
            raise ValueError(f"{key} must be between {least} and {most}, got {value}; take it out")
