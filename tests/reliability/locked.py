"""What uv.lock pins for whoever runs him, every extra and every system included; no tool of tests."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from typing import Any, Final

import uv

from tests.reliability.figures import ROOT

Json = dict[str, Any]
EXPORT: Final = ("export", "--quiet", "--frozen", "--no-dev", "--all-extras", "--format", "cyclonedx1.5")
ELSEWHERE: Final[Mapping[str, str]] = {
    "audioop-lts": "PSF-2.0",
    "colorama": "BSD-3-Clause",
    "httpx2-jsfetch": "BSD-3-Clause",
    "pywin32": "PSF-2.0",
    "win32-setctime": "MIT",
}
"""What only another system or another Python installs, so that nothing here can be asked for its licence."""
_CALLED: Final[Mapping[str, str]] = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "The MIT License (MIT)": "MIT",
}
"""What packages call their licences, and what SPDX does."""
_EXPRESSION: Final = re.compile(r"[\w.-]+( (AND|OR) [\w.-]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One version that somebody may have; `licence` is an SPDX expression, "" where none is known."""

    name: str
    version: str
    licence: str


def exported() -> Json:
    """Return what uv makes of its lock: CycloneDX without a word about licences."""
    command = (uv.find_uv_bin(), *EXPORT)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    document: Json = json.loads(done.stdout)
    return document


def packages(document: Json) -> tuple[Package, ...]:
    """Return every package of such a document, in its order."""
    return tuple(
        Package(name=one["name"], version=one["version"], licence=licence_of(one["name"]))
        for one in document["components"]
    )


def licence_of(name: str) -> str:
    """Return what a package says of itself, in SPDX's words."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return ELSEWHERE.get(name, "")
    if (expression := _said(told, "License-Expression")) is not None:
        return expression
    first = (_said(told, "License") or "").partition("\n")[0].strip()
    known = _CALLED.get(first, first)
    if known and _EXPRESSION.fullmatch(known):
        return known
    classes = [one.rpartition(" :: ")[2] for one in told.get_all("Classifier") or [] if "License ::" in one]
    return " OR ".join(sorted({_CALLED.get(one, "") for one in classes} - {""}))


def _said(told: PackageMetadata, field: str) -> str | None:
    return str(told[field]) if field in told else None
