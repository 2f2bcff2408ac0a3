"""The benches of his pace run, and reckon as they say."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from messages.audio import FRAME_BYTES
from tests.benchmarks.bench import Floor
from tests.benchmarks.figures import row
from tests.benchmarks.pacing import bench, paced, send, speech
from tests.benchmarks.programs import Workshop


def test_speech_gets_faster_in_a_straight_line() -> None:
    assert list(array("h", speech.faster(array("h", [0, 30, 60, -3])))) == [0, 20, 40]
    frames = speech.frames(0.1)
    assert [len(frame) for frame in frames] == [FRAME_BYTES] * 5


def test_deviation_is_from_20_ms_and_drift_of_whole_moments() -> None:
    exact = [slot / 50 for slot in range(100)]
    late = [*exact[:50], exact[50] + 0.03, *exact[51:]]
    assert paced.deviation(exact)["max"] == pytest.approx(0, abs=1e-6)
    told = paced.deviation(late)
    assert (told["gaps"], round(told["max"], 3), round(told["drift"], 3)) == (1.0, 30.0, 0.0)
    slower = [slot * 0.021 for slot in range(100)]
    assert paced.deviation(slower)["drift"] == pytest.approx(75.0)


def test_too_few_first_packets_tell_nothing() -> None:
    took = [float(number) for number in range(paced.ENOUGH_FIRSTS)]
    assert paced.firsts(took, "idle") == {"idle_p50": 5.0, "idle_slowest": 9.0}
    assert not paced.firsts(took[1:], "idle")


def test_a_frame_can_be_sent_and_costs_something(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(send, "SECONDS", 0.1)
    monkeypatch.setattr(send, "PASSES", 1)
    send.main()
    assert '"us"' in capsys.readouterr().out


@pytest.mark.parametrize(
    "floor",
    [
        Floor("timer.c", ("3",)),
        Floor("send.c", (speech.opus(), "5", *map(str, speech.FILES))),
    ],
    ids=["timer", "send"],
)
def test_the_floors_compile_and_tell(floor: Floor, tmp_path: Path) -> None:
    ran = Workshop(tmp_path).run(floor, 20.0)
    assert ran.values or ran.cannot, ran.failed


def test_every_line_reads_a_run_that_is_there() -> None:
    for one in bench.BENCHES:
        for line in one.lines:
            readings = (line.ours, line.peer, line.floor)
            assert {reading.run for reading in readings if reading} <= set(one.runs)
            assert row(line, {}).ours is None
