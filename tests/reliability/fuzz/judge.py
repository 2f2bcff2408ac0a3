"""One input is read under watch: by the clock, by what it allocates, and by what is said of it."""

from __future__ import annotations

import hashlib
import logging
import re
import signal
import traceback
import tracemalloc
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

from loguru import logger

from tests.reliability.figures import ROOT
from tests.reliability.fuzz.target import Broken, Target

if TYPE_CHECKING:
    from loguru import Message

ALLOWANCE: Final = 8 << 20
"""Bytes that any input may cost, however short it is."""
SLOW: Final = "Slow"
_NUMBERS: Final = re.compile(r"\d+")


class Slow(BaseException):
    """It takes too long; nothing that is declared, so that no reader swallows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What went wrong with an input; `kind` is the same for inputs that fail alike."""

    kind: str
    says: str
    input: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """Short and the same for the same kind."""
        return hashlib.sha256(self.kind.encode()).hexdigest()[:10]


class Judge:
    """Reads inputs of one target, and says what was wrong. For the main thread, whose alarm it takes."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._said: list[tuple[str, bool]] = []
        """What was logged while an input was read, and whether that is bad in itself."""

    @contextmanager
    def sitting(self) -> Generator[Judge]:
        """Hear all that is logged, and have the alarm."""
        sink = logger.add(self._hear, level=0, format="{message}", backtrace=False, diagnose=False)
        quiet = _Ear(self._said)
        root = logging.getLogger()
        level, others = root.level, root.handlers[:]
        root.handlers[:] = [quiet]
        root.setLevel(logging.WARNING)
        before = signal.signal(signal.SIGVTALRM, _too_slow)
        try:
            with self._target.around():
                yield self
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)
            root.handlers[:] = others
            root.setLevel(level)
            logger.remove(sink)

    def read(self, data: bytes, *, weigh: bool = False) -> Failure | None:
        """Read one input; `weigh` looks at what it allocates, too, which takes longer."""
        self._said.clear()
        bound = ALLOWANCE + self._target.times * len(data)
        if weigh:
            tracemalloc.start()
        try:
            error = self._fed(data)
            peak = tracemalloc.get_traced_memory()[1] if weigh else 0
        finally:
            tracemalloc.stop()
        return self._judged(data, error) or (
            None if peak <= bound else Failure(kind="memory", says=f"{peak} bytes allocated", input=data)
        )

    def _fed(self, data: bytes) -> BaseException | None:
        signal.setitimer(signal.ITIMER_VIRTUAL, self._target.seconds)
        try:
            self._target.feed(data)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return error
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return None

    def _judged(self, data: bytes, error: BaseException | None) -> Failure | None:
        target = self._target
        told = [text for text, _ in self._said] + ([] if error is None else [str(error), repr(error)])
        for secret in target.secrets:
            if any(secret in text for text in told):
                return Failure(kind="secret", says="a secret was said", input=data)
        if error is not None and not isinstance(error, target.declared):
            return Failure(kind=_kind(error), says=_short(error), input=data)
        for text, bad in self._said:
            if bad:
                kind = f"log: {_NUMBERS.sub('0', text)[:60]}"
                return Failure(kind=kind, says=f"logged: {text[:300]}", input=data)
        return None

    def _hear(self, message: Message) -> None:
        record = message.record
        bad = record["exception"] is not None or "Traceback" in record["message"]
        said = record["message"] if record["exception"] is None else f"{message}"
        self._said.append((said, bad or record["level"].no >= logging.CRITICAL))


class _Ear(logging.Handler):
    """The standard library's log: a traceback in it is a failure."""

    def __init__(self, said: list[tuple[str, bool]]) -> None:
        super().__init__()
        self._said = said

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            text += " " + _kind(record.exc_info[1])
        self._said.append((text, bool(record.exc_info) or "Traceback" in text))


def _too_slow(_signal: int, _frame: FrameType | None) -> None:
    raise Slow


def _kind(error: BaseException) -> str:
    """The error's type, and where in the project it came from."""
    if isinstance(error, Slow):
        return SLOW
    if isinstance(error, Broken):
        return f"Broken: {_NUMBERS.sub('0', str(error))[:80]}"
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(ROOT) and "site-packages" not in frame.filename
    ]
    where = [f"{Path(frame.filename).relative_to(ROOT)}:{frame.name}" for frame in frames[-2:]]
    return f"{type(error).__name__} in {' > '.join(where)}"


def _short(error: BaseException) -> str:
    text = "".join(traceback.format_exception(error)[-6:])
    return text if len(text) < 2_000 else text[:400] + " ... " + text[-1_500:]
