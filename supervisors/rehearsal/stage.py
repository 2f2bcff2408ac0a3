"""What a rehearsal needs from the theatre: a room, a house to open, and a voice and an ear of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from actors.local_room import PostTap, SpeechTap
from messages.captain import AskAsOperator
from messages.evidence import Watch
from messages.gateway import GatewayMessage
from messages.ids import MessageId, PersonId, RoomId
from messages.lifecycle import TreeNode
from messages.mailbox import Mailbox
from messages.people import Person
from supervisors.rehearsal.kinds import Setting
from supervisors.rehearsal.minds import Scripted
from supervisors.rehearsal.scenario import RoomEntry
from supervisors.secrets import Keys

Overrides: TypeAlias = Mapping[str, Mapping[str, Setting]]
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
    tables: dict[str, dict[str, Setting]] = {}
    for layer in layers:
        for table, values in layer.items():
            tables.setdefault(table, {}).update(values)
    return tables


class Annex(Protocol):
    """One more room, with a door and with a channel to write in beside it; any thread may call anything."""

    def arrive(self, person: Person, /) -> None:
        """Come in."""

    def depart(self, person: PersonId, /) -> None:
        """Go away."""

    def write(self, person: Person, text: str, /) -> MessageId:
        """Write to him in the channel beside, wherever one is."""
        ...


class Room(Annex, Protocol):
    """A room with a door, a chat and sound in the air, as its people see it; any thread may call anything."""

    @property
    def id(self) -> RoomId:
        """What the house calls it."""
        ...

    @property
    def emojis(self) -> tuple[str, ...]:
        """Those that he has put under messages and not taken away again."""
        ...

    def take_back(self, message: MessageId, /) -> None:
        """Delete what somebody wrote."""

    def press(self, person: Person, granted: bool) -> None:
        """Press one of the buttons that he showed last, if they are still there."""

    def type(self, person: PersonId, text: str, /) -> object:
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

    def tap_posts(self, tap: PostTap, /) -> Callable[[], None]:
        """Read all that he posts anywhere, with its files; call the result to stop."""
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

    @property
    def captain(self) -> Mailbox[AskAsOperator]:
        """Where whoever has the machine asks."""
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

    @property
    def over_discord(self) -> bool:
        """Whether it is played over a Discord, where there may be more than one room."""
        ...

    def room(self) -> R:
        """An empty room for the next play."""
        ...

    def annexes(self, room: R, entries: tuple[RoomEntry, ...]) -> Mapping[str, Annex]:
        """The other rooms of the play, by name; only asked for if it is `over_discord`."""
        ...

    def number(self, room: R, person: Person) -> int:
        """Whom `[authority]` means by this number is this person, whose id is one too."""
        ...

    def open(
        self, *, settings: Overrides, room: R, replies: tuple[Scripted, ...], state: Path
    ) -> AbstractContextManager[House]:
        """Start the whole tree for a room of this theatre, `replies` his minds; leaving shuts it down.

        Receipts and other state go under `state`. A wrong setting is a ValueError with a remedy.
        """
        ...
