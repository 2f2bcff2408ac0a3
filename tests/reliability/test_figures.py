"""The record of reliability: what is kept is read again, and each instrument keeps its own."""

from pathlib import Path

import pytest

from tests.reliability.figures import Found, Table, keep, read
from tests.reliability.page import page

TABLE = Table(title="Falls", head=("what", "times"), rows=(("a crash", "0"),))
FOUND = Found(command="make chaos", says="He was crashed.", held=True, tables=(TABLE,), seconds=61.0)


def test_what_an_instrument_found_is_kept_beside_what_others_found(tmp_path: Path) -> None:
    record = tmp_path / "reliability.json"
    keep("chaos", FOUND, record)
    keep("fuzz", Found(command="make fuzz", says="", held=False, tables=(), seconds=600.0), record)
    assert read(record)["chaos"] == FOUND
    assert not read(record)["fuzz"].held


def test_a_row_without_its_cells_is_no_table() -> None:
    with pytest.raises(ValueError, match="as many cells"):
        Table(title="Falls", head=("what", "times"), rows=(("a crash",),))


def test_the_page_says_what_was_run_and_whether_every_promise_was_kept() -> None:
    broken = Found(command="make fuzz", says="", held=False, tables=(), seconds=600.0)
    written = page({"chaos": FOUND, "fuzz": broken})
    assert "| Chaos: everything goes wrong in a room of six | `make chaos` | 61 s | all |" in written
    assert "| Hostile input | `make fuzz` | 10 min | **not all** |" in written
    assert "| a crash | 0 |" in written
