"""What each key of the console does, in the order of the help."""

from __future__ import annotations

from typing import Final, NamedTuple


class Key(NamedTuple):
    """A key, the name of its action, its word in the bottom line (empty: none), and what it does."""

    key: str
    action: str
    word: str
    does: str


KEYS: Final = (
    Key("q", "quit", "Quit", "leave the console; the house goes on"),
    Key("question_mark", "keys", "Keys", "show this list"),
    Key("j", "join", "Join", "have him come into a room, or to where the owner is"),
    Key("l", "leave", "Leave", "have him leave the chosen stay's room"),
    Key("s", "say", "Say", "have him say something word for word"),
    Key("h", "hush", "Hush", "have him be silent for a while; 0 lets him speak again"),
    Key("i", "interrupt", "Stop", "stop what he is saying"),
    Key("a", "ask", "Ask", "ask the captain something"),
    Key("r", "restart", "Restart", "give the actor chosen in the tree a new life"),
    Key("f", "flush", "Flush", "put the record on disk"),
    Key("w", "words", "Words", "show what is said, where the house allows it, or hide it"),
    Key("g", "logs", "Logs", "show the log, or hide it"),
    Key("n", "next_stay", "", "choose the next stay, where there are several"),
    Key("d", "dark", "", "change between dark and light"),
    Key("x", "shutdown", "", "close the house in good order"),
    Key("tab", "", "", "go to the next part of the screen; arrows and page keys scroll it"),
)


def shown(key: str) -> str:
    """The key as it is written on the keyboard."""
    return {"question_mark": "?", "tab": "Tab"}.get(key, key)
