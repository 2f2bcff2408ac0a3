"""Which lines of the readers an input reaches: what reaches a new one is worth going on from."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, Final

from tests.reliability.figures import ROOT

if TYPE_CHECKING:
    from collections.abc import Generator

Step = tuple[str, int, int]
"""A file, and from which line to which."""


class Lines:
    """Watches the current thread while an input is read."""

    def __init__(self, readers: Iterable[str]) -> None:
        self._readers: Final = {str(ROOT / name): name for name in readers}
        self.seen: set[Step] = set()
        self._fresh: set[Step] = set()

    @contextmanager
    def watched(self) -> Generator[None]:
        """Afterwards `fresh` is what nobody reached before."""
        self._fresh = set()
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)

    def fresh(self) -> int:
        """How many new steps the last input made; they are old from now on."""
        found = self._fresh - self.seen
        self.seen |= found
        return len(found)

    def share(self) -> tuple[int, int]:
        """How many lines of the readers were reached, of how many."""
        reached = {(name, line) for name, _, line in self.seen}
        return len(reached), sum(len(_inside(Path(path))) for path in self._readers)

    def _called(self, frame: FrameType, _event: str, _arg: Any) -> Any:
        name = self._readers.get(frame.f_code.co_filename)
        if name is None:
            return None
        last, fresh = 0, self._fresh

        def step(frame: FrameType, event: str, _arg: Any) -> Any:
            nonlocal last
            if event == "line":
                fresh.add((name, last, frame.f_lineno))
                last = frame.f_lineno
            return step

        return step


def _inside(path: Path) -> set[int]:
    """Every line of a file that is in some function, and thus run when something is read."""
    found: set[int] = set()
    waiting = [compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
        if code.co_flags & 0x2:  # a function's, neither a module's nor a class's
            found |= {line for _, _, line in code.co_lines() if line and line != code.co_firstlineno}
    return found
