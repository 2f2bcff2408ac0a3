"""What lies in one conversation, as far as anybody may have to come back to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, assert_never

from actors.realtime.items import CallAnswered, Heard, Item, Observed, Said
from actors.realtime.live import letters
from actors.realtime.live.wording import (
    Entry,
    line_text,
    marker,
    observation,
    output_text,
    said_text,
)
from messages.ids import CallId, Connection, ResponseId, UtteranceId

REMEMBERED = 64
"""How many answers, calls and corrections one may come back to; older ones are long settled."""

K = TypeVar("K")
V = TypeVar("V")


class Ledger:
    """Names every item and every letter of ours; all methods return the letters to be sent."""

    def __init__(self, connection: Connection) -> None:
        self._mine = f"c{connection}-"
        self._count = 0
        self._last: str = letters.FIRST
        self._behind: dict[str, str] = {}
        self._spoken: dict[UtteranceId, tuple[str, ...]] = {}
        self._moved: dict[str, str] = {}
        self._corrections: dict[str, Said] = {}
        self._open_calls: dict[CallId, ResponseId | None] = {}
        self._closed_calls: dict[CallId, None] = {}

    def name(self, kind: str) -> str:
        """A name that nothing else in this conversation has."""
        self._count += 1
        return f"{self._mine}{kind}-{self._count}"

    def put(self, entries: Iterable[Entry]) -> list[str]:
        """These messages, at the end."""
        return [self._put(entry) for entry in entries]

    def add(self, item: Item) -> list[str]:
        """One thing more; of his own words, the correction."""
        match item:
            case Heard():
                return [self._put(Entry("user", line_text(item)))]
            case Observed():
                return [self._put(Entry("system", observation(item)))]
            case Said():
                return self._corrected(item)
            case CallAnswered():
                return self._answered(item)
            case _:
                assert_never(item)

    # --- what the provider put there

    def placed(self, item: str, behind: str | None) -> None:
        """The provider says where an item lies."""
        if item.startswith(self._mine):
            return
        behind = letters.FIRST if behind is None else behind
        _keep(self._behind, item, behind)
        if behind == self._last:
            self._last = item

    def spoke(self, utterance: UtteranceId, item: str) -> None:
        """This item is a part of what he said under that name."""
        items = self._spoken.get(utterance, ())
        if item not in items:
            if item not in self._behind:
                _keep(self._behind, item, self._last)
            _keep(self._spoken, utterance, (*items, item))

    # --- calls

    def called(self, call: CallId, response: ResponseId | None) -> None:
        """A call lies there and wants an output; `response` is what it was a part of, if that was ours."""
        if call not in self._closed_calls:
            _keep(self._open_calls, call, response)

    def dismissed(self, response: ResponseId) -> list[str]:
        """Nothing comes of the calls of this response that have no output yet."""
        calls = [call for call, of in self._open_calls.items() if of == response]
        return [letter for call in calls for letter in self.dismiss(call)]

    def dismiss(self, call: CallId) -> list[str]:
        """Nothing comes of this call."""
        return self._answered(CallAnswered(call=call, outcome="cancelled", text=""))

    def _answered(self, answered: CallAnswered) -> list[str]:
        call = answered.call
        if call not in self._open_calls:
            return []
        del self._open_calls[call]
        _keep(self._closed_calls, call, None)
        self._last = self.name("output")
        return [letters.call_output(self._last, call, output_text(answered))]

    # --- corrections

    def complained(self, name: str) -> list[str]:
        """The provider refuses a letter; a correction that failed becomes a note at the end, once."""
        said = self._corrections.get(name)
        if said is None:
            return []
        self._corrections = {one: other for one, other in self._corrections.items() if other is not said}
        return [self._put(marker(said))]

    def take_away(self, items: Sequence[str]) -> list[str]:
        """Nobody has heard these, and nobody ever will."""
        if items:
            self._move(items, self._before(items))
        return [letters.delete(self.name("delete"), item) for item in items]

    def _corrected(self, said: Said) -> list[str]:
        """Take away what was said under this name, and put there what was heard of it."""
        items = self._spoken.pop(said.utterance, ())
        if not items:
            return [self._put(Entry("assistant", said_text(said)))] if said.dictated else []
        behind, text = self._before(items), said_text(said)
        names = [self.name("delete") for _ in items]
        written = [letters.delete(name, item) for name, item in zip(names, items, strict=True)]
        instead = behind
        if text:
            instead = self.name("heard")
            names.append(instead)
            written.append(letters.message(instead, Entry("assistant", text), behind))
            _keep(self._behind, instead, behind)
            _keep(self._spoken, said.utterance, (instead,))
        for name in names:
            _keep(self._corrections, name, said)
        self._move(items, instead)
        return written

    def _before(self, items: Sequence[str]) -> str:
        """What these lie behind; a provider that says behind themselves gets no end of it."""
        behind = self._place(self._behind.get(items[0], self._last))
        return letters.FIRST if behind in items else behind

    def _move(self, items: Sequence[str], instead: str) -> None:
        """Whatever comes to lie behind these will lie behind this."""
        for item in items:
            _keep(self._moved, item, instead)
        self._last = self._place(self._last)

    def _place(self, item: str) -> str:
        """Where this item is now, or what it lay behind."""
        while item in self._moved:
            item = self._moved[item]
        return item

    def _put(self, entry: Entry) -> str:
        behind, self._last = self._last, self.name("item")
        if entry.utterance is not None:
            _keep(self._behind, self._last, behind)
            _keep(self._spoken, entry.utterance, (self._last,))
        return letters.message(self._last, entry)


def _keep(book: dict[K, V], key: K, value: V) -> None:
    """Write this down, and strike out what is oldest where the book is full."""
    book.pop(key, None)
    book[key] = value
    if len(book) > REMEMBERED:
        del book[next(iter(book))]
