"""Whoever asks what he can do hears it in the words of where he asks."""

from __future__ import annotations

from actors.captain.helping import help_with
from actors.captain.tools import HOUSE_TOOLS


def test_help_is_short_where_it_is_spoken() -> None:
    text = help_with("Clankie, what can you do?", tuple(HOUSE_TOOLS), notes=False, aloud=True)
    assert text is not None
    assert text.startswith("Without a language model I can do this: leave when you say so")
    assert text.count(". ") == 1
    assert '"' not in text
