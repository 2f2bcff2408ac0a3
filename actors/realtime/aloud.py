"""What the operator has him say is said as it stands: no model is asked, and it may be out of order."""

from __future__ import annotations

from dataclasses import replace

from actors.realtime import memory, turns
from actors.realtime.decisions import Add, Record, Step, TellFloor, TellTts
from actors.realtime.items import Said
from actors.realtime.state import State
from messages.evidence import ModelResponse
from messages.floor import Outcome, TurnAnswered
from messages.ids import UtteranceId
from messages.realtime import SpeechWasHeard, TurnAsked
from messages.tts import SayEnd, SayText

REMEMBERED = 8
"""How many of them may be on their way to be heard; the floor asks for one after the other."""


def say(state: State, event: TurnAsked, now: float) -> Step:
    """Speak, and be done with the turn; it counts as his own words once it has been heard."""
    state, before = turns.dropped(state, "replaced", now)
    utterance = UtteranceId(f"{event.turn}-speech")
    said = Said(utterance=utterance, text=event.saying, dictated=True)
    receipt = ModelResponse(
        stay_id=state.stay,
        turn_id=event.turn,
        phase="completed",
        trigger=event.trigger.value,
        outcome=Outcome.SPOKE.value,
        latency_ms=0,
    )
    return replace(state, dictated=(*state.dictated, said)[-REMEMBERED:]), (
        *before,
        TellTts(message=SayText(utterance=utterance, turn=event.turn, text=event.saying)),
        TellTts(message=SayEnd(utterance=utterance)),
        TellFloor(message=TurnAnswered(turn=event.turn, outcome=Outcome.SPOKE, utterance=utterance)),
        Record(receipt=receipt),
    )


def was_heard(state: State, event: SpeechWasHeard) -> Step:
    """What the room has heard of it is remembered, and told to the conversation if that is open."""
    said = next((one for one in state.dictated if one.utterance == event.utterance), None)
    if said is None:
        return memory.was_heard(state, event)
    state = replace(state, dictated=tuple(one for one in state.dictated if one is not said))
    heard = said if event.whole else replace(said, text=event.text, interrupted=True)
    if not heard.text.strip():
        return state, ()
    state = memory.remember(state, heard)
    connection = state.connection
    return state, () if connection is None else (Add(connection=connection, item=heard),)
