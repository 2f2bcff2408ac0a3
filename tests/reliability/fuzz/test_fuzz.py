"""Every input that ever broke something is read again, and every reader is given a few hundred new ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.reliability.fuzz.engine import hunt
from tests.reliability.fuzz.judge import Judge
from tests.reliability.fuzz.registry import targets
from tests.reliability.fuzz.target import Target

FINDS: Final = Path(__file__).parent / "finds"
TARGETS: Final = targets()
pytestmark = pytest.mark.filterwarnings("ignore:'audioop' is deprecated:DeprecationWarning")


def finds() -> Iterator[tuple[str, Path]]:
    for folder in sorted(FINDS.iterdir()) if FINDS.exists() else ():
        yield from ((folder.name, path) for path in sorted(folder.iterdir()))


@pytest.mark.parametrize(
    ("name", "path"), list(finds()), ids=lambda one: one if isinstance(one, str) else one.stem
)
def test_what_once_broke_something_breaks_nothing(name: str, path: Path) -> None:
    with Judge(TARGETS[name]).sitting() as judge:
        failure = judge.read(path.read_bytes(), weigh=True)
    assert failure is None, f"{failure.kind}\n{failure.says}"


@pytest.mark.parametrize("target", list(TARGETS.values()), ids=list(TARGETS))
def test_a_short_run_of_the_first_seed_breaks_nothing(target: Target) -> None:
    found = hunt(target, 1, goes_on=lambda found: found.inputs < target.few, watched=False)
    assert [f"{one.kind}\n{one.says}" for one in found.failures.values()] == []
