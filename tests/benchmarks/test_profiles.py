"""Every hot path can be gone, and samples become shares and a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.benchmarks import profiles
from tests.benchmarks.flames import Share, picture, read, shares, table
from tests.benchmarks.hot_paths import PATHS, go
from tests.benchmarks.programs import Unable

FOLDED = """\
main (a.py:1);import (b.py:2) 50
main (a.py:1);Ears.hear (tests/c.py:9);decode (actors/audio/opus.py:5) 6
main (a.py:1);Ears.hear (tests/c.py:9);decode (actors/audio/opus.py:7);copy & <paste> (x.py:1) 2
main (a.py:1);Ears.hear (tests/c.py:9);Ears.hear (tests/c.py:9) 2
"""
HEAR, DECODE, COPY = "Ears.hear (tests/c.py)", "decode (actors/audio/opus.py)", "copy & <paste> (x.py)"


def test_only_what_lies_on_the_path_counts() -> None:
    stacks = read(FOLDED, ["Ears.hear"])
    assert stacks == {(HEAR, DECODE): 6, (HEAR, DECODE, COPY): 2, (HEAR, HEAR): 2}
    assert shares(stacks) == [
        Share(frame=DECODE, own=0.6, total=0.8),
        Share(frame=HEAR, own=0.2, total=1.0),
        Share(frame=COPY, own=0.2, total=0.2),
    ]
    assert read(FOLDED, ["nobody"]) == {}


def test_the_table_is_markdown() -> None:
    head, rule, first, *_ = table(shares(read(FOLDED, ["Ears.hear"])))
    assert head == "| function | file | self | with what it calls |"
    assert rule.count("|") == head.count("|")
    assert first == "| `decode` | actors/audio/opus.py | 60.0% | 80.0% |"


def test_width_is_time_in_the_picture() -> None:
    drawn = ET.fromstring(picture("receive", read(FOLDED, ["Ears.hear"])))  # noqa: S314
    svg = "{http://www.w3.org/2000/svg}"
    titles = [title.text for title in drawn.iter(f"{svg}title")]
    widths = [float(box.get("width", "")) for box in drawn.iter(f"{svg}rect")]
    assert titles == [f"{HEAR}: 100.0%", f"{HEAR}: 20.0%", f"{DECODE}: 80.0%", f"{COPY}: 20.0%"]
    assert widths == [1200.0, 240.0, 960.0, 240.0]


@pytest.mark.parametrize("name", PATHS)
def test_every_path_can_be_gone(name: str) -> None:
    assert go(name, 0.0) == 1


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'Error: Permission Denied' >&2; exit 1", profiles.NOT_ALLOWED),
        ("echo 'Error: no such process' >&2; exit 1", "Error: no such process"),
        ('while [ "$1" != --output ]; do shift; done; echo "main (a.py:1) 5" > "$2"', "for longer"),
    ],
)
def test_what_hinders_the_profiler_is_told_with_a_remedy(
    script: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(Unable, match="make setup"):
        profiles.profile("receive")
    spy = tmp_path / "py-spy"
    spy.write_text(f"#!/bin/sh\n{script}\n")
    spy.chmod(0o755)
    with pytest.raises(Unable, match=why):
        profiles.profile("receive")
