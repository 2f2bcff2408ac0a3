"""What the captain may ask to have done: no request names a person, a room, a server or a message."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

LONGEST_UPDATE = 600
LONGEST_NOTE = 300
LONGEST_THREAD_NAME = 100
LONGEST_EMOJI = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ComeToVoice:
    """`voice_join`: come to where the speaker is now (for an operator: the owner)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveVoice:
    """`voice_leave`: leave the voice channel of the speaker's guild."""


@dataclass(frozen=True, slots=True, kw_only=True)
class React:
    """`react`: put this emoji (a Unicode one, or `:name:` of the guild) on the message that asked."""

    emoji: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreact:
    """`unreact`: take it back."""

    emoji: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateThread:
    """`create_thread`: begin a thread of that name on the message that asked."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinThread:
    """`join_thread`: become a member of the thread that the message stands in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendUpdate:
    """`send_text_update`: answer the message that asked (or write in the voice room's own chat) meanwhile."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartWatching:
    """`watch_start`: open the play surface in the speaker's voice channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopWatching:
    """`watch_stop`: close it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserveRoom:
    """`observe_room`: who is here, who is heard, whose turn it is, what happened last."""


class NoteAbout(StrEnum):
    """What a note is about."""

    SPEAKER = "speaker"
    ROOM = "room"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember:
    """`remember`: keep this note about whoever asks, or about this room."""

    note: str
    about: NoteAbout


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """`recall`: the notes about whoever asks, and about this room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UseMachine:
    """A tool of one of the operator's servers; `arguments` is a JSON object as text."""

    tool: str
    """As the model sees it: "music__play" is `play` of the server "music"."""
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistaken:
    """Nothing that any tool could make anything of; `problem` is a sentence for the model."""

    tool: str
    problem: str


Deed: TypeAlias = React | Unreact | CreateThread | JoinThread | SendUpdate
"""What the gateway does in a text channel."""
ToolRequest: TypeAlias = (
    ComeToVoice
    | LeaveVoice
    | Deed
    | StartWatching
    | StopWatching
    | ObserveRoom
    | Remember
    | Recall
    | UseMachine
    | Mistaken
)
