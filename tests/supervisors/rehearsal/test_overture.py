"""The play waits for him and for those who consent, and not for ever."""

from __future__ import annotations

from messages.evidence import Consent
from messages.ids import PersonId
from supervisors.rehearsal.overture import PATIENCE_SECONDS, Overture
from tests.supervisors.rehearsal.play import ANN, BOB, STAY


def consent(person: PersonId, phase: str = "granted") -> Consent:
    return Consent(stay_id=STAY, person_id=person, phase=phase)


def test_nothing_begins_before_he_has_come() -> None:
    assert not Overture().is_over(100.0)


def test_it_is_over_when_everybody_who_consents_has_been_answered() -> None:
    overture = Overture()
    overture.joined([ANN, BOB], 1.0)
    overture.saw(consent(ANN))
    assert not overture.is_over(2.0)
    overture.saw(consent(BOB, "refused"))
    assert overture.is_over(2.0)


def test_a_consent_that_is_never_on_record_is_not_waited_for_for_ever() -> None:
    overture = Overture()
    overture.joined([ANN], 1.0)
    assert not overture.is_over(1.0 + PATIENCE_SECONDS - 0.1)
    assert overture.is_over(1.0 + PATIENCE_SECONDS)


def test_where_nobody_consents_it_is_over_when_he_has_come() -> None:
    overture = Overture()
    overture.joined([], 1.0)
    assert overture.is_over(1.0)
