"""Who asked a life of his that is gone gets his answer all the same, or is told that there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.gateway import bereft, replying
from actors.gateway.bereft import LATER
from actors.gateway.decisions import Decision, Do, Post, Record, Step, TellCaptain
from actors.gateway.lane import MOST_SEEN
from actors.gateway.replying import LOST_NOTICE
from actors.gateway.shortening import shortened
from actors.gateway.state import State
from messages.captain import LossTold
from messages.evidence import TextReply
from messages.gateway import ConsentsLost, DeedDone, MessageGone, NoticeDue, TextAnswered, TurnLost
from messages.ids import DeedId
from messages.tools import SendUpdate

MOST_OWED: Final = 64
_NOTICE: Final = SendUpdate(text=LOST_NOTICE)
EARLIER_LIFE: Final = "earlier_life"
"""The reason on record for an answer to what this life has not read."""


def lost(state: State, event: TurnLost | ConsentsLost, now: float) -> Step:
    """What a life of his that is gone has cost, and whom."""
    return bereft.lost(state, event) if isinstance(event, ConsentsLost) else _lost(state, event, now)


def _lost(state: State, event: TurnLost, now: float) -> Step:
    """Whoever still waits here is told at once; who waited for an earlier life, once there is an account."""
    one = None if event.message is None else state.text.unanswered(event.message)
    told = TellCaptain(message=LossTold(handoff=event.handoff))
    if one is not None:
        state, ending = replying.ended(state, one, "captain_lost", LOST_NOTICE, now)
        return state, (*ending, told)
    # What was read in this life and waits no longer has been answered or given up already.
    if event.message in state.text.seen or event in state.errands.told:
        return state, (told,)
    if event in state.errands.owed:
        return state, ()
    owed = (*state.errands.owed, event)[-MOST_OWED:]
    state = replace(state, errands=replace(state.errands, owed=owed))
    return paid(state, now) if state.ready else (state, ())


def answered(state: State, event: TextAnswered, now: float) -> Step:
    """What this life has not read was read by one that is gone: its answer is given all the same."""
    if not {event.message, *event.along}.isdisjoint(state.text.seen):
        return replying.answered(state, event, now)
    late = (*state.errands.late, event)[-MOST_OWED:]
    seen = (*state.text.seen, event.message)[-MOST_SEEN:]
    state = replace(state, errands=replace(state.errands, late=late), text=replace(state.text, seen=seen))
    return paid(state, now) if state.ready else (state, ())


def paid(state: State, now: float, *, again: bool = False) -> Step:
    """There is an account: what is owed is said; of what was asked aloud, once a room in a while.

    `again`: it is another one, or was away, and may not have said what it was to say.
    """
    decisions = [decision for one in state.errands.late for decision in _given(one)]
    decisions += bereft.told(state) if again else ()
    state = replace(state, errands=replace(state.errands, late=()))
    for one in state.errands.owed:
        at_it = one in state.errands.telling
        if at_it and not again:
            continue
        due = at_it or one.message is not None
        if not due:
            state, due = replying.noticed(state, one.room, now)
        state, said = _told(state, one) if not due else _telling(state, one)
        decisions += said
    return state, tuple(decisions)


def _telling(state: State, one: TurnLost) -> Step:
    """Under one name it is written once, whoever was killed before he knew that it was."""
    telling = (*(other for other in state.errands.telling if other != one), one)[-MOST_OWED:]
    state = replace(state, errands=replace(state.errands, telling=telling))
    return state, (Do(name=_name(one), deed=_NOTICE, room=one.room, message=one.message),)


def _told(state: State, one: TurnLost) -> Step:
    """Only now may the captain take it for told: a house that is killed before tells it the next time."""
    owed = tuple(other for other in state.errands.owed if other != one)
    telling = tuple(other for other in state.errands.telling if other != one)
    told = (*state.errands.told, one)[-MOST_OWED:]
    state = replace(state, errands=replace(state.errands, owed=owed, telling=telling, told=told))
    return state, (TellCaptain(message=LossTold(handoff=one.handoff)),)


def done(state: State, event: DeedDone) -> Step:
    """A deed is done, or cannot be; it may be a notice of what is owed."""
    one = _named(state, event.deed)
    if one is None:
        return bereft.done(state, event)
    return (state, bereft.again(state, event.deed)) if event.failed in LATER else _told(state, one)


def due(state: State, event: NoticeDue) -> Step:
    """Discord had no time for that notice; if it is still owed, it is asked again."""
    one = _named(state, event.deed)
    if one is None:
        return bereft.due(state, event)
    return _telling(state, one) if state.ready else (state, ())


def _named(state: State, name: DeedId) -> TurnLost | None:
    return next((one for one in state.errands.owed if _name(one) == name), None)


def _name(one: TurnLost) -> DeedId:
    return DeedId(f"over-{one.handoff}")


def _given(late: TextAnswered) -> tuple[Decision, ...]:
    """Since when it was waited for, nobody knows any more."""
    text = replying.notice_of(late.failed) if late.failed else shortened(late.text)
    if late.failed == "busy" or not (text or late.attachments):
        return ()
    reply = TextReply(
        message_id=late.message,
        room_id=late.room,
        outcome="failed" if late.failed else "posted",
        latency_ms=0,
        characters=len(text),
        reason=EARLIER_LIFE,
    )
    posted = Post(room=late.room, text=text, reply_to=late.message, attachments=late.attachments)
    return (posted, Record(receipt=reply))


def gone(state: State, event: MessageGone) -> Step:
    """Who has taken back what he asked is not told that nothing came of it."""
    late = tuple(one for one in state.errands.late if one.message != event.message)
    state = replace(state, errands=replace(state.errands, late=late))
    lost = tuple(one for one in state.errands.owed if one.message == event.message)
    owed, telling = (
        tuple(one for one in ones if one not in lost) for ones in (state.errands.owed, state.errands.telling)
    )
    told = tuple(TellCaptain(message=LossTold(handoff=one.handoff)) for one in lost)
    return replace(state, errands=replace(state.errands, owed=owed, telling=telling)), told
