"""Nobody pays for a library that his choice does not need."""

from __future__ import annotations

import pytest

from tests.benchmarks.idle import measure


@pytest.mark.parametrize(("choice", "needed"), [("cloud", "websockets"), ("cloud by HTTP", "openai")])
def test_a_house_in_which_nobody_has_spoken_has_imported_what_it_needs_and_no_more(
    choice: str, needed: str
) -> None:
    idle = measure(choice)
    assert idle.imported == (needed,)
    assert idle.joined < 120
