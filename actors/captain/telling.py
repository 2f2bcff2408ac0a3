"""What came of a tool, for a mind to read: names and codes, and never an id."""

from __future__ import annotations

from dataclasses import dataclass

from actors.captain.journal import Note
from messages.captain import MachineDone, ToolAnswer
from messages.evidence import ReceiptsKnown
from messages.gateway import RoomDescribed
from messages.tools import Mistaken


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the journal keeps of an answer, what the mind reads of it, and whether it was done.

    `text` is a JSON object of at most 10,000 characters. Its first key, `outcome`, is one of joined |
    join_refused | left | leave_refused | done | refused | failed | watching | room | notes | machine |
    error; where it was not done, `reason` is the code that is `Told.outcome` too.
    """

    outcome: str
    text: str
    done: bool


def told(answer: ToolAnswer, *, transcripts_kept: bool) -> Told:
    """Another room's answer."""
    raise NotImplementedError


def room(described: RoomDescribed, known: ReceiptsKnown | None) -> Told:
    """What is going on: two rooms' answers in one."""
    raise NotImplementedError


def machine(done: MachineDone) -> Told:
    """What a server's tool gave back."""
    raise NotImplementedError


def notes(found: tuple[Note, ...]) -> Told:
    """What is remembered."""
    raise NotImplementedError


def kept() -> Told:
    """A note is kept."""
    raise NotImplementedError


def refused(code: str) -> Told:
    """The house's own no: authority | several_speakers | no_room_for_notes | not_offered | timeout | ..."""
    raise NotImplementedError


def mistaken(request: Mistaken) -> Told:
    """No tool could make anything of it; says what to do better."""
    raise NotImplementedError
