"""A loop for sockets, and a window that is open on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.net.loop import IoLoop
from tests.actors.console.window import Window


@pytest.fixture
def loop() -> Iterator[IoLoop]:
    running = IoLoop()
    running.start()
    yield running
    assert running.stop(2)


@pytest.fixture
def window(loop: IoLoop, tmp_path: Path) -> Iterator[Window]:
    window = Window(loop, tmp_path)
    yield window
    window.console.close()
