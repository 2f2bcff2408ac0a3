"""Notes are for those whom they are about: in the guild where they were made, and nowhere else."""

from __future__ import annotations

from actors.captain.journal import MOST_NOTES_EACH, Note
from messages.ids import GuildId, PersonId, RoomId
from messages.tools import LONGEST_NOTE

MOST_NOTES = 5_000
"""Of everybody and every room together; beyond, nothing more is noted until somebody deletes some."""


def remember(notes: tuple[Note, ...], note: Note) -> tuple[Note, ...] | None:
    """All notes with this one, on one line, its oldest neighbour making way; None if it cannot be kept.

    A note that says what a neighbour says takes that one's place.
    """
    text = " ".join(note.text.split())
    if not text or len(text) > LONGEST_NOTE:
        return None
    kept = Note(at=note.at, person=note.person, guild=note.guild, room=note.room, text=text)
    place = _place(kept)
    others = [one for one in notes if _place(one) != place or one.text != text]
    neighbours = [one for one in others if _place(one) == place]
    for one in neighbours[: max(0, len(neighbours) + 1 - MOST_NOTES_EACH)]:
        others.remove(one)
    return (*others, kept) if len(others) < MOST_NOTES else None


def recalled(
    notes: tuple[Note, ...], people: tuple[PersonId, ...], guild: GuildId | None, room: RoomId | None
) -> tuple[Note, ...]:
    """What may be said of it in a turn of these people: notes about the only one of them, and the room's."""
    places = {(None, None, room)} if room is not None else set[_Place]()
    if len(set(people)) == 1:
        places.add((people[0], guild, None))
    return tuple(one for one in notes if _place(one) in places)


def forgotten(notes: tuple[Note, ...], person: PersonId) -> tuple[Note, ...]:
    """All notes but those about this person, and but those that he had made about rooms."""
    return tuple(one for one in notes if one.person != person)


def about(notes: tuple[Note, ...], person: PersonId) -> tuple[str, ...]:
    """What is noted about this person, in whatever guild; what he had noted of rooms is not about him."""
    return tuple(one.text for one in notes if one.person == person and one.room is None)


_Place = tuple[PersonId | None, GuildId | None, RoomId | None]


def _place(note: Note) -> _Place:
    """About a person in a guild, or about a room, whoever had it noted."""
    return (note.person, note.guild, None) if note.room is None else (None, None, note.room)
