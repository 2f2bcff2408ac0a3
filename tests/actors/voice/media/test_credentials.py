"""Session and server find each other, whichever comes first, and no stale one is ever used."""

from actors.voice.media.credentials import Credentials, Desk

PAIR = Credentials(session="s1", token="t1", endpoint="a:1")


def test_a_pair_is_used_once_in_whichever_order_it_comes() -> None:
    first, second = Desk(), Desk()
    assert first.state("s1", 0.0) is None
    assert first.server("t1", "a:1", 0.1) == PAIR
    assert second.server("t1", "a:1", 0.0) is None
    assert second.due is None
    assert second.state("s1", 0.1) == PAIR
    assert second.state("s1", 0.2) is None


def test_a_server_alone_waits_a_moment_for_the_state_that_may_belong_to_it() -> None:
    desk = Desk()
    desk.state("s1", 0.0)
    assert desk.server("t1", "a:1", 10.0) is None
    assert desk.due == 10.15
    assert desk.tick(10.1) is None
    assert desk.state("s2", 10.12) == Credentials(session="s2", token="t1", endpoint="a:1")
    assert desk.tick(10.2) is None
    assert desk.due is None


def test_a_server_that_moved_keeps_the_session() -> None:
    desk = Desk()
    desk.state("s1", 0.0)
    desk.server("t0", "a:0", 10.0)
    desk.server("t1", "a:1", 10.1)
    assert desk.tick(10.25) == PAIR


def test_being_out_of_voice_voids_the_session_and_the_server_that_waits() -> None:
    desk = Desk()
    desk.state("s0", 0.0)
    desk.server("t0", "a:0", 10.0)
    assert desk.state(None, 10.1) is None
    assert desk.tick(10.2) is None
    assert desk.server("t1", "a:1", 10.3) is None
    assert desk.state("s1", 10.4) == PAIR


def test_a_server_without_an_endpoint_means_wait() -> None:
    desk = Desk()
    desk.state("s1", 0.0)
    desk.server("t0", "a:0", 10.0)
    assert desk.server("t0", None, 10.1) is None
    assert desk.tick(11.0) is None
    assert desk.due is None


def test_a_token_is_not_shown() -> None:
    assert "t1" not in repr(PAIR)
