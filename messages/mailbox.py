"""A mailbox is all that one actor may know of another: you can drop a letter in, and it never bites."""

from __future__ import annotations

from typing import Protocol, TypeVar

M_contra = TypeVar("M_contra", contravariant=True)


class Mailbox(Protocol[M_contra]):
    """Where messages of one kind may be left, from any thread."""

    def tell(self, message: M_contra, /) -> None:
        """Leave a message and go on; never raises, never blocks, promises no reading."""
        ...
