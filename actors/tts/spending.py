"""An utterance is paid for once, by what was given to be spoken of it, however it ended."""

from __future__ import annotations

from dataclasses import replace

from actors.tts.decisions import Decision, Forget, Record, Step
from actors.tts.state import Speech, State
from messages.ids import StayId
from messages.tts import VoiceSpent
from messages.usage import Spending


def noted(state: State, event: VoiceSpent) -> Step:
    """More of an utterance was given away; of one that is over it is put on record by itself."""
    speech = state.named(event.utterance)
    if speech is None:
        return state, (_record(state.stay, event.spent),)
    spent = event.spent if speech.spent is None else speech.spent.plus(event.spent)
    more = replace(speech, spent=spent)
    return replace(state, speeches=tuple(more if one is speech else one for one in state.speeches)), ()


def over(state: State, speech: Speech) -> tuple[Decision, ...]:
    """What there is to do about every utterance that ends: the port forgets it, the record does not."""
    return Forget(connection=speech.connection, utterance=speech.utterance), *told(state, speech)


def told(state: State, *over: Speech) -> tuple[Record, ...]:
    """Put on record what these utterances have used."""
    return tuple(_record(state.stay, speech.spent) for speech in over if speech.spent is not None)


def _record(stay: StayId, spent: Spending) -> Record:
    return Record(receipt=spent.on_record(stay, "speech"))
