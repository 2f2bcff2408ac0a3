"""The captain of a house without a model does what he is plainly asked, and says plainly what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from actors.captain.helping import about_notes, help_with
from actors.captain.moves import NO_ARGUMENTS, Wish
from actors.captain.notes import look_up
from actors.captain.orders import Wishes, read
from actors.captain.outcomes import Outcome, in_words, not_offered

_TIME = re.compile(
    r"\bwhat time (?:it is|is it|do you have)\b(?! (?:in|at|on)\b)|\bwhat(?:'s| does) the clock\b"
    r"|(?<!\bat )(?<!\ball )\bthe time(?: is it| it is)?(?: right)?(?: now)?(?: please)?[\s?.!]*$"
)
_DATE = re.compile(
    r"\b(?:what|which) (?:day|date) (?:is it|is today|it is|do we have)\b|\bday is it\b|\btoday's date\b"
    r"|\bthe date(?: is it| it is)?(?: today)?(?: please)?[\s?.!]*$"
)
_BARE: Final = frozenset({"voice_join", "voice_leave", "watch_start", "watch_stop", "join_thread"})
"""What can be tried again although nobody knows any more how it was asked for."""
NO_NOTES: Final = 'I have no notes to look in. Say "help" to hear what I can do.'
NOTHING_FOUND: Final = "I found nothing about that in the notes."
NOTHING_TO_TRY: Final = "There is nothing that I could try again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One request of this turn: what is asked, and what was really said where that was aloud."""

    request: str
    original: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """What may hold the wish, the likelier first."""
        return tuple(text for text in (self.request, " ".join(self.original)) if text.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """One thing that happened in the room before: something was `asked`, or a `tool` was used."""

    asked: str = ""
    tool: str = ""
    done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool to be used, with its arguments as JSON."""

    tool: str
    arguments: str = NO_ARGUMENTS


_NOTES: Final = Call(tool="recall")
_MINE: Final = re.compile(r"\b(?:my|our|i|we)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """What came of a call of this turn."""

    call: Call
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """All that is known at one step of a turn; `notes` is the page to look things up in, `now` local time."""

    asked: tuple[Said, ...]
    now: datetime
    aloud: bool = False
    operator: bool = False
    """Whether it was asked at the machine, and so in no channel."""
    notes: str | None = None
    past: tuple[Past, ...] = ()
    """The oldest first."""
    names: frozenset[str] = frozenset()
    """What he is called, in lower case."""
    own_room: bool = False
    """Whether people sit on the page of the house, where there are buttons and no slash commands."""
    tools: tuple[str, ...] = ()
    """The house's tools that may be used in this turn."""
    came: tuple[Came, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What to do next: use these tools, or, where there are none, say this."""

    calls: tuple[Call, ...] = ()
    text: str = ""


def decide(turn: Heard) -> Decided:
    """What is wanted and not done yet is done next; once nothing is left he says what came of it."""
    wanted = [_understood(said, turn) for said in turn.asked]
    known = {came.call for came in turn.came}
    calls = dict.fromkeys(call for one in wanted for call in _calls(one, turn) if call not in known)
    if calls:
        return Decided(calls=tuple(calls))
    sentences = dict.fromkeys(sentence for one in wanted for sentence in _answers(one, turn))
    return Decided(text=" ".join(sentences))


def _understood(said: Said, turn: Heard) -> Wishes:
    """What is wanted, in the request or, if he can make nothing of that, in what was really said."""
    readings = [_without_again(_read(text, turn), turn) for text in said.texts]
    if not readings:
        return Wishes()
    sensible = (one for one in readings if one.wishes or _known(one.question, turn) is not None)
    return next(sensible, readings[0])


def _read(text: str, turn: Heard) -> Wishes:
    return read(text, aloud=turn.aloud, names=turn.names)


def _without_again(wishes: Wishes, turn: Heard) -> Wishes:
    """The same, with what did not work before in the place of "try again"."""
    found = tuple(
        wish for one in wishes.wishes for wish in (_not_done_before(turn) or (one,) if one.again else (one,))
    )
    return Wishes(wishes=found, question=wishes.question)


def _not_done_before(turn: Heard) -> tuple[Wish, ...]:
    """What was asked for last and has not been done since; the request knows what the arguments were."""
    done: set[str] = set()
    for past in reversed(turn.past):
        if past.tool and past.done:
            done.add(past.tool)
        wishes = _read(past.asked, turn).wishes if past.asked else ()
        left = tuple(one for one in wishes if not one.again and one.tool not in done)
        if left:
            return left
        if past.tool in _BARE and past.tool not in done:
            return (Wish(tool=past.tool),)
    return ()


def _calls(wanted: Wishes, turn: Heard) -> Iterator[Call]:
    for wish in wanted.wishes:
        if wish.tool in turn.tools:
            yield Call(tool=wish.tool, arguments=wish.arguments)
    if not wanted.wishes and _asks_about_himself(wanted.question, turn):
        yield _NOTES


def _answers(wanted: Wishes, turn: Heard) -> Iterator[str]:
    """What came of each wish, then what was asked beside."""
    outcomes = {came.call: came.outcome for came in turn.came}
    for wish in wanted.wishes:
        outcome = outcomes.get(Call(tool=wish.tool, arguments=wish.arguments))
        if outcome is not None:
            yield in_words(wish.tool, outcome, own_room=turn.own_room)
        else:
            yield NOTHING_TO_TRY if wish.again else not_offered(wish.tool, operator=turn.operator)
    if wanted.question or not wanted.wishes:
        yield _answer(wanted.question, turn)


def _answer(question: str, turn: Heard) -> str:
    known = _known(question, turn) or _noted(question, turn)
    return known or (NO_NOTES if turn.notes is None else NOTHING_FOUND)


def _asks_about_himself(question: str, turn: Heard) -> bool:
    """Whether a question that nothing else answers may be answered by what somebody had noted."""
    mine = _MINE.search(question.casefold()) is not None and question.rstrip().endswith("?")
    return mine and _NOTES.tool in turn.tools and _known(question, turn) is None


def _noted(question: str, turn: Heard) -> str | None:
    """The note that has most to do with the question, if the notes were read and one has."""
    notes = next((came.outcome.notes for came in turn.came if came.call == _NOTES), ())
    found = look_up("\n".join(notes), question)
    return f"I remember: {found}." if found else None


def _known(question: str, turn: Heard) -> str | None:
    asked = question.casefold()
    told = help_with(
        question, turn.tools, notes=turn.notes is not None, own_room=turn.own_room, aloud=turn.aloud
    )
    if told is not None:
        return told
    if _TIME.search(asked):
        return f"It is {turn.now:%H:%M}."
    if _DATE.search(asked):
        return f"Today is {turn.now:%A}, {turn.now:%B} {turn.now.day}, {turn.now.year}."
    found = None if turn.notes is None else look_up(turn.notes, asked)
    return f"The notes say: {found}" if found else about_notes(question, own_room=turn.own_room)
