"""A link is a promise that has to be renewed: up, lost, tried again, and at last given back or given up."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.voice import speech
from actors.voice.decisions import (
    Connect,
    Decision,
    Disconnect,
    Listen,
    Record,
    Step,
    TellStay,
    Wake,
)
from actors.voice.patience import NOT_READY, lacking, patience, pause, troubled
from actors.voice.state import Phase, State
from actors.voice.watch import pulse, renewed
from messages.evidence import Failed
from messages.ids import Connection, PersonId, RoomId
from messages.stay import LinkClosed, LinkDegraded, LinkGone, LinkPrivate, LinkReady
from messages.voice import (
    CloseLink,
    CloseMicrophone,
    CutSound,
    EndSound,
    HoldSound,
    LinkDown,
    LinkFaltered,
    LinkPulse,
    LinkSecured,
    LinkShut,
    LinkUp,
    MicrophoneCount,
    OpenLink,
    OpenMicrophone,
    PlaySound,
    ReadyOverdue,
    ReopenDue,
    SetGain,
    ShutOverdue,
    SoundCut,
    SoundDrained,
    SoundFailed,
    SoundSent,
    SoundStarted,
    SoundUnderrun,
    VoiceMessage,
    VoicePortEvent,
    VoiceTimer,
)


def step(state: State, event: VoiceMessage, now: float) -> Step:
    """One event, at monotonic second `now`."""
    match event:
        case OpenLink():
            return _open(state, event.room, now)
        case CloseLink():
            return _close(state)
        case OpenMicrophone():
            others = _without(state.microphones, event.person)
            return replace(state, microphones=(*others, event)), (Listen(microphone=event, open=True),)
        case CloseMicrophone():
            closed = tuple(
                microphone for microphone in state.microphones if microphone.person == event.person
            )
            left = _without(state.microphones, event.person)
            return replace(state, microphones=left), tuple(
                Listen(microphone=one, open=False) for one in closed
            )
        case PlaySound() | EndSound() | CutSound() | SetGain() | HoldSound():
            return speech.ordered(state, event, now)
        case ReopenDue() | ReadyOverdue() | ShutOverdue():
            if event.token != state.token:
                return replace(state, old_letters=state.old_letters + 1), ()
            return _time(state, event, now)
        case LinkUp() | LinkFaltered() | LinkDown() | LinkShut() | LinkSecured() | LinkPulse():
            return _reported(state, event, now)
        case SoundStarted() | SoundSent() | SoundUnderrun() | SoundDrained() | SoundCut() | SoundFailed():
            return _reported(state, event, now)
        case _:
            assert_never(event)


def _open(state: State, room: RoomId, now: float) -> Step:
    if state.phase in {Phase.CLOSING, Phase.CLOSED}:
        return state, ()
    # What is said to a room that has just opened waits for its first link.
    state, let_go = (state, ()) if state.phase is Phase.IDLE else _let_go(state, "reopened")
    state, closed = _moved(state, room)
    limit = now + patience(state.settings)
    state, connect = _connect(
        replace(state, room=room, tries=0, was_up=False, trouble="", give_up_at=limit), now
    )
    return state, (*let_go, *closed, *connect)


def _moved(state: State, room: RoomId) -> Step:
    """Consent is for one room: whoever was heard in another one is heard no longer."""
    if state.phase is Phase.IDLE or state.room == room:
        return state, ()
    closed = tuple(Listen(microphone=microphone, open=False) for microphone in state.microphones)
    return replace(state, microphones=()), closed


def _connect(state: State, now: float) -> Step:
    connection, token = Connection(state.connection + 1), state.token + 1
    limit = min(patience(state.settings), state.give_up_at - now)
    decisions: tuple[Decision, ...] = (
        Connect(connection=connection, room=state.room),
        *(Listen(microphone=microphone, open=True) for microphone in state.microphones),
        Wake(seconds=limit, message=ReadyOverdue(token=token)),
    )
    state = replace(state, phase=Phase.CONNECTING, connection=connection, token=token)
    return replace(state, watch=renewed(state.watch), faltering=""), decisions


def _let_go(state: State, reason: str) -> Step:
    """End whatever the port holds of the present connection, if there is one, and what waits for it."""
    state, failed = speech.lost(state, reason)
    if state.phase not in {Phase.CONNECTING, Phase.UP}:
        return state, failed
    return state, (*failed, Disconnect(connection=state.connection))


def stopped(state: State, counts: tuple[MicrophoneCount, ...]) -> tuple[TellStay, ...]:
    """Return what the stay is still owed when this life ends: what everybody's microphone came to."""
    if state.phase is Phase.CLOSED:
        return ()
    return (TellStay(message=LinkClosed(counts=counts)),)


def _close(state: State) -> Step:
    if state.phase in {Phase.CLOSING, Phase.CLOSED}:
        return state, ()
    closed = tuple(Listen(microphone=microphone, open=False) for microphone in state.microphones)
    state, failed = speech.lost(replace(state, microphones=(), token=state.token + 1), "link_closed")
    if state.phase is Phase.IDLE:
        state, told = _shut(state)
        return state, (*closed, *failed, *told)
    # Also of a connection that is down: the counts of its last packets may still be on their way.
    shut = Disconnect(connection=state.connection)
    overdue = Wake(seconds=state.settings.shut_seconds, message=ShutOverdue(token=state.token))
    return replace(state, phase=Phase.CLOSING), (*closed, *failed, shut, overdue)


def _shut(state: State) -> Step:
    return replace(state, phase=Phase.CLOSED), (TellStay(message=LinkClosed(counts=state.counts)),)


def _time(state: State, timer: VoiceTimer, now: float) -> Step:
    match timer:
        case ReopenDue():
            return _connect(state, now) if now < state.give_up_at else _gone(state, lacking(state))
        case ReadyOverdue():
            return _lost(state, NOT_READY, now)
        case ShutOverdue():
            return _shut(state)
        case _:
            assert_never(timer)


def _reported(state: State, event: VoicePortEvent, now: float) -> Step:
    if event.connection != state.connection:
        return replace(state, old_letters=state.old_letters + 1), ()
    match event:
        case LinkUp():
            return _up(state, event)
        case LinkFaltered():
            return _faltered(state, event.reason, now)
        case LinkDown():
            if state.phase not in {Phase.CONNECTING, Phase.UP}:
                return state, ()
            if event.terminal:
                return _gone(state, event.reason)
            return _lost(troubled(state, event.reason), event.reason, now)
        case LinkShut():
            state = replace(state, counts=event.counts)
            return _shut(state) if state.phase is Phase.CLOSING else (state, ())
        case LinkSecured():
            return state, (TellStay(message=LinkPrivate(privacy_code=event.privacy_code)),)
        case LinkPulse():
            return _pulse(state, event, now)
        case SoundStarted() | SoundSent() | SoundUnderrun() | SoundDrained() | SoundCut() | SoundFailed():
            return speech.reported(state, event)
        case _:
            assert_never(event)


def _pulse(state: State, event: LinkPulse, now: float) -> Step:
    if state.phase is not Phase.UP:
        return state, ()
    watch, trouble = pulse(state.watch, event, state.settings, now, bool(state.microphones))
    state = replace(state, watch=watch)
    if trouble is None:
        return state, ()
    failed = Record(receipt=Failed(stay_id=state.stay, stage="voice_link", reason=trouble))
    state, reopened = _lost(state, trouble, now)
    return state, (failed, *reopened)


def _up(state: State, event: LinkUp) -> Step:
    ready = TellStay(message=LinkReady(encryption=event.encryption))
    if state.phase is Phase.UP and state.faltering:
        return replace(state, faltering=""), (ready,)
    if state.phase is not Phase.CONNECTING:
        return state, ()
    state = replace(state, phase=Phase.UP, tries=0, was_up=True, token=state.token + 1)
    state, sounds = speech.resumed(state)
    return state, (ready, *sounds)


def _faltered(state: State, reason: str, now: float) -> Step:
    """The port keeps what he says, and who is heard; but the room is to know, once it has had a link."""
    if state.phase is Phase.CONNECTING:
        return troubled(state, reason), ()
    if state.phase is not Phase.UP or state.faltering:
        return state, ()
    state = replace(state, faltering=reason, give_up_at=now + state.settings.reopen_give_up_seconds)
    return state, (TellStay(message=LinkDegraded(reason=reason)),)


def _lost(state: State, reason: str, now: float) -> Step:
    """The connection is of no use any more: try another one later, while there is time."""
    news: tuple[Decision, ...] = ()
    if state.phase is Phase.UP:
        state, degraded = _faltered(state, reason, now)
        state, failed = speech.lost(replace(state, faltering=""), reason)
        news = (*degraded, *failed)
    if now >= state.give_up_at:
        return _gone(state, lacking(state))
    let_go = Disconnect(connection=state.connection)
    state, wait = pause(state, reason, now)
    state = replace(state, phase=Phase.WAITING, tries=state.tries + 1, token=state.token + 1)
    return state, (*news, let_go, Wake(seconds=wait, message=ReopenDue(token=state.token)))


def _gone(state: State, reason: str) -> Step:
    state, let_go = _let_go(state, reason)
    failed = Failed(stay_id=state.stay, stage="voice_link", reason=reason)
    state = replace(state, phase=Phase.GONE, faltering="", token=state.token + 1)
    return state, (*let_go, TellStay(message=LinkGone(reason=reason)), Record(receipt=failed))


def _without(microphones: tuple[OpenMicrophone, ...], person: PersonId) -> tuple[OpenMicrophone, ...]:
    return tuple(microphone for microphone in microphones if microphone.person != person)
