"""Nobody is told that all is well by a program that could not ask."""

from __future__ import annotations

import io
import json
import os

import pytest
from rich.console import Console

from tests.reliability.audit import FAULTS_EXIT, NOT_ASKED_EXIT, Answer, Fault, answer_of, ask, lists, verdict
from tests.reliability.locked import Package

PYKKA = Package(name="pykka", version="4.5.0", licence="Apache-2.0")
KNOWN = {"id": "PYSEC-2026-1", "fix_versions": ["4.5.1"], "aliases": [], "description": "long"}


def said(*answers: Answer) -> tuple[int, str]:
    text = io.StringIO()
    return verdict(answers, Console(file=text, width=200)), text.getvalue()


def told(*dependencies: object) -> Answer:
    return answer_of(json.dumps({"dependencies": dependencies, "fixes": []}))


def test_only_who_was_asked_about_everything_may_say_that_nothing_is_known() -> None:
    code, text = said(told({"name": "pykka", "version": "4.5.0", "vulns": []}))
    assert (code, "No fault is known of any of the 1 packages" in text) == (0, True)


def test_a_fault_is_named_with_the_version_that_mends_it() -> None:
    answer = told({"name": "pykka", "version": "4.5.0", "vulns": [KNOWN]})
    assert answer.faults == (Fault(package="pykka", version="4.5.0", name="PYSEC-2026-1", mended=("4.5.1",)),)
    code, text = said(answer)
    assert code == FAULTS_EXIT
    assert "PYSEC-2026-1" in text
    assert "4.5.1" in text


@pytest.mark.parametrize(
    "answer",
    [
        told({"name": "pykka", "skip_reason": "not found"}),
        told({"name": "rich", "version": "1", "vulns": []}, {"name": "pykka", "skip_reason": "not found"}),
        Answer(unasked=("pykka",)),
    ],
)
def test_what_was_skipped_is_no_all_clear(answer: Answer) -> None:
    code, text = said(answer)
    assert code == NOT_ASKED_EXIT
    assert "(pykka) it could not be asked" in text


@pytest.mark.parametrize("told", ["", "no json", "[]", '{"dependencies": null}'])
def test_an_answer_that_is_none_says_nothing(told: str) -> None:
    assert answer_of(told).faults == ()


def test_where_the_index_cannot_be_reached_nothing_was_asked() -> None:
    nowhere = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"), "http://127.0.0.1:9")
    kept = {name: text for name, text in os.environ.items() if name.lower() != "no_proxy"}
    assert ask([PYKKA], {**kept, **nowhere}) == Answer(unasked=("pykka",))


def test_two_versions_of_one_package_are_both_asked_about_and_never_together() -> None:
    other = Package(name="pykka", version="5.0", licence="")
    rich = Package(name="rich", version="1", licence="")
    assert list(lists([PYKKA, other, rich])) == [[PYKKA, rich], [other]]
