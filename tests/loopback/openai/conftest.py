"""A server on loopback for the tests here."""

from __future__ import annotations

from tests.loopback.openai.fixtures import ground, loop, rest

__all__ = ["ground", "loop", "rest"]
