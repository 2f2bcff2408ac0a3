"""What a rehearsal needs from the theatre: a house to open, and a voice and an ear of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, TypeAlias

from actors.local_room import LocalRoom
from messages.evidence import Watch
from messages.gateway import GatewayMessage
from messages.lifecycle import TreeNode
from messages.mailbox import Mailbox
from supervisors.rehearsal.kinds import Plain
from supervisors.rehearsal.scenario import ReplyEntry

Overrides: TypeAlias = Mapping[str, Mapping[str, Plain]]
"""Settings that differ from the defaults, by room and key."""


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

    def crash(self, name: str, /) -> None:
        """Crash the one actor whose path ends in `name`; LookupError where there is none."""


class Speech(Protocol):
    """The local models, loaded once: a voice for the people, an ear for the judge."""

    def speak(self, text: str, pitch: float) -> Iterator[bytes]:
        """House PCM, sentence by sentence."""
        ...

    def transcribe(self, pcm: bytes) -> str:
        """The words in at most 29 s of house PCM."""
        ...


class Theatre(Protocol):
    """Where rehearsals happen; one house at a time may be open in it."""

    @property
    def speech(self) -> Speech:
        """The models; used before the house is open and after it is closed, never during."""
        ...

    def open(
        self, *, settings: Overrides, room: LocalRoom, replies: tuple[ReplyEntry, ...], state: Path
    ) -> AbstractContextManager[House]:
        """Start the whole tree on local ports with `replies` as its brain; leaving shuts it down in order.

        Receipts and other state go under `state`. A wrong setting is a ValueError with a remedy.
        """
        ...
