"""An ElevenLabs for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.elevenlabs.server import ElevenLabs


@pytest.fixture
def server() -> Iterator[ElevenLabs]:
    """One that is up."""
    with ElevenLabs() as up:
        yield up
