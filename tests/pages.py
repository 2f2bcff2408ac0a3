"""Written pages: `make docs` writes them from the code, and a test sees that they are still true."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType

from actors.console.live.openapi import document
from actors.evidence.schema import schema_page
from actors.meter.metrics import Counter, Gauge, Histogram
from supervisors.config_page import config_page
from tests.benchmarks.page import page
from tests.benchmarks.plan import BENCHES
from tests.benchmarks.record import RECORD, Record
from tests.reliability import figures
from tests.reliability.page import page as reliability

ROOT = Path(__file__).parents[1]
_ROOMS = (
    *("gateway", "stay", "voice", "capture", "floor", "realtime", "tts", "playback", "captain"),
    *("tools", "authority", "attachment", "evidence", "console", "orders", "meter", "lifecycle"),
    *("people", "audio", "ids"),
)


def messages_page() -> str:
    """Return docs/messages.md: every door plate, with what may be said and what it means."""
    return "\n".join(_messages()) + "\n"


def metrics_page() -> str:
    """Return docs/metrics.md: every number that Prometheus is told."""
    return "\n".join(_metrics()) + "\n"


def performance_page() -> str:
    """Return docs/performance.md: the table of the last whole run of `make bench` on record."""
    return page(Record.read(ROOT / "docs" / RECORD), BENCHES)


def pages() -> dict[Path, str]:
    """Return every written page and what must be in it."""
    return {
        ROOT / "docs" / "messages.md": messages_page(),
        ROOT / "docs" / "metrics.md": metrics_page(),
        ROOT / "docs" / "openapi.json": document(),
        ROOT / "docs" / "performance.md": performance_page(),
        ROOT / "docs" / "receipts.schema.json": schema_page(),
        ROOT / "docs" / "reliability.md": reliability(figures.read()),
        ROOT / "config.toml": config_page(),
    }


def _metrics() -> Iterator[str]:
    yield "# Metrics"
    yield ""
    yield "Written from `actors/meter/metrics.py` by `make docs`. `GET /metrics` has them in the text format"
    yield "of Prometheus ([operating.md](operating.md#numbers-and-spans)). Labels are bounded sets of codes"
    yield "and the names of models: none names a person, a room or a stay."
    yield ""
    yield "| number | kind | labels | means |"
    yield "|---|---|---|---|"
    for counter in Counter:
        name, meaning, labels = counter.value
        yield f"| `{name}_total` | counter | {_codes(labels)} | {meaning} |"
    for histogram in Histogram:
        name, meaning, buckets = histogram.value
        yield f"| `{name}` | histogram, up to {', '.join(f'{one:g}' for one in buckets)} s | | {meaning} |"
    for gauge in Gauge:
        name, meaning, labels = gauge.value
        yield f"| `{name}` | gauge | {_codes(labels)} | {meaning} |"


def _codes(labels: tuple[str, ...]) -> str:
    return ", ".join(f"`{label}`" for label in labels)


def _messages() -> Iterator[str]:
    yield "# Messages"
    yield ""
    yield "Written from `messages/` by `make docs`. Orders are imperative, events are past tense. All are"
    yield "frozen; times are monotonic seconds unless a name ends in `_ms`."
    for room in _ROOMS:
        module = importlib.import_module(f"messages.{room}")
        yield ""
        yield f"## {room}"
        yield ""
        yield _said(module)
        yield from _unions(module)
        rows = [row for thing in vars(module).values() for row in _rows(module, thing)]
        if rows:
            yield ""
            yield "| message | carries | means |"
            yield "|---|---|---|"
            yield from rows


def _unions(module: ModuleType) -> Iterator[str]:
    source = inspect.getsource(module)
    for name, members in re.findall(r"^(\w+): TypeAlias = ((?:\([^)]*\))|[^\n(]+)$", source, re.MULTILINE):
        parts = [part.strip("() \n") for part in members.split("|")]
        yield ""
        yield f"`{name}` = {', '.join(f'`{part}`' for part in parts if part)}"


def _rows(module: ModuleType, thing: object) -> Iterator[str]:
    if not inspect.isclass(thing) or thing.__module__ != module.__name__:
        return
    meaning = _said(thing).replace("|", "\\|")
    if dataclasses.is_dataclass(thing):
        carries = ", ".join(f"`{one.name}`" for one in dataclasses.fields(thing))
        yield f"| `{thing.__name__}` | {carries} | {meaning} |"
    elif issubclass(thing, Enum):
        values = ", ".join(f"`{one.value}`" for one in thing)
        yield f"| `{thing.__name__}` (one of) | {values} | {meaning} |"


def _said(thing: object) -> str:
    return " ".join((inspect.getdoc(thing) or "").split())


def main() -> None:
    """Write every page."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
