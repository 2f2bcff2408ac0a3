"""The loads in short: two that cost most, and every promise that can be broken."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.reliability.figures import Found
from tests.reliability.overload.loads import LOADS, SHORT
from tests.reliability.overload.measure import MIB, Measured, measure
from tests.reliability.overload.verdict import broken, found, lost


def told(_where: str) -> None:
    """Nobody watches."""


def test_who_speaks_is_answered_while_everybody_talks_writes_comes_and_goes(tmp_path: Path) -> None:
    one = measure(LOADS["all"], SHORT, tmp_path, told)
    assert [*lost(one)] == []


def measured(name: str = "talker") -> Measured:
    return Measured(load=LOADS[name], quiet=[0.2] * 5, loaded=[0.2] * 5, after=[0.2] * 5)


def test_a_night_without_trouble_keeps_every_promise() -> None:
    assert [*broken(measured())] == []
    whole = found([measured()], 60.0)
    assert isinstance(whole, Found)
    assert whole.held


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"loaded": [0.5] * 5}, "an answer took 0.50 s instead of 0.20"),
        ({"after": [0.4] * 5}, "the first answer afterwards"),
        ({"late": 1.0}, "a machine that has time"),
        ({"unanswered": 1}, "1 questions had no answer"),
        ({"memory": (100 * MIB, 200 * MIB, 100 * MIB)}, "memory grew from 100 to 200 MiB"),
        ({"deepest": 513.0}, "a mailbox held 513 letters"),
        ({"highest": {"texts_waiting": 65.0}}, "texts_waiting reached 65"),
        ({"open_sounds": 1}, "1 packets lay open"),
        ({"violations": 1}, "1 rules of a provider"),
        ({"alive": False}, "he ended"),
        ({"refused": False}, "was not refused"),
        ({"longest": 4.0}, "a piece of speech was 4.0 s long"),
    ],
)
def test_a_promise_that_is_broken_is_named(changed: dict[str, object], says: str) -> None:
    (only,) = broken(replace(measured(), **changed))  # type: ignore[arg-type]
    assert says in only


def test_what_is_dropped_in_silence_is_a_promise_broken() -> None:
    assert len([*broken(measured("texts"))]) == 2
    assert len([*broken(measured("slow-voice"))]) == 1
    quiet = replace(measured("texts"), dropped=Counter(lines_shed=3, texts_dropped=2))
    assert len([*broken(quiet)]) == 4
    loud = replace(quiet, metrics={'clankie_dropped{what="lines"}': 3, 'clankie_dropped{what="texts"}': 2})
    loud.recorded.update(lines=3, texts=2)
    assert [*broken(loud)] == []
