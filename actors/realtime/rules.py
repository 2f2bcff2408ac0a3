"""Without a language model he follows a page of rules, and does not pretend to be more."""

from __future__ import annotations

from typing import assert_never

from actors.realtime.items import TurnBrief
from actors.realtime.matching import contains_words, words
from actors.realtime.script import SILENCE, ScriptedReply, told
from messages.floor import Trigger

_ORDERS = (("leave",), ("go", "away"), ("get", "out"))
_ORDER_WORDS = (
    "leave go away get out of here now please can could would you may just us alone the this "
    "channel room call voice chat bye goodbye okay hey hello thanks thank and then"
)
_BESIDE_ORDERS = frozenset(_ORDER_WORDS.split())
_OTHERS = frozenset(("i", "we", "they", "he", "she", "it", "let", "not"))
_TAKE_BACK = (
    ("never", "mind"),
    ("nevermind",),
    ("forget", "it"),
    ("forget", "that"),
    ("forget", "about", "it"),
    ("forget", "about", "that"),
    ("do", "not", "bother"),
    ("cancel", "that"),
    ("cancel", "it"),
)
_POLITE = "please okay oh ah well no now then just thanks thank you hey clankie"
_BESIDE_TAKE_BACK = frozenset(_POLITE.split())
_NOT_HIM = frozenset(("i", "we", "they", "he", "she", "never", "not"))
"""Beside "forget it" they make something else of it."""
_FOR_THE_CAPTAIN = (
    "what time",
    "the time",
    "what day",
    "which day",
    "what date",
    "the date",
    "the note",
    "the notes",
    "my notes",
    "our notes",
    "look up",
    "find out",
    "remember that",
    "remember this",
    "you remember about",
    "you know about me",
    "who is here",
    "who do you hear",
    "who can you hear",
    "start watching",
    "stop watching",
    "the activity",
    "try now",
    "try again",
)
NO_MODEL = " No language model is configured, so I cannot say more."


def decide(brief: TurnBrief, *, explained: bool) -> ScriptedReply:
    """What the built-in rules make of a turn; `explained`: this conversation knows already what they are."""
    alone = brief.people is not None and all(presence.person.bot for presence in brief.people)
    match brief.trigger:
        case Trigger.GREETING:
            return SILENCE if alone else ScriptedReply(text="Hello, I am here.")
        case Trigger.MEMBERSHIP:
            return ScriptedReply(tool="voice_leave") if alone else SILENCE
        case Trigger.HANDOFF_RESULT:
            return ScriptedReply(text=told(brief.results))
        case Trigger.HANDOFF_WAIT:
            return ScriptedReply(text="One moment, I am still looking.")
        case Trigger.ADDRESS | Trigger.TYPED:
            return _taken_back(brief) or _answer([line.text for line in brief.lines], explained=explained)
        case Trigger.OFFER:
            return _taken_back(brief) or _ask_captain(
                [line.text for line in brief.lines if line.text.rstrip().endswith("?")]
            )
        case Trigger.VOLITION | Trigger.OPERATOR:
            return SILENCE
        case _:
            assert_never(brief.trigger)


def _taken_back(brief: TurnBrief) -> ScriptedReply | None:
    """Whether somebody wants no longer what the captain is at, and nobody says anything else."""
    said = [words(line.text) for line in brief.lines]
    wanted = any(_takes_back(one) for one in said)
    if brief.open_requests and wanted and all(_takes_back(one) or _is_little(one) for one in said):
        # The house knows what is theirs, he does not.
        return ScriptedReply(text="All right, I drop what you asked for.", tool="take_back")
    return None


def _takes_back(spoken: tuple[str, ...]) -> bool:
    for order in _TAKE_BACK:
        for at in range(len(spoken) - len(order) + 1):
            if spoken[at : at + len(order)] == order:
                beside = (*spoken[:at], *spoken[at + len(order) :])
                return _is_little(beside) and not _NOT_HIM.intersection(beside)
    return False


def _is_little(spoken: tuple[str, ...]) -> bool:
    """Nothing but politeness and at most one word more, which may be his name."""
    return sum(word not in _BESIDE_TAKE_BACK for word in spoken) <= 1


def _answer(said: list[str], *, explained: bool) -> ScriptedReply:
    if any(_asks_to_go(text) for text in said):
        return ScriptedReply(text="Goodbye.", tool="voice_leave")
    asking = _ask_captain(said)
    if asking is not SILENCE:
        return asking
    count = len(" ".join(said).split())
    heard = f"I heard {'one word' if count == 1 else f'{count} words'}."
    return ScriptedReply(text=heard if explained else heard + NO_MODEL)


def _ask_captain(said: list[str]) -> ScriptedReply:
    """The newest of these lines that the captain could know about is his."""
    for text in reversed(said):
        if any(contains_words(text, phrase, 0.0) for phrase in _FOR_THE_CAPTAIN):
            return ScriptedReply(tool="ask_clankie", request=text)
    return SILENCE


def _asks_to_go(text: str) -> bool:
    """Whether a line is nothing but an order to leave, his name aside."""
    spoken = words(text)
    if _OTHERS.intersection(spoken):
        return False
    ordered = any(spoken[at : at + len(order)] == order for order in _ORDERS for at in range(len(spoken)))
    return ordered and sum(word not in _BESIDE_ORDERS for word in spoken) <= 1
