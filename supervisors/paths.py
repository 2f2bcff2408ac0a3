"""A path as an operator writes it, with ~ for somebody's home."""

from __future__ import annotations

from pathlib import Path

from supervisors.settings import BadConfig


def at_home(setting: str, path: Path) -> Path:
    """Put the home in the place of ~; raises BadConfig, which names the `setting`, where there is none."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise BadConfig(f"{setting}: {path} is in nobody's home; write the path in full") from None
