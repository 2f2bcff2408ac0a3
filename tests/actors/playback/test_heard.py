"""What was heard is counted in whole words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.playback.heard import Aligned, divide

PIECES = (Aligned(end=1_000, text="Hello there."), Aligned(end=3_000, text="How are you today?"))


@pytest.mark.parametrize(
    ("sent", "heard", "unheard"),
    [
        (0, "", "Hello there. How are you today?"),
        (300, "", "Hello there. How are you today?"),
        (500, "Hello", "there. How are you today?"),
        (999, "Hello", "there. How are you today?"),
        (1_000, "Hello there.", "How are you today?"),
        (1_700, "Hello there. How", "are you today?"),
        (2_999, "Hello there. How are you", "today?"),
        (3_000, "Hello there. How are you today?", ""),
        (9_000, "Hello there. How are you today?", ""),
    ],
)
def test_text_is_divided_where_the_sound_was_cut(sent: int, heard: str, unheard: str) -> None:
    assert divide(PIECES, sent) == (heard, unheard)


def test_text_without_sound_is_heard_with_what_came_before_it() -> None:
    assert divide((Aligned(end=0, text="…"),), 0) == ("…", "")


@given(st.integers(0, 4_000))
def test_no_word_is_lost_or_said_twice(sent: int) -> None:
    heard, unheard = divide(PIECES, sent)
    assert f"{heard} {unheard}".split() == ["Hello", "there.", "How", "are", "you", "today?"]
