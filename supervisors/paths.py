"""Where things are on disk: a path as an operator writes it, and all that a house keeps in one folder."""

from __future__ import annotations

from pathlib import Path

from actors.evidence.settings import LOOPBACK
from supervisors.settings import BadConfig


def kept_in(folder: Path) -> dict[str, dict[str, str | int]]:
    """Return the settings of a rehearsed house, which keeps all it writes below `folder`."""
    return {
        "evidence": {"directory": str(folder / "evidence"), "origin": LOOPBACK},
        "captain": {"directory": str(folder / "captain")},
        "console": {"directory": str(folder / "console"), "port": 0},
    }


def at_home(setting: str, path: Path) -> Path:
    """Put the home in the place of ~; raises BadConfig, which names the `setting`, where there is none."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise BadConfig(f"{setting}: {path} is in nobody's home; write the path in full") from None
