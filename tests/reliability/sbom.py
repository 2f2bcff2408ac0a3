"""`make sbom`: what he is made of, each part with its version, its hashes and its licence."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from tests.reliability.figures import ROOT
from tests.reliability.locked import Json, exported, licence_of, packages

OUT: Final = ROOT / "build" / "sbom.json"
app = typer.Typer(add_completion=False)


def bill() -> Json:
    """Return the bill of materials: uv's own, with the licences that the packages declare."""
    document = exported()
    for part in (document["metadata"]["component"], *document["components"]):
        if licence := licence_of(part["name"]):
            part["licenses"] = [{"expression": licence}]
    return document


@app.command()
def write(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where it is put (CycloneDX 1.5, JSON).")] = OUT,
) -> None:
    """Write what he is made of: every package that uv.lock pins for running him, tools of tests left out."""
    document = bill()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    console, found = Console(), packages(document)
    table = Table("licence", "packages", title=f"{len(found)} packages, in {out}")
    for licence, count in Counter(one.licence or "not known" for one in found).most_common():
        table.add_row(licence, str(count))
    console.print(table)
    if unknown := [one.name for one in found if not one.licence]:
        console.print(
            f"No licence is known of {', '.join(unknown)}: write it into tests/reliability/locked.py."
        )
        raise typer.Exit(1)


if __name__ == "__main__":
    app()
