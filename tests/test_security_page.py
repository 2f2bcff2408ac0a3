"""Every row of docs/security.md names what shows it, and all of that is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
PROMISED_BY_NOBODY = {"keep what they are told"}


def rows() -> list[list[str]]:
    cells = [
        [one.strip() for one in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:2] == "| "
    ]
    return [row for row in cells if row[2] != "shown by"]


def test_every_row_has_four_cells_and_a_test() -> None:
    for row in rows():
        assert len(row) == 4, row[0]
        assert NAMED.search(row[2]) or row[0] in PROMISED_BY_NOBODY, row[0]


def test_every_test_is_there() -> None:
    named = NAMED.findall(PAGE)
    assert len(named) > 40
    for file, name in named:
        path = ROOT / "tests" / file
        assert path.exists(), file
        assert re.search(rf"^ *def {name}\(", path.read_text("utf-8"), re.MULTILINE), f"{file}::{name}"
