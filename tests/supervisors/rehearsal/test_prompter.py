"""The prompter gives each step once, at its time or after its cue, and knows when the play is over."""

from __future__ import annotations

from messages import evidence as e
from messages.ids import HandoffId
from supervisors.rehearsal.prompter import Prompter
from supervisors.rehearsal.scenario import Cue, Step
from tests.supervisors.rehearsal.play import ANN, STAY, handoff, playback, turn

STARTED = Cue(receipt="playback", where={"phase": "started"})


def test_a_step_at_a_second_is_due_then_and_once() -> None:
    prompter = Prompter([Step(at=2.0, kick=True), Step(at=1.0, delay=0.5, end=True)])
    assert prompter.next_look(0.0) == 1.5
    assert prompter.take_due(1.0) == ()
    assert prompter.take_due(2.0) == (1, 0)
    assert prompter.take_due(3.0) == ()


def test_seconds_count_from_the_rise_of_the_curtain() -> None:
    prompter = Prompter([Step(at=1.0, kick=True), Step(after=STARTED, end=True)])
    prompter.raise_curtain(4.0)
    assert prompter.take_due(4.9) == ()
    assert prompter.take_due(5.0) == (0,)


def test_a_step_waits_for_the_nth_receipt_that_fits() -> None:
    prompter = Prompter([Step(after=STARTED.model_copy(update={"nth": 2}), delay=1.0, kick=True)])
    prompter.saw(playback("started", "u0"), 1.0)
    prompter.saw(playback("drained", "u0"), 2.0)
    assert list(prompter.waiting) == [0]
    prompter.saw(playback("started", "u1"), 3.0)
    assert not prompter.waiting
    assert prompter.take_due(3.9) == ()
    assert prompter.take_due(4.0) == (0,)


def test_it_is_over_three_seconds_after_the_last_thing_that_happened() -> None:
    prompter = Prompter([])
    prompter.saw(playback("drained", "u0"), 1.0)
    prompter.happened(2.0)
    assert not prompter.is_over(4.9)
    assert prompter.is_over(5.0)


def test_it_is_not_over_while_a_step_waits_for_its_cue_or_its_time() -> None:
    assert not Prompter([Step(after=STARTED, kick=True)]).is_over(60.0)
    assert not Prompter([Step(at=70.0, kick=True)]).is_over(60.0)


def test_a_turn_that_is_pending_holds_it_open_unless_it_died() -> None:
    prompter = Prompter([])
    prompter.saw(turn("requested", "u0", "greeting"), 1.0)
    assert not prompter.is_over(5.0)
    assert prompter.is_over(11.0)
    prompter.saw(turn("completed", "u0", "greeting"), 2.0)
    assert prompter.is_over(5.0)


def test_work_of_the_captain_holds_it_open_however_slow() -> None:
    prompter = Prompter([])
    prompter.saw(handoff("began"), 1.0)
    assert not prompter.is_over(100.0)
    other = e.Handoff(stay_id=STAY, handoff_id=HandoffId("other"), asker_id=ANN, phase="returned")
    prompter.saw(other, 100.0)
    assert not prompter.is_over(110.0)
    prompter.saw(handoff("failed"), 110.0)
    assert prompter.is_over(113.0)


def test_after_he_has_left_there_is_a_moment_for_what_is_on_its_way() -> None:
    prompter = Prompter([])
    assert not prompter.has_left(100.0)
    prompter.saw(e.Left(stay_id=STAY, reason="kicked", duration_ms=1), 4.0)
    assert not prompter.has_left(4.4)
    assert prompter.next_look(4.1) == 4.5
    assert prompter.has_left(4.5)
