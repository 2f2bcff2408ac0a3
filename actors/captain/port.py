"""What the captain needs from outside: a slow mind that is asked one thing and answers it once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from messages.captain import CaptainPortEvent, Question
from messages.ids import HandoffId


class CaptainPort(Protocol):
    """Nothing blocks; each question is answered once, with CaptainAnswered or CaptainFailed, or cancelled."""

    def open(self, events: Callable[[CaptainPortEvent], None]) -> None:
        """Learn where to report; needs no network. `events` never raises and takes calls from any thread."""
        ...

    def ask(self, question: Question) -> None:
        """Look into this; everything in it is untrusted text. Whom to answer is not the port's business."""
        ...

    def cancel(self, handoff: HandoffId) -> None:
        """Nobody waits for this any more."""
        ...

    def close(self) -> None:
        """Let go of everything; after this nothing is reported."""
        ...

    def describe(self) -> str:
        """What kind of mind this is, in a few words, for the status page."""
        ...
