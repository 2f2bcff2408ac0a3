"""Every program of the actors' bench runs, and a house opens without what it does not need yet."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from messages.audio import FRAME_BYTES, Frame
from messages.ids import CaptureId, PersonId
from tests.benchmarks.actors.bench import BENCHES
from tests.benchmarks.actors.cold import HOUSE, opened
from tests.benchmarks.actors.crash import crashed
from tests.benchmarks.actors.growth import Ring, reported
from tests.benchmarks.actors.hop import flooded, played
from tests.benchmarks.actors.listening import Busy, Ears
from tests.source import ROOT

NOT_YET = ("supervisors.family", "actors.console.live", "aiohttp", "websockets", "openai", "discord", "numpy")


def test_letters_go_to_and_fro() -> None:
    figures = {**played(20), **flooded(20)}
    assert 0 < figures["p50_us"] <= figures["p99_us"]
    assert min(figures.values()) > 0


def test_a_letter_goes_round_a_ring() -> None:
    ring = Ring(3)
    assert ring.cheapest(10) > 0
    ring.close()


def test_a_report_is_made_of_a_long_record(tmp_path: Path) -> None:
    assert reported(60, tmp_path) > 0


def test_a_crashed_child_reads_again() -> None:
    figures = crashed(3)
    assert 0 < figures["p50_ms"] <= figures["p99_ms"] == figures["max_ms"]


def test_an_ear_notes_what_reached_it_and_what_did_not() -> None:
    person = PersonId("7")
    with Ears([person]) as ears, Busy():
        (ear,) = ears.each
        for _ in range(3):
            frame = Frame(person=person, capture=CaptureId("c7"), pcm=bytes(FRAME_BYTES), at=time.monotonic())
            ear.sink.put(frame)
        ear.close()
        figures = ears.figures("house")
    assert (figures["house_frames"], figures["house_missing"]) == (3, 0)
    assert 0 < figures["house_p50_ms"] <= figures["house_max_ms"]


def test_a_house_opens() -> None:
    figures = opened()
    assert figures["seconds"] > 0 < figures["cpu"]


def test_an_open_house_has_not_imported_what_only_a_stay_needs() -> None:
    done = subprocess.run(
        (sys.executable, "-X", "importtime", "-m", HOUSE),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30.0,
        check=True,
    )
    assert done.stdout == "open\n"
    imported = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line]
    assert "supervisors.tree" in imported
    assert [name for name in imported if name in NOT_YET] == []


def test_every_line_reads_a_run_that_there_is() -> None:
    for bench in BENCHES:
        for line in bench.lines:
            for reading in (line.ours, line.peer, line.floor):
                assert reading is None or reading.run in bench.runs
