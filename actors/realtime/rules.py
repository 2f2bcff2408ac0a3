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
        case Trigger.VOLITION:
            return SILENCE
        case _:
            assert_never(brief.trigger)


def _taken_back(brief: TurnBrief) -> ScriptedReply | None:
    """Whether somebody wants no longer what the captain is at, and says nothing else."""
    if brief.open_requests and any(_takes_back(line.text) for line in brief.lines):
        return ScriptedReply(text="All right.", tool="take_back")
    return None


def _takes_back(text: str) -> bool:
    spoken = words(text)
    for order in _TAKE_BACK:
        for at in range(len(spoken) - len(order) + 1):
            if spoken[at : at + len(order)] == order:
                beside = (*spoken[:at], *spoken[at + len(order) :])
                return sum(word not in _BESIDE_TAKE_BACK for word in beside) <= 1
    return False


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
