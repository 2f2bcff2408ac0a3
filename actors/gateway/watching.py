"""The play surface: opened for those in his room who may move him, once a room, and closed with the stay."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.gateway.decisions import AnswerWatch, Decision, Step, Wake, Watch
from actors.gateway.state import State, StayAt, Watching
from messages.gateway import WatchAnswered, WatchAsked, WatchOpened, WatchOverdue
from messages.ids import RoomId, Token

MOST_ASKERS = 64
"""So many people may wait for it to open in one room."""


def asked(state: State, event: WatchAsked) -> Step:
    """Open it or close it; what is in the way is answered with a code."""
    if not state.authority.may_move(event.asker):
        return state, _answers(event, WatchAnswered(refused="authority"))
    return _start(state, event) if event.start else _stop(state, event)


def _start(state: State, event: WatchAsked) -> Step:
    stay = state.stay_of(event.asker)
    if stay is None or not stay.is_active():
        return state, _answers(event, WatchAnswered(refused="not_active"))
    if not state.is_in(event.asker.person.id, stay.room):
        return state, _answers(event, WatchAnswered(refused="not_in_voice"))
    open_one = state.watched(stay.room)
    if open_one is not None and open_one.url:
        return state, _answers(event, WatchAnswered(url=open_one.url))
    if open_one is not None and len(open_one.askers) >= MOST_ASKERS:
        return state, _answers(event, WatchAnswered(refused="busy"))
    if open_one is not None:
        return _with(state, replace(open_one, askers=(*open_one.askers, event.reply_to))), ()
    one = Watching(room=stay.room, token=state.token, askers=(event.reply_to,))
    state, wake = _timed(state, one, state.settings.watch_open_seconds)
    return state, (Watch(room=stay.room, start=True), wake)


def _stop(state: State, event: WatchAsked) -> Step:
    stay = state.stay_of(event.asker)
    open_one = None if stay is None else state.watched(stay.room)
    if open_one is None:
        return state, _answers(event, WatchAnswered(refused="not_open"))
    state, decisions = _closed(state, open_one, "closed")
    return state, (*decisions, *_answers(event, WatchAnswered()))


def heard(state: State, event: WatchOpened | WatchOverdue) -> Step:
    """It is open, or failed to open, or its time is up."""
    match event:
        case WatchOpened():
            return _opened(state, event)
        case WatchOverdue():
            return _overdue(state, event)
        case _:
            assert_never(event)


def _opened(state: State, event: WatchOpened) -> Step:
    """One that nobody waits for any more is closed again."""
    waited_for = state.watched(event.room)
    if waited_for is None:
        return state, () if event.failed else (Watch(room=event.room, start=False),)
    if waited_for.url:
        return state, ()
    if event.failed:
        return _without(state, event.room), _told(waited_for, WatchAnswered(refused=event.failed))
    one = replace(waited_for, url=event.url, askers=())
    state, wake = _timed(state, one, state.settings.watch_seconds)
    return state, (*_told(waited_for, WatchAnswered(url=event.url)), wake)


def _overdue(state: State, event: WatchOverdue) -> Step:
    """It never opened, or its time is up."""
    one = state.watched(event.room)
    return (state, ()) if one is None or one.token != event.token else _closed(state, one, "timeout")


def close(state: State, stay: StayAt) -> Step:
    """The stay is over, or has gone to another room: its play surface does not outlive it."""
    one = state.watched(stay.room)
    return (state, ()) if one is None else _closed(state, one, "ended")


def stopped(state: State) -> tuple[Decision, ...]:
    """Return the answers that are owed when this life ends."""
    refused = WatchAnswered(refused="gateway_lost")
    return tuple(answer for one in state.watching for answer in _told(one, refused))


def _closed(state: State, one: Watching, why: str) -> Step:
    refused = _told(one, WatchAnswered(refused=why))
    return _without(state, one.room), (Watch(room=one.room, start=False), *refused)


def _timed(state: State, one: Watching, seconds: float) -> tuple[State, Decision]:
    token = Token(state.token + 1)
    state = _with(replace(state, token=token), replace(one, token=token))
    return state, Wake(seconds=seconds, message=WatchOverdue(room=one.room, token=token))


def _with(state: State, one: Watching) -> State:
    others = _without(state, one.room).watching
    return replace(state, watching=(*others, one))


def _without(state: State, room: RoomId) -> State:
    return replace(state, watching=tuple(one for one in state.watching if one.room != room))


def _told(one: Watching, answer: WatchAnswered) -> tuple[AnswerWatch, ...]:
    return tuple(AnswerWatch(asker=asker, answer=answer) for asker in one.askers)


def _answers(event: WatchAsked, answer: WatchAnswered) -> tuple[AnswerWatch, ...]:
    return (AnswerWatch(asker=event.reply_to, answer=answer),)
