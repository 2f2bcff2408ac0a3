"""Without a language model he follows a page of rules, and does not pretend to be more."""

from __future__ import annotations

from typing import assert_never

from actors.realtime.items import TurnBrief
from actors.realtime.matching import contains_words, words
from actors.realtime.script import SILENCE, ScriptedReply, told
from messages.floor import Trigger

_GO = ("go away", "leave us", "please leave", "you can leave", "you may leave", "leave now", "get out")
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
)
_ADDRESSED = (Trigger.ADDRESS, Trigger.TYPED)


def decide(brief: TurnBrief) -> ScriptedReply:
    """What the built-in rules make of a turn; most of the time, silence."""
    match brief.trigger:
        case Trigger.GREETING:
            return ScriptedReply(text="Hello, I am here.")
        case Trigger.MEMBERSHIP:
            alone = all(presence.person.bot for presence in brief.people)
            return ScriptedReply(tool="voice_leave") if alone else SILENCE
        case Trigger.HANDOFF_RESULT:
            return ScriptedReply(text=told(brief.results))
        case Trigger.HANDOFF_WAIT:
            return ScriptedReply(text="One moment, I am still looking.")
        case Trigger.ADDRESS | Trigger.TYPED | Trigger.OFFER | Trigger.VOLITION:
            return _answer(brief)
        case _:
            assert_never(brief.trigger)


def _answer(brief: TurnBrief) -> ScriptedReply:
    if not brief.lines:
        return SILENCE
    text = brief.lines[-1].text
    addressed = brief.trigger in _ADDRESSED
    if addressed and _asks_to_go(text):
        return ScriptedReply(text="Goodbye.", tool="voice_leave")
    if any(contains_words(text, phrase, 0.0) for phrase in _FOR_THE_CAPTAIN):
        return ScriptedReply(tool="ask_clankie", request=text)
    if not addressed:
        return SILENCE
    count = len(text.split())
    heard = "one word" if count == 1 else f"{count} words"
    return ScriptedReply(text=f"I heard {heard}. No language model is configured, so I cannot say more.")


def _asks_to_go(text: str) -> bool:
    """Whether he is to leave, as opposed to somebody who says that others do."""
    spoken = words(text)
    if {"i", "we", "they", "he", "she", "not"}.intersection(spoken):
        return False
    if any(contains_words(text, phrase, 0.0) for phrase in _GO):
        return True
    return "leave" in (*spoken[:1], *spoken[-1:])
