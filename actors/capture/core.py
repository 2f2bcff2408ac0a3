"""When somebody speaks, from which breath to which, and what of it were words."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.capture import deadlines, spending, transcripts
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
    Asked,
    Extent,
    Segment,
    has_words,
    longer,
    more_held,
    seconds,
    wants_guess,
    wants_partial,
)
from actors.capture.state import Awaited, Flow, State
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
    before = state
    state, decisions = _think(before, event, now)
    if deadlines.nothing_due_sooner(before, state):
        return state, decisions
    due = deadlines.next_due(state)
    if due is None or (state.wake_at is not None and state.wake_at <= due):
        return state, decisions
    state = replace(state, token=Token(state.token + 1), wake_at=due)
    return state, (*decisions, Wake(seconds=max(0.0, due - now), message=CaptureTick(token=state.token)))


def _think(state: State, event: Event, now: float) -> Step:
    port_events = (TranscriptReady, TranscriptFailed, ListenerLost)
    if isinstance(event, port_events) and event.connection != state.transcriber.connection:
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
    ear, flow = state.ear, state.flow
    settings, silence = ear.settings, window.at - flow.heard_at
    gap = silence > settings.packets_end_seconds
    # Packets that are merely late do not part a word from its beginning.
    unbroken = 1 if gap and silence > settings.pre_roll_seconds else flow.unbroken + 1
    if state.open is not None:
        segment = longer(state.open, window.probability, window.at, settings)
        heard = state.after_window(Flow(heard_at=window.at, unbroken=unbroken), segment)
        return _longer(heard, state.open, segment, window.at, now)
    run = 0 if window.probability < settings.begin_probability else 1 if gap else flow.run + 1
    if run < ear.lengths.begin:
        return state.after_window(Flow(heard_at=window.at, unbroken=unbroken, run=run), None), ()
    state = state.after_window(Flow(heard_at=window.at, unbroken=unbroken), None)
    state, connecting = _connected(state, now)
    state, began = _begin(state, run, window.at, settings.pre_roll_seconds)
    return state, (*connecting, *began)


def _connected(state: State, now: float) -> Step:
    transcriber = state.transcriber
    if transcriber.connection is not None or now < transcriber.retry_at:
        return state, ()
    connection = Connection(transcriber.connections + 1)
    transcriber = replace(transcriber, connection=connection, connections=connection)
    return replace(state, transcriber=transcriber), (Connect(connection=connection),)


def _begin(state: State, run: int, at: float, pre_roll: float) -> Step:
    """A segment whose first `run` windows, all voiced, ended at `at`."""
    ear = state.ear
    segment = Segment(
        id=SegmentId(f"{ear.capture}.{state.segments + 1}"),
        connection=state.transcriber.connection,
        began=at - seconds(run, ear.settings),
        extent=Extent(length=run, voiced=run, heard_to=run, last_voice=at),
    )
    state = replace(state, open=segment, segments=state.segments + 1, closely=False)
    told = TellVoiceBegan(segment=segment.id, at=segment.began)
    if segment.connection is None:
        return state, (told,)
    before = min(pre_roll + seconds(run, ear.settings), seconds(state.flow.unbroken, ear.settings))
    return state, (told, BeginSound(connection=segment.connection, segment=segment.id, before=before))


def _longer(state: State, before: Segment, segment: Segment, at: float, now: float) -> Step:
    """The open segment has grown by the window that ended at `at`."""
    ear, extent = state.ear, segment.extent
    told: tuple[Decision, ...] = ()
    if more_held(before, segment, ear.settings):
        voiced = seconds(extent.voiced, ear.settings)
        told = (TellFloor(message=VoiceHeld(person=ear.person.id, segment=segment.id, voiced=voiced)),)
    if extent.silence >= ear.lengths.end:
        state, more = _close(state, segment, now)
    elif extent.length >= ear.lengths.longest:
        state, closed = _close(state, segment, now)
        state, connecting = _connected(state, now)
        state, began = _begin(state, 0, at, 0.0)
        more = (*closed, *connecting, *began)
    else:
        state, more = _asked(state, segment)
    return state, (*told, *more)


def _asked(state: State, segment: Segment) -> Step:
    """Ask for words of an open segment where that is due; an ask made in silence is a guess at the final."""
    lengths, extent = state.ear.lengths, segment.extent
    partial = state.closely and wants_partial(segment, lengths)
    if segment.connection is None or not (partial or wants_guess(segment, lengths)):
        return state, ()
    quiet = extent.silence >= lengths.pause
    guessed_to = extent.heard_to if quiet else segment.asked.guessed_to
    asked = Asked(at=extent.length, to=extent.heard_to, guessed_to=guessed_to)
    ask = AskWords(segment=segment.id, ask=Ask.GUESS if quiet else Ask.PARTIAL)
    return replace(state, open=replace(segment, asked=asked)), (ask,)


def _close(state: State, segment: Segment, now: float) -> Step:
    ear, extent = state.ear, segment.extent
    voiced = seconds(extent.voiced, ear.settings)
    ended = VoiceEnded(person=ear.person.id, segment=segment.id, at=extent.last_voice, voiced=voiced)
    told: tuple[Decision, ...] = (TellFloor(message=ended),)
    duration = seconds(extent.heard_to, ear.settings)
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
    transcriber = replace(state.transcriber, idle_since=now)
    state = replace(state, open=None, transcriber=transcriber)
    if not has_words(segment, ear.lengths):
        nothing = transcripts.dropped(state, awaited, "near_silence", "", now)
        return state, (*told, DropSound(segment=segment.id), *nothing)
    if segment.connection is None or segment.connection != transcriber.connection:
        state, decisions = transcripts.given_up(state, awaited, "listener_lost", now)
        return state, (*told, *decisions)
    ask = AskWords(segment=segment.id, ask=Ask.FINAL, settled=segment.settled)
    transcriber = replace(transcriber, awaited=(*transcriber.awaited, awaited))
    return replace(state, transcriber=transcriber), (*told, ask)


# --- time -------------------------------------------------------------------------------------------


def _woken(state: State, now: float) -> Step:
    reached = now + _SLACK
    state, decisions = spending.told(state, reached)
    if state.open is not None and deadlines.packets_end(state) <= reached:
        state, more = _close(state, state.open, now)
        decisions = (*decisions, *more)
    for awaited in state.transcriber.awaited:
        if awaited.closed_at + state.ear.settings.final_seconds <= reached:
            state, more = transcripts.missed(state, awaited, "deadline", now)
            decisions = (*decisions, DropSound(segment=awaited.segment.id), *more)
    idle = deadlines.idle_end(state)
    connection = state.transcriber.connection
    if connection is not None and idle is not None and idle <= reached:
        decisions = (*decisions, Disconnect(connection=connection))
        state = replace(state, transcriber=replace(state.transcriber, connection=None))
    return state, decisions


def _ended(state: State, now: float) -> Step:
    state, decisions = spending.told(state, float("inf"))
    if state.open is not None:
        awaiting = (*state.transcriber.awaited, Awaited(segment=state.open, closed_at=now))
        state = replace(state, open=None, transcriber=replace(state.transcriber, awaited=awaiting))
    for awaited in state.transcriber.awaited:
        state, more = transcripts.given_up(state, awaited, "ear_closed", now)
        decisions = (*decisions, *more)
    return state, decisions
