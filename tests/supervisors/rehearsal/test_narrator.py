"""What is told stands on the screen as plain words, and says no more than is so."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from messages.evidence import CaptainTool
from messages.ids import HandoffId
from supervisors.rehearsal.judge import Verdict
from supervisors.rehearsal.moments import Moment, Writing
from supervisors.rehearsal.narrator import Told
from supervisors.rehearsal.scenario import BadScenario, Step
from supervisors.rehearsal.screen import shown
from tests.supervisors.rehearsal.play import ANN, PLAY, handoff, moment, scenario, spoken, words

EVIL = "a\x1b[2Jb\x9bc\u202ed\ne"


def test_what_could_steer_a_terminal_is_replaced_and_an_emoji_is_not() -> None:
    assert shown(EVIL) == "a�[2Jb�c�d�e"
    assert shown("\U0001f468\u200d\U0001f469") == "\U0001f468\u200d\U0001f469"
    assert (len(shown("x" * 5000)), shown("x" * 50, 4)) == (200, "xxx…")


def test_nothing_that_is_told_steers_the_terminal(tmp_path: Path) -> None:
    out = io.StringIO()
    told = Told(Console(file=out, width=200), full=True)
    told.began(scenario(tmp_path))
    for step in (Step(say="Ann", wav=f"{EVIL}.wav"), Step(type="Ann", text=EVIL), Step(say="Ann", text=EVIL)):
        told.acted(1.0, step)
    told.wrote(Writing(at=1.0, place="lobby", text=EVIL, files=(EVIL,)))
    told.acted(1.0, Step(write="Ann", text=EVIL))
    seen: tuple[Moment, ...] = (moment(1.0, words(ANN, EVIL)), moment(1.0, spoken("u0", EVIL)))
    for one in seen:
        told.saw(one)
    told.judged(Verdict(held=False, sentence=EVIL))
    told.finished(tmp_path, "he has left")
    assert out.getvalue().count("a�[2Jb�c�d�e") == 5
    assert out.getvalue().count("“a�[2Jb�c�d e”") == 4, "what is written stands on one line"
    assert "in the lobby: “a�[2Jb�c�d e” with a�[2Jb�c�d�e" in out.getvalue()
    assert not {"\x1b", "\x9b", "\u202e"} & set(out.getvalue())


def test_a_complaint_does_not_steer_the_terminal_either() -> None:
    assert str(BadScenario(EVIL)) == shown(EVIL)


@pytest.mark.parametrize(("policy", "said"), [("presence", False), ("explicit", True)])
def test_where_being_there_is_consent_nobody_has_not_consented(
    tmp_path: Path, policy: str, said: bool
) -> None:
    out = io.StringIO()
    text = f'{PLAY}[settings.stay]\nconsent_policy = "{policy}"\n'
    Told(Console(file=out, width=200), full=False).began(scenario(tmp_path, text))
    assert ("Bob (has not consented)" in out.getvalue()) is said


def test_what_the_captain_did_is_told_in_words() -> None:
    out = io.StringIO()
    tool = CaptainTool(
        handoff_id=HandoffId("h"), name="voice_join", surface="voice", outcome="done", latency_ms=1
    )
    Told(Console(file=out, width=200), full=False).saw(moment(1.0, tool))
    assert "captain  the captain was asked aloud to come, and did" in out.getvalue()


def test_why_the_captain_failed_is_told_in_words() -> None:
    out = io.StringIO()
    failed = replace(handoff("failed"), reason="max_output_tokens")
    Told(Console(file=out, width=200), full=False).saw(moment(1.0, failed))
    assert "captain  the captain's work failed after 6.0 s: the answer grew too long" in out.getvalue()


def test_that_nothing_was_expected_is_said(tmp_path: Path) -> None:
    out = io.StringIO()
    Told(Console(file=out, width=200), full=False).finished(tmp_path, "he has left")
    assert "Nothing was expected, so nothing was judged." in out.getvalue()
