"""What a library loads and nobody here uses costs every stay its memory again: it is left out."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def without(**modules: tuple[str, ...]) -> Generator[None]:
    """Import something, while these modules (`_` for a dot) have empty places for the names given.

    A module that is loaded already is left alone, and whoever imports one later gets the real one.
    """
    names = {module.replace("_", "."): names for module, names in modules.items()}
    absent = {name: _hollow(name, names[name]) for name in names if name not in sys.modules}
    sys.modules.update(absent)
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


def _hollow(name: str, names: tuple[str, ...]) -> ModuleType:
    module = ModuleType(name)
    for each in names:
        setattr(module, each, None)
    return module
