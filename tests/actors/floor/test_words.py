"""Names, nods and orders, heard as transcribers spell them."""

from __future__ import annotations

import pytest

from actors.floor.addressing import LONGEST, HeardAs, Likeness, Listening, classify, known_names, skeleton
from actors.floor.settings import FloorSettings
from actors.floor.text import Sentence, sentences, tokens
from actors.floor.understanding import Heard, hear
from actors.floor.words import LANGUAGES, load_words, parse_words
from tests.actors.floor.scene import ENGLISH, with_settings

DEFAULTS = FloorSettings()
NAMES = known_names(DEFAULTS.name, DEFAULTS.aliases, DEFAULTS.weak_aliases)


def heard(text: str, language: str = "en") -> Heard:
    return hear(text, NAMES, load_words(language))


@pytest.mark.parametrize(
    "spelling",
    [
        "Clankie",
        "klanky",
        "clankey",
        "klankie",
        "clanky",
        "clinky",
        "klinki",
        "kanki",
        "kanky",
        "clangty",
        "clinty",
    ],
)
def test_spellings_that_sound_like_his_name_are_his_name(spelling: str) -> None:
    assert NAMES.likeness(*tokens(spelling)) is Likeness.NAME


@pytest.mark.parametrize(
    "word",
    [
        "blankie",
        "lanky",
        "clunky",
        "franky",
        "thank",
        "candy",
        "clingy",
        "clancy",
        "blanky",
        "hanky",
        "kinky",
        "clank",
    ],
)
def test_other_words_are_not_his_name(word: str) -> None:
    assert NAMES.likeness(word) is Likeness.NOT


def test_a_skeleton_has_one_letter_for_one_sound() -> None:
    assert skeleton("clankie") == skeleton("klanckey") == "klankI"
    assert skeleton("phil") == skeleton("fill")


ADDRESSED = """
Clankie, what time is it? | Clanky what time is it? | Hey Clanky | Hey, Cranky! | Clangty | Kanki?
Cranky stop.
Stop clanky. | Stop Cranky. | What do you think, Clankie? | so what do you think clanky? | Thanks, Clinky.
Cranky, can you look that up? | Okay, Klinki, tell me a joke.
High clanky. | Hi, Clinty. | Shut up, Cranky
Clankie is it raining | clank e what is up | Clankie did the build pass? | I don't know. Clankie, you decide.
I think so, Clankie what do you say | Clankie need help | do it Clankie please | Clanky leave please. | Cranky
So, Clankie, is it late | Clankie, broke the lamp again?
"""
MENTIONED = """
I asked Clanky yesterday. | Clankie broke the build | clankie is great | Clankie's voice
ask Clankie | Tell Clankie, will you
tell clankie to stop | clankie and I went | this is about Clankie | Clankie needed that
the old clankie was nicer
Hey Clankie is great | Oh Clankie broke it
"""
NEITHER = """
Clank you. | Thank you, join us. | I'm so cranky | Cranky people are bad | the blankie is here | clean key
Cranky can you look
"""


def each(table: str) -> list[str]:
    return [text.strip() for line in table.strip().splitlines() for text in line.split("|")]


@pytest.mark.parametrize("text", each(ADDRESSED))
def test_his_name_called_is_an_address(text: str) -> None:
    assert classify(text, Listening(NAMES), ENGLISH) is HeardAs.ADDRESSED


@pytest.mark.parametrize("text", each(MENTIONED))
def test_his_name_in_a_statement_is_a_mention(text: str) -> None:
    assert classify(text, Listening(NAMES), ENGLISH) is HeardAs.MENTIONED


@pytest.mark.parametrize("text", each(NEITHER))
def test_what_only_sounds_alike_is_neither(text: str) -> None:
    assert classify(text, Listening(NAMES), ENGLISH) is HeardAs.NONE


@pytest.mark.parametrize("text", ["", "...", "\u266a \u2014"])
def test_a_line_without_letter_or_digit_is_empty(text: str) -> None:
    assert classify(text, Listening(NAMES), ENGLISH) is HeardAs.EMPTY


def test_a_name_of_two_words_is_heard_as_two_words() -> None:
    names = known_names("Big Clank", ("", "..."), ("...",))
    assert classify("Hey big clank, come here", Listening(names), ENGLISH) is HeardAs.ADDRESSED
    assert classify("the big one made a clank", Listening(names), ENGLISH) is HeardAs.NONE
    assert names.weak == frozenset()


def test_a_single_letter_is_not_the_beginning_of_a_name() -> None:
    names = known_names("Ian")
    assert classify("Ian, come here", Listening(names), ENGLISH) is HeardAs.ADDRESSED
    assert classify("I an, come here", Listening(names), ENGLISH) is HeardAs.NONE


@pytest.mark.parametrize(
    "text", ["stop", "Stop.", "Stop!", "stop, stop", "Stop Clankie", "Clankie stop", "please stop now",
             "no no", "Hold on.", "okay okay stop", "never mind",
             "that's enough", "wait a second", "be quiet please"],
)  # fmt: skip
def test_an_order_to_be_silent_is_a_control_and_nothing_else(text: str) -> None:
    assert (heard(text).control, heard(text).control_only) == (True, True)


@pytest.mark.parametrize("text", ["wait what about the dog", "stop it was the other one", "i said stop"])
def test_a_control_may_have_company(text: str) -> None:
    assert (heard(text).control, heard(text).control_only) == (True, False)


@pytest.mark.parametrize(
    "text", ["don't stop", "can't stop", "the bus stop", "I really can't wait to see that", "no", "", "um",
             "okay",             "we walked to the very last bus stop"],
)  # fmt: skip
def test_what_only_contains_a_control_is_none(text: str) -> None:
    assert not heard(text).control


@pytest.mark.parametrize(
    "text", ["mm-hm", "Mhm.", "Uh-huh.", "yeah", "okay", "Right.", "Write.", "nice", "hahaha",
             "yeah that's nice", "ha ha",
             "Oh wow, that is so cool", "I see what you mean", "haha nice"],
)  # fmt: skip
def test_a_nod_is_an_acknowledgement(text: str) -> None:
    assert heard(text).acknowledgement


@pytest.mark.parametrize(
    "text", ["turn right", "what", "that is", "stop", "", "nice weather", "yeah but why", "ha"]
)
def test_what_says_more_or_nothing_is_no_acknowledgement(text: str) -> None:
    assert not heard(text).acknowledgement


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("the s", 0),
        ("um well", 0),
        ("what time is it", 4),
        ("no I meant tomorrow", 3),
        ("Clankie hahaha", 0),
        ("one", 1),
    ],
)
def test_content_words_say_something(text: str, content: int) -> None:
    assert heard(text).content == content


@pytest.mark.parametrize(
    ("language", "stop", "nod", "call", "mention"),
    [
        ("en", "stop", "yeah", "Hey Clankie, tell me", "Clankie broke the build"),
        ("de", "hör auf", "ach so, ja genau", "Hallo Clankie, wie spät ist es?", "Clankie hat das gesagt"),
        ("es", "cállate", "claro que sí", "Hola Clankie, ¿qué hora es?", "le dije a Clankie"),
        (
            "fr",
            "arrête",
            "d'accord, très bien",
            "Salut Clankie, quelle heure est-il ?",
            "j'ai parlé de Clankie",
        ),
    ],
)
def test_every_language_orders_nods_and_calls(
    language: str, stop: str, nod: str, call: str, mention: str
) -> None:
    assert heard(stop, language).control_only
    assert heard(nod, language).acknowledgement
    assert heard(call, language).heard_as is HeardAs.ADDRESSED
    assert heard(mention, language).heard_as is HeardAs.MENTIONED
    assert len(LANGUAGES) == 4


def test_of_a_line_that_nobody_can_have_said_only_so_much_is_looked_at() -> None:
    assert heard("word " * 10_000 + "Clankie") == heard("word " * (LONGEST // 5))
    assert heard("word " * 100 + "Clankie").named_last


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="must be one of en, de, es, fr"):
        load_words("tlh")


def test_a_word_list_with_a_wrong_key_is_refused() -> None:
    with pytest.raises(ValueError, match="controls"):
        parse_words('greetings = ["hi"]')


def test_text_is_parted_into_sentences_and_clauses() -> None:
    assert sentences("Äh, ja? Don't!\n...") == (
        Sentence(clauses=(("ah",), ("ja",)), question=True),
        Sentence(clauses=(("dont",),), question=False),
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [("name", "..."), ("decay", 0.0), ("echo_window", 1e9), ("cut_content_words", 0), ("lines_held", 1001)],
)
def test_a_setting_that_cannot_work_is_refused_by_name(key: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"floor.{key} must"):
        with_settings(**{key: value})
