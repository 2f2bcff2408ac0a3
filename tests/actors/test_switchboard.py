"""A link gets a pair of its own, and nobody mistakes a redial for a kick."""

from __future__ import annotations

import pytest

from actors.switchboard import Caller, Switchboard
from messages.ids import RoomId
from tests.actors.switching import ELSEWHERE, GENERAL, HOME, LOBBY, ME, MUSIC, OUT, PAIR, Ear, Talk


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture
def linked(talk: Talk) -> Talk:
    """He was ordered in, is there, and his link has used the pair."""
    talk.board.enter(GENERAL)
    talk.board.connect(GENERAL, talk.ear)
    talk.answer()
    talk.orders.take()
    talk.ear.take()
    return talk


# --- coming ---------------------------------------------------------------------------------------


def test_nobody_is_called_before_the_account_is_ready() -> None:
    board = Switchboard()
    board.enter(GENERAL)
    board.leave(GENERAL)
    board.redial(GENERAL, Ear())
    assert board.connect(GENERAL, Ear()) is None


def test_a_room_that_nobody_sees_cannot_be_called_until_it_is_seen(talk: Talk) -> None:
    attic = RoomId("12")
    assert talk.board.connect(attic, talk.ear) is None
    talk.board.sees(attic, HOME)
    assert talk.board.connect(attic, talk.ear) == Caller(user=ME, guild=HOME, channel=12)


def test_a_link_that_comes_first_dials_and_the_gateway_does_not_dial_again(talk: Talk) -> None:
    assert talk.board.connect(GENERAL, talk.ear) == Caller(user=ME, guild=HOME, channel=10)
    talk.board.enter(GENERAL)
    assert talk.orders.take() == [(HOME, 10)]
    assert talk.answer()
    assert talk.ear.take() == PAIR
    talk.board.enter(GENERAL)
    assert talk.orders.take() == []


def test_a_link_that_comes_last_finds_the_pair_waiting(talk: Talk) -> None:
    talk.board.enter(GENERAL)
    assert talk.answer()
    talk.board.connect(GENERAL, talk.ear)
    assert talk.ear.take() == PAIR
    assert talk.orders.take() == [(HOME, 10)]


def test_the_server_may_come_before_the_state(talk: Talk) -> None:
    talk.board.connect(GENERAL, talk.ear)
    talk.board.heard_server(HOME, "t1", "voice:1")
    assert talk.ear.take() == []
    assert talk.state("s1", 10)
    assert talk.ear.take() == PAIR


def test_a_server_without_an_endpoint_means_wait(talk: Talk) -> None:
    talk.board.connect(GENERAL, talk.ear)
    talk.state("s1", 10)
    talk.board.heard_server(HOME, "t0", None)
    assert talk.ear.take() == []
    talk.board.heard_server(HOME, "t1", "voice:1")
    assert talk.ear.take() == PAIR
    talk.board.heard_server(HOME, "t2", None)
    talk.board.heard_server(HOME, "t2", "voice:2")
    assert talk.ear.take() == [("server", "t2", None), ("server", "t2", "voice:2")]


def test_a_new_link_in_the_same_room_gets_a_new_pair_and_the_old_one_hears_no_more(linked: Talk) -> None:
    second = Ear()
    linked.board.connect(GENERAL, second)
    assert linked.orders.take() == [(HOME, None)]
    assert not linked.state(None, None)
    assert linked.orders.take() == [(HOME, 10)]
    assert not linked.answer("s2", pair="t2")
    assert second.take() == [("state", "s2", "10"), ("server", "t2", "voice:1")]
    linked.board.disconnect(linked.ear)
    linked.board.redial(GENERAL, linked.ear)
    assert linked.ear.take() == []
    assert linked.orders.take() == []


def test_whoever_dials_another_room_of_the_guild_is_answered_for_that_one_only(linked: Talk) -> None:
    linked.board.connect(MUSIC, linked.ear)
    assert linked.orders.take() == [(HOME, 11)]
    assert not linked.state("s1", 10)
    assert linked.answer("s1", 11, "t2")
    assert linked.ear.take() == [("state", "s1", "11"), ("server", "t2", "voice:1")]


def test_guilds_do_not_disturb_each_other(linked: Talk) -> None:
    other = Ear()
    linked.board.connect(LOBBY, other)
    linked.board.heard_state(ELSEWHERE, "e", 20)
    linked.board.heard_server(ELSEWHERE, "et", "voice:9")
    assert linked.ear.take() == []
    linked.board.disconnect(linked.ear)
    linked.board.heard_server(ELSEWHERE, "eu", "voice:9")
    assert len(other.take()) == 3


# --- a redial -------------------------------------------------------------------------------------


def test_the_empty_state_of_a_redial_is_no_kick(linked: Talk) -> None:
    linked.board.redial(GENERAL, linked.ear)
    linked.board.redial(GENERAL, linked.ear)
    assert linked.orders.take() == [(HOME, None)]
    assert not linked.state("s1", 10)
    linked.board.heard_server(HOME, "late", "voice:0")
    assert not linked.state(None, None)
    assert linked.orders.take() == [(HOME, 10)]
    assert not linked.state(None, None)
    assert not linked.answer("s2", pair="t2")
    assert linked.ear.take() == [("state", "s2", "10"), ("server", "t2", "voice:1")]


def test_a_redial_after_he_was_told_to_leave_does_not_bring_him_back(linked: Talk) -> None:
    linked.board.leave(GENERAL)
    linked.orders.take()
    linked.board.redial(GENERAL, linked.ear)
    assert linked.state(None, None)
    assert linked.ear.take() == [("unreachable", "left"), OUT]
    linked.board.redial(GENERAL, linked.ear)
    assert linked.ear.take() == [("unreachable", "left")]
    assert linked.orders.take() == []


def test_an_order_to_leave_during_a_redial_is_the_last_word(linked: Talk) -> None:
    linked.board.redial(GENERAL, linked.ear)
    linked.board.leave(GENERAL)
    assert linked.state(None, None)
    assert linked.orders.take() == [(HOME, None)]


def test_an_unanswered_order_is_given_once_more_and_then_given_up(talk: Talk) -> None:
    talk.board.connect(GENERAL, talk.ear)
    first = talk.board.order(HOME)
    talk.overdue()
    talk.board.overdue(HOME, first)
    assert talk.orders.take() == [(HOME, 10), (HOME, 10)]
    talk.overdue()
    talk.overdue()
    assert talk.ear.take() == [("unreachable", "no_answer")]
    talk.board.redial(GENERAL, talk.ear)
    assert talk.orders.take() == [(HOME, 10)]


def test_an_answer_that_comes_after_all_is_taken(talk: Talk) -> None:
    talk.board.connect(GENERAL, talk.ear)
    talk.overdue()
    talk.overdue()
    talk.ear.take()
    assert talk.answer()
    assert talk.ear.take() == PAIR


def test_an_order_that_got_lost_with_the_line_is_given_again_once_the_account_is_back(linked: Talk) -> None:
    linked.board.redial(GENERAL, linked.ear)
    lost = linked.board.order(HOME)
    linked.board.resumed()
    linked.board.overdue(HOME, lost)
    assert linked.orders.take() == [(HOME, None), (HOME, None)]
    linked.state(None, None)
    linked.board.resumed()
    assert linked.orders.take() == [(HOME, 10), (HOME, 10)]
    linked.answer("s2", pair="t2")
    assert linked.ear.take() == [("state", "s2", "10"), ("server", "t2", "voice:1")]
    linked.board.resumed()
    assert linked.orders.take() == []


def test_a_farewell_that_nobody_answers_is_repeated(linked: Talk) -> None:
    linked.board.redial(GENERAL, linked.ear)
    linked.overdue()
    linked.overdue()
    assert linked.orders.take() == [(HOME, None), (HOME, None)]
    assert linked.ear.take() == [("unreachable", "no_answer")]
    linked.board.connect(GENERAL, linked.ear)
    assert linked.orders.take() == [(HOME, None)]


def test_a_server_without_a_state_is_no_pair(linked: Talk) -> None:
    linked.board.redial(GENERAL, linked.ear)
    linked.overdue()
    linked.board.disconnect(linked.ear)
    linked.overdue()
    linked.board.heard_server(HOME, "t9", "voice:9")
    linked.board.connect(GENERAL, linked.ear)
    assert linked.ear.take() == []


# --- leaving, being moved, being put out ----------------------------------------------------------


def test_he_leaves_once_and_that_is_news(linked: Talk) -> None:
    linked.board.leave(GENERAL)
    linked.board.leave(GENERAL)
    assert linked.orders.take() == [(HOME, None)]
    assert linked.state(None, None)
    assert not linked.state(None, None)
    assert linked.ear.take() == [OUT]
    linked.board.leave(GENERAL)
    assert linked.orders.take() == []


def test_whoever_is_called_back_while_he_leaves_has_not_left(linked: Talk) -> None:
    linked.board.leave(GENERAL)
    linked.board.enter(GENERAL)
    linked.board.enter(GENERAL)
    assert not linked.state(None, None)
    assert linked.orders.take() == [(HOME, None), (HOME, 10)]
    assert linked.answer("s2")


def test_another_room_during_a_redial_is_where_he_comes_back(linked: Talk) -> None:
    linked.board.redial(GENERAL, linked.ear)
    linked.board.enter(MUSIC)
    assert not linked.state(None, None)
    assert linked.orders.take() == [(HOME, None), (HOME, 11)]


def test_an_order_to_leave_that_is_lost_is_repeated_and_then_forgotten(linked: Talk) -> None:
    linked.board.leave(GENERAL)
    linked.overdue()
    linked.overdue()
    assert linked.orders.take() == [(HOME, None), (HOME, None)]
    assert linked.ear.take() == []
    linked.board.enter(GENERAL)
    assert linked.orders.take() == [(HOME, 10)]


def test_somebody_who_puts_him_out_is_heard_at_once(linked: Talk) -> None:
    assert linked.state(None, None)
    assert linked.ear.take() == [OUT]
    linked.board.redial(GENERAL, linked.ear)
    assert linked.ear.take() == [("unreachable", "left")]


def test_somebody_may_put_him_out_before_the_server_has_come(talk: Talk) -> None:
    talk.board.enter(GENERAL)
    assert talk.state("s1", 10)
    assert talk.state(None, None)
    talk.board.heard_server(HOME, "late", "voice:1")
    talk.board.connect(GENERAL, talk.ear)
    assert talk.ear.take() == []


def test_a_move_keeps_his_session_and_brings_a_server(linked: Talk) -> None:
    assert linked.state("s1", 11)
    assert not linked.state("s1", 11)
    linked.board.heard_server(HOME, "t2", "voice:2")
    assert linked.ear.take() == [("state", "s1", "11"), ("server", "t2", "voice:2")]


def test_a_move_while_nobody_listens_makes_the_pair_useless(talk: Talk) -> None:
    talk.board.enter(GENERAL)
    talk.answer()
    assert talk.state("s1", 11)
    talk.orders.take()
    talk.board.connect(MUSIC, talk.ear)
    assert talk.orders.take() == [(HOME, None)]


def test_where_nobody_wants_him_he_hangs_up(talk: Talk) -> None:
    assert not talk.state("old", 10)
    assert talk.orders.take() == [(HOME, None)]
    assert not talk.state(None, None)
