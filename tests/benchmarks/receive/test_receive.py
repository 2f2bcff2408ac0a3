"""The benches of his ears run, and reckon as they say."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

from actors.voice.media.cipher import AES_GCM, KEY_BYTES, Cipher
from actors.voice.media.rtp import Packet, parse
from tests.benchmarks.figures import row
from tests.benchmarks.programs import Workshop
from tests.benchmarks.receive import bench, company, hot, hour, woken
from tests.benchmarks.receive.people import FIRST_SSRC, in_turn, packets


def test_people_talk_in_turn_and_each_goes_on_where_he_was() -> None:
    road = Cipher(AES_GCM, bytes(KEY_BYTES))
    coming = in_turn([packets(place, lambda frame: frame, road) for place in range(2)])
    read = [parse(datagram) for datagram in itertools.islice(coming, 4)]
    known = [(one.ssrc - FIRST_SSRC, one.sequence) for one in read if isinstance(one, Packet)]
    assert known == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_a_packet_can_be_heard_and_costs_something() -> None:
    assert asyncio.run(hot.measure(1)) > 0


def test_an_hour_has_tenths() -> None:
    assert len(asyncio.run(hour.measure(hot.AT_ONCE * hour.TENTHS))) == hour.TENTHS


def test_a_delay_is_from_a_persons_packet_to_his_own_frame() -> None:
    assert woken.delays([[1.0, 2.0], [5.0]], [[1.5, 2.25], [5.0]]) == [500.0, 250.0, 0.0]


def test_what_is_written_for_the_company_is_what_it_sends() -> None:
    assert list(company.datagrams(b"\x02\x00ab\x00\x00\x01\x00c")) == [b"ab", b"", b"c"]


def test_the_floor_compiles_and_tells(tmp_path: Path) -> None:
    workshop = Workshop(tmp_path)
    for regime in ("hot", "woken"):
        ran = workshop.run(bench.floor(regime, "0.2"), 20.0)
        assert ran.values or ran.cannot, ran.failed


def test_every_line_reads_a_run_that_is_there() -> None:
    for one in bench.BENCHES:
        for line in one.lines:
            readings = (line.ours, line.peer, line.floor)
            assert {reading.run for reading in readings if reading} <= set(one.runs)
            assert row(line, {}).ours is None
