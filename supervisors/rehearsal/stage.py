"""What a rehearsal needs from the theatre: a room, a house to open, and a voice and an ear of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from actors.local_room import ChatTap, SpeechTap
from messages.evidence import Watch
from messages.gateway import GatewayMessage
from messages.ids import PersonId, RoomId
from messages.lifecycle import TreeNode
from messages.mailbox import Mailbox
from messages.people import Person
from supervisors.rehearsal.kinds import Plain
from supervisors.rehearsal.scenario import Scripted
from supervisors.secrets import Keys

Overrides: TypeAlias = Mapping[str, Mapping[str, Plain]]
"""Settings that differ from the defaults, by room and key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lent:
    """What a play gets from providers on this machine: where they are, and their keys."""

    settings: Overrides = field(default_factory=dict)
    keys: Keys = field(default_factory=Keys)


class Lender(Protocol):
    """Lends providers for one play with these `settings`.

    They hear and speak with `speech`, and think what `replies` say.
    """

    def __call__(
        self, speech: Speech, replies: tuple[Scripted, ...], settings: Overrides, /
    ) -> AbstractContextManager[Lent]: ...


def nobody_lends(
    _speech: Speech, _replies: tuple[Scripted, ...], _settings: Overrides, /
) -> AbstractContextManager[Lent]:
    """He hears, thinks and speaks with what is in the house."""
    return nullcontext(Lent())


def merged(*layers: Overrides) -> Overrides:
    """All of these settings, a later layer over those before it."""
    tables: dict[str, dict[str, Plain]] = {}
    for layer in layers:
        for table, values in layer.items():
            tables.setdefault(table, {}).update(values)
    return tables


class Room(Protocol):
    """A room with a door, a chat and sound in the air, as its people see it; any thread may call anything."""

    @property
    def id(self) -> RoomId:
        """What the house calls it."""
        ...

    def arrive(self, person: Person, /) -> None:
        """Come in."""

    def depart(self, person: PersonId, /) -> None:
        """Go away."""

    def type(self, person: PersonId, text: str, /) -> None:
        """Write in the chat."""

    def consent(self, person: PersonId, granted: bool) -> None:
        """Give or take back one's consent to be heard."""

    def kick(self) -> None:
        """Put him out."""

    def send(self, person: PersonId, packet: bytes, /) -> None:
        """Say one 20 ms Opus packet."""

    def tap_speech(self, tap: SpeechTap, /) -> Callable[[], None]:
        """Hear his packets with their monotonic second; call the result to stop."""
        ...

    def tap_chat(self, tap: ChatTap, /) -> Callable[[], None]:
        """Read what he posts; call the result to stop."""
        ...


class House(Protocol):
    """A running supervisor tree."""

    @property
    def evidence(self) -> Mailbox[Watch]:
        """Where a watcher registers, once."""
        ...

    @property
    def gateway(self) -> Mailbox[GatewayMessage]:
        """Where he is asked to join."""
        ...

    def tree(self) -> TreeNode:
        """Everybody in it as he stands; quick, from any thread."""
        ...

    def trouble(self) -> str:
        """Why it is there no longer, in words; empty while it is."""
        ...

    def crash(self, name: str, /) -> None:
        """Crash the one actor whose path ends in `name`; LookupError where there is none."""


class Speech(Protocol):
    """The local models, loaded once: a voice for the people, an ear for the judge."""

    def speak(self, text: str, pitch: float) -> Iterator[bytes]:
        """House PCM, sentence by sentence."""
        ...

    def transcribe(self, pcm: bytes) -> str:
        """The words in at most 29 s of house PCM; none where probably nobody speaks."""
        ...


R = TypeVar("R", bound=Room)


class Theatre(Protocol[R]):
    """Where rehearsals happen; one house at a time may be open in it."""

    @property
    def speech(self) -> Speech:
        """The models; used before the house is open and after it is closed, never during."""
        ...

    def room(self) -> R:
        """An empty room for the next play."""
        ...

    def open(
        self, *, settings: Overrides, room: R, replies: tuple[Scripted, ...], state: Path
    ) -> AbstractContextManager[House]:
        """Start the whole tree for a room of this theatre, `replies` his minds; leaving shuts it down.

        Receipts and other state go under `state`. A wrong setting is a ValueError with a remedy.
        """
        ...
