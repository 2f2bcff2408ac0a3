"""A note is about whoever asks, or about this room; who asks is never a matter of what he says."""

from __future__ import annotations

from dataclasses import replace

from actors.captain import answering, memory, telling
from actors.captain.decisions import Keep
from actors.captain.journal import Note
from actors.captain.state import Call, State, Turn
from actors.captain.telling import Told
from messages.authority import Surface
from messages.ids import GuildId, PersonId
from messages.tools import NoteAbout, Remember


def remember(state: State, turn: Turn, call: Call, request: Remember) -> State:
    """Have it written down; the call is answered once that is done."""
    person, guild = _whose(state, turn)
    room = turn.room if request.about is NoteAbout.ROOM else None
    refusal = _refusal(turn, person, about_speaker=request.about is NoteAbout.SPEAKER)
    if refusal or person is None:
        return answering.answer(state, turn, call, telling.refused(refusal or "no_speaker"))
    note = Note(at=state.wall, person=person, guild=guild, room=room, text=request.note)
    notes = memory.remember(state.notes, note)
    if notes is None:
        return answering.answer(state, turn, call, telling.refused("notes_full"))
    return replace(state, notes=notes).do(Keep(notes=notes, turn=turn.id, call=call.id))


def recall(state: State, turn: Turn) -> Told:
    """What is noted; about nobody, where several ask, or where it is not known in which guild he asks."""
    person, guild = _whose(state, turn)
    alone = person is not None and len(turn.askers) < 2 and not _unplaced(turn)
    people = (person,) if alone and person is not None else ()
    return telling.notes(memory.recalled(state.notes, people, guild, turn.room))


def _refusal(turn: Turn, person: PersonId | None, *, about_speaker: bool) -> str:
    if about_speaker:
        if len(turn.askers) > 1:
            return "several_speakers"
        return "no_speaker" if person is None or _unplaced(turn) else ""
    return "no_room" if turn.room is None else ""


def _unplaced(turn: Turn) -> bool:
    """Spoken in a guild of which nobody said in time which one it is: it would pass for private."""
    return turn.surface in {Surface.VOICE, Surface.MIXED_VOICE} and not any(one.guild for one in turn.askers)


def _whose(state: State, turn: Turn) -> tuple[PersonId | None, GuildId | None]:
    """Who asks (the operator: the owner, in private), and in which guild."""
    if turn.surface is Surface.OPERATOR:
        return state.authority.owner, None
    first = next(iter(turn.askers), None)
    return (None, None) if first is None else (first.person.id, first.guild or None)
