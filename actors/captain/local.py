"""The captain that needs no account: a clock, a calendar and a page of notes, and he says when it is more."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from actors.captain.notes import look_up
from actors.clock import Clock
from messages.captain import AskCaptain, CaptainAnswered, CaptainPortEvent, Question
from messages.ids import HandoffId

LARGEST_NOTES = 256 * 1024
"""More characters of a notes file than this are not read."""
_TIME = re.compile(r"\b(what time|the time|what's the time|clock)\b")
_DATE = re.compile(r"\b(what day|which day|what date|the date|today's date|day is it)\b")


@dataclass(frozen=True, slots=True)
class _Due:
    """Where the clock leaves an answer."""

    leave: Callable[[CaptainPortEvent], None]

    def tell(self, message: CaptainPortEvent, /) -> None:
        self.leave(message)


class LocalCaptain:
    """Answers after `delay_seconds` by the clock; knows the time, the date, and what is in `notes_file`."""

    def __init__(self, clock: Clock, *, delay_seconds: float = 1.0, notes_file: Path | None = None) -> None:
        self._clock, self._delay = clock, delay_seconds
        self._notes_file = notes_file and notes_file.expanduser()
        self._events: Callable[[CaptainPortEvent], None] | None = None
        self._open: set[HandoffId] = set()

    def open(self, events: Callable[[CaptainPortEvent], None]) -> None:
        """Learn where to report."""
        self._events = events

    def ask(self, question: Question) -> None:
        """Know the answer now, and give it later."""
        self._open.add(question.handoff)
        answer = CaptainAnswered(handoff=question.handoff, text=self._answer(question))
        self._clock.after(self._delay, _Due(self._leave), answer)

    def cancel(self, handoff: HandoffId) -> None:
        """The answer will not be given."""
        self._open.discard(handoff)

    def close(self) -> None:
        """No answer will be given."""
        self._events = None
        self._open.clear()

    def describe(self) -> str:
        """What this mind is."""
        return "the time, the date and a page of notes, no language model"

    def _leave(self, event: CaptainPortEvent) -> None:
        events = self._events
        if event.handoff in self._open and events is not None:
            self._open.discard(event.handoff)
            events(event)

    def _answer(self, question: Question) -> str:
        spoken = question.original if isinstance(question, AskCaptain) else ()
        asked = (question.request or " ".join(line.text for line in spoken)).casefold()
        now = self._clock.wall().astimezone()
        if _TIME.search(asked):
            return f"It is {now:%H:%M}."
        if _DATE.search(asked):
            return f"Today is {now:%A}, {now:%B} {now.day}, {now.year}."
        notes = self._notes()
        if notes is None:
            return "I have no notes to look in. I can tell the time and the date, and nothing else."
        found = look_up(notes, asked)
        return f"The notes say: {found}" if found else "I found nothing about that in the notes."

    def _notes(self) -> str | None:
        if self._notes_file is None:
            return None
        try:
            with self._notes_file.open(encoding="utf-8", errors="replace") as file:
                return file.read(LARGEST_NOTES)
        except OSError:
            return None
