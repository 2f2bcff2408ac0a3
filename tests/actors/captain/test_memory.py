"""A note is seen by whom it is about, where it was made, and by nobody else."""

from __future__ import annotations

from dataclasses import replace

from actors.captain.journal import (
    MOST_NOTES_EACH,
    Entry,
    HeardAsked,
    Note,
    SaidAnswer,
    ToolBegun,
    ToolEnded,
    TurnOver,
)
from actors.captain.memory import MOST_NOTES, about, forgotten, made_by, recalled, remember, without
from messages.authority import Surface
from messages.ids import CallId, GuildId, HandoffId, PersonId, RoomId
from messages.tools import LONGEST_NOTE

ADA, BEN = PersonId("ada"), PersonId("ben")
HERE, ELSEWHERE = GuildId("g1"), GuildId("g2")
DEN, HALL = RoomId("den"), RoomId("hall")


def note(
    text: str = "likes tea",
    person: PersonId = ADA,
    guild: GuildId | None = HERE,
    room: RoomId | None = None,
    at: float = 1.0,
) -> Note:
    return Note(at=at, person=person, guild=guild, room=room, text=text)


def kept(*notes: Note) -> tuple[Note, ...]:
    all_notes: tuple[Note, ...] = ()
    for one in notes:
        more = remember(all_notes, one)
        assert more is not None
        all_notes = more
    return all_notes


def test_a_note_about_somebody_is_seen_in_its_guild_when_he_alone_asks() -> None:
    notes = kept(note(), note("in private", guild=None), note("bikes", person=BEN))
    assert recalled(notes, (ADA,), HERE, DEN) == (notes[0],)
    assert recalled(notes, (ADA, ADA), HERE, None) == (notes[0],)
    assert recalled(notes, (ADA,), None, None) == (notes[1],)
    assert recalled(notes, (ADA,), ELSEWHERE, DEN) == ()
    assert recalled(notes, (ADA, BEN), HERE, DEN) == ()
    assert recalled(notes, (), HERE, None) == ()


def test_a_note_about_a_room_is_seen_there_whoever_asks() -> None:
    notes = kept(note("quiz on Friday", room=DEN), note("no spoilers", room=HALL, person=BEN))
    assert recalled(notes, (ADA, BEN), HERE, HALL) == (notes[1],)
    assert recalled(notes, (BEN,), None, DEN) == (notes[0],)
    assert recalled(notes, (ADA,), HERE, None) == ()


def test_a_note_is_one_line_and_no_longer_than_it_may_be() -> None:
    (line,) = kept(note("likes\n  tea\u2028and\tcake "))
    assert line.text == "likes tea and cake"
    (cut,) = kept(note("x" * 1_000))
    assert cut.text == "x" * LONGEST_NOTE
    assert remember((), note(" \n ")) is None


def test_the_oldest_note_about_the_same_makes_way() -> None:
    others = (note("other", person=BEN), note("other", guild=ELSEWHERE), note("other", room=DEN))
    notes = kept(*others, *(note(f"{number}") for number in range(MOST_NOTES_EACH + 3)))
    assert notes[:3] == others
    assert [one.text for one in notes[3:]] == [f"{number}" for number in range(3, MOST_NOTES_EACH + 3)]


def test_what_is_noted_twice_is_kept_once() -> None:
    again = note(at=9.0)
    assert kept(note(), note("bikes"), again) == (note("bikes"), again)


def test_there_is_an_end_to_all_notes_together() -> None:
    many = tuple(note(person=PersonId(f"{number}")) for number in range(MOST_NOTES))
    assert remember(many, note()) is None
    assert remember(many[1:], note()) is not None


def test_what_is_forgotten_is_about_him_or_was_noted_by_him() -> None:
    notes = kept(note(), note("abroad", guild=ELSEWHERE), note("his", room=DEN), note(person=BEN))
    assert about(notes, ADA) == ("likes tea", "abroad")
    assert made_by(notes, ADA) == ("likes tea", "abroad", "his")
    assert forgotten(notes, ADA) == (notes[3],)


def heard(turn: str, *people: PersonId, into: str | None = None) -> HeardAsked:
    return HeardAsked(
        at=1.0,
        handoff=HandoffId(turn),
        surface=Surface.VOICE,
        room=DEN,
        message=None,
        people=people,
        label="",
        text="",
        into=HandoffId(into) if into else None,
    )


def said(turn: str, text: str = "") -> SaidAnswer:
    return SaidAnswer(at=1.0, handoff=HandoffId(turn), text=text)


def test_a_lane_loses_what_somebody_asked_alone_or_with_others_and_the_answers() -> None:
    over = TurnOver(at=1.0, handoff=HandoffId("1"), how="answered")
    began = ToolBegun(at=1.0, handoff=HandoffId("1"), call=CallId("c"), tool="react")
    lane: tuple[Entry, ...] = (
        said("asked so long ago that nobody knows by whom"),
        *(heard("1", ADA), began, said("1"), over),
        *(heard("2", BEN), heard("3", ADA, BEN, into="2"), said("2")),
        *(heard("4", BEN), said("4")),
    )
    assert without(lane, ADA) == (heard("2", BEN), heard("4", BEN), said("4"))
    assert without(lane, PersonId("nobody")) == lane[1:]
    assert without((replace(heard("1", BEN), people=()),), BEN) == (heard("1"),)


def test_an_answer_that_told_a_note_to_somebody_else_goes_with_the_note() -> None:
    read = ToolEnded(at=1.0, handoff=HandoffId("1"), call=CallId("c"), tool="recall", outcome="notes")
    told, other = said("1", "I remember: the room\n plays Chess."), said("1", "I remember: no spoilers.")
    own = said("2", "The room plays chess.")
    lane = (heard("1", BEN), read, told, other, heard("2", BEN), own)
    assert without(lane, ADA, ("room plays chess", "bikes")) == (*lane[:2], *lane[3:])
    assert without(lane, ADA) == lane
