"""Models come inside installed packages; they are found by looking, not by importing."""

from __future__ import annotations

import importlib.util
from pathlib import Path


class ModelMissing(Exception):
    """A model that is not there or not the one that it should be.

    `what` names it and says what is wrong; `remedy` is an instruction to the person who runs the house.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}. {remedy}")
        self.what = what
        self.remedy = remedy


def package_folder(package: str) -> Path | None:
    """The folder of an installed top-level package, which is not imported for it; None when it is absent."""
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


def packaged_file(package: str, inside: str, distribution: str) -> Path:
    """A file in an installed package, or ModelMissing with the `pip install` that would bring it."""
    folder = package_folder(package)
    remedy = f"Run: pip install {distribution}"
    if folder is None:
        raise ModelMissing(f"The package {distribution} is not installed", remedy)
    if not (path := folder / inside).is_file():
        raise ModelMissing(f"{distribution} is installed without {inside}", remedy)
    return path
