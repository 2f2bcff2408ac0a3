"""Three kills of the hundred: at work, and twice while he starts again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.reliability.sigkill.killing import Whom
from tests.reliability.sigkill.moments import MOMENTS, nothing
from tests.reliability.sigkill.plan import cases
from tests.reliability.sigkill.siege import Case, Result, siege
from tests.reliability.sigkill.telling import found

AT = {moment.name: moment for moment in MOMENTS}
RESULT = Result(
    moment="joining",
    whom=Whom.GROUP,
    again=1,
    seconds=2.0,
    voice=0.1,
    problems=(),
    on_the_way=0,
    found={"stays": 1},
)


def test_killed_at_work_and_twice_while_he_starts_he_breaks_no_promise(tmp_path: Path) -> None:
    with siege(tmp_path / "state", ("Ada", "Ben", "Cleo")) as evening:
        result = evening.run(Case(moment=AT["handing off"], whom=Whom.HOUSE, again=2, seed=1), nothing)
    assert result.problems == ()
    assert result.found == {"stays": 1, "consents": 1, "turns": 1}
    assert result.voice is not None


def test_a_seed_is_so_many_kills_and_always_the_same_at_every_moment() -> None:
    planned = list(cases(1, 100))
    assert planned == list(cases(1, 100)) != list(cases(2, 100))
    assert sum(1 + case.again for case in planned) == 100
    assert {case.moment.name for case in planned} == set(AT)
    assert {case.whom for case in planned} == set(Whom)


@pytest.mark.parametrize(
    ("results", "broken_off", "held"),
    [
        ([RESULT], [], True),
        ([RESULT], ["The evening of seed 1 broke off."], False),
        ([RESULT, replace(RESULT, problems=("twice",))], [], False),
        ([], [], False),
    ],
)
def test_what_is_told_counts_every_kill(results: list[Result], broken_off: list[str], held: bool) -> None:
    told = found(results, broken_off, "make crashes", 60.0)
    assert told.held is held
    if results:
        assert told.says.startswith(f"He was killed {2 * len(results)} times")
        assert told.tables[0].rows[-1][:4] == (
            "all",
            str(2 * len(results)),
            str(len(results)),
            f"{len(results)} stays",
        )
