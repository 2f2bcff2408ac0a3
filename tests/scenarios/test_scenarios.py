"""Every bundled scenario is played by the real house, on real speech, in real time, and holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisors.rehearsal import run
from supervisors.rehearsal.load import load
from supervisors.rehearsal.narrator import Silent
from supervisors.rehearsal.run import rehearse
from supervisors.rehearsal.seat import Start
from supervisors.theatre import LocalTheatre
from tests.scenarios.sound import Stopwatch

HERE = Path(__file__).parent
DEMO = HERE.parents[1] / "supervisors" / "rehearsal" / "demo" / "demo.toml"
NOISE = HERE.parent / "speech" / "noise"
SCENARIOS = (*sorted(HERE.glob("*.toml")), DEMO)
IN_ONE_ROOM = tuple(path for path in SCENARIOS if not load(path).rooms)
"""The others are played over a Discord."""

MOST_FRAMES = 10
"""More frames of 20 ms after a decision to cut: it was not obeyed; on an idle machine it is one."""
LONGEST_SILENCE = 5.0
"""Seconds from the end of the word that stops him to his last audible frame; beside other tests one
transcription may take a second by itself. How fast he really is are lines of the budget table."""


@pytest.fixture(scope="session")
def theatre() -> Iterator[LocalTheatre]:
    theatre = LocalTheatre()
    for _ in theatre.speech.load():
        pass
    yield theatre
    theatre.close()


@pytest.fixture
def stopwatches(monkeypatch: pytest.MonkeyPatch) -> list[Stopwatch]:
    """The recorders of all rehearsals of this test, each with its own opinion of when it was quiet."""
    made: list[Stopwatch] = []

    def make(start: Start) -> Stopwatch:
        made.append(Stopwatch(start))
        return made[-1]

    monkeypatch.setattr(run, "Recorder", make)
    return made


@pytest.mark.timeout(150)
@pytest.mark.parametrize("path", IN_ONE_ROOM, ids=lambda path: path.stem)
def test_a_bundled_scenario_holds(
    theatre: LocalTheatre, stopwatches: list[Stopwatch], path: Path, tmp_path: Path
) -> None:
    result = rehearse(path, tmp_path, Silent(), theatre)
    assert [verdict.sentence for verdict in result.verdicts if not verdict.held] == []
    assert max(stopwatches[0].frames_after_decisions(result.moments), default=0) <= MOST_FRAMES
    assert max(stopwatches[0].silent_after_words(result.moments), default=0.0) <= LONGEST_SILENCE


def test_every_scenario_expects_something_and_ends_by_itself() -> None:
    for path in SCENARIOS:
        play = load(path)
        assert play.expectations
        assert play.limit < 90


def test_every_noise_is_made_over_his_speech() -> None:
    steps = load(HERE / "room_tone.toml").steps
    played = {Path(step.wav).stem for step in steps if step.wav and step.after}
    assert played == {path.stem for path in NOISE.glob("*.wav")}
    assert len(played) == 10
