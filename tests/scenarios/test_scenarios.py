"""Every bundled scenario is played by the real house, on real speech, in real time, and holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisors.local import LocalTheatre
from supervisors.rehearsal.figures import figures
from supervisors.rehearsal.load import load
from supervisors.rehearsal.narrator import Silent
from supervisors.rehearsal.run import rehearse

HERE = Path(__file__).parent
DEMO = HERE.parents[1] / "supervisors" / "rehearsal" / "demo" / "demo.toml"
SCENARIOS = (*sorted(HERE.glob("*.toml")), DEMO)


@pytest.fixture(scope="session")
def theatre() -> Iterator[LocalTheatre]:
    theatre = LocalTheatre()
    for _ in theatre.speech.load():
        pass
    yield theatre
    theatre.close()


@pytest.mark.timeout(150)
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_bundled_scenario_holds(theatre: LocalTheatre, path: Path, tmp_path: Path) -> None:
    result = rehearse(path, tmp_path, Silent(), theatre)
    assert [verdict.sentence for verdict in result.verdicts if not verdict.held] == []
    stopped = [figure for figure in figures(result.moments) if figure.name == "decision to stop to silence"]
    assert all(figure.held for figure in stopped)


def test_every_scenario_expects_something_and_ends_by_itself() -> None:
    for path in SCENARIOS:
        play = load(path)
        assert play.expectations
        assert play.limit < 90
