"""The written pages say what the code says."""

from __future__ import annotations

import pytest

from tests.pages import ROOT, pages


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_a_written_page_is_up_to_date(path: object) -> None:
    text = pages()[path]  # type: ignore[index]
    assert (ROOT / path).read_text(encoding="utf-8") == text, "run: make docs"  # type: ignore[operator]
