"""A line that breaks: taken up again with the same session, or given up in time."""

import pytest

from actors.voice.media.acts import Abort, Connect, Resumed
from actors.voice.media.close_codes import Plan
from tests.actors.voice.media.line import (
    ACKNOWLEDGED,
    ADA,
    GUILD,
    HELLO,
    SESSION,
    SSRC,
    TOKEN,
    Line,
    description,
    frame,
    in_a_group,
    lost,
    numbered,
    others,
    said,
    up,
)

NOT_SPEAKING = (5, {"speaking": 0, "delay": 0, "ssrc": SSRC})


def broken(code: int | None = 1006) -> Line:
    line = in_a_group()
    assert line.closed(code) == (Connect(),)
    return line


def test_the_session_goes_on_after_the_last_letter() -> None:
    line = in_a_group()
    line.op(18, {}, seq=7)
    line.closed(4015)
    line.now += 0.02
    ids = {"server_id": str(GUILD), "session_id": SESSION, "token": TOKEN}
    assert said(line.connected()) == [(7, ids | {"seq_ack": 7})]
    acts = line.op(9, None)
    assert others(acts) == [Resumed(ms=20, tries=1)]
    assert said(acts) == [NOT_SPEAKING]
    assert line.link.phase == "up"
    assert line.group.heard == ["begin", "welcome in"]


def test_what_was_missed_is_read_like_anything_else() -> None:
    line = broken()
    line.connected()
    line.text(HELLO)
    assert others(line.op(5, {"user_id": str(ADA), "ssrc": 9, "speaking": 1}, seq=8))
    line.text(frame(9, None))
    assert line.op(13, {"user_id": str(ADA)}, seq=9)


def test_he_says_again_whether_he_speaks() -> None:
    line = broken()
    assert line.link.speaking(True, line.now) == ()
    line.connected()
    assert said(line.op(9, None)) == [(5, {"speaking": 1, "delay": 0, "ssrc": SSRC})]


def test_a_server_that_is_down_is_tried_four_times_with_patience() -> None:
    line, times = broken(), [0.0]
    start = line.now
    while lost(acts := line.closed(None)) is None:
        assert acts == ()
        assert line.link.tick(line.now) == ()
        assert line.link.due is not None
        line.now = line.link.due
        assert line.link.tick(line.now) == (Connect(),)
        times.append(line.now - start)
    assert times == [0.0, 0.25, 0.75, 1.75]
    assert lost(acts) == (None, Plan.FRESH, "resume_failed")
    assert acts[0] != Abort()


def test_a_resume_that_hangs_is_given_up_after_five_seconds() -> None:
    line = broken()
    line.connected()
    assert others(line.wait(4.9)) == []
    acts = line.wait(0.2)
    assert others(acts)[0] == Abort()
    assert lost(acts) == (None, Plan.FRESH, "resume_failed")


def test_a_try_that_never_opens_is_given_up_after_five_seconds() -> None:
    line = broken()
    assert line.wait(4.9) == ()
    acts = line.wait(0.2)
    assert acts[0] == Abort()
    assert lost(acts) == (None, Plan.FRESH, "resume_failed")


def test_a_limit_that_passes_between_two_tries_aborts_nothing() -> None:
    line = broken()
    line.now += 4.0
    line.closed(None)
    line.now += 1.5
    acts = line.link.tick(line.now)
    assert lost(acts) == (None, Plan.FRESH, "resume_failed")
    assert Abort() not in acts


@pytest.mark.parametrize(
    ("code", "plan", "reason"),
    [
        (4006, Plan.FRESH, "session_invalid"),
        (4014, Plan.WAIT_FOR_STATE, "disconnected"),
        (4004, Plan.FRESH_ONCE, "authentication_failed"),
    ],
)
def test_a_resume_that_is_refused_ends_the_line(code: int, plan: Plan, reason: str) -> None:
    line = broken()
    line.connected()
    assert lost(line.closed(code)) == (code, plan, reason)


def test_a_peer_that_answers_no_heartbeat_is_dropped_and_the_session_taken_up() -> None:
    line = up()
    assert said(line.wait(2.0))[0][0] == 3
    assert line.wait(4.0) == (Abort(), Connect())
    assert said(line.connected())[0][0] == 7
    line.op(9, None)
    assert line.link.phase == "up"
    assert said(line.wait(2.0))[0][0] == 3


def test_an_answered_heartbeat_is_followed_by_the_next() -> None:
    line = up()
    line.wait(2.0)
    for _ in range(5):
        line.text(ACKNOWLEDGED)
        assert [op for op, _ in said(line.wait(4.0))] == [3]


def test_a_dead_peer_before_sound_flows_is_not_resumed() -> None:
    line = Line()
    line.connected()
    line.text(HELLO)
    line.wait(2.0)
    acts = line.wait(4.0)
    assert acts[0] == Abort()
    assert lost(acts) == (None, Plan.FRESH, "connection_lost")


def test_a_resumed_websocket_without_a_hello_is_watched_all_the_same() -> None:
    line = broken()
    line.connected()
    line.op(9, None)
    assert said(line.wait(2.0))[0][0] == 3
    assert line.wait(4.0) == (Abort(),)
    assert line.wait(0.25) == (Connect(),)


def test_a_line_that_keeps_breaking_comes_back_ever_more_slowly() -> None:
    line, waits = up(), list[float]()
    for _ in range(6):
        start = line.now
        if Connect() not in line.closed(1006):
            assert line.link.due is not None
            line.now = line.link.due
            assert line.link.tick(line.now) == (Connect(),)
        waits.append(line.now - start)
        line.connected()
        line.op(9, None)
    assert waits == [0.0, 0.25, 0.5, 1.0, 1.0, 1.0]


def test_a_break_after_a_calm_time_is_taken_up_at_once() -> None:
    line = up()
    for _ in range(3):
        assert line.closed(1006) == (Connect(),)
        line.connected()
        line.op(9, None)
        line.now += 11.0


def test_letters_of_a_websocket_that_was_dropped_are_old() -> None:
    line = broken()
    line.connected()
    line.closed(None)
    for acts in (line.text(description()), line.binary(25, b"sender"), line.closed(4014), line.connected()):
        assert acts == ()
    assert line.link.phase == "resuming"


def test_a_description_during_a_resume_is_no_new_session() -> None:
    line = broken()
    line.connected()
    assert line.connected() == ()
    assert line.text(description()) == ()


def test_work_for_the_group_waits_for_the_websocket() -> None:
    line = in_a_group()
    line.binary(29, numbered(5, b"next"))
    line.closed(1006)
    assert not line.link.work_waiting
    assert line.work() == ()
    line.connected()
    assert not line.link.work_waiting
    line.op(9, None)
    assert line.link.work_waiting
    assert (23, {"transition_id": 5}) in said(line.work())


def test_a_transition_that_is_announced_before_the_resume_is_answered_after_it() -> None:
    line = broken()
    line.connected()
    assert line.op(21, {"transition_id": 3, "protocol_version": 1}) == ()
    assert (23, {"transition_id": 3}) in said(line.op(9, None))


def test_an_introduction_that_may_be_lost_is_made_again() -> None:
    line = up()
    line.closed(1006)
    line.connected()
    assert said(line.op(9, None)) == [NOT_SPEAKING, (26, b"package")]
    line.binary(30, numbered(0, b"in"))
    line.all_work()
    line.closed(1006)
    line.wait(0.25)
    line.connected()
    assert said(line.op(9, None)) == [NOT_SPEAKING]


def test_a_refusal_that_may_be_lost_is_said_again_with_its_introduction() -> None:
    line = in_a_group()
    line.binary(29, numbered(8, b"wrong"))
    line.all_work()
    line.closed(1006)
    line.connected()
    assert said(line.op(9, None)) == [NOT_SPEAKING, (31, {"transition_id": 8}), (26, b"package")]
