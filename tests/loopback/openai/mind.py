"""What a conversation asks whoever thinks for it, and what it may be answered."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tests.loopback.openai.chat import Call

HELD: Final = math.inf
"""A pause that lasts until the test lets the response go on."""


@dataclass(frozen=True, slots=True)
class Said:
    """One text of a conversation: role is system | user | assistant | output."""

    role: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One response that is wanted."""

    instructions: str
    new: tuple[Said, ...]
    """What came since the response before it; what a new conversation was begun with counts from its last
    assistant item on."""
    context: tuple[Said, ...]
    """Everything that the model reads."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    tools: tuple[str, ...] = ()

    @property
    def trigger(self) -> str:
        """What the client says that the turn is for."""
        return self.metadata.get("trigger", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One response: pieces of a text, if any, then calls; or what went wrong."""

    pieces: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    pause: float = 0.0
    """Seconds before each piece and each call; HELD waits for `go_on` each time."""
    failure: str = ""
    """The code of a response that fails after its pieces."""
    incomplete: str = ""
    """Why it stays incomplete after its pieces: max_output_tokens | content_filter."""


Think: TypeAlias = Callable[[Asked], Reply]


def nothing(_: Asked) -> Reply:
    """Think of nothing to say."""
    return Reply()


def in_turn(replies: Sequence[Reply]) -> Think:
    """Give these replies one after the other, then say nothing."""
    left = list(replies)
    return lambda _: left.pop(0) if left else Reply()


def pieces_of(text: str) -> tuple[str, ...]:
    """A text in pieces of a word each, which together are the text."""
    words = text.split(" ")
    return tuple(f"{word} " for word in words[:-1]) + ((words[-1],) if words[-1] else ())
