"""The house's words to a model are in one file, whole, and numbered."""

import pytest

from actors.realtime.live import wording
from actors.realtime.live.prompts import HOUSE, Prompt, load, parse
from messages.floor import Trigger

SPEAK_FOR_THEMSELVES = {Trigger.ADDRESS, Trigger.TYPED, Trigger.OPERATOR}


def test_the_file_has_a_part_for_each_turn_that_lines_do_not_explain_and_no_other() -> None:
    prompt = load()
    assert prompt.version == wording.VERSION == "conversation/1"
    assert set(prompt.parts) == {HOUSE, *(set(Trigger) - SPEAK_FOR_THEMSELVES)}
    assert all(one.isprintable() for name, one in prompt.parts.items() if name != HOUSE)


def test_a_prompt_is_its_version_and_its_parts() -> None:
    text = "version: 12\n\n# house\nOne\n- two #3\n\n# offer\nThree.\n"
    assert parse(text) == Prompt(
        version="conversation/12", parts={"house": "One\n- two #3", "offer": "Three."}
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# house\nOne\n",
        "version: x\n# house\nOne\n",
        "version: 1\nOne\n# house\nTwo\n",
        "version: 1\n# house\n\n# offer\nTwo\n",
        "version: 1\n# house\nOne\n# house\nTwo\n",
    ],
)
def test_anything_else_is_no_prompt(text: str) -> None:
    with pytest.raises(ValueError, match="prompt"):
        parse(text)
