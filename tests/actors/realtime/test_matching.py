"""Which words are the same words."""

import pytest

from actors.realtime.matching import contains_words, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It's 5:30!", "it is five thirty"),
        ("5.30 p.m.", "five thirty pm"),
        ("at 5pm", "at five p.m."),
        ("25 people", "Twenty-five people"),
        ("five oh five", "5:05"),
        ("five o'clock", "5:00"),
        ("one hundred and one", "100 1"),
        ("a hundred", "100"),
        ("the 1st of May", "the first of may"),
        ("I can't, won't and don't.", "I can not will not and do not"),
        ("Mr. Smith & Mrs. Smith", "mister smith and missus smith"),
        ("we've said they're ok", "we have said they are okay"),
        ("let's go, I'll", "let us go I will"),
        ("10%", "ten percent"),
        ("1,000 things", "1000 things"),
        ("I'm sure he'd", "i am sure he would"),
        ("thirty three", "33"),
        ("twenty 5", "20 5"),
        ("the second of june", "the 2nd of june"),
        ("That’s Anna’s", "that is annas"),
    ],
)
def test_spelling_does_not_matter(one: str, other: str) -> None:
    assert words(one) == words(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("wait a second please", "wait a 2 please"),
        ("oh five", "5"),
        ("five hundred", "100"),
        ("fifty", "fifteen"),
    ],
)
def test_other_numbers_are_other_words(one: str, other: str) -> None:
    assert words(one) != words(other)


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ("one two three four five", "one two three four six", True),
        ("one two three four five", "one two three four", True),
        ("one two three four five", "one two three", False),
        ("go forward ten meters", "Go forward 10 meters.", True),
        ("he was not an ill disposed young man", "He was not an ill-disposed young man.", True),
        ("the notebook is here now", "the note book is here now", True),
        ("the note book is here now", "the notebook is here now", True),
        ("hey clankie", "Hey, Klanky!", True),
        ("hey clankie", "Hey, Blankie!", False),
        ("set a ten", "set a tin", False),
        ("", "something", False),
    ],
)
def test_one_word_in_five_may_be_wrong(expected: str, got: str, same: bool) -> None:
    assert contains_words(got, expected) is same


@pytest.mark.parametrize(
    ("haystack", "needle", "there"),
    [
        ("Well, Klanky, what time is it now?", "clankie what time is it", True),
        ("what is it time", "what time is it", False),
        ("stop", "stop", True),
        ("he does not stop it", "stop it", True),
        ("start", "stop", False),
        ("anything", "", False),
        ("", "stop", False),
        ("one two three four nine", "one two three four five", True),
        ("see the ship sail", "see the sheep sail", True),
    ],
)
def test_words_are_found_in_their_order(haystack: str, needle: str, there: bool) -> None:
    assert contains_words(haystack, needle) is there
