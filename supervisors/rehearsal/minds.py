"""What the two scripted minds of a play will do: each line of it once, when it is needed."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field

from supervisors.rehearsal.kinds import Entry, Plain


class ReplyEntry(Entry):
    """`[[brain.reply]]`: one decision of the scripted model, used once, when it is needed."""

    when: Literal["greeting", "membership", "offer", "handoff_result", "handoff_wait"] | None = None
    heard: str | None = None
    text: str | None = None
    tool: Literal["voice_leave", "ask_clankie", "take_back"] | None = None
    request: str | None = None


class BrainTable(Entry):
    """`[brain]`: all that the scripted model will ever decide."""

    reply: tuple[ReplyEntry, ...] = ()


class CaptainReplyEntry(Entry):
    """`[[captain.reply]]`: what the scripted captain does, once, about a request with these words."""

    heard: str
    tool: str | None = None
    tools: tuple[str, ...] = ()
    arguments: dict[str, Plain] = Field(default_factory=dict)
    text: str | None = None
    delay: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @property
    def used(self) -> tuple[str, ...]:
        """Every tool that he uses, by name."""
        return self.tools if self.tool is None else (self.tool,)


class CaptainTable(Entry):
    """`[captain]`: what the captain does by the script; about all else he follows his rules."""

    reply: tuple[CaptainReplyEntry, ...] = ()


Scripted: TypeAlias = ReplyEntry | CaptainReplyEntry
"""One line of the script, of either mind."""
