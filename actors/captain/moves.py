"""Short orders in plain English: come, go, show something, try again, and nothing that only sounds so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

NO_ARGUMENTS: Final = "{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One thing that is wanted: a tool with its arguments, as JSON, or (`again`) what did not work before."""

    tool: str = ""
    arguments: str = NO_ARGUMENTS
    again: bool = False


_Spoken: TypeAlias = tuple[str, ...]


def _set(*lists: str) -> frozenset[str]:
    return frozenset(word for words in lists for word in words.split())


_POLITE: Final = "please can could would will you may just now then and also okay ok hey hello hi thanks"
_AROUND: Final = "here in into to the a my our this voice channel vc chat call room stage us me"
_COMING: Final[tuple[_Spoken, ...]] = (
    ("come",),
    ("join",),
    ("hop", "in"),
    ("hop", "into"),
    ("hop", "on"),
    ("jump", "in"),
    ("get", "in"),
    ("get", "into"),
    ("get", "over", "here"),
)
_WHILE_COMING: Final = _set(
    _POLITE, _AROUND, "come join hop on jump get over up with back again quickly want"
)
_GOING: Final[tuple[_Spoken, ...]] = (
    ("leave",),
    ("go", "away"),
    ("get", "out"),
    ("go", "home"),
    ("hang", "up"),
    ("disconnect",),
)
_FAREWELLS: Final[tuple[_Spoken, ...]] = (("bye",), ("goodbye",))
_WHILE_GOING: Final = _set(
    _POLITE, _AROUND, "thank leave go away get out of from home hang up disconnect bye goodbye"
)
_PLACES: Final = _set("voice channel vc call room stage")
_STARTING: Final = _set("start open begin launch show play put")
_STOPPING: Final = _set("stop close end finish quit")
_SHOWS: Final = _set("watching watch activity show surface")
_TOGETHER: Final[tuple[_Spoken, ...]] = (
    ("watch", "together"),
    ("watch", "something"),
    ("watch", "with", "us"),
)
_WHILE_SHOWING: Final = _STARTING | _STOPPING | _SHOWS
_BESIDE_SHOWS: Final = _WHILE_SHOWING | _set(
    _POLITE, _AROUND, "on with for together party up something let s"
)
_BESIDE_STOPPING: Final = _BESIDE_SHOWS - {"me", "us"}
_AGAIN: Final = _set(_POLITE, "try retry it that this do again once more one another time give a go")

_WHERE_I_AM: Final = re.compile(
    r"\b(?:where|in which|that) (?:i am|i'm|we are|we're)(?: (?:in|sitting|now))*\b"
)
_HIS_NAME: Final = re.compile(r"[ck]l[aeiou]nk\w{0,3}")
_NOT_COMING: Final = re.compile(r"\bcome (?:on\b(?! (?:in|over|up|back)\b)|again\b)")
"""What is said of a joke, or by somebody who has not understood."""


def moving(clause: str, *, aloud: bool, names: frozenset[str]) -> Wish | None:
    """What a clause orders that says nothing else; in writing, a goodbye has to say where from."""
    spoken = _words(clause, names)
    if _says(spoken, _COMING) and _only(spoken, _WHILE_COMING):
        return Wish(tool="voice_join")
    if _goes(spoken, aloud=aloud):
        return Wish(tool="voice_leave")
    return _showing(spoken) or _again(frozenset(spoken))


def _words(clause: str, names: frozenset[str]) -> _Spoken:
    """The words without his name, which voices and hands spell as they like."""
    plain = _NOT_COMING.sub(" ", _WHERE_I_AM.sub(" ", clause.casefold()))
    found = re.findall(r"[^\W_]+", plain)
    return tuple(word for word in found if word not in names and _HIS_NAME.fullmatch(word) is None)


def _only(spoken: _Spoken, known: frozenset[str]) -> bool:
    """Whether nothing else is said: another name, or a not, makes it something else."""
    return known.issuperset(spoken)


def _says(spoken: _Spoken, orders: tuple[_Spoken, ...]) -> bool:
    return any(spoken[at : at + len(order)] == order for order in orders for at in range(len(spoken)))


def _goes(spoken: _Spoken, *, aloud: bool) -> bool:
    parting = _says(spoken, _FAREWELLS) and (aloud or bool(_PLACES.intersection(spoken)))
    return (parting or _says(spoken, _GOING)) and _only(spoken, _WHILE_GOING)


def _showing(spoken: _Spoken) -> Wish | None:
    if not _SHOWS.intersection(spoken) or not _only(spoken, _BESIDE_SHOWS):
        return None
    if _STOPPING.intersection(spoken):
        return Wish(tool="watch_stop") if _only(spoken, _BESIDE_STOPPING) else None
    begun = _STARTING.intersection(spoken) and len(_WHILE_SHOWING.intersection(spoken)) > 1
    return Wish(tool="watch_start") if begun or _says(spoken, _TOGETHER) else None


def _again(spoken: frozenset[str]) -> Wish | None:
    wanted = spoken & {"try", "retry", "again"} or {"once", "more"} <= spoken
    return Wish(again=True) if wanted and spoken <= _AGAIN else None
