"""A call's end-to-end encryption as the line, the ears and the mouth see it: people with keys."""

from __future__ import annotations

from typing import Final, Protocol

SILENCE: Final = b"\xf8\xff\xfe"
"""The Opus frame of 20 ms of silence, which nobody encrypts."""


class DaveTrouble(Exception):
    """What the group could not do; `kind` is a bounded code such as `NotReady`, never a vendor's text."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Group(Protocol):
    """The only thing that knows people's keys. Bodies are the wire's, without sequence number and opcode.

    Everything that handles a body or a frame raises DaveTrouble, and nothing else.
    """

    @property
    def version(self) -> int:
        """The protocol version agreed on; 0 is a call without end-to-end encryption."""
        ...

    @property
    def ready(self) -> bool:
        """Whether `seal` takes frames: at version 0 always, else when the group has keys."""
        ...

    @property
    def epoch(self) -> int | None:
        """How often the group has changed; None while there is none."""
        ...

    @property
    def privacy_code(self) -> str:
        """30 digits that are the same for everybody in the group; empty while there is none."""
        ...

    @property
    def members(self) -> frozenset[int]:
        """Everybody who has keys, he included; nobody while there is no group."""
        ...

    def agree(self, version: int) -> None:
        """Takes a version at once: above 0 no plain frame goes out any more; 0 is a downgrade."""
        ...

    def begin(self) -> bytes:
        """Forgets the group and starts anew at the agreed version; the key package for op 26."""
        ...

    def external_sender(self, body: bytes) -> None:
        """Op 25: who may propose changes to the group."""
        ...

    def proposals(self, append: bool, body: bytes, known: frozenset[int]) -> bytes | None:
        """Op 27: changes; a commit for op 28 if one is due. Only `known` users (he included) may be added."""
        ...

    def commit(self, body: bytes) -> None:
        """Op 29: the change that won; old keys still open frames for a while."""
        ...

    def welcome(self, body: bytes) -> None:
        """Op 30: he is let into a group that exists."""
        ...

    def allow_plain(self, allowed: bool) -> None:
        """Whether frames that nobody encrypted may come in: for a moment around a downgrade or an upgrade."""
        ...

    def seal(self, frame: bytes) -> bytes:
        """One Opus frame for the wire: itself at version 0, else encrypted. `NotReady`: hold the frame."""
        ...

    def open(self, user: int, frame: bytes) -> bytes:
        """One frame of a user as Opus; silence comes through as it is."""
        ...
