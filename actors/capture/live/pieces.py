"""Words come back under names that the provider gives, and each must find the sound that it was."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from actors.capture.filters import script
from messages.ids import SegmentId

REMEMBERED: Final = 256
"""How many items of one line are known by name; the words of older ones have long come."""
_DOTS: Final = r"(?:\.\.+|…)+"
_DOTS_BEFORE: Final = re.compile(rf"^{_DOTS}\s*")
_DOTS_AFTER: Final = re.compile(rf"\s*{_DOTS}$")
_UNSPACED: Final = frozenset(("CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC", "FULLWIDTH"))
"""Scripts, and the marks of scripts, that put no spaces between words."""


def joined(texts: Iterable[str]) -> str:
    """The words of pieces that follow each other, as they read if nobody had paused for breath."""
    whole = ""
    for text in map(str.strip, texts):
        more = _DOTS_BEFORE.sub("", text) if whole else text
        if whole and more and (more != text or more[0].islower()):
            whole = _DOTS_AFTER.sub("", whole)
        space = " " if whole and more and not (_is_unspaced(whole[-1]) and _is_unspaced(more[0])) else ""
        whole = f"{whole}{space}{more}"
    return whole


def _is_unspaced(sign: str) -> bool:
    return script(sign).partition("-")[0] in _UNSPACED


@dataclass(slots=True, kw_only=True, eq=False)
class Piece:
    """The sound between two commits, and what is known of its words."""

    segment: Segment | None
    """None once nobody waits for these words."""
    text: str = field(default="", repr=False)
    sound: int = 0
    """How many bytes of it there are."""
    named: bool = False
    """Whether the provider has called it by a name."""
    over: bool = False
    """Whether its words are all there, or will not come."""
    failure: str | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Segment:
    """A stretch of voice in as many pieces as there were commits, and one that is growing."""

    id: SegmentId
    pieces: list[Piece] = field(default_factory=list)
    guessed: bool = False
    """Whether all its sound up to the last guess is being written down."""
    finishing: bool = False
    """The final was asked for."""
    told: str = field(default="", repr=False)
    """What of it was told."""

    def text(self) -> str:
        """What it says so far."""
        return joined(piece.text for piece in self.pieces)

    def failure(self) -> str | None:
        """Why there will never be all of its words, if that is so."""
        return next((piece.failure for piece in self.pieces if piece.failure is not None), None)

    def let_go(self) -> None:
        """Nobody waits for its words any longer."""
        for piece in self.pieces:
            piece.segment = None
        self.pieces.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """A commit or a clear that the provider has not answered, and the sound that it is about."""

    name: str
    piece: Piece
    commits: bool


class Ledger:
    """Which sound each item of one line is; the provider answers in the order in which it was asked."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._orders = deque[_Order]()
        self._items: dict[str, Piece] = {}

    def order(self, piece: Piece, *, commits: bool) -> str:
        """Note that this piece is about to be committed or cleared; the name for that order."""
        name = f"{'commit' if commits else 'clear'}_{next(self._numbers)}"
        self._orders.append(_Order(name=name, piece=piece, commits=commits))
        return name

    def committed(self, item: str) -> None:
        """The oldest commit was taken: its piece is this item, whatever it was taken for before."""
        self._pass_clears()
        if not self._orders:
            return
        piece, known = self._orders.popleft().piece, self._items.get(item)
        if known is not None:
            piece.text = known.text
        self._name(item, piece)

    def cleared(self) -> None:
        """The oldest clear was carried out."""
        if self._orders and not self._orders[0].commits:
            self._orders.popleft()

    def refused(self, name: str | None) -> Piece | None:
        """The piece of the order that was refused, which waits for no other answer."""
        order = next((order for order in self._orders if order.name == name), None)
        if order is not None:
            self._orders.remove(order)
        return None if order is None else order.piece

    def oldest(self) -> str | None:
        """The name of the commit that is to be answered next."""
        return next((order.name for order in self._orders if order.commits), None)

    def owes(self, segment: Segment) -> bool:
        """Whether a commit of this segment was never answered."""
        return any(order.piece.segment is segment for order in self._orders)

    def piece(self, item: str, growing: Piece | None) -> Piece | None:
        """The piece that this item is.

        One that is not known yet is the oldest that waits for its name, or else the one that is growing.
        """
        if (known := self._items.get(item)) is not None:
            return known
        asked = (order.piece for order in self._orders)
        unnamed = next((piece for piece in (*asked, growing) if piece is not None and not piece.named), None)
        if unnamed is not None:
            self._name(item, unnamed)
        return unnamed

    def _name(self, item: str, piece: Piece) -> None:
        piece.named = True
        self._items[item] = piece
        if len(self._items) > REMEMBERED:
            del self._items[next(iter(self._items))]

    def _pass_clears(self) -> None:
        """An answered commit says that every clear before it was carried out, told or not."""
        while self._orders and not self._orders[0].commits:
            self._orders.popleft()
