"""Notes are for those whom they are about: in the guild where they were made, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from actors.captain.journal import MOST_NOTES_EACH, Entry, HeardAsked, Note, SaidAnswer, ToolEnded
from messages.ids import GuildId, PersonId, RoomId
from messages.tools import LONGEST_NOTE

MOST_NOTES = 5_000
"""Of everybody and every room together; beyond, nothing more is noted until somebody deletes some."""
_Place: TypeAlias = tuple[PersonId | None, GuildId | None, RoomId | None]
"""What a note is about: a person in a guild (None: in private), or a room."""


def remember(notes: tuple[Note, ...], note: Note) -> tuple[Note, ...] | None:
    """All notes with this one, on one line and cut; None if it is empty, or if there are too many in all.

    The oldest of those about the same makes way; one that says the same gives its place up.
    """
    text = " ".join(note.text.split())[:LONGEST_NOTE].rstrip()
    kept = replace(note, text=text)
    place = _place(kept)
    others = [one for one in notes if _place(one) != place or one.text != text]
    neighbours = [one for one in others if _place(one) == place]
    for one in neighbours[: max(0, len(neighbours) + 1 - MOST_NOTES_EACH)]:
        others.remove(one)
    return (*others, kept) if text and len(others) < MOST_NOTES else None


def recalled(
    notes: tuple[Note, ...], people: tuple[PersonId, ...], guild: GuildId | None, room: RoomId | None
) -> tuple[Note, ...]:
    """What may be said of it in a turn of these people: notes about the only one of them, and the room's."""
    places: set[_Place] = set()
    if room is not None:
        places.add((None, None, room))
    if len(set(people)) == 1:
        places.add((people[0], guild, None))
    return tuple(one for one in notes if _place(one) in places)


def forgotten(notes: tuple[Note, ...], person: PersonId) -> tuple[Note, ...]:
    """All notes but those about this person, and but those that he had made about rooms."""
    return tuple(one for one in notes if one.person != person)


def about(notes: tuple[Note, ...], person: PersonId) -> tuple[str, ...]:
    """What is noted about this person, in whatever guild; what he had noted of rooms is not about him."""
    return tuple(one.text for one in notes if one.person == person and one.room is None)


def made_by(notes: tuple[Note, ...], person: PersonId) -> tuple[str, ...]:
    """What this person had noted, about himself or about rooms."""
    return tuple(one.text for one in notes if one.person == person)


def without(entries: tuple[Entry, ...], person: PersonId, texts: tuple[str, ...] = ()) -> tuple[Entry, ...]:
    """A lane without what this person asked, alone or with others, and without what came of it.

    What came of a question that is not there any more may be his, so it goes as well. So does an answer to
    anybody else that tells one of these `texts` from the notes.
    """
    asked = [one for one in entries if isinstance(one, HeardAsked)]
    his = {turn for one in asked if person in one.people for turn in (one.handoff, one.into)}
    others = {one.handoff for one in asked if person not in one.people}
    told = _telling(entries, texts)

    def stays(one: Entry) -> bool:
        if isinstance(one, HeardAsked):
            return person not in one.people
        if isinstance(one, SaidAnswer):
            return one.handoff in others - his and one not in told
        return one.handoff in others

    return tuple(one for one in entries if stays(one))


def _telling(entries: tuple[Entry, ...], texts: tuple[str, ...]) -> tuple[SaidAnswer, ...]:
    """The answers with one of these notes in them, of turns in which notes were read."""
    read = {one.handoff for one in entries if isinstance(one, ToolEnded) and one.tool == "recall"}
    wanted = [_plain(text) for text in texts]
    answers = (one for one in entries if isinstance(one, SaidAnswer) and one.handoff in read)
    return tuple(one for one in answers if any(text in _plain(one.text) for text in wanted))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _place(note: Note) -> _Place:
    return (note.person, note.guild, None) if note.room is None else (None, None, note.room)
