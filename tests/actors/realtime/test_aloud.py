"""What the operator has him say goes past the model, and is his own once the room has heard it."""

from __future__ import annotations

import pytest

from actors.realtime.aloud import REMEMBERED
from actors.realtime.decisions import Connect, Decision, Respond
from actors.realtime.items import Observed, Said
from messages.evidence import ModelResponse
from messages.floor import Outcome, Trigger, TurnAnswered
from messages.ids import StayId, TurnId, UtteranceId
from messages.realtime import (
    CancelTurn,
    ConversationLost,
    CostObserved,
    MouthRestarted,
    RoomObserved,
    SpeechWasHeard,
    TurnAsked,
)
from messages.tts import SayEnd, SayText
from tests.actors.realtime.talk import (
    HERE,
    ONE,
    R1,
    T1,
    T2,
    U1,
    Talk,
    answer,
    floor,
    items,
    line,
    only,
    receipts,
    spoken,
)

WORDS = "Dinner is ready. 5.30 sharp!"


def aloud(talk: Talk, turn: TurnId = T1, text: str = WORDS) -> list[Decision]:
    return talk.do(TurnAsked(turn=turn, trigger=Trigger.OPERATOR, lines=(), saying=text))


def heard(utterance: UtteranceId, text: str = WORDS, *, whole: bool = True) -> SpeechWasHeard:
    return SpeechWasHeard(utterance=utterance, text=text, whole=whole)


def test_it_is_spoken_to_the_letter_and_the_turn_is_over() -> None:
    talk = Talk()
    done = aloud(talk)
    assert spoken(done) == [SayText(utterance=U1, turn=T1, text=WORDS), SayEnd(utterance=U1)]
    assert answer(done) == (Outcome.SPOKE, U1, "")
    assert not [one for one in done if isinstance(one, Connect | Respond)]
    assert receipts(done) == [
        ModelResponse(
            stay_id=StayId("stay"),
            turn_id=T1,
            phase="completed",
            trigger="operator",
            outcome="spoke",
            latency_ms=0,
        )
    ]


def test_with_the_model_in_trouble_he_says_it_all_the_same_and_the_trouble_stays() -> None:
    talk = Talk()
    talk.ask(line("Clankie, hello"))
    talk.do(ConversationLost(connection=ONE, reason="quota"))
    before = (talk.state.trouble, talk.state.retry_at)
    done = aloud(talk, T2)
    assert answer(done)[0] is Outcome.SPOKE
    assert (talk.state.trouble, talk.state.retry_at) == before


@pytest.mark.parametrize(
    ("news", "remembered"),
    [
        (heard(U1), [Said(utterance=U1, text=WORDS, dictated=True)]),
        (
            heard(U1, "Dinner is", whole=False),
            [Said(utterance=U1, text="Dinner is", interrupted=True, dictated=True)],
        ),
        (heard(U1, "", whole=False), []),
        (heard(UtteranceId("another"), whole=False), []),
    ],
)
def test_he_remembers_of_it_what_the_room_has_heard(news: SpeechWasHeard, remembered: list[Said]) -> None:
    talk = Talk()
    talk.ask(line("Clankie, hello"), turn=T2)
    talk.do(CancelTurn(turn=T2))
    aloud(talk)
    assert not [one for one in talk.state.ring if isinstance(one, Said)]
    told = talk.do(news)
    assert items(told) == remembered
    assert [one for one in talk.state.ring if isinstance(one, Said)] == remembered


def test_with_no_conversation_open_it_is_in_the_next_ones_beginning() -> None:
    talk = Talk()
    aloud(talk)
    assert talk.do(heard(U1)) == []
    seed = only(talk.ask(line("Clankie, hello"), turn=T2), Connect).seed
    assert Said(utterance=U1, text=WORDS, dictated=True) in seed.remembered


def test_a_turn_that_is_in_its_way_is_given_up() -> None:
    talk = Talk()
    talk.ask(line("Clankie, hello"), turn=T2)
    done = aloud(talk)
    answered = [one for one in floor(done) if isinstance(one, TurnAnswered)]
    assert [(one.turn, one.outcome) for one in answered] == [(T2, Outcome.FAILED), (T1, Outcome.SPOKE)]
    assert talk.state.flight is None
    assert talk.do(MouthRestarted()) == []


def test_what_nobody_tells_him_of_any_more_is_not_kept_for_ever() -> None:
    talk = Talk()
    for number in range(REMEMBERED + 3):
        aloud(talk, TurnId(f"t{number}"))
    assert len(talk.state.dictated) == REMEMBERED


# --- how long the model takes to begin --------------------------------------------------------------


def test_the_first_text_is_timed_from_the_question() -> None:
    talk = Talk()
    talk.ask(line("Clankie, hello"))
    talk.wait(0.25)
    talk.text("  ")
    talk.wait(0.5)
    talk.text("Well")
    talk.wait(1.0)
    talk.text(" hello.")
    (receipt,) = receipts(talk.end())
    assert isinstance(receipt, ModelResponse)
    assert (receipt.first_text_ms, receipt.latency_ms) == (750, 1750)


def test_where_there_was_no_text_no_time_is_said() -> None:
    talk = Talk()
    talk.ask(line("Clankie, hello"))
    (receipt,) = receipts(talk.end(R1))
    assert isinstance(receipt, ModelResponse)
    assert receipt.first_text_ms is None


# --- what it costs ----------------------------------------------------------------------------------


def test_what_a_stay_has_cost_is_an_observation_and_asks_for_nothing() -> None:
    talk = Talk()
    talk.do(RoomObserved(people=HERE, change=None, who=None))
    assert talk.do(CostObserved(amount=1.0, currency="USD")) == []
    talk.handed_off()
    told = talk.do(CostObserved(amount=2.3, currency="EUR"))
    (item,) = items(told)
    assert item == Observed(text="So far this stay has cost about 2.30 EUR.")
    assert floor(told) == []
    assert len(talk.state.observations) == 2
