"""What may happen to the captain, beside his door plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.captain.journal import Book
from messages.captain import CaptainMessage, ForgetInMind
from messages.ids import CallId, HandoffId
from messages.lifecycle import Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainOpens:
    """A new life, and what the last one left written down."""

    book: Book


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainCloses:
    """The captain ends: nobody may go on waiting for him."""

    ending: Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesKept:
    """Whether the notes are on disk now, with what this call of this turn (if one) had noted."""

    turn: HandoffId | None
    call: CallId | None
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonForgotten:
    """Whether all of what was to be forgotten is off the disk."""

    asked: ForgetInMind
    deleted: tuple[str, ...]
    whole: bool


Event: TypeAlias = CaptainMessage | CaptainOpens | CaptainCloses | NotesKept | PersonForgotten
