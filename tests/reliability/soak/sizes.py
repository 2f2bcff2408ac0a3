"""How much everybody on a stage remembers: each container of an actor's state by its path, and its length."""

from __future__ import annotations

import gc
from array import array
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

from pykka import ActorRef

from actors.base import Life, Worker
from supervisors.address import Address
from tests.stage import Stage

HOUSE: Final = "root"
LONG_TEXT: Final = 256
"""A shorter text is not counted: it does not grow much."""
_OURS: Final = ("actors.", "supervisors.", "messages.")
_NOT_HIS: Final = frozenset({Worker, Life, Address, ActorRef, FunctionType, MethodType, ModuleType, type})
"""Others, who are looked at for themselves, and what is no state."""
_SKIPPED: Final = frozenset({"actor_ref", "actor_inbox", "here", "life", "actor_stopped"})


def remembered(stage: Stage) -> Counter[str]:
    """The lengths of all containers of all living actors of the house; stays and ears count together."""
    found: Counter[str] = Counter()
    for path in stage.living():
        if path.split("/")[0] == HOUSE:
            worker = stage.worker(path)
            found += held(worker, _part(path))
            found[f"{_part(path)} (mailbox)"] += worker.unread()
    return found


def held(thing: object, name: str) -> Counter[str]:
    """The lengths of all containers that this holds, and what it holds of ours."""
    found: Counter[str] = Counter()
    _walk(thing, name, found, set())
    return found


def timers(stage: Stage) -> Counter[str]:
    """What is to be delivered later, by its kind."""
    found: Counter[str] = Counter()
    for _, _, deliver in stage.clock._due:  # pyright: ignore[reportPrivateUsage]
        cells = getattr(deliver, "__closure__", None) or ()
        kinds = [type(cell.cell_contents).__name__ for cell in cells]
        found[f"timers: {' to '.join(sorted(kinds))}"] += 1
    return found


def objects() -> Counter[str]:
    """All containers of this process that the collector knows, by their type, once the garbage is gone."""
    gc.collect()
    return Counter(f"{kind.__module__}.{kind.__qualname__}" for kind in map(type, gc.get_objects()))


def dead() -> int:
    """How many actors of a house are over and still in memory, once the garbage is gone."""
    gone = 0
    for one in gc.get_objects():
        # To ask isinstance of an abstract class would leave a trace in its cache for every type.
        if Worker in type(one).__mro__ and one.life.over and one.life.path.split("/")[0] == HOUSE:
            gone += 1
    return gone


def descriptors() -> int:
    """How many files, sockets and pipes are open."""
    return len(list(Path("/proc/self/fd").iterdir())) - 1


def _part(path: str) -> str:
    """A path without the names of stays and of people."""
    steps = path.split("/")
    if steps[1:3] == ["body", "stays"] and len(steps) > 3:
        steps[3] = "*"
        if len(steps) > 5 and steps[4] == "ears":
            steps[5] = "*"
    return "/".join(steps[1:]) or HOUSE


def _walk(thing: object, path: str, found: Counter[str], seen: set[int]) -> None:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    match thing:
        case str() | bytes() | bytearray() | memoryview() | array():
            if len(thing) >= LONG_TEXT:
                found[f"{path} (text)"] += len(thing)
        case deque() if thing.maxlen is not None:
            _walk_all(thing, path, found, seen)
        case dict():
            found[path] += len(thing)
            _walk_all([*thing.values(), *thing], path, found, seen)
        case list() | tuple() | set() | frozenset() | deque():
            found[path] += len(thing)
            _walk_all(thing, path, found, seen)
        case _:
            for name, value in _state(thing):
                _walk(value, f"{path}.{name.lstrip('_')}", found, seen)


def _walk_all(things: Any, path: str, found: Counter[str], seen: set[int]) -> None:
    for one in tuple(things):
        _walk(one, f"{path}[]", found, seen)


def _state(thing: object) -> Iterator[tuple[str, object]]:
    """The attributes of one of ours; an actor's own life is not its state."""
    kind = type(thing)
    if not kind.__module__.startswith(_OURS) or _NOT_HIS.intersection(kind.__mro__) - {Worker}:
        return
    names = {name for base in kind.__mro__ for name in getattr(base, "__slots__", ())}
    for name in (*vars(thing), *names) if hasattr(thing, "__dict__") else names:
        value = getattr(thing, name, None)
        if name not in _SKIPPED and _NOT_HIS.isdisjoint(type(value).__mro__):
            yield name, value
