"""A verdict says when, what and how to see it again; a log is read for what matters."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from messages.evidence import Left
from messages.ids import StayId
from tests.reliability.chaos.batch import found
from tests.reliability.chaos.history import Asked, End, History, Life, Trouble
from tests.reliability.chaos.reading import exposed_by, exposed_in, logged
from tests.reliability.chaos.verdict import keep, kept, tell, verdict

CRASH = Trouble(at=20.0, ended=20.0, number=3, kind="an actor crashes", target="tts")
MISSED = Trouble(at=21.0, ended=21.0, number=4, kind="the disk is full", target="", missed="no root")
ANSWERED = Asked(at=50.0, ended=51.0, window=1, person="Ada", heard=52.5)
NIGHT = History(seconds=60.0, troubles=(CRASH, MISSED), asked=(ANSWERED,))
FELL = History(seconds=60.0, troubles=(CRASH,), lives=(Life(at=0.0, number=1, ended=25.0, end=End.FELL),))


def told(history: History, folder: Path) -> str:
    out = io.StringIO()
    tell(verdict(7, 3, history), Console(file=out, width=200, highlight=False), folder)
    return out.getvalue()


def test_a_good_night_is_told_in_two_lines_and_what_took_no_effect(tmp_path: Path) -> None:
    said = told(NIGHT, tmp_path)
    assert "1 of 1 questions in the quiet after them answered, the slowest after 1.5 s" in said
    assert "Missed: the disk is full (no root)" in said
    assert "promises were kept" in said


def test_a_bad_one_says_when_what_went_wrong_then_and_how_to_see_it_again(tmp_path: Path) -> None:
    said = told(FELL, tmp_path)
    assert "life 1 fell by itself" in said
    assert "3: an actor crashes (tts) at 20.0 s" in said
    assert "clankie rehearse --chaos 7 --minutes 3" in said


def test_a_verdict_is_kept_and_read_again(tmp_path: Path) -> None:
    assert kept(tmp_path) is None
    for night in (NIGHT, FELL):
        keep(verdict(7, 3, night), tmp_path)
        assert kept(tmp_path) == verdict(7, 3, night)


def test_nights_together_hold_if_each_does_and_none_broke_off() -> None:
    good, bad = verdict(1, 3, NIGHT), verdict(2, 3, FELL)
    assert found({1: good}, 60.0).held
    assert not found({1: good, 2: bad}, 60.0).held
    assert not found({1: good, 3: None}, 60.0).held
    assert any("--chaos 2" in note for note in found({2: bad}, 60.0).notes)


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("12:00:00.000 WARNING child ended: crashed: Poisoned", "WARNING"),
        ("Traceback (most recent call last):", "UNNAMED"),
        ("12:00:00.000 INFO    a stay in 7 begins", None),
        ("12:00:00.000 DEBUG   old letter", None),
        ("", None),
    ],
)
def test_of_a_log_only_what_matters_is_kept(line: str, level: str | None) -> None:
    one = logged(line, at=1.0, life=1)
    assert (one and one.level) == level


def test_a_secret_and_somebodys_words_are_seen_and_not_repeated() -> None:
    found_ = list(
        exposed_in("the key hush-1 and What Time Is It", 1.0, "log", ["hush-1"], ["what time is it"])
    )
    assert [one.what for one in found_] == ["a secret", "somebody's words"]
    assert list(exposed_in("nothing", 1.0, "log", ["hush-1"], ["what time is it"])) == []
    left = Left(stay_id=StayId("hush-1"), reason="operator", duration_ms=1)
    assert [one.where for one in exposed_by(left, 1.0, ["hush-1"], [])] == ["a receipt"]
