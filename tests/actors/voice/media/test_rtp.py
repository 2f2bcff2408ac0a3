"""A packet's envelope is read right or not at all, whatever bytes a stranger sends."""

import struct
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.voice.media.rtp import LONGEST, SHORTEST, Outgoing, Packet, Unfit, parse, strip
from tests.actors.voice.media.packets import Envelope

SEALED = bytes(40)

envelopes = st.builds(
    Envelope,
    sequence=st.integers(0, 0xFFFF),
    timestamp=st.integers(0, 0xFFFFFFFF),
    ssrc=st.integers(0, 0xFFFFFFFF),
    csrc=st.integers(0, 15),
    extension=st.none() | st.integers(0, 5),
    padding=st.integers(0, 255),
    marker=st.booleans(),
)


def read(datagram: bytes) -> Packet:
    packet = parse(datagram)
    assert isinstance(packet, Packet)
    return packet


@given(envelopes, st.binary(min_size=20, max_size=100))
def test_what_was_built_is_what_is_read(envelope: Envelope, sealed: bytes) -> None:
    assert parse(envelope.header() + sealed) == envelope.packet()


@given(envelopes, st.binary(min_size=1, max_size=100))
def test_the_frame_comes_out_without_extension_and_padding(envelope: Envelope, frame: bytes) -> None:
    assert strip(envelope.packet(), envelope.plaintext(frame)) == frame


@given(st.binary(max_size=100) | st.binary(min_size=30, max_size=60).map(lambda rest: b"\x9f\x78" + rest))
def test_no_bytes_make_the_reader_fail(datagram: bytes) -> None:
    packet = parse(datagram)
    if isinstance(packet, Packet):
        assert packet.header + 20 <= len(datagram)
        strip(packet, datagram[packet.header : -20])


@given(envelopes, st.binary(max_size=40))
def test_no_plaintext_makes_the_stripping_fail(envelope: Envelope, plaintext: bytes) -> None:
    frame = strip(envelope.packet(), plaintext)
    assert isinstance(frame, Unfit) or (frame and frame in plaintext)


def test_what_is_too_short_or_too_long_is_no_packet() -> None:
    header = Envelope().header()
    assert parse(b"") is Unfit.SHORT
    assert parse(header + bytes(SHORTEST - 13)) is Unfit.SHORT
    assert isinstance(parse(header + bytes(SHORTEST - 12)), Packet)
    assert isinstance(parse(header + bytes(LONGEST - 12)), Packet)
    assert parse(header + bytes(LONGEST - 11)) is Unfit.LONG


def test_another_version_is_no_packet() -> None:
    discovery = struct.pack(">HHI", 2, 70, 7) + bytes(66)
    assert parse(discovery) is Unfit.VERSION


@pytest.mark.parametrize("kind", [200, 201, 204, 205])
def test_a_report_about_packets_is_not_taken_for_sound(kind: int) -> None:
    assert parse(bytes([0x80, kind]) + SEALED) is Unfit.RTCP


@pytest.mark.parametrize("kind", [0, 101, 121, 0x80 | 103])
def test_a_camera_is_not_taken_for_sound(kind: int) -> None:
    assert parse(bytes([0x90, kind]) + SEALED) is Unfit.PAYLOAD_TYPE


def test_a_header_that_outlasts_its_packet_is_refused() -> None:
    assert parse(b"\x8f\x78" + bytes(60)) is Unfit.HEADER
    assert parse(b"\x90\x78" + bytes(30)) is Unfit.HEADER


@pytest.mark.parametrize(
    ("envelope", "plaintext", "why"),
    [
        (Envelope(extension=1), b"abc", Unfit.EXTENSION),
        (Envelope(extension=65_535), b"abc" * 50, Unfit.EXTENSION),
        (Envelope(extension=1), b"ext!", Unfit.EMPTY),
        (Envelope(), b"", Unfit.EMPTY),
        (Envelope(padding=4), b"\0\0\0\4", Unfit.EMPTY),
        (Envelope(padding=1), b"", Unfit.PADDING),
        (Envelope(padding=1), b"abc\0", Unfit.PADDING),
        (Envelope(padding=1), b"abc\5", Unfit.PADDING),
        (Envelope(padding=1, extension=1), b"ext!\4\4", Unfit.EXTENSION),
        (Envelope(padding=1, extension=1), b"ext!\1\2", Unfit.EMPTY),
        (Envelope(padding=1, extension=1), b"ext!\1\3", Unfit.EXTENSION),
    ],
)
def test_lengths_that_lie_leave_no_frame(envelope: Envelope, plaintext: bytes, why: Unfit) -> None:
    assert strip(envelope.packet(), plaintext) is why


def test_his_own_headers_step_and_wrap_around() -> None:
    beginnings = {16: 0xFFFF, 32: 0xFFFFFFFF}
    outgoing = Outgoing(7, beginnings.__getitem__)
    first, second = (read(outgoing.next() + SEALED) for _ in range(2))
    assert first == Packet(0xFFFF, 0xFFFFFFFF, 7, 12, 0, False, False)
    assert second == Packet(0, 959, 7, 12, 0, False, False)


def test_his_clock_runs_on_while_nothing_is_sent_and_his_count_does_not() -> None:
    outgoing = Outgoing(7, lambda bits: bits)
    outgoing.next()
    outgoing.skip(50)
    assert read(outgoing.next() + SEALED)[:3] == (17, 32 + 51 * 960, 7)


@given(st.lists(st.integers(0, 1000), max_size=20), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF))
def test_his_clock_is_always_that_of_the_slots(pauses: list[int], sequence: int, timestamp: int) -> None:
    outgoing = Outgoing(7, {16: sequence, 32: timestamp}.__getitem__)
    slots = count(0)
    for sent, pause in enumerate(pauses):
        packet, slot = read(outgoing.next() + SEALED), next(slots)
        assert packet.sequence == (sequence + sent) % 2**16
        assert packet.timestamp == (timestamp + 960 * slot) % 2**32
        outgoing.skip(pause)
        slots = count(slot + 1 + pause)
