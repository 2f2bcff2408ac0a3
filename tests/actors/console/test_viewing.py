"""Whoever watches sees how things are every second, and what happens at once; without them nobody looks."""

from __future__ import annotations

import pytest

from actors.console.core import step
from actors.console.decisions import (
    Answer,
    Decision,
    LookAround,
    ShowReceipt,
    ShowStatus,
    ShowWords,
    Wake,
    Watch,
)
from actors.console.state import State
from messages import console as ask
from messages import evidence as say
from messages.ids import PersonId, StayId, Token, UtteranceId
from tests.actors.console.fake import a_house
from tests.probe import Probe

NEW = State(version="1", opened_at=100.0, token=Token(0), ask_seconds=60.0, words=True)
STAY = StayId("s1")
SPOKEN = say.SpokenWords(stay_id=STAY, utterance_id=UtteranceId("u"), text="hello", whole=True)
HEARD = say.HeardWords(stay_id=STAY, person_id=PersonId("ann"), label="Ann", text="hi", typed=False)
RECORDED = say.Recorded(receipt=say.Volition(stay_id=STAY, outcome="taken"), at=1.0, json_line='{"id":"a"}')


def after(
    *events: ask.ConsoleMessage, state: State = NEW, now: float = 100.0
) -> tuple[State, tuple[Decision, ...]]:
    decisions: tuple[Decision, ...] = ()
    for event in events:
        state, decisions = step(state, event, now)
    return state, decisions


def watch(viewers: int, words: int = 0) -> ask.ViewersChanged:
    return ask.ViewersChanged(viewers=viewers, wanting_words=words)


def looks(token: int) -> tuple[Decision, ...]:
    return LookAround(), Wake(seconds=1.0, message=ask.TreeDue(token=Token(token)))


def again(token: int = 1) -> Wake:
    return Wake(seconds=1.0, message=ask.ViewDue(token=Token(token)))


def test_the_first_viewer_sees_at_once_how_things_are_and_again_every_second() -> None:
    state, decisions = after(watch(1))
    assert decisions == (*looks(1), again())
    state, decisions = after(a_house(), state=state)
    [shown] = decisions
    assert isinstance(shown, ShowStatus)
    assert (shown.report.tree, shown.report.counts.viewers) == (a_house(), 1)
    state, decisions = after(ask.ViewDue(token=Token(1)), state=state)
    assert decisions == (*looks(2), again())


def test_another_viewer_is_shown_it_at_once_too_and_starts_no_second_timer() -> None:
    state, decisions = after(watch(1), a_house(), watch(2))
    assert decisions == looks(2)
    assert [type(each) for each in after(a_house(), state=state)[1]] == [ShowStatus]


def test_two_who_come_during_one_look_share_it() -> None:
    state, decisions = after(watch(1), watch(2))
    assert decisions == ()
    _, decisions = after(a_house(), state=state)
    assert [type(each) for each in decisions] == [ShowStatus]


def test_a_house_that_says_nothing_is_shown_as_it_was() -> None:
    state, decisions = after(watch(1), ask.TreeDue(token=Token(1)))
    [shown] = decisions
    assert isinstance(shown, ShowStatus)
    assert shown.report.tree is None
    # What it says late is known, and shown with the next status.
    assert after(a_house(), state=state)[1] == ()


def test_who_asks_and_who_watches_share_a_look() -> None:
    state, decisions = after(ask.StatusAsked(answer=lambda _: None), watch(1))
    assert decisions == (again(),)
    _, decisions = after(a_house(), state=state)
    assert [type(each) for each in decisions] == [Answer, ShowStatus]


def test_who_only_asks_shows_viewers_nothing_between_two_seconds() -> None:
    _, decisions = after(watch(1), a_house(), ask.StatusAsked(answer=lambda _: None), a_house())
    assert [type(each) for each in decisions] == [Answer]


def test_with_the_last_viewer_gone_nobody_looks_any_more() -> None:
    state, decisions = after(watch(1), watch(0))
    assert decisions == ()
    assert after(a_house(), state=state)[1] == ()
    assert after(ask.ViewDue(token=Token(1)), state=state) == (state, ())


def test_a_viewer_who_comes_back_has_a_timer_of_his_own_and_the_old_one_is_a_dead_letter() -> None:
    state, decisions = after(watch(1), a_house(), watch(0), watch(1))
    assert decisions == (*looks(2), again(2))
    assert after(ask.ViewDue(token=Token(1)), state=state) == (state, ())


def test_receipts_are_shown_to_those_who_watch_and_known_in_any_case() -> None:
    state, decisions = after(RECORDED)
    assert (decisions, len(state.reasons), state.receipts) == ((), 1, 1)
    _, decisions = after(watch(1), RECORDED)
    assert decisions == (ShowReceipt(json_line='{"id":"a"}'),)


@pytest.mark.parametrize("words", [SPOKEN, HEARD])
def test_words_are_shown_where_they_may_be_and_somebody_wants_them(words: say.PrivateWords) -> None:
    _, decisions = after(watch(1, 1), words)
    assert decisions == (ShowWords(words=words),)
    for nobody in (watch(1, 0), watch(0, 1)):
        assert after(nobody, words)[1] == ()
    forbidden = State(version="1", opened_at=0.0, token=Token(0), ask_seconds=1.0)
    assert after(watch(1, 1), words, state=forbidden)[1] == ()


def test_the_record_is_asked_for_words_only_while_somebody_wants_them() -> None:
    state, decisions = after(watch(1, 0))
    assert Watch(words=True) not in decisions
    state, decisions = after(watch(1, 1), state=state)
    assert decisions == (Watch(words=True),)
    state, decisions = after(watch(2, 2), state=state)
    assert not any(isinstance(each, Watch) for each in decisions)
    opened = say.EvidenceOpened(record=Probe[say.Watch]())
    assert after(opened, state=state)[1] == (Watch(words=True),)
    state, decisions = after(watch(1, 0), state=state)
    assert decisions == (Watch(words=False),)
    assert after(opened, state=state)[1] == (Watch(words=False),)
