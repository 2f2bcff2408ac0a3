"""What he is made of is told whole: every pinned package, with its version and its licence."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

import jsonschema_rs
from typer.testing import CliRunner

from tests.reliability.figures import ROOT
from tests.reliability.locked import Json, licence_of
from tests.reliability.sbom import app, bill

PAGE = ROOT / "docs" / "third-party.md"
NAME = re.compile(r"[-_.]+")
WORD = re.compile(r"[A-Z][\w.-]+|0BSD")


@cache
def made_of() -> Json:
    return bill()


def licences() -> dict[str, str]:
    return {one["name"]: one["licenses"][0]["expression"] for one in made_of()["components"]}


def needed() -> set[str]:
    """Every package that uv.lock has somebody install who runs him, by following what each one needs."""
    locked = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    himself = next(one for one in locked if one["name"] == "clankie")
    roots = [
        *himself["dependencies"],
        *(each for many in himself["optional-dependencies"].values() for each in many),
    ]
    found, waiting = set[str](), [one["name"] for one in roots]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            for one in (one for one in locked if one["name"] == name):
                waiting += [each["name"] for each in one.get("dependencies", ())]
                waiting += [
                    each["name"] for many in one.get("optional-dependencies", {}).values() for each in many
                ]
    return found


def test_it_is_cyclonedx() -> None:
    schemas = files("cyclonedx.schema") / "_res"
    names = [f"{name}.SNAPSHOT.schema.json" for name in ("bom-1.5", "spdx", "jsf-0.82")]
    known = {name: json.loads((schemas / name).read_text("utf-8")) for name in names}
    registry = jsonschema_rs.Registry(
        [(f"http://cyclonedx.org/schema/{name}", one) for name, one in known.items()]
    )
    jsonschema_rs.validator_for(known[names[0]], registry=registry).validate(made_of())


def test_every_package_that_he_needs_is_in_it_with_its_version_its_hashes_and_its_licence() -> None:
    parts = made_of()["components"]
    names = {one["name"] for one in parts}
    assert names >= needed()
    for one in parts:
        assert one["version"], one["name"]
        assert one["licenses"][0]["expression"], one["name"]
        assert all(each["hashes"] for each in one["externalReferences"]), one["name"]


def test_no_part_of_it_is_a_tool_of_tests_only() -> None:
    assert {"pytest", "hypothesis", "mypy", "pip-audit", "schemathesis"}.isdisjoint(licences())


def test_nothing_is_under_the_gpl() -> None:
    assert [name for name, one in licences().items() if re.search(r"(?<!L)GPL", one)] == []


def test_the_page_of_licences_names_every_part_and_says_the_same() -> None:
    page = PAGE.read_text("utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| ")]
    told = {row[1].strip(): row[-2] for row in rows}
    named = {NAME.sub("-", name.lower()): row for row in told for name in re.findall(r"[\w.-]+", row)}
    assert sorted(set(licences()) - set(named)) == []
    for name, licence in licences().items():
        assert set(WORD.findall(licence)) & set(WORD.findall(told[named[name]])), (name, licence)


def test_the_command_writes_it(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["--out", str(tmp_path / "sbom.json")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "sbom.json").stat().st_size > 10_000


def test_a_package_of_which_nothing_is_known_has_no_licence() -> None:
    assert licence_of("nobody-of-that-name") == ""
