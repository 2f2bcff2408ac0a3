"""Whose turn it is: one moment of the room in, one moment and its decisions out."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.floor import company, ducking, ending, hearing, obeying, ordering, speaking
from actors.floor.asking import ask_next, waits_until
from actors.floor.decisions import Decision, Wake
from actors.floor.lines import line_typed
from actors.floor.state import State
from actors.floor.understanding import hear
from messages.floor import (
    AwaitQuiet,
    ConversationRestarted,
    FloorMessage,
    FloorTick,
    HushGoesOn,
    JustJoined,
    LineTyped,
    ResultWaiting,
    RosterTold,
    SpeechCut,
    SpeechDrained,
    SpeechFailed,
    SpeechQueued,
    SpeechStarted,
    SpeechTold,
    TurnAnswered,
    TurnLost,
    TurnOrphaned,
    VoiceBegan,
    VoiceEnded,
    VoiceHeld,
    WordsFailed,
    WordsHeard,
    WorkBegan,
    WorkEnded,
)
from messages.ids import Token
from messages.orders import Hush, Interrupt, SayAloud


def step(state: State, event: FloorMessage, now: float) -> tuple[State, tuple[Decision, ...]]:
    """What the floor believes after `event` at monotonic second `now`, and what it wants done."""
    state = replace(state, now=now)
    if isinstance(event, FloorTick):
        if event.token != state.timer:
            return state, ()
        state = replace(state, timer_due=None)
    state = obeying.lift(state)
    state = company.decay(state)  # first: the event must not keep a conversation that is over already
    state = _take(state, event)
    state = _give_up(state)
    state = _catch_up(state)
    state = _go_on(state)
    state = _set_timer(state)
    return (replace(state, out=()), state.out) if state.out else (state, ())


def _take(state: State, event: FloorMessage) -> State:
    match event:
        case VoiceBegan():
            return hearing.voice_began(state, event)
        case VoiceHeld():
            return hearing.voice_held(state, event)
        case VoiceEnded():
            return hearing.voice_ended(state, event)
        case WordsHeard():
            return ordering.words_heard(state, event)
        case WordsFailed():
            return ordering.words_failed(state, event)
        case LineTyped():
            return line_typed(state, event.line, hear(event.line.text, state.names, state.words))
        case SpeechQueued() | SpeechStarted() | SpeechTold() | SpeechDrained() | SpeechCut() | SpeechFailed():
            return speaking.take(state, event)
        case TurnAnswered() | TurnLost() | TurnOrphaned() | ConversationRestarted():
            return ending.take(state, event)
        case RosterTold() | JustJoined() | AwaitQuiet() | WorkBegan() | WorkEnded() | ResultWaiting():
            return company.take(state, event)
        case SayAloud() | Hush() | Interrupt() | HushGoesOn():
            return obeying.take(state, event)
        case FloorTick():
            return state
        case _ as never:
            assert_never(never)


def _give_up(state: State) -> State:
    """Whoever has been waited for in vain keeps nobody waiting."""
    state = hearing.give_up_lost_voices(state)
    return speaking.give_up(state)


def _catch_up(state: State) -> State:
    """What was heard is decided and reacted to, as far as its time has come."""
    state = ordering.release_lines(state)
    return ducking.rise_in_time(state)


def _go_on(state: State) -> State:
    """The conversation is kept or is over, and then the next turn is asked for, or he is quiet."""
    state = company.beat(state)
    state = company.decay(state)
    state = ask_next(state)
    return company.tell_quiet(state)


def _set_timer(state: State) -> State:
    """Ask to be woken for the next moment at which something is due, unless that is arranged already."""
    due = min((moment for moment in _moments(state) if moment > state.now), default=None)
    if due is None or (state.timer_due is not None and state.timer_due <= due):
        return state
    token = Token(state.timer + 1)
    return replace(state, timer=token, timer_due=due).do(
        Wake(seconds=due - state.now, message=FloorTick(token=token))
    )


def _moments(state: State) -> list[float]:
    """Every moment at which time alone changes something."""
    maybe = [
        state.flight.give_up_at if state.flight is not None else None,
        company.decays_at(state),
        *(ducking.rises_at(state, speech) for speech in state.speeches),
    ]
    return [
        *(moment for moment in maybe if moment is not None),
        *(speech.give_up_at for speech in state.speeches),
        *(voice.lost_at for voice in state.voices),
        *(waiting.due for waiting in state.waiting),
        *(work.next_beat for work in state.works),
        *waits_until(state),
    ]
