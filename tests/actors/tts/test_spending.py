"""An utterance is one entry on the bill, however many sentences it had and however it ended."""

from __future__ import annotations

import pytest

from actors.tts import core, spending
from actors.tts.decisions import Decision, Record
from actors.tts.settings import TtsSettings
from actors.tts.state import State
from messages.evidence import Usage
from messages.ids import Connection, StayId, TurnId, UtteranceId
from messages.tts import DropSpeech, SayEnd, SayText, SoundMade, SynthesisFailed, UnitSpoken, VoiceSpent
from messages.tts import TtsMessage as Message
from messages.usage import Spending

U, ONE = UtteranceId("u1"), Connection(1)
SAY = SayText(utterance=U, turn=TurnId("t1"), text="Hello there. ")
END, DROP = SayEnd(utterance=U), DropSpeech(utterance=U)
MADE = SoundMade(connection=ONE, utterance=U, unit=0, pcm=b"12")
SPOKEN = UnitSpoken(connection=ONE, utterance=U, unit=0)
FAILED = SynthesisFailed(connection=ONE, utterance=U, reason="quota")


def spends(characters: int, connection: Connection = ONE) -> VoiceSpent:
    spent = Spending(provider="elevenlabs", model="m", characters=characters)
    return VoiceSpent(connection=connection, utterance=U, spent=spent)


def used(characters: int) -> Usage:
    return Usage(
        stay_id=StayId("s1"), service="speech", provider="elevenlabs", model="m", characters=characters
    )


def after(*events: Message) -> tuple[State, list[Usage]]:
    state, receipts = State(settings=TtsSettings(), stay=StayId("s1")), list[Usage]()
    for event in events:
        state, decisions = core.step(state, event)
        receipts += usages(decisions)
    return state, receipts


def usages(decisions: tuple[Decision, ...]) -> list[Usage]:
    records = (one.receipt for one in decisions if isinstance(one, Record))
    return [receipt for receipt in records if isinstance(receipt, Usage)]


def test_sentences_are_added_up_and_told_when_all_is_spoken() -> None:
    events = (SAY, spends(12), MADE, spends(5, Connection(2)), SPOKEN)
    assert after(*events)[1] == []
    assert after(*events, END)[1] == [used(17)]


@pytest.mark.parametrize(
    "ending", [(DROP,), (MADE, FAILED, END), (MADE, END, FAILED)], ids=["dropped", "failed", "failed last"]
)
def test_it_is_told_once_however_the_utterance_ends(ending: tuple[Message, ...]) -> None:
    assert after(SAY, spends(12), *ending, DROP, END)[1] == [used(12)]


def test_what_was_spent_on_an_utterance_that_is_over_is_told_at_once() -> None:
    assert after(SAY, DROP, spends(12))[1] == [used(12)]


def test_an_utterance_of_which_nothing_was_given_away_costs_nothing() -> None:
    assert after(SAY, DROP)[1] == []


def test_at_the_end_of_a_life_what_was_spent_is_told() -> None:
    state, _ = after(SAY, spends(12))
    assert usages(core.stopped(state, "crash")) == [used(12)]
    assert usages(spending.told(state, *state.speeches)) == [used(12)]
