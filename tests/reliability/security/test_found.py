"""What the drawn evenings have found, each in as few steps as it takes."""

from __future__ import annotations

from tests.actors.gateway.scene import ANNA, ATTIC, BERT, CLEO, DEN
from tests.reliability.security.test_consent import WhoIsHeard


def evening(*, by_presence: bool = False, most: int = 25) -> WhoIsHeard:
    machine = WhoIsHeard()
    machine.opens(by_presence=by_presence, most=most, far=0)
    return machine


def heard(machine: WhoIsHeard) -> set[str]:
    """Who is, once everybody has said what he has to say; the model agrees."""
    machine.settles()
    machine.nobody_else_is_heard()
    return machine.house.permitted()


def test_whoever_goes_before_the_stay_lives_takes_his_consent_along() -> None:
    machine = evening()
    machine.comes(BERT, DEN)
    machine.is_called(BERT, slash=True)
    machine.comes(BERT, ATTIC)
    machine.comes(BERT, DEN)
    machine.begins()
    assert heard(machine) == set()


def test_an_opt_in_for_which_there_is_no_ear_ends_a_refusal_all_the_same() -> None:
    machine = evening(by_presence=True, most=1)
    machine.comes(ANNA, DEN)
    machine.is_called(ANNA, slash=False)
    machine.begins()
    assert heard(machine) == {str(ANNA.id)}
    machine.comes(BERT, DEN)
    machine.opts_out(BERT)
    machine.opts_in(BERT)
    machine.goes(ANNA)
    machine.goes(BERT)
    machine.comes(BERT, DEN)
    assert heard(machine) == {str(BERT.id)}


def test_whoever_opts_in_twice_while_he_is_coming_keeps_his_place() -> None:
    machine = evening(most=1)
    for person in (ANNA, CLEO):
        machine.comes(person, DEN)
    machine.is_called(ANNA, slash=True)
    for person in (CLEO, ANNA):
        machine.opts_in(person)
    machine.begins()
    assert heard(machine) == {str(ANNA.id)}
