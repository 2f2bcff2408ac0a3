"""How a turn reads to a model: every word of others is inside JSON, and no name of ours is in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, assert_never

from actors.captain.brief import Asked, Brief
from actors.captain.journal import Entry, HeardAsked, SaidAnswer, ToolBegun, ToolEnded, TurnOver
from actors.captain.prompts import prompt
from actors.net.plain import plain
from messages.authority import Surface
from messages.people import Line

SILENCE: Final = "(silence)"
"""What a model writes that has nothing to say."""
LONGEST_LABEL: Final = 64
LONGEST_REQUEST: Final = 4_000
LONGEST_LINE: Final = 2_000
LONGEST_BEFORE: Final = 1_000
"""Of one thing that was said in an earlier turn."""
LONGEST_ANSWER: Final = 8_000
LONGEST_OUTPUT: Final = 16_000
MOST_LINES: Final = 40

_ALOUD: Final = "Your answer is spoken aloud: plain short sentences, no lists, no markup, no links, no emoji."
_WRITTEN: Final = "Your answer is written into a chat: at most 2,000 characters, plain words, little markup."
_HOW: Final[Mapping[Surface, str]] = {
    Surface.VOICE: _ALOUD,
    Surface.MIXED_VOICE: f"{_ALOUD} Several people asked at once; what one may not ask for you cannot do.",
    Surface.MEMBERSHIP: _ALOUD,
    Surface.TEXT: _WRITTEN,
    Surface.OPERATOR: "Your answer is shown in the terminal of whoever runs you: plain text.",
}
_NAMED: Final = re.compile(r"<(?:(@&)|(@)!?|(#)|a?(:\w{1,64}:))\d{1,24}>", re.ASCII)
"""How Discord writes a person, a role, a channel or an emoji: with an id, which is nobody's business."""
_ASIDE: Final = re.compile(r"<(think|thinking)>.*?(</\1>|\Z)", re.DOTALL)


def instructions(brief: Brief) -> str:
    """Who he is in the operator's words, how he works, and how he is answering."""
    return plain(f"{brief.persona.strip()}\n\n{prompt()}\n- {_HOW[brief.surface]}")


def opening(brief: Brief, now: float) -> str:
    """What a turn begins with, one object a line; `now` is epoch seconds."""
    before = [line for entry in brief.history if (line := _before(entry)) is not None]
    return "\n".join((_json({"now": _when(now)}), *before, *map(asked, brief.asked)))


def asked(one: Asked) -> str:
    """One request as one line."""
    said: dict[str, object] = {"request": _words(one.request, LONGEST_REQUEST)}
    if one.speaker:
        said["who"] = label(one.speaker)
    spoken = (("spoken", _lines(one.original)), ("recent", _lines(one.recent)))
    said |= {name: lines for name, lines in spoken if lines}
    if one.observations:
        said["observed"] = [_words(text, LONGEST_BEFORE) for text in one.observations[-MOST_LINES:]]
    return _json(said)


def output(text: str) -> str:
    """What a call came to, on one line."""
    return _words(_one_line(plain(text)), LONGEST_OUTPUT)


def answer(text: str) -> str:
    """What of a model's words is for people; empty for silence."""
    said = _ASIDE.sub("", plain(text)).strip()
    return "" if said == SILENCE else said[:LONGEST_ANSWER]


def label(name: str) -> str:
    """What somebody calls himself, on one line and no longer than a name."""
    return _words(" ".join(name.split()), LONGEST_LABEL)


# --- the small words --------------------------------------------------------------------------------


def _before(entry: Entry) -> str | None:
    """One thing that happened in an earlier turn; None for what says nothing."""
    match entry:
        case HeardAsked():
            who = {"who": label(entry.label)} if entry.label else {}
            said = _words(entry.text, LONGEST_BEFORE)
            return _json({"when": _when(entry.at), **who, "asked": said})
        case ToolEnded():
            return _json({"tool": entry.tool, "outcome": entry.outcome})
        case SaidAnswer():
            return _json({"answered": _words(entry.text, LONGEST_BEFORE)})
        case TurnOver():
            silent = entry.how == "answered"
            return None if silent else _json({"ended": entry.how, "reason": entry.reason})
        case ToolBegun():
            return None
        case _:
            assert_never(entry)


def _lines(lines: Sequence[Line]) -> list[dict[str, str]]:
    return [
        {"speaker": label(line.person.label), "text": _words(line.text, LONGEST_LINE)}
        for line in lines[-MOST_LINES:]
    ]


def _words(text: str, longest: int) -> str:
    """Somebody's words, without the ids that Discord writes into them."""
    return _NAMED.sub(_unnamed, text)[:longest]


def _unnamed(found: re.Match[str]) -> str:
    role, person, channel, emoji = found.groups()
    if emoji:
        return str(emoji)
    return "@role" if role else "@someone" if person else "#channel" if channel else ""


def _when(at: float) -> str:
    """The house's own day and time."""
    return datetime.fromtimestamp(at).astimezone().strftime("%A %Y-%m-%d %H:%M %z")


def _json(value: Mapping[str, object]) -> str:
    return _one_line(json.dumps(value, ensure_ascii=False))


def _one_line(text: str) -> str:
    """The same with every sign that could begin a line, or hide one, escaped as JSON has it."""
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
