"""The written pages say what the code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import pages


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_a_written_page_is_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == pages()[path], "run: make docs"
