"""From inputs that are in order to inputs that are not, by chance, and the chance is a seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from tests.reliability.fuzz import hostile
from tests.reliability.fuzz.target import MOST_PARTS, Form, pack, unpack

LONGEST: Final = 1 << 18
"""Bytes of one input: what reads more of it only takes longer."""
_STRUCTURED: Final = 0.75


class Mutator:
    """Makes the next input out of the `corpus`, which its owner may let grow."""

    def __init__(self, chance: Random, form: Form, *, sequence: bool, corpus: list[bytes]) -> None:
        self._chance, self._form, self._sequence, self.corpus = chance, form, sequence, corpus

    def next(self) -> bytes:
        """An input that differs from some other one in a few places."""
        chance = self._chance
        data = self._pick()
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5, 8))):
            data = self._changed_sequence(data) if self._sequence else self._changed(data)
        return data[:LONGEST]

    def _pick(self) -> bytes:
        # What was found last is where something may still be found.
        newest = self._chance.random() < 0.5
        return self._chance.choice(self.corpus[-16:] if newest else self.corpus)

    def _changed_sequence(self, data: bytes) -> bytes:
        parts, chance = unpack(data), self._chance
        if parts and chance.random() < 0.55:
            at = chance.randrange(len(parts))
            parts[at] = self._changed(parts[at])
            return pack(parts)
        other = unpack(self._pick())
        match chance.randrange(6):
            case 0 if parts:
                del parts[chance.randrange(len(parts))]
            case 1 if parts:
                parts.insert(chance.randrange(len(parts) + 1), chance.choice(parts))
            case 2 if other:
                parts.insert(chance.randrange(len(parts) + 1), chance.choice(other))
            case 3:
                parts = parts[: chance.randint(0, len(parts))] + other[chance.randint(0, len(other)) :]
            case 4 if parts:
                at = chance.randrange(len(parts))
                parts[at:at] = [parts[at]] * chance.choice((2, 8, MOST_PARTS))
            case _:
                chance.shuffle(parts)
        return pack(parts[:MOST_PARTS])

    def _changed(self, data: bytes) -> bytes:
        if self._chance.random() < _STRUCTURED:
            if self._form is Form.JSON and (changed := self._json(data)) is not None:
                return changed
            if self._form is Form.LINES and (changed := self._lines(data)) is not None:
                return changed
            if self._form is Form.TEXT:
                return self._text(data)
        return self._bytes(data)

    # --- JSON

    def _lines(self, data: bytes) -> bytes | None:
        lines = data.split(b"\n")
        at, chance = self._chance.randrange(len(lines)), self._chance
        match chance.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines.insert(chance.randrange(len(lines)), lines[at])
            case 2:
                lines.insert(at, chance.choice(self._pick().split(b"\n")))
            case _:
                changed = self._json(lines[at])
                if changed is None:
                    return None
                lines[at] = changed
        return b"\n".join(lines)

    def _json(self, data: bytes) -> bytes | None:
        try:
            tree: object = json.loads(data)
        except (ValueError, RecursionError):
            return None
        places = list(_places(tree))
        if not places:
            tree = self._value()
        else:
            self._hurt(*self._chance.choice(places))
        return self._written(tree)

    def _written(self, tree: object) -> bytes:
        chance = self._chance
        try:
            text = json.dumps(tree, ensure_ascii=chance.random() < 0.7)
        except (ValueError, RecursionError):
            return b"[" * 2_000
        if text.startswith('{"') and chance.random() < 0.05:  # the same key twice
            text = text[:-1] + "," + text[1:]
        return text.encode("utf-8", "surrogatepass")

    def _hurt(self, home: dict[str, object] | list[object], key: str | int) -> None:
        chance = self._chance
        match chance.randrange(10):
            case 0:
                del home[key]  # type: ignore[arg-type]
            case 1 if isinstance(home, dict):
                home[chance.choice(hostile.TEXTS)] = home.pop(str(key))
            case 2 if isinstance(home, list):
                home.extend([home[int(key)]] * chance.choice((1, 3, 100)))
            case 3:
                home[key] = _nested(home[key], chance.choice((1, 2, 50, 900)))  # type: ignore[index]
            case 4 if (other := self._borrowed()) is not None:
                home[key] = other  # type: ignore[index]
            case 5:
                home[key] = self._near(home[key])  # type: ignore[index]
            case _:
                home[key] = self._value()  # type: ignore[index]

    def _near(self, value: object) -> object:
        chance = self._chance
        if isinstance(value, bool) or value is None:
            return not value
        if isinstance(value, int):
            return value + chance.choice((-1, 1, -1000, 2**31, -value, -2 * value))
        if isinstance(value, float):
            return chance.choice((value * -1, value * 1e6, value / 3, 2.0**53))
        if isinstance(value, str):
            return self._text(value.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")
        return [value]

    def _borrowed(self) -> object:
        other = self._pick()
        if self._sequence:
            other = self._chance.choice(unpack(other) or [b""])
        if self._form is Form.LINES:
            other = self._chance.choice(other.split(b"\n"))
        try:
            tree: object = json.loads(other)
        except (ValueError, RecursionError):
            return None
        places = list(_places(tree))
        if not places:
            return tree
        home, key = self._chance.choice(places)
        return home[key]  # type: ignore[index]

    def _value(self) -> object:
        chance = self._chance
        match chance.randrange(8):
            case 0 | 1 | 2:
                return chance.choice(hostile.NUMBERS)
            case 3 | 4 | 5:
                return chance.choice(hostile.TEXTS)
            case 6:
                return chance.choice((None, True, False))
            case _:
                return chance.choice(([], {}, [[]], {"": None}, [{}] * 40, {"type": "error"}, ["a", 1, None]))

    # --- text and bytes

    def _text(self, data: bytes) -> bytes:
        chance = self._chance
        text = data.decode("utf-8", "surrogateescape")
        at, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        match chance.randrange(8):
            case 6 | 7 if "=" in text:
                text = self._assigned(text)
            case 0:
                text = text[:at] + chance.choice(hostile.TEXTS) + text[at:]
            case 1:
                text = text[:at] + chance.choice(hostile.TEXTS) + text[end:]
            case 2:
                text = text[:at] + str(chance.choice(hostile.NUMBERS)) + text[at:]
            case 3:
                words = text.split(" ")
                chance.shuffle(words)
                text = " ".join(words)
            case 4:
                lines = text.split("\n")
                lines.insert(chance.randint(0, len(lines)), chance.choice(lines))
                text = "\n".join(lines)
            case _:
                return self._bytes(data)
        return text.encode("utf-8", "surrogatepass" if chance.random() < 0.5 else "replace")

    def _assigned(self, text: str) -> str:
        """With another value for one of its names."""
        chance = self._chance
        lines = text.split("\n")
        at = chance.choice([place for place, line in enumerate(lines) if "=" in line])
        name, _, old = lines[at].partition("=")
        lines[at] = f"{name}= {chance.choice((*hostile.VALUES, old + old, '[' + old + ']'))}"
        return "\n".join(lines)

    def _bytes(self, data: bytes) -> bytes:
        chance = self._chance
        act = chance.choice(_ACTS)
        at, end = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        return act(chance, data, at, end, self._pick)


_Act = Callable[[Random, bytes, int, int, Callable[[], bytes]], bytes]


def _flip(chance: Random, data: bytes, at: int, _end: int, _other: Callable[[], bytes]) -> bytes:
    if at >= len(data):
        return data + b"\0"
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def _cut(_chance: Random, data: bytes, at: int, end: int, _other: Callable[[], bytes]) -> bytes:
    return data[:at] + data[end:]


def _end(_chance: Random, data: bytes, at: int, _end: int, _other: Callable[[], bytes]) -> bytes:
    return data[:at]


def _double(chance: Random, data: bytes, at: int, end: int, _other: Callable[[], bytes]) -> bytes:
    return data[:end] + data[at:end] * chance.choice((1, 1, 2, 16)) + data[end:]


def _insert(chance: Random, data: bytes, at: int, _end: int, _other: Callable[[], bytes]) -> bytes:
    return data[:at] + chance.choice(hostile.BYTES) + data[at:]


def _noise(chance: Random, data: bytes, at: int, _end: int, _other: Callable[[], bytes]) -> bytes:
    noise = chance.randbytes(chance.choice((1, 2, 4, 16, 60)))
    return data[:at] + noise + data[at + len(noise) :]


def _number(chance: Random, data: bytes, at: int, _end: int, _other: Callable[[], bytes]) -> bytes:
    width = chance.choice((1, 2, 4, 8))
    number = chance.choice((*hostile.WORDS, len(data), (1 << 8 * width) - 1, 1 << 8 * width - 1))
    order = "big" if chance.random() < 0.6 else "little"
    written = (number & (1 << 8 * width) - 1).to_bytes(width, order)  # type: ignore[arg-type]
    return data[:at] + written + data[at + width :]


def _splice(chance: Random, data: bytes, at: int, _end: int, other: Callable[[], bytes]) -> bytes:
    rest = other()
    return data[:at] + rest[chance.randint(0, len(rest)) :]


_ACTS: Final[Sequence[_Act]] = (_flip, _flip, _cut, _end, _double, _insert, _noise, _number, _number, _splice)


def _places(tree: object) -> Sequence[tuple[dict[str, object] | list[object], str | int]]:
    """Every place in a tree of JSON at which a value lies."""
    found: list[tuple[dict[str, object] | list[object], str | int]] = []
    waiting: list[object] = [tree]
    while waiting and len(found) < 2_000:
        value = waiting.pop()
        if isinstance(value, dict):
            found += ((value, key) for key in value)
            waiting += value.values()
        elif isinstance(value, list):
            found += ((value, at) for at in range(min(len(value), 200)))
            waiting += value
    return found


def _nested(value: object, levels: int) -> object:
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value
