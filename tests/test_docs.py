"""What the pages for people promise is there: links, commands, scenarios, dependencies."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from supervisors.cli import app
from supervisors.rehearsal.load import load as load_scenario
from supervisors.settings import Settings

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_file_that_is_named_is_there(page: Path) -> None:
    named = re.findall(r"`((?:actors|supervisors|messages|tests|docs)/[\w./*-]+)`", page.read_text("utf-8"))
    for name in named:
        assert list(ROOT.glob(name.rstrip("/"))), name


def test_every_test_that_is_named_is_there() -> None:
    named = set(re.findall(r"\b(test_\w+\.py)::(\w+)", (ROOT / "docs" / "testing.md").read_text("utf-8")))
    written = {
        (file.name, name)
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.MULTILINE)
    }
    assert named
    assert named <= written, sorted(named - written)


def test_the_readme_names_every_command_and_no_other() -> None:
    commands = set(get_command(app).commands)  # type: ignore[attr-defined]
    named = set(re.findall(r"^\| `clankie (\w+)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE))
    assert named == commands
    assert CliRunner().invoke(app, ["--help"]).exit_code == 0


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in PAGES:
        assert set(re.findall(r"`make (\w+)", page.read_text("utf-8"))) <= targets, page


def test_the_scenario_on_the_page_can_be_played(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "scenarios.md").read_text("utf-8"), re.DOTALL)
    scene = tmp_path / "scene.toml"
    scene.write_text("\n".join(blocks), "utf-8")
    assert load_scenario(scene).expectations


def test_every_key_of_a_scenario_is_on_the_page() -> None:
    from supervisors.rehearsal import minds, scenario

    page = (ROOT / "docs" / "scenarios.md").read_text("utf-8")
    for model in (
        scenario.PersonEntry,
        scenario.RoomEntry,
        scenario.Step,
        minds.ReplyEntry,
        scenario.Expectation,
    ):
        for name, field in model.model_fields.items():
            assert f"`{field.alias or name}" in page, (model.__name__, name)


def test_every_dependency_is_named_with_its_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = (ROOT / "docs" / "third-party.md").read_text("utf-8")
    wanted = [
        *project["dependencies"],
        *(one for many in project["optional-dependencies"].values() for one in many),
    ]
    for requirement in wanted:
        assert re.split(r"[\[<>=]", requirement)[0] in page, requirement


def test_settings_that_are_named_exist() -> None:
    tables = {name: field.annotation for name, field in Settings.model_fields.items()}
    for page in PAGES:
        for table, key in re.findall(r"\[(\w+)\] (\w+)", page.read_text("utf-8")):
            if table in tables:
                assert hasattr(tables[table], key) or key in tables[table].__dataclass_fields__, (table, key)  # type: ignore[union-attr]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_no_page_has_a_secret_put_on_a_command_line(page: Path) -> None:
    assert "Bearer $" not in page.read_text("utf-8")
