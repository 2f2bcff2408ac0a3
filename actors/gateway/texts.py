"""What is written reaches him once: as said in the room that he is in, or else by the text lane."""

from __future__ import annotations

from dataclasses import replace

from actors.gateway.decisions import Post, Step
from actors.gateway.state import State
from actors.gateway.telling import tell
from messages.gateway import MessageSeen, TextAnswered
from messages.stay import PersonTyped

MOST_CHARACTERS = 2_000
_REMEMBERED = 500


def written(state: State, event: MessageSeen) -> Step:
    """Words in the chat of the room that he is in count as said there; no message is read twice."""
    if event.person.bot or event.message in state.seen:
        return state, ()
    state = replace(state, seen=(*state.seen, event.message)[-_REMEMBERED:])
    stay = state.at(event.room)
    if stay is not None and not event.images:
        return state, tell(stay, PersonTyped(person=event.person, text=event.text))
    # The text lane begins here: messages elsewhere, in private, or with images.
    return state, ()


def answered(state: State, event: TextAnswered) -> Step:
    """An answer is given where it was asked for; silence is one."""
    text = event.text[:MOST_CHARACTERS]
    return state, (Post(room=event.room, text=text, reply_to=event.message),) if text else ()
