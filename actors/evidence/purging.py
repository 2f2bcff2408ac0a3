"""Whoever wants to be forgotten is taken out of what is kept, by the thread that does all the writing."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.evidence.decisions import AnswerPurge, Decision, Purge, Step
from actors.evidence.recent import without
from actors.evidence.state import Purging, State
from messages.evidence import Purged, PurgePerson, SinkPurged
from messages.ids import PersonId, Token
from messages.mailbox import Mailbox

MOST_WAITING: Final = 16
BUSY, CLOSED = "EBUSY", "ESHUTDOWN"


def purge(state: State, event: PurgePerson) -> Step:
    """Everything that was recorded before is in the sink's hands already, so that nothing escapes it."""
    if len(state.purges) >= MOST_WAITING:
        return state, _answer(event.done, purged(event.person, failed=BUSY))
    token = Token(state.token + 1)
    waiting = Purging(token=token, person=event.person, done=event.done)
    state = replace(
        state,
        token=token,
        recent=without(state.recent, event.person),
        purges=(*state.purges, waiting),
    )
    return state, (Purge(token=token, person=event.person, receipts=event.receipts),)


def over(state: State, event: SinkPurged) -> Step:
    """Whoever asked is told."""
    asked = next((each for each in state.purges if each.token == event.token), None)
    if asked is None:
        return state, ()
    answer = Purged(person=asked.person, lines=event.lines, receipts=event.receipts, failed=event.failed)
    left = tuple(each for each in state.purges if each is not asked)
    return replace(state, purges=left), _answer(asked.done, answer)


def purged(person: PersonId, *, failed: str) -> Purged:
    """The answer to whoever asked in vain."""
    return Purged(person=person, lines=0, receipts=0, failed=failed)


def _answer(done: Mailbox[Purged] | None, answer: Purged) -> tuple[Decision, ...]:
    return () if done is None else (AnswerPurge(done=done, purged=answer),)
