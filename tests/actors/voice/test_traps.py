"""Every trap that is known has a test, and the page that says so tells the truth."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_test_that_the_page_names_is_there() -> None:
    named = re.findall(r"(\w+\.py)::(\w+)", (ROOT / "docs" / "testing.md").read_text("utf-8"))
    assert len(named) > 40
    texts: dict[str, str] = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        texts[path.name] = texts.get(path.name, "") + path.read_text("utf-8")
    assert [f"{file}::{test}" for file, test in named if f"def {test}(" not in texts.get(file, "")] == []
