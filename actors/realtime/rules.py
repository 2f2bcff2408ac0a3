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
    "my memories",
    "what notes",
    "what can you do",
    "what do you do",
    "what else can you do",
    "how can you help",
)
_HELP = ("help", "help me", "help us", "commands")
"""Nothing else may be said beside it, but courtesies and his name."""
_FORGETTING = (
    "forget me",
    "forget everything",
    "forget all",
    "forget what",
    "forget my",
    "forget about me",
    "forget about us",
)
_COURTESIES = _BESIDE_TAKE_BACK | {"can", "could", "would", "will", "you"}
_THANKS = frozenset(("thanks", "thank"))
_GREETINGS = frozenset(("hello", "hi", "hey", "good", "morning", "evening", "night"))
_ASKING = frozenset(["what", "when", "where", "who", "whom", "whose", "which", "how", "why"])
NO_MODEL = (
    "I did not get that: no language model is connected, so I follow plain orders only. "
    'Say "help" to hear which.'
)
AT_A_LOSS = (
    "That is beyond me.",
    "I have no answer to that.",
    'I cannot make anything of that. Say "help" to hear what I can do.',
    "There I can only listen.",
    "I am no help with that.",
)
"""What he says in turn, having said once in a conversation what he is."""
_LONG_THANKS = 8
_WELCOME = ("You are welcome.", "Any time.", "Glad to help.")


def decide(brief: TurnBrief, *, at_a_loss: int) -> ScriptedReply:
    """What the built-in rules make of a turn; `at_a_loss` counts how often they had nothing to say before."""
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
            said = [line.text for line in brief.lines]
            return _taken_back(brief) or _answer(said, at_a_loss=at_a_loss)
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


def _answer(said: list[str], *, at_a_loss: int) -> ScriptedReply:
    if any(_asks_to_go(text) for text in said):
        return ScriptedReply(text="Goodbye.", tool="voice_leave")
    asking = _ask_captain(said)
    if asking is not SILENCE:
        return asking
    asked = next((text for text in reversed(said) if _addresses_captain(text)), None)
    if asked is not None:
        return ScriptedReply(tool="ask_clankie", request=asked)
    return ScriptedReply(text=_courtesy(words(" ".join(said)), at_a_loss) or lost_for_words(at_a_loss))


def lost_for_words(times: int) -> str:
    """What he says where he knows nothing to say, after so many times."""
    return AT_A_LOSS[(times - 1) % len(AT_A_LOSS)] if times else NO_MODEL


def _addresses_captain(text: str) -> bool:
    """Whether this is for the captain if it is said to him: help, what to forget, and any question."""
    spoken = words(text)
    if any(contains_words(text, phrase, 0.0) for phrase in _FORGETTING):
        return not _NOT_HIM.intersection(spoken)
    bare = [word for word in spoken if word not in _COURTESIES]
    if " ".join(bare) in _HELP or " ".join(bare[1:]) in _HELP:
        return True
    return text.rstrip().endswith("?") or bool(_ASKING.intersection(spoken[:2]))


def _courtesy(spoken: tuple[str, ...], times: int) -> str | None:
    """What is said to thanks, a greeting, or his name alone."""
    little = bool(spoken) and sum(word not in _BESIDE_TAKE_BACK | _GREETINGS for word in spoken) <= 1
    if _THANKS.intersection(spoken) and len(spoken) <= _LONG_THANKS:
        return _WELCOME[times % len(_WELCOME)]
    if little and _GREETINGS.intersection(spoken):
        return "Hello."
    return "Yes?" if little else None


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
