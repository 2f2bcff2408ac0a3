"""The account may come back anew and threads may cross: the calls of the switchboard go on."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messages.ids import RoomId
from tests.actors.switching import ELSEWHERE, GENERAL, HOME, ME, MUSIC, PAIR, ROOMS, Ear, Orders, Talk


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


def test_at_the_start_he_leaves_wherever_an_earlier_life_left_him(talk: Talk) -> None:
    assert not talk.board.found(HOME, "old", 10)
    assert not talk.board.found(ELSEWHERE, None, None)
    assert talk.orders.take() == [(HOME, None)]


def test_an_account_that_opens_after_it_was_given_up_takes_no_orders_from_the_one_in_its_place(
    talk: Talk,
) -> None:
    board, late, other = talk.board, Orders(), Orders()
    places = (board.enlist(), board.enlist())
    assert not board.attach(late, places[0])
    assert board.attach(other, places[1])
    assert not board.attach(late, places[0])
    board.detach(late)
    board.enter(GENERAL)
    assert (late.take(), other.take()) == ([], [(HOME, 10)])
    board.detach(other)
    assert board.attach(late, board.enlist())


def test_a_call_that_outlived_the_connection_is_asked_for_and_nobody_waits(linked: Talk) -> None:
    linked.board.ready(ME, ROOMS)
    assert linked.board.found(HOME, "s1", 10)
    assert linked.orders.take() == [(HOME, 10)]
    linked.overdue()
    assert linked.ear.take() == []
    linked.board.heard_server(HOME, "t2", "voice:2")
    assert linked.ear.take() == [("server", "t2", "voice:2")]


def test_a_move_during_the_gap_is_told_afterwards(linked: Talk) -> None:
    assert linked.board.found(HOME, "s1", 11)
    assert linked.ear.take() == [("state", "s1", "11")]


def test_a_call_that_was_lost_in_the_gap_is_dialed_again_and_is_no_kick(linked: Talk) -> None:
    assert not linked.board.found(HOME, None, None)
    assert linked.orders.take() == [(HOME, 10)]
    assert linked.answer("s2", pair="t2")
    assert linked.ear.take() == [("state", "s2", "10"), ("server", "t2", "voice:1")]


def test_what_was_under_way_in_the_gap_is_begun_again(talk: Talk) -> None:
    talk.board.connect(GENERAL, talk.ear)
    talk.board.found(HOME, "s1", 10)
    assert talk.orders.take() == [(HOME, 10), (HOME, 10)]
    talk.answer()
    talk.board.redial(GENERAL, talk.ear)
    talk.board.found(HOME, "s1", 10)
    assert talk.orders.take() == [(HOME, None), (HOME, None)]


def test_an_account_that_goes_ends_every_call(linked: Talk) -> None:
    linked.board.detach(Orders())
    assert linked.ear.take() == []
    linked.board.detach(linked.orders)
    assert linked.ear.take() == [("unreachable", "account_gone")]
    assert linked.board.connect(GENERAL, linked.ear) is None
    linked.board.heard_state(HOME, "s", 10)
    assert linked.orders.take() == []


# --- threads --------------------------------------------------------------------------------------


def test_a_listener_may_redial_from_within_what_it_is_told(talk: Talk) -> None:
    class Impatient(Ear):
        def server(self, token: str, endpoint: str | None) -> None:
            super().server(token, endpoint)
            talk.board.redial(GENERAL, self)

    talk.board.connect(GENERAL, Impatient())
    talk.answer()
    assert talk.orders.take() == [(HOME, 10), (HOME, None)]


def test_a_slow_listener_holds_up_nobody_and_hears_everything_in_order(talk: Talk) -> None:
    told, go_on = threading.Event(), threading.Event()

    class Slow(Ear):
        def state(self, session: str | None, room: RoomId | None) -> None:
            told.set()
            assert go_on.wait(2)
            super().state(session, room)

    ear = Slow()
    talk.board.connect(GENERAL, ear)
    telling = threading.Thread(target=talk.answer)
    telling.start()
    assert told.wait(2)
    talk.board.heard_server(HOME, "t2", "voice:2")
    go_on.set()
    telling.join(2)
    assert ear.take() == [*PAIR, ("server", "t2", "voice:2")]


HAPPENINGS = st.sampled_from(
    ["enter", "enter other", "leave", "connect", "redial", "discord", "moved", "put out"]
)


@given(st.lists(HAPPENINGS, max_size=30))
def test_whatever_happened_he_ends_up_where_he_is_wanted(happenings: list[str]) -> None:
    talk = Talk()
    there: int | None = None
    session = 0

    def discord() -> None:
        """Carry out what was ordered, as Discord would."""
        nonlocal there, session
        for _, channel in talk.orders.take():
            if channel is None:
                there = None
                talk.state(None, None)
            else:
                session += there is None
                there = channel
                talk.answer(f"s{session}", channel)

    for happening in happenings:
        match happening:
            case "enter":
                talk.board.enter(GENERAL)
            case "enter other":
                talk.board.enter(MUSIC)
            case "leave":
                talk.board.leave(GENERAL)
            case "connect":
                talk.board.connect(GENERAL, talk.ear)
            case "redial":
                talk.board.redial(GENERAL, talk.ear)
            case "moved" if there:
                there = 21 - there
                talk.answer(f"s{session}", there)
            case "put out" if there:
                there = None
                talk.state(None, None)
            case _:
                discord()
    for wanted in (11, None):
        for _ in range(4):
            discord()
        (talk.board.leave if wanted is None else talk.board.enter)(MUSIC)
        for _ in range(4):
            discord()
        assert there == wanted


def test_a_microphone_where_he_still_is_does_not_call_off_the_way_to_another_room(linked: Talk) -> None:
    linked.board.enter(MUSIC)
    assert not linked.state("s1", 10)
    linked.overdue()
    assert linked.orders.take() == [(HOME, 11), (HOME, 11)]
    assert linked.answer("s1", 11, "t2")
    assert linked.ear.take() == [("state", "s1", "11"), ("server", "t2", "voice:1")]


def test_the_time_of_an_earlier_order_says_nothing_about_a_later_one(linked: Talk) -> None:
    linked.board.enter(MUSIC)
    earlier = linked.board.order(HOME)
    linked.board.leave(MUSIC)
    linked.board.overdue(HOME, earlier)
    assert linked.orders.take() == [(HOME, 11), (HOME, None)]


def test_whoever_hangs_up_while_he_is_told_hears_no_more(talk: Talk) -> None:
    class Hasty(Ear):
        def state(self, session: str | None, room: RoomId | None) -> None:
            super().state(session, room)
            talk.board.disconnect(self)

    hasty = Hasty()
    talk.board.connect(GENERAL, hasty)
    talk.answer()
    assert hasty.take() == [("state", "s1", "10")]


def test_another_account_knows_nothing_of_the_calls_of_the_one_before(linked: Talk) -> None:
    linked.board.detach(linked.orders)
    another = Orders()
    linked.board.attach(another)
    linked.board.ready(ME, ROOMS)
    linked.board.enter(GENERAL)
    assert another.take() == [(HOME, 10)]
