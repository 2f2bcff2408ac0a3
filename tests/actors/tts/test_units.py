"""Where text may be cut into units, and where it must not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.tts.units import speakable


@pytest.mark.parametrize(
    ("text", "units", "rest"),
    [
        ("Hello there. How", ("Hello there.",), " How"),
        ("Hello there.", (), "Hello there."),
        ("It costs 5.30 today", (), "It costs 5.30 today"),
        ("At 10:30 sharp; then go", ("At 10:30 sharp;",), " then go"),
        ("Really?! Yes… well", ("Really?!", "Yes…"), " well"),
        ('He said "stop." Then', ('He said "stop."',), " Then"),
        ("one\ntwo", ("one",), "two"),
        ("**Really.** It is", ("**Really.**",), " It is"),
        ("你好。今天「好！」我们", ("你好。", "今天「好！」"), "我们"),
        ("नमस्ते। مرحبا؟ hi", ("नमस्ते।", "مرحبا؟"), " hi"),
        ("🎉 — 🎉. No", (), "🎉 — 🎉. No"),
        ("... and so. on", ("... and so.",), " on"),
        ("", (), ""),
    ],
)
def test_a_unit_ends_where_a_sentence_may(text: str, units: tuple[str, ...], rest: str) -> None:
    assert speakable(text, False, 200) == (units, rest)


def test_the_end_of_the_text_ends_its_last_unit() -> None:
    assert speakable("One. Two", True, 200) == (("One.", "Two"), "")


def test_what_has_no_letter_or_digit_is_not_spoken_at_the_end() -> None:
    assert speakable("One. —", True, 200) == (("One.",), "")
    assert speakable(" \n", True, 200) == ((), "")


def test_a_long_run_is_cut_at_its_last_space() -> None:
    units, rest = speakable("word " * 50, False, 200)
    assert units == (("word " * 40).strip(),)
    assert rest.split() == ["word"] * 10


def test_a_long_sentence_is_cut_before_its_end() -> None:
    units, rest = speakable("word " * 45 + "end. More", True, 200)
    assert [len(unit) <= 200 for unit in units] == [True] * 3
    assert units[-1] == "More"
    assert rest == ""


def test_a_run_without_a_space_is_cut_all_the_same() -> None:
    units, rest = speakable("x" * 450, False, 200)
    assert [len(unit) for unit in units] == [200, 200]
    assert rest == "x" * 50


@given(st.text(alphabet="ab .!\n:5", max_size=120), st.integers(20, 60))
def test_nothing_that_can_be_spoken_is_lost(text: str, most: int) -> None:
    units, rest = speakable(text, True, most)
    assert rest == ""
    assert all(unit == unit.strip() and any(map(str.isalnum, unit)) for unit in units)
    assert [sign for unit in units for sign in unit if sign.isalnum()] == [
        sign for sign in text if sign.isalnum()
    ]
