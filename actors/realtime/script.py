"""A rehearsal needs a mind that decides what the play says, each line once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from actors.realtime.items import Result, TurnBrief
from actors.realtime.matching import contains_words


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedReply:
    """One decision, used once: for a turn of the trigger `when`, or whose lines contain the words `heard`.

    With both, both must hold. In `text`, "{result}" becomes what the captain found. `tool` is `voice_leave`,
    `take_back` or `ask_clankie` (with `request`), or None.
    """

    when: str | None = None
    heard: str | None = None
    text: str = ""
    tool: str | None = None
    request: str = ""


SILENCE = ScriptedReply()
"""What is decided where nothing else is."""


class Script:
    """The replies that are still unused, in their order."""

    def __init__(self, replies: Sequence[ScriptedReply]) -> None:
        self._unused = list(replies)

    @property
    def unused(self) -> int:
        """How many replies nobody has needed yet."""
        return len(self._unused)

    def reply(self, brief: TurnBrief) -> ScriptedReply:
        """The first unused reply that fits, which is used now; silence when none does."""
        for place, reply in enumerate(self._unused):
            if _fits(reply, brief):
                return self._unused.pop(place)
        return SILENCE


def _fits(reply: ScriptedReply, brief: TurnBrief) -> bool:
    if reply.when is None and reply.heard is None:
        return False
    if reply.when is not None and reply.when != brief.trigger.value:
        return False
    if reply.heard is None:
        return True
    newest_first = [line.text for line in reversed(brief.lines)]
    return any(
        contains_words(text, reply.heard) for text in (*newest_first, " ".join(reversed(newest_first)))
    )


def told(results: Sequence[Result]) -> str:
    """What came of hand-offs, as sentences."""
    return " ".join(result.text if not result.failed else "I could not find that out." for result in results)
