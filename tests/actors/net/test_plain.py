"""Half a letter becomes a mark, and everything else stays what it was."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.net.plain import MARK, plain, plain_json

ANYTHING = st.text(st.characters() | st.characters(categories=["Cs"]) | st.sampled_from('\\"u😀'))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("bad \ud800 half", f"bad {MARK} half"), ("Grüß Gott, 世界 😀", "Grüß Gott, 世界 😀"), ("", "")],
)
def test_half_a_letter_becomes_a_mark(text: str, expected: str) -> None:
    assert plain(text) == expected


@given(ANYTHING)
def test_whatever_is_in_it_can_be_written_down_afterwards(text: str) -> None:
    assert plain(text).encode().decode() == plain(text)


@given(ANYTHING, st.booleans())
def test_the_strings_of_json_are_the_same_but_for_half_letters(text: str, escaped: bool) -> None:
    written = json.dumps([text, {text: 1}], ensure_ascii=escaped)
    whole = plain(json.loads(written)[0])
    assert json.loads(plain_json(written)) == [whole, {whole: 1}]


def test_an_escaped_backslash_begins_no_letter() -> None:
    assert plain_json(r'"\\ud800 \ud83d\ude00 \ud83d"') == r'"\\ud800 \ud83d\ude00 \ufffd"'
