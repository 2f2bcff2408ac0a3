"""The history of a night: who may be heard when, and which utterance sounds as which number."""

from __future__ import annotations

from messages.evidence import Consent, Left, ModelResponse, Playback, Receipt
from messages.floor import Trigger
from messages.ids import PersonId, StayId, TurnId, UtteranceId
from tests.reliability.chaos.history import OnRecord
from tests.reliability.chaos.making import FOREVER, granted, tones_of
from tests.reliability.mind import Answered

STAY = StayId("stay")


def on_record(*receipts: tuple[float, Receipt]) -> list[OnRecord]:
    return [OnRecord(at=at, life=1, receipt=receipt) for at, receipt in receipts]


def consent(person: str, phase: str) -> Consent:
    return Consent(stay_id=STAY, person_id=PersonId(person), phase=phase)


def turn(name: str, phase: str) -> ModelResponse:
    return ModelResponse(stay_id=STAY, turn_id=TurnId(name), phase=phase, trigger="address")


def playback(utterance: str, name: str) -> Playback:
    return Playback(
        stay_id=STAY, utterance_id=UtteranceId(utterance), turn_id=TurnId(name), phase="cut", at_ms=0
    )


def answer(number: int, at: float) -> Answered:
    return Answered(number=number, trigger=Trigger.ADDRESS, speakers=frozenset(), lines=(), at=at)


def test_a_consent_stands_from_its_grant_to_whatever_ends_it() -> None:
    left = Left(stay_id=STAY, reason="operator", duration_ms=1)
    periods = granted(
        on_record(
            (1.0, consent("ada", "granted")),
            (2.0, consent("ben", "granted")),
            (3.0, consent("ada", "withdrawn")),
            (4.0, consent("ben", "counted")),
            (5.0, left),
            (6.0, consent("ada", "granted")),
        )
    )
    assert periods == {"ada": [(1.0, 3.0), (6.0, FOREVER)], "ben": [(2.0, 5.0)]}


def test_an_utterance_sounds_as_the_number_in_its_text() -> None:
    assert tones_of("u", "This is number 7. This is number 7.", [], []) == (7,)


def test_one_that_was_cut_in_its_first_word_sounds_as_the_one_answer_to_its_turn() -> None:
    record = on_record(
        (1.0, turn("a", "requested")),
        (1.2, turn("a", "completed")),
        (1.3, playback("u", "a")),
        (1.3, turn("b", "requested")),
        (1.5, turn("b", "completed")),
    )
    answers = [answer(4, 0.95), answer(5, 1.4)]
    assert tones_of("u", "This is", record, answers) == (4,)
    assert tones_of("u", "This is", record, [*answers, answer(6, 1.1)]) == ()
    assert tones_of("another", "", record, answers) == ()
