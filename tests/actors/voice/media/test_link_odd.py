"""Frames that no server should send: they change nothing, and nothing ever raises."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.voice.media.letters import Commit, ExternalSender, Proposals, Ready, Welcome
from actors.voice.media.reading import read_binary, read_text
from tests.actors.voice.media.line import GCM, READY, frame, in_a_group, letter, said, up

KEY = [1] * 32
LONG = 10**400

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from([
    "ssrc", "ip", "port", "modes", "mode", "secret_key", "dave_protocol_version", "user_id", "user_ids",
    "speaking", "audio_ssrc", "transition_id", "protocol_version", "epoch", "heartbeat_interval",
])  # fmt: skip
FRAMES = st.fixed_dictionaries(
    {"op": st.integers(0, 32), "d": st.dictionaries(FIELDS, JSON | st.integers(0, 70_000), max_size=5)},
    optional={"seq": JSON},
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "1",
        '"op"',
        "{}",
        "[" * 100_000,
        '{"op":null,"d":{}}',
        '{"op":true,"d":{}}',
        '{"op":99,"d":{}}',
        '{"op":-1,"d":{}}',
        '{"op":2}',
        '{"op":8,"d":[]}',
        "1" * 5000,
    ],
)
def test_what_is_no_letter_is_ignored(text: str) -> None:
    assert read_text(text)[1] is None
    assert up().text(text) == ()


@pytest.mark.parametrize(
    ("op", "d"),
    [
        (2, {"ssrc": -1, "ip": "127.0.0.1", "port": 5, "modes": []}),
        (2, {"ssrc": 1 << 32, "ip": "127.0.0.1", "port": 5, "modes": []}),
        (2, {"ssrc": 1, "ip": "", "port": 5, "modes": []}),
        (2, {"ssrc": 1, "ip": 5, "port": 5, "modes": []}),
        (2, {"ssrc": 1, "ip": "127.0.0.1", "port": 0, "modes": []}),
        (2, {"ssrc": 1, "ip": "127.0.0.1", "port": 5, "modes": GCM}),
        (4, {"mode": GCM, "secret_key": KEY[:-1]}),
        (4, {"mode": GCM, "secret_key": [*KEY, 1]}),
        (4, {"mode": GCM, "secret_key": [256, *KEY[1:]]}),
        (4, {"mode": GCM, "secret_key": "key"}),
        (4, {"mode": 1, "secret_key": KEY}),
        (4, {"mode": GCM, "secret_key": KEY, "dave_protocol_version": "1"}),
        (5, {"user_id": "9"}),
        (5, {"ssrc": 9}),
        (5, {"ssrc": 9, "user_id": "²"}),
        (5, {"ssrc": 9, "user_id": "1" * 21}),
        (5, {"ssrc": 9, "user_id": "99999999999999999999"}),
        (5, {"ssrc": 9, "user_id": 1 << 63}),
        (8, {"heartbeat_interval": 0}),
        (8, {"heartbeat_interval": "4000"}),
        (8, {"heartbeat_interval": True}),
        (8, {"heartbeat_interval": float("nan")}),
        (8, {"heartbeat_interval": float("inf")}),
        (8, {"heartbeat_interval": LONG}),
        (11, {"user_ids": "1"}),
        (12, {"user_id": "9", "audio_ssrc": 0}),
        (12, {"audio_ssrc": 1}),
        (13, {}),
        (21, {"transition_id": 1}),
        (21, {"transition_id": 1 << 16, "protocol_version": 1}),
        (22, {"transition_id": "1"}),
        (24, {"protocol_version": 1}),
        (24, {"epoch": 1}),
    ],
)
def test_a_letter_whose_contents_are_odd_is_ignored(op: int, d: object) -> None:
    assert read_text(frame(op, d, seq=3)) == (3, None)


def test_odd_parts_of_a_good_letter_are_left_out() -> None:
    text = frame(2, {"ssrc": 7.0, "ip": "127.0.0.1", "port": 5, "modes": [1, GCM, None]}, seq=-1)
    assert read_text(text) == (None, Ready(ssrc=7, ip="127.0.0.1", port=5, modes=(GCM,)))
    _, came = read_text(frame(11, {"user_ids": ["1", 2, "x", None]}))
    assert "1, 2" in str(came)


def test_a_description_without_a_version_is_plain() -> None:
    _, description = read_text(frame(4, {"mode": GCM, "secret_key": KEY}))
    assert "dave_version=0" in repr(description)
    assert "secret" not in repr(description)


@pytest.mark.parametrize(
    ("body", "seq"),
    [
        (b"", None),
        (b"\0", None),
        (b"\0\1", None),
        (letter(99, b"x", 4), 4),
        (letter(27, b"", 5), 5),
        (letter(27, b"\x02x", 6), 6),
        (letter(29, b"\0\1", 7), 7),
        (letter(30, b"", 8), 8),
    ],
)
def test_a_binary_frame_that_is_short_or_unknown_is_only_counted(body: bytes, seq: int | None) -> None:
    assert read_binary(body) == (seq, None)


def test_binary_letters_are_read() -> None:
    assert read_binary(letter(25, b"who", 1)) == (1, ExternalSender(body=b"who"))
    assert read_binary(letter(27, b"\0one", 2)) == (2, Proposals(append=True, body=b"one"))
    assert read_binary(letter(27, b"\1two", 3)) == (3, Proposals(append=False, body=b"two"))
    assert read_binary(letter(29, b"\1\2on", 4)) == (4, Commit(transition=258, body=b"on"))
    assert read_binary(letter(30, b"\0\2in", 5)) == (5, Welcome(transition=2, body=b"in"))


def test_a_line_lives_through_odd_frames() -> None:
    line = in_a_group()
    for odd in ("", "[]", '{"op":5,"d":7}'):
        assert line.text(odd) == ()
    assert line.link.binary(b"", line.now) == ()
    assert said(line.link.speaking(True, line.now))


@settings(deadline=None)
@given(st.lists(st.text() | FRAMES.map(json.dumps) | st.just(READY) | st.binary(), max_size=8), st.booleans())
def test_no_frame_and_no_moment_raises(frames: list[str | bytes], grouped: bool) -> None:
    line = in_a_group() if grouped else up()
    for index, odd in enumerate(frames):
        if isinstance(odd, str):
            line.text(odd)
        else:
            line.link.binary(odd, line.now)
            line.binary(25 + index % 6, odd)
            line.datagram(odd)
        line.wait(0.3)
        line.all_work()
    line.closed(None)


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), max_size=40))
def test_no_order_of_events_raises_or_leaves_the_line_without_a_deadline(events: list[int]) -> None:
    line = up()
    for event in events:
        match event:
            case 0:
                line.closed(1006)
            case 1:
                line.connected()
            case 2:
                line.op(9, None)
            case 3:
                line.binary(27, b"\x00wrong")
            case 4:
                line.op(24, {"protocol_version": 1, "epoch": 1})
            case 5:
                line.op(21, {"protocol_version": 0, "transition_id": 2})
            case 6:
                line.op(22, {"transition_id": 2})
            case 7:
                line.text('{"op":6}')
            case _:
                line.wait(1.0)
        line.all_work()
        assert (line.link.due is None) == (line.link.phase == "closed")
