"""From the first websocket to sound that flows, and what may come in between."""

from actors.voice.media.acts import Abort, Departed, GroupChanged, OpenUdp, PeopleNow, SendUdp, Speaker, Up
from actors.voice.media.close_codes import Plan
from actors.voice.media.link import Link
from actors.voice.media.opening import choose
from tests.actors.voice.media.line import (
    ACKNOWLEDGED,
    ADA,
    ANSWER,
    BEA,
    GCM,
    GUILD,
    HELLO,
    KEY,
    QUESTION,
    READY,
    SESSION,
    SSRC,
    TOKEN,
    USER,
    XCHACHA,
    Keys,
    Line,
    description,
    frame,
    in_a_group,
    lost,
    others,
    said,
    up,
)


def test_he_says_who_he_is_as_soon_as_the_websocket_stands() -> None:
    ids = {"server_id": str(GUILD), "user_id": str(USER), "session_id": SESSION, "token": TOKEN}
    assert said(Line().connected()) == [(0, ids | {"max_dave_protocol_version": 1})]


def test_the_whole_way_to_sound() -> None:
    line = Line()
    line.connected()
    assert line.text(HELLO) == ()
    acts = line.text(READY)
    assert acts == (OpenUdp(ip="127.0.0.1", port=5004), SendUdp(datagram=QUESTION))
    data = {"address": "192.0.2.1", "port": 4321, "mode": GCM}
    assert said(line.datagram(ANSWER)) == [(1, {"protocol": "udp", "data": data})]
    acts = line.text(description())
    changed = GroupChanged(version=1, ready=False, epoch=None, privacy_code="")
    assert others(acts) == [Up(ssrc=SSRC, mode=GCM, secret_key=KEY, dave_version=1), changed]
    assert said(acts) == [(5, {"speaking": 0, "delay": 0, "ssrc": SSRC})]
    assert line.link.work_waiting
    assert said(line.work()) == [(26, b"package")]
    assert not line.link.work_waiting
    assert line.work() == ()


def test_without_encryption_from_end_to_end_nobody_begins_a_group() -> None:
    line = up(version=0)
    assert line.group.heard == []
    assert line.group.ready


def test_nothing_secret_is_shown() -> None:
    line = Line()
    shown = repr(line.connected()) + repr(line.link)
    assert TOKEN not in shown
    assert SESSION not in shown
    assert "key" not in repr(Up(ssrc=1, mode=GCM, secret_key=KEY, dave_version=1))


def test_the_best_mode_that_both_know_is_chosen() -> None:
    assert choose([XCHACHA, GCM], [GCM, XCHACHA]) == GCM
    assert choose([XCHACHA], [GCM, XCHACHA]) == XCHACHA
    assert choose(["other"], [GCM, XCHACHA]) is None


def test_the_only_mode_that_can_be_encrypted_here_is_chosen() -> None:
    link = Link(user=1, guild=2, session="", token="", group=Keys(), jitter=0.0, modes=(XCHACHA,))
    link.connected(0.0)
    link.text(READY, 0.0)
    (sent,) = said(link.datagram(ANSWER, 0.0))
    assert XCHACHA in str(sent)


def test_a_server_without_a_known_mode_is_given_up() -> None:
    line = Line()
    line.connected()
    acts = line.op(2, {"ssrc": SSRC, "ip": "127.0.0.1", "port": 5004, "modes": ["other"]})
    assert acts[0] == Abort()
    assert lost(acts) == (None, Plan.TERMINAL, "no_common_mode")


def test_a_server_that_answers_with_another_mode_is_given_up() -> None:
    line = Line()
    line.connected()
    line.text(READY)
    line.datagram(ANSWER)
    assert lost(line.text(description(mode="other"))) == (None, Plan.TERMINAL, "no_common_mode")


def test_a_lost_datagram_is_asked_for_again_five_times_in_all() -> None:
    line = Line()
    line.connected()
    line.text(READY)
    assert line.wait(4.5) == (SendUdp(datagram=QUESTION),) * 4
    acts = line.wait(1.0)
    assert acts[0] == Abort()
    assert lost(acts) == (None, Plan.FRESH, "udp_unreachable")
    assert line.link.due is None


def test_only_the_answer_to_his_own_question_counts() -> None:
    line = Line()
    line.connected()
    assert line.datagram(ANSWER) == ()
    line.text(READY)
    address, port = ANSWER[8:72], ANSWER[72:]
    for odd in (
        b"",
        ANSWER[:-1],
        ANSWER + b"\0",
        QUESTION,
        ANSWER[:4] + b"\0\0\0\x08" + ANSWER[8:],
        ANSWER[:8] + b"\xff" * 64 + port,
        ANSWER[:8] + b"nowhere".ljust(64, b"\0") + port,
        ANSWER[:8] + address + b"\0\0",
    ):
        assert line.datagram(odd) == ()
    assert line.link.phase == "discovering"
    assert line.datagram(ANSWER)
    assert line.datagram(ANSWER) == ()


def test_letters_out_of_order_change_nothing() -> None:
    line = Line()
    assert line.text(HELLO) == ()  # before the websocket stands
    line.connected()
    assert line.connected() == ()
    assert line.text(description()) == ()
    assert line.op(9, None) == ()
    line.text(READY)
    assert line.text(READY) == ()
    assert line.text(description()) == ()
    line.datagram(ANSWER)
    assert line.link.phase == "selecting"


def test_an_opening_that_stops_half_way_is_given_up_after_ten_seconds() -> None:
    line = Line()
    line.connected()
    line.text(READY)
    line.datagram(ANSWER)
    assert line.wait(9.9) == ()
    assert lost(line.wait(0.2)) == (None, Plan.FRESH, "opening_timed_out")


def test_a_websocket_that_never_opens_is_lost() -> None:
    assert lost(Line().closed(None)) == (None, Plan.FRESH, "connection_lost")


def test_an_opening_that_breaks_is_not_resumed() -> None:
    line = Line()
    line.connected()
    assert lost(line.closed(1006)) == (1006, Plan.FRESH, "connection_lost")


def test_a_refused_introduction_is_terminal() -> None:
    line = Line()
    line.connected()
    assert lost(line.closed(4017)) == (4017, Plan.TERMINAL, "dave_required")


def test_after_the_end_nothing_is_said() -> None:
    line = in_a_group()
    line.closed(4014)
    for acts in (
        line.connected(),
        line.text(HELLO),
        line.binary(25, b"sender"),
        line.datagram(ANSWER),
        line.closed(1000),
        line.link.speaking(True, line.now),
        line.work(),
        line.link.tick(line.now + 100),
    ):
        assert acts == ()
    assert line.link.due is None
    assert not line.link.work_waiting


def test_the_first_heartbeat_comes_after_a_random_part_of_the_interval() -> None:
    for jitter in (0.0, 0.5, 1.0):
        line = Line(jitter)
        line.connected()
        line.text(HELLO)
        assert line.link.due == line.now + 4.0 * jitter


def test_a_heartbeat_names_the_last_letter_that_was_read() -> None:
    line = up()
    line.op(18, {}, seq=41)
    line.wait(2.0)
    line.text(ACKNOWLEDGED)
    line.link.binary(b"\x00\x2a\x63", line.now)
    assert said(line.wait(4.0)) == [(3, {"t": int(line.now * 1000), "seq_ack": 42})]


def test_a_server_that_beats_slowly_is_watched_every_five_seconds() -> None:
    line = Line(1.0)
    line.connected()
    line.op(8, {"heartbeat_interval": 41_250})
    assert line.link.due == line.now + 5.0


def test_a_repeated_hello_does_not_put_off_the_heartbeat() -> None:
    line = Line(1.0)
    line.connected()
    line.text(HELLO)
    due = line.link.due
    line.now += 1
    line.text(HELLO)
    assert line.link.due == due


def test_people_and_their_streams_are_told() -> None:
    line = up()
    ids = frozenset({ADA, BEA})
    assert line.op(11, {"user_ids": [str(ADA), str(BEA), str(USER)]}) == (PeopleNow(users=ids),)
    assert line.op(5, {"user_id": str(ADA), "ssrc": 9, "speaking": 0}) == (Speaker(ssrc=9, user=ADA),)
    assert line.op(12, {"user_id": str(BEA), "audio_ssrc": 10, "video_ssrc": 0}) == (
        Speaker(ssrc=10, user=BEA),
    )
    assert line.op(13, {"user_id": str(ADA)}) == (
        PeopleNow(users=frozenset({BEA})),
        Departed(user=ADA),
    )
    assert line.op(13, {"user_id": str(USER)}) == ()
    assert line.op(11, {"user_ids": []}) == (PeopleNow(users=frozenset({BEA})),)


def test_platforms_and_flags_are_nothing_to_him() -> None:
    line = up()
    assert line.op(18, {"user_id": str(ADA), "flags": 2}) == ()
    assert line.op(20, {"user_id": str(ADA), "platform": 0}) == ()


def test_that_he_speaks_is_said_now_or_as_soon_as_the_line_is_up() -> None:
    line = Line()
    line.connected()
    line.text(READY)
    line.datagram(ANSWER)
    assert line.link.speaking(True, line.now) == ()
    assert (5, {"speaking": 1, "delay": 0, "ssrc": SSRC}) in said(line.text(description()))
    assert said(line.link.speaking(False, line.now)) == [(5, {"speaking": 0, "delay": 0, "ssrc": SSRC})]


def test_a_second_session_description_brings_a_new_key_and_a_new_group() -> None:
    line = in_a_group()
    acts = line.text(frame(4, {"mode": GCM, "secret_key": [9] * 32, "dave_protocol_version": 1}))
    assert acts[0] == Up(ssrc=SSRC, mode=GCM, secret_key=bytes([9] * 32), dave_version=1)
    assert said(line.all_work()) == [(26, b"package")]
