"""What is no answer for people is heard by nobody, and what is one waits for as little as it can."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.realtime.live.opening import Opening, is_silence, written_call


def told(*pieces: str) -> list[str]:
    """What is told after each piece, and at the end."""
    opening = Opening()
    return [*map(opening.take, pieces), opening.rest()]


@pytest.mark.parametrize(
    "answer",
    ["", " \n", "(silence)", "(Silence).", "[silent]", "*stays silent*", "_says nothing_", "(silence) "],
)
def test_these_answers_are_heard_by_nobody(answer: str) -> None:
    assert is_silence(answer)
    assert "".join(told(*answer)) == ""


@pytest.mark.parametrize(
    "answer",
    [
        "Silence.",
        "Hello",
        "(silence) But I heard that.",
        "(sighs) Well",
        "*bold* and then some more of it",
        "{laughs} Hello",
    ],
)
def test_these_answers_are_heard_at_once_and_whole(answer: str) -> None:
    assert not is_silence(answer)
    assert told(answer) == [answer, ""]
    assert "".join(told(*answer)) == answer


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=24))
def test_nothing_but_an_object_is_held_back_for_long(answer: str) -> None:
    assert is_silence(answer) or len(answer.strip()) < 24 or answer.strip()[0] == "{" or told(answer)[0]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Clankie: the lighthouse is tall.", "the lighthouse is tall."),
        ("\nclankie:Hello. Clankie: me.", "Hello. Clankie: me."),
        ("Clankie: (silence)", ""),
        ("Clankie is my name: hello.", "Clankie is my name: hello."),
        ("Clankie", "Clankie"),
        ("Clankie:", ""),
    ],
)
def test_his_name_before_an_answer_is_not_told(answer: str, expected: str) -> None:
    assert "".join(told(*answer)).strip() == expected
    assert "".join(told(answer)) == expected


def test_what_only_began_like_the_word_for_silence_is_told_in_the_end() -> None:
    assert told("(short") == ["", "(short"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"speaker": "Clankie", "text": "Hello."}', "Hello."),
        ('{"text": "(silence)"}', ""),
        ('{ "answer": "Hello."}', ""),
        ('{"text": "Hel', ""),
        ('{"text": 5}', ""),
        ("{", ""),
        ('{"name": "voice_leave", "arguments": {}}', ""),
    ],
)
def test_of_an_object_only_its_text_is_told(answer: str, expected: str) -> None:
    assert "".join(told(*answer)) == expected


@pytest.mark.parametrize(
    ("written", "call"),
    [
        ('\n{"name": "voice_leave"}\n', ("voice_leave", {})),
        ('{"name": "ask_clankie", "arguments": {"request": "x"}}', ("ask_clankie", {"request": "x"})),
        ('{"name": "ask_clankie", "parameters": {"request": "x"}}', ("ask_clankie", {"request": "x"})),
    ],
)
def test_a_call_that_is_written_down_is_one(written: str, call: tuple[str, dict[str, str]]) -> None:
    opening = Opening()
    assert opening.take(written) + opening.rest() == ""
    found = opening.call()
    assert found is not None
    assert (found[0], json.loads(found[1])) == call


@pytest.mark.parametrize(
    "text", ["", "{}", '{"name": "rm"}', '{"text": "voice_leave"}', '[{"name": "voice_leave"}]']
)
def test_what_names_no_tool_of_ours_is_no_call(text: str) -> None:
    assert written_call(text) is None
