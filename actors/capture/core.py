"""When somebody speaks, from which breath to which, and what of it were words."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.capture import spending, transcripts
from actors.capture.decisions import (
    Ask,
    AskWords,
    BeginSound,
    Connect,
    Decision,
    Disconnect,
    DropSound,
    Record,
    Step,
    TellFloor,
    TellVoiceBegan,
    Wake,
)
from actors.capture.events import EarCloses, Event, WindowHeard
from actors.capture.segment import (
    Segment,
    has_words,
    longer,
    more_held,
    seconds,
    wants_guess,
    wants_partial,
    windows,
)
from actors.capture.state import Awaited, State
from messages.capture import (
    CaptureTick,
    ListenClosely,
    ListenerLost,
    ListenerSpent,
    TranscriptFailed,
    TranscriptReady,
)
from messages.evidence import Utterance
from messages.floor import VoiceEnded, VoiceHeld
from messages.ids import Connection, SegmentId, Token

_SLACK = 1e-6


def step(state: State, event: Event, now: float) -> Step:
    """What to believe and do after this event at monotonic second `now`."""
    state, decisions = _think(state, event, now)
    due = _next_due(state)
    if due is None or (state.wake_at is not None and state.wake_at <= due):
        return state, decisions
    state = replace(state, token=Token(state.token + 1), wake_at=due)
    return state, (*decisions, Wake(seconds=max(0.0, due - now), message=CaptureTick(token=state.token)))


def _think(state: State, event: Event, now: float) -> Step:
    port_events = (TranscriptReady, TranscriptFailed, ListenerLost)
    if isinstance(event, port_events) and event.connection != state.connection:
        return state, ()
    match event:
        case WindowHeard():
            return _heard(state, event, now)
        case ListenClosely():
            return replace(state, closely=event.on), ()
        case TranscriptReady():
            return transcripts.came(state, event, now)
        case TranscriptFailed():
            return transcripts.failed(state, event, now)
        case ListenerLost():
            return transcripts.lost(state, event.reason, now)
        case ListenerSpent():
            return spending.noted(state, event.spent, now), ()
        case CaptureTick():
            return (state, ()) if event.token != state.token else _woken(replace(state, wake_at=None), now)
        case EarCloses():
            return _ended(state, now)
        case _:
            assert_never(event)


# --- voice ------------------------------------------------------------------------------------------


def _heard(state: State, window: WindowHeard, now: float) -> Step:
    silence = window.at - state.heard_at
    gap = silence > state.ear.settings.packets_end_seconds
    # Packets that are merely late do not part a word from its beginning.
    apart = silence > max(state.ear.settings.pre_roll_seconds, state.ear.settings.packets_end_seconds)
    state = replace(state, heard_at=window.at, unbroken=1 if apart else state.unbroken + 1)
    if state.open is not None:
        return _longer(state, state.open, window, now)
    run = (0 if gap else state.run) + 1
    if window.probability < state.ear.settings.begin_probability:
        return replace(state, run=0), ()
    if run < windows(state.ear.settings.begin_seconds, state.ear.settings):
        return replace(state, run=run), ()
    state, connecting = _connected(replace(state, run=0), now)
    state, began = _begin(state, run, window.at, state.ear.settings.pre_roll_seconds)
    return state, (*connecting, *began)


def _connected(state: State, now: float) -> Step:
    if state.connection is not None or now < state.retry_at:
        return state, ()
    connection = Connection(state.connections + 1)
    state = replace(state, connection=connection, connections=connection)
    return state, (Connect(connection=connection),)


def _begin(state: State, run: int, at: float, pre_roll: float) -> Step:
    """A segment whose first `run` windows, all voiced, ended at `at`."""
    ear = state.ear
    segment = Segment(
        id=SegmentId(f"{ear.capture}.{state.segments + 1}"),
        connection=state.connection,
        began=at - seconds(run, ear.settings),
        last_voice=at,
        length=run,
        voiced=run,
        heard_to=run,
    )
    state = replace(state, open=segment, segments=state.segments + 1, closely=False)
    told = TellVoiceBegan(segment=segment.id, at=segment.began)
    if segment.connection is None:
        return state, (told,)
    before = min(pre_roll + seconds(run, ear.settings), seconds(state.unbroken, ear.settings))
    return state, (told, BeginSound(connection=segment.connection, segment=segment.id, before=before))


def _longer(state: State, before: Segment, window: WindowHeard, now: float) -> Step:
    ear = state.ear
    segment = longer(before, window.probability, window.at, ear.settings)
    decisions: tuple[Decision, ...] = ()
    if more_held(before, segment, ear.settings):
        voiced = seconds(segment.voiced, ear.settings)
        decisions = (TellFloor(message=VoiceHeld(person=ear.person.id, segment=segment.id, voiced=voiced)),)
    if segment.silence >= windows(ear.settings.end_seconds, ear.settings):
        state, ended = _close(state, segment, now)
    elif segment.length >= windows(ear.settings.longest_seconds, ear.settings):
        state, closed = _close(state, segment, now)
        state, connecting = _connected(state, now)
        state, began = _begin(state, 0, window.at, 0.0)
        ended = (*closed, *connecting, *began)
    else:
        segment, ended = _asked(segment, state)
        state = replace(state, open=segment)
    return state, (*decisions, *ended)


def _asked(segment: Segment, state: State) -> tuple[Segment, tuple[Decision, ...]]:
    """Ask for words of an open segment where that is due; an ask made in silence is a guess at the final."""
    settings = state.ear.settings
    partial = state.closely and wants_partial(segment, settings)
    if segment.connection is None or not (partial or wants_guess(segment, settings)):
        return segment, ()
    quiet = segment.silence >= windows(settings.pause_seconds, settings)
    asked = replace(
        segment,
        asked_at=segment.length,
        asked_to=segment.heard_to,
        guessed_to=segment.heard_to if quiet else segment.guessed_to,
    )
    return asked, (AskWords(segment=segment.id, ask=Ask.GUESS if quiet else Ask.PARTIAL),)


def _close(state: State, segment: Segment, now: float) -> Step:
    ear = state.ear
    voiced = seconds(segment.voiced, ear.settings)
    told: tuple[Decision, ...] = (
        TellFloor(
            message=VoiceEnded(person=ear.person.id, segment=segment.id, at=segment.last_voice, voiced=voiced)
        ),
    )
    duration = seconds(segment.heard_to, ear.settings)
    if duration >= ear.settings.utterance_seconds:
        receipt = Utterance(
            stay_id=ear.stay,
            person_id=ear.person.id,
            segment_id=segment.id,
            duration_ms=round(1000 * duration),
            voiced_ms=round(1000 * voiced),
        )
        told = (*told, Record(receipt=receipt))
    awaited = Awaited(segment=segment, closed_at=now)
    state = replace(state, open=None, run=0, idle_since=now)
    if not has_words(segment, ear.settings):
        nothing = transcripts.dropped(state, awaited, "near_silence", "", now)
        return state, (*told, DropSound(segment=segment.id), *nothing)
    if segment.connection is None or segment.connection != state.connection:
        state, decisions = transcripts.given_up(state, awaited, "listener_lost", now)
        return state, (*told, *decisions)
    ask = AskWords(segment=segment.id, ask=Ask.FINAL, settled=segment.settled)
    return replace(state, awaited=(*state.awaited, awaited)), (*told, ask)


# --- time -------------------------------------------------------------------------------------------


def _packets_end(state: State, segment: Segment) -> float:
    """When an open segment is over if no packet comes: sooner after silence, as clients go quiet."""
    settings = state.ear.settings
    quiet = segment.silence >= windows(settings.packets_end_silence, settings)
    return state.heard_at + (settings.packets_end_seconds if quiet else settings.end_seconds)


def _idle_end(state: State) -> float | None:
    if state.connection is None or state.open is not None or state.awaited:
        return None
    return state.idle_since + state.ear.settings.idle_seconds


def _next_due(state: State) -> float | None:
    due = [awaited.closed_at + state.ear.settings.final_seconds for awaited in state.awaited]
    if state.open is not None:
        due.append(_packets_end(state, state.open))
    due += (moment for moment in (_idle_end(state), spending.due(state)) if moment is not None)
    return min(due, default=None)


def _woken(state: State, now: float) -> Step:
    reached = now + _SLACK
    state, decisions = spending.told(state, reached)
    if state.open is not None and _packets_end(state, state.open) <= reached:
        state, more = _close(state, state.open, now)
        decisions = (*decisions, *more)
    for awaited in state.awaited:
        if awaited.closed_at + state.ear.settings.final_seconds <= reached:
            state, more = transcripts.missed(state, awaited, "deadline", now)
            decisions = (*decisions, DropSound(segment=awaited.segment.id), *more)
    idle = _idle_end(state)
    if state.connection is not None and idle is not None and idle <= reached:
        decisions = (*decisions, Disconnect(connection=state.connection))
        state = replace(state, connection=None)
    return state, decisions


def _ended(state: State, now: float) -> Step:
    state, decisions = spending.told(state, float("inf"))
    if state.open is not None:
        waiting = (*state.awaited, Awaited(segment=state.open, closed_at=now))
        state = replace(state, open=None, awaited=waiting)
    for awaited in state.awaited:
        state, more = transcripts.given_up(state, awaited, "ear_closed", now)
        decisions = (*decisions, *more)
    return state, decisions
