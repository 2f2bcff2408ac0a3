"""What he said a moment ago may come back through somebody's loudspeaker."""

from __future__ import annotations

from dataclasses import dataclass

from actors.floor.text import Tokens
from messages.ids import UtteranceId

AHEAD = 15.0
"""How long before it is heard a text may be told."""
_LINE_WORDS = 20
"""An echo shows in its first words; the rest need not be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Words of his, which can come back until `until`."""

    utterance: UtteranceId
    words: Tokens
    until: float


def told(
    memory: tuple[Spoken, ...], utterance: UtteranceId, words: Tokens, now: float, window: float
) -> tuple[Spoken, ...]:
    """Text that will be heard soon."""
    fresh = tuple(spoken for spoken in memory if spoken.until > now)
    return (*fresh, Spoken(utterance=utterance, words=words, until=now + AHEAD + window))


def heard(
    memory: tuple[Spoken, ...], utterance: UtteranceId, words: Tokens, now: float, window: float
) -> tuple[Spoken, ...]:
    """The utterance is over, and of it the end of `words` can still come back."""
    others = tuple(spoken for spoken in memory if spoken.until > now and spoken.utterance != utterance)
    last = words[-max(int(window * 5), 1) :]
    return (*others, Spoken(utterance=utterance, words=last, until=now + window))


def is_echo(line: Tokens, memory: tuple[Spoken, ...], now: float, *, during: bool) -> bool:
    """Whether a line is his own words: four fifths of it in their order, close together.

    Fewer than three words are an echo only if they were said `during` his speech, and are all his.
    """
    his = tuple(word for spoken in memory if spoken.until > now for word in spoken.words)
    line = line[:_LINE_WORDS]
    if len(line) < 3:
        return during and any(his[at : at + len(line)] == line for at in range(len(his)))
    known, enough = set(his), 0.8 * len(line)
    if sum(word in known for word in line) < enough:
        return False
    reach = len(line) + 2
    return any(_in_order(line, his[at : at + reach]) >= enough for at in range(max(len(his) - 1, 0)))


def _in_order(line: Tokens, his: Tokens) -> int:
    """The length of the longest common subsequence."""
    best = [0] * (len(his) + 1)
    for word in line:
        before = 0
        for place, mine in enumerate(his, 1):
            before, best[place] = (
                best[place],
                before + 1 if word == mine else max(best[place], best[place - 1]),
            )
    return best[-1]
