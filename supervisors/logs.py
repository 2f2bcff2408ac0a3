"""One line per decision that changed something, wherever it was made; configured here and nowhere else."""

from __future__ import annotations

import faulthandler
import inspect
import logging
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING

from loguru import logger

from supervisors.settings import LogSettings

if TYPE_CHECKING:
    from loguru import Record

_TEXT = "<dim>{time:HH:mm:ss.SSS}</dim> <level>{level: <7}</level> {message}{extra[ids]}"


class _FromStandardLogging(logging.Handler):
    """Passes what libraries log on to loguru, with the place it came from."""

    def emit(self, record: logging.LogRecord) -> None:
        level: str | int = record.levelno
        if record.levelname in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
            level = record.levelname
        frame: FrameType | None = inspect.currentframe()
        depth = 0
        while frame is not None and (depth == 0 or frame.f_code.co_filename == logging.__file__):
            frame, depth = frame.f_back, depth + 1
        logger.opt(depth=depth).log(level, "{}: {}", record.name, record.getMessage())


def _with_ids(record: Record) -> None:
    """The ids a line is bound to (stay, child, …), readable at its end."""
    ids = ", ".join(f"{name} {value}" for name, value in record["extra"].items() if name != "ids")
    record["extra"]["ids"] = f"  ({ids})" if ids else ""


def configure(settings: LogSettings) -> None:
    """Write to standard error as configured; on SIGUSR1, every thread's stack as well."""
    logger.remove()
    logger.configure(patcher=_with_ids)
    if settings.format == "json":
        logger.add(sys.stderr, level=settings.level, serialize=True, backtrace=False, diagnose=False)
    else:
        logger.add(sys.stderr, level=settings.level, format=_TEXT, backtrace=False, diagnose=False)
    logging.basicConfig(handlers=[_FromStandardLogging()], level=logging.WARNING, force=True)
    # In debug mode it writes down what a slow callback was given: words, or a key.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    faulthandler.register(signal.SIGUSR1, all_threads=True)
