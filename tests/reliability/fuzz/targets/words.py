"""What models say, what is heard and what people are called: text in all its forms."""

from __future__ import annotations

from typing import Final

from actors.captain.live.wording import answer
from actors.captain.wire import functions, parse
from actors.capture.filters import why_not_speech, without_noises
from actors.capture.live.pieces import joined
from actors.capture.phrase_book import phrase_book
from actors.console.live_room.names import printable
from actors.evidence.foreign import shown
from actors.floor.addressing import Listening, classify, known_names
from actors.floor.echo import heard, is_echo, told
from actors.floor.text import tokens
from actors.floor.words import LANGUAGES, load_words
from actors.gateway.shortening import MOST_CHARACTERS, shortened
from actors.net.plain import one_line, plain, plain_json
from actors.net.reasons import of_code
from actors.realtime.live.answer import Answer
from actors.realtime.live.chunks import Piece
from actors.realtime.live.opening import is_silence, written_call
from actors.realtime.live.wording import parse_request
from actors.tts.units import beyond, speakable
from messages.ids import UtteranceId
from supervisors.rehearsal.screen import shown as on_screen
from tests.actors.captain.live.asked import PLAY
from tests.reliability.fuzz.target import Broken, Form, Target
from tests.reliability.fuzz.told import writable

_WORDS: Final = {language: load_words(language) for language in LANGUAGES}
_NAMES: Final = known_names("Clankie", ("clank e",), ("thank you",))
_BOOK: Final = phrase_book()
_MOST: Final = 200


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def _spoken(data: bytes) -> None:
    """What a model says, in one piece and in crumbs: every letter or digit of it is said once."""
    text = plain(_text(data))
    units, rest = speakable(text, True, _MOST)
    if rest or any(len(unit) > _MOST for unit in units):
        raise Broken("a unit that is too long, or a rest")
    if [sign for unit in units for sign in unit if sign.isalnum()] != [one for one in text if one.isalnum()]:
        raise Broken("what is said is not what was written")
    waiting, crumbs = "", list[str]()
    for at in range(0, len(text), 7):
        some, waiting = speakable(waiting + text[at : at + 7], False, _MOST)
        crumbs += some
    some, _ = speakable(waiting, True, _MOST)
    if len("".join([*crumbs, *some])) > len(text):
        raise Broken("more is said than was written")
    for unit in units[:5]:
        beyond(unit, unit[: len(unit) // 2])


def _answered(data: bytes) -> None:
    """The same through what is not for people to hear."""
    text, one = _text(data), Answer()
    said = ""
    try:
        for at in range(0, len(text), 40):
            said += one.take(Piece(text=text[at : at + 40]))
        said += one.rest()
    except ValueError:
        if len(text) < 64_000:
            raise
    verdict = one.verdict("stop")
    writable(plain(said), [plain(arguments) for _, arguments in verdict.calls])
    if len(said) > len(text) + 16:
        raise Broken("more is said than was written")
    is_silence(text)
    written_call(text)
    writable(plain(answer(text)), plain(parse_request("ask_clankie", text)))
    writable(
        parse("react", text, (PLAY,)), parse("music__play", text, (PLAY,)), of_code(text), plain_json(text)
    )
    functions((text[:50], "react"), (PLAY,))


def _heard(data: bytes) -> None:
    """What somebody is believed to have said."""
    text = plain(_text(data))
    for language in LANGUAGES:
        classify(text, Listening(_NAMES), _WORDS[language])
    why_not_speech(without_noises(text), short=True, languages=("en", "de"), book=_BOOK)
    joined(text.split("\n"))
    words, utterance = tokens(text), UtteranceId("u")
    memory = told((), utterance, words, 1.0, 8.0)
    is_echo(words[3:] + words[:3], memory, 2.0, during=True)
    is_echo(words, heard(memory, utterance, words, 2.0, 8.0), 3.0, during=False)


def _named(data: bytes) -> None:
    """What somebody is called, or a page says, on its way to a terminal and a chat."""
    text = _text(data)
    for name in (one_line(text, 80), printable(text)[:80], shown(text), on_screen(text)):
        writable(name)
        if any(sign in name for sign in "\n\r\x1b\x00\u2028") or (len(name) > len(text) + 1):
            raise Broken("a name that does more than stand there")
    if len(shortened(plain(text))) > MOST_CHARACTERS:
        raise Broken("a text that is too long for a chat")


_SAID: Final = (
    "Hello there. It is 5.30, isn't it?! Yes… “quite.” See https://example.com/a.b?c=d or this: one; two.",
    "你好。世界！ Привет? مرحبا؟ नमस्ते। " * 3,
    "a" * 500 + " " + "b " * 300 + "\n\n1. One\n2. Two\n```code```",
    '<think>I think</think>Hello <tool_call>{"name": "voice_leave", "arguments": {}}</tool_call> there',
    '{"name": "ask_clankie", "arguments": {"request": "x"}}',
    "[silence]", "(laughs) haha hehe", "Thank you for watching!", "",
)  # fmt: skip
_ADDRESSED: Final = (
    "Hey Clankie, what time is it?", "clank e clank e stop", "the clankie said that",
    "okay, Clankie's here; thank you.",
    "clank e " * 300, "Clankie, " * 200, "hey " * 500 + "clankie", "no " * 500,
)  # fmt: skip
TARGETS: Final = (
    Target(
        name="speech",
        of="words",
        beside="words",
        feed=_spoken,
        seeds=lambda: [one.encode() for one in _SAID],
        readers=("actors/tts/units.py",),
        form=Form.TEXT,
    ),
    Target(
        name="answers",
        of="words",
        beside="words",
        feed=_answered,
        seeds=lambda: [one.encode() for one in _SAID],
        readers=(
            "actors/realtime/live/answer.py",
            "actors/realtime/live/opening.py",
            "actors/captain/wire.py",
        ),
        form=Form.TEXT,
    ),
    Target(
        name="addressing",
        of="words",
        beside="words",
        feed=_heard,
        seeds=lambda: [one.encode() for one in (*_ADDRESSED, *_SAID)],
        readers=(
            "actors/floor/addressing.py",
            "actors/floor/text.py",
            "actors/floor/echo.py",
            "actors/capture/filters.py",
            "actors/capture/live/pieces.py",
        ),
        form=Form.TEXT,
        times=200,
        few=20,
    ),
    Target(
        name="names",
        of="words",
        beside="words",
        feed=_named,
        seeds=lambda: [b"Ada", "Zoë 👨‍👩‍👧".encode(), "x\u202egpj\n\x1b[2J".encode(), b"\xed\xa0\x80"],
        readers=("actors/net/plain.py", "actors/console/live_room/names.py", "actors/gateway/shortening.py"),
        form=Form.TEXT,
    ),
)
