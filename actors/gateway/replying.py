"""What came of something written: an answer, silence, a failure, or that nobody wants one any more."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.gateway.decisions import Decision, Post, Record, Step, TellCaptain, Typing
from actors.gateway.lane import Unanswered
from actors.gateway.shortening import shortened
from actors.gateway.state import State
from messages.captain import TakeBack
from messages.evidence import TextReply
from messages.gateway import MessageGone, TextAnswered
from messages.ids import HandoffId, MessageId, RoomId
from messages.reasons import in_words

NOTICE: Final = "I could not find an answer just now. Please ask me again in a while."
LOST_NOTICE: Final = (
    "I was restarted while I was working on this. What I had begun may or may not have happened."
    " Please ask me again if you still want it."
)
NOTICE_SECONDS: Final = 300.0
"""A room is not told more often than this that something went wrong."""
_STOPPED = "captain_closed"
_TOO_MUCH: Final = frozenset(
    {"max_output_tokens", "answer_too_long", "context_length_exceeded", "too_many_steps", "too_many_calls"}
)
"""What would fail again in a while, too."""
_MOST_ENGAGED = 500
_LONGEST_REASON = 64


def handoff_of(message: MessageId) -> HandoffId:
    """Return under which name the captain is asked about this message."""
    return HandoffId(f"text-{message}")


def answered(state: State, event: TextAnswered, now: float) -> Step:
    """The latest message that still waits is answered, and once; those before it came along."""
    names = (event.message, *reversed(event.along))
    found = (state.text.unanswered(name) for name in dict.fromkeys(names))
    waiting = [one for one in found if one is not None]
    if not waiting:
        return state, ()
    one, *along = waiting
    if event.failed == _STOPPED:
        outcome, (state, decisions) = "failed", ended(state, one, event.failed, LOST_NOTICE, now)
    elif event.failed:
        outcome, (state, decisions) = "failed", _failed(state, one, event.failed, now)
    elif event.text.strip() or event.attachments:
        outcome, (state, decisions) = "answered_along", _posted(state, one, event, now)
    else:
        outcome, (state, decisions) = "silent", _over(state, one, _reply(one, "silent", now))
    for other in along:
        reply = _reply(other, outcome, now, reason=event.failed[:_LONGEST_REASON] or None)
        state, told = _over(state, other, reply)
        decisions = (*decisions, *told)
    return state, decisions


def _posted(state: State, one: Unanswered, event: TextAnswered, now: float) -> Step:
    text = shortened(event.text)
    others = {room: left for room, left in state.text.engaged.items() if room != one.room}
    if engaged := state.text.settings.engaged_messages:
        kept = dict(list(others.items())[1 - _MOST_ENGAGED :])
        others = {**kept, one.room: engaged}
    state = replace(state, text=replace(state.text, engaged=others))
    posted = Post(room=one.room, text=text, reply_to=one.message, attachments=event.attachments)
    return _over(state, one, posted, _reply(one, "posted", now, characters=len(text)))


def overdue(state: State, message: MessageId, now: float) -> Step:
    """It has waited for long enough: whoever asked is told so, and nobody goes on working on it."""
    one = state.text.unanswered(message)
    if one is None:
        return state, ()
    state, told = _failed(state, one, "overdue", now)
    return state, (*told, TellCaptain(message=TakeBack(handoff=handoff_of(message))))


def gone(state: State, event: MessageGone, now: float) -> Step:
    """Who takes back his question gets no answer any more, and nobody works on it."""
    one = state.text.unanswered(event.message)
    if one is None:
        return state, ()
    taken_back = TellCaptain(message=TakeBack(handoff=handoff_of(one.message)))
    return _over(state, one, taken_back, _reply(one, "taken_back", now))


def given_up(state: State, reason: str, now: float) -> Step:
    """The account is gone, or this life ends: what waits has failed, and nobody can be told."""
    records = tuple(_reply(one, "failed", now, reason=reason) for one in state.text.waiting)
    return replace(state, text=replace(state.text, waiting=())), records


def ended(state: State, one: Unanswered, reason: str, notice: str, now: float) -> Step:
    """It has failed, and whoever asked is told with this notice, whatever else the room was told."""
    reply = _reply(one, "failed", now, reason=reason)
    return _over(state, one, Post(room=one.room, text=notice, reply_to=one.message), reply)


def notice_of(reason: str) -> str:
    """Return what a room is told of a failure: why, where there are words for it."""
    if reason == _STOPPED:
        return LOST_NOTICE
    words = in_words(reason)
    remedy = "Please ask me for less at once." if reason in _TOO_MUCH else "Please ask me again in a while."
    return NOTICE if words == reason else f"I have no answer to this: {words}. {remedy}"


def noticed(state: State, room: RoomId, now: float) -> tuple[State, bool]:
    """Whether it is time to tell this room that something went wrong, as it then is."""
    recent = {name: at for name, at in state.text.noticed.items() if now - at < NOTICE_SECONDS}
    if room in recent:
        return state, False
    return replace(state, text=replace(state.text, noticed={**recent, room: now})), True


def _failed(state: State, one: Unanswered, reason: str, now: float) -> Step:
    """A room is told once in a while, and not that he is busy: there is enough to read then."""
    reply = _reply(one, "failed", now, reason=reason[:_LONGEST_REASON])
    state, due = (state, False) if reason == "busy" else noticed(state, one.room, now)
    if not due:
        return _over(state, one, reply)
    return _over(state, one, Post(room=one.room, text=notice_of(reason), reply_to=one.message), reply)


def _over(state: State, one: Unanswered, *decisions: Decision) -> Step:
    lane = replace(state.text, waiting=tuple(other for other in state.text.waiting if other != one))
    quiet = () if lane.waits(one.room) else (Typing(room=one.room, on=False),)
    return replace(state, text=lane), (*decisions, *quiet)


def _reply(
    one: Unanswered, outcome: str, now: float, characters: int = 0, reason: str | None = None
) -> Record:
    return Record(
        receipt=TextReply(
            message_id=one.message,
            room_id=one.room,
            outcome=outcome,
            latency_ms=round(1000 * (now - one.since)),
            characters=characters,
            reason=reason,
        )
    )
