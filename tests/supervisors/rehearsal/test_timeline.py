"""The page shows who was heard and who was not, and loads nothing from anywhere."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from messages.evidence import CaptainTool, HeardWords
from messages.ids import HandoffId
from supervisors.rehearsal.drawing import scale, svg
from supervisors.rehearsal.figures import figures
from supervisors.rehearsal.judge import Verdict
from supervisors.rehearsal.lanes import Lane, consented, lanes
from supervisors.rehearsal.moments import Sounding, Writing, receipts
from supervisors.rehearsal.timeline import Report, page
from supervisors.rehearsal.written import written_lanes
from tests.supervisors.rehearsal.play import (
    ANN,
    BOB,
    STAY,
    consent,
    moment,
    moments,
    playback,
    scenario,
    soundings,
)

VERDICTS = (
    Verdict(held=True, sentence="he has left; the reason was <self_decided>"),
    Verdict(held=False, sentence="heard “no”: at least once; it was never"),
)


def report(folder: Path, verdicts: tuple[Verdict, ...] = VERDICTS) -> Report:
    return Report(
        scenario=scenario(folder),
        moments=moments(),
        soundings=soundings(),
        verdicts=verdicts,
        why="he has left",
    )


def drawn(folder: Path) -> dict[str, Lane]:
    return {lane.name: lane for lane in lanes(scenario(folder), moments(), soundings(), 20.5)}


def test_the_lanes_are_everybody_he_himself_and_what_was_decided(tmp_path: Path) -> None:
    assert list(drawn(tmp_path)) == ["floor", "Ann", "Bob", "Clankie", "turns", "captain"]


def test_who_did_not_consent_is_drawn_as_not_heard(tmp_path: Path) -> None:
    (bar,) = drawn(tmp_path)["Bob"].bars
    assert (bar.look, bar.label) == ("unheard", "not heard")
    assert "never decoded" in bar.title


def test_a_speech_is_cut_where_consent_ended_in_it(tmp_path: Path) -> None:
    seen = (moment(1.0, consent(ANN, "granted")), moment(3.0, consent(ANN, "withdrawn")))
    spoke = (Sounding(person=ANN, began=2.0, ended=4.0, text="hello"),)
    ann = next(lane for lane in lanes(scenario(tmp_path), seen, spoke, 5.0) if lane.name == "Ann")
    assert [(bar.look, bar.began, bar.ended) for bar in ann.bars] == [
        ("consent", 1.0, 3.0),
        ("person p0", 2.0, 3.0),
        ("unheard", 3.0, 4.0),
    ]


def test_consent_lasts_until_it_is_taken_back_or_the_play_ends() -> None:
    granted, departed = consent(ANN, "granted"), consent(ANN, "departed")
    stamped = ((1.0, granted), (1.5, granted), (2.0, departed), (2.5, departed), (3.0, granted))
    assert consented(ANN, stamped, 9.0) == ((1.0, 2.0), (3.0, 9.0))
    assert consented(BOB, stamped, 9.0) == ()


def test_below_a_speech_stands_what_was_made_of_it(tmp_path: Path) -> None:
    below = [bar.label for bar in drawn(tmp_path)["Ann"].below]
    assert below[0] == "heard “Clankie, tell me about <lighthouses>.” → wake (his name, as an address)"
    assert below[1:] == ["syn_cough.wav", "heard “Stop.” → cut (a stop word)"]


def test_his_speech_shows_where_he_was_ducked_and_cut(tmp_path: Path) -> None:
    looks = [bar.look for bar in drawn(tmp_path)["Clankie"].bars]
    assert looks == ["clankie drained", "clankie cut", "duck", "duck", "cut"]
    ducks = [(bar.began, bar.ended) for bar in drawn(tmp_path)["Clankie"].bars if bar.look == "duck"]
    assert ducks == [(7.6, 9.1), (11.4, 11.92)]


def test_a_turn_shows_its_trigger_and_what_came_of_it(tmp_path: Path) -> None:
    labels = [bar.label for bar in drawn(tmp_path)["turns"].bars]
    assert labels == ["greeting → spoke", "address → cut", "membership → silent"]


def test_speech_that_never_ended_reaches_to_the_end(tmp_path: Path) -> None:
    seen = (moment(1.0, playback("started", "u0")),)
    (his,) = next(lane for lane in lanes(scenario(tmp_path), seen, (), 5.0) if lane.name == "Clankie").bars
    assert (his.look, his.ended) == ("clankie unfinished", 5.0)


def test_what_is_in_writing_and_the_tools_used_for_it_have_lanes_of_their_own() -> None:
    used = CaptainTool(
        handoff_id=HandoffId("h"), name="voice_leave", surface="text", outcome="done", latency_ms=1
    )
    written = (
        Writing(at=1.0, place="lobby", text="go", who="Bob"),
        Writing(at=1.5, place="lobby", text="Gone.", files=("map.png",)),
        Writing(at=2.0, place="room", text="yes", who="Ann", pressed=True),
    )
    lines, tools = written_lanes(written, ((1.4, used),), 3.0)
    assert [(bar.began, bar.ended, bar.label) for bar in lines.bars] == [(1.5, 3.0, "Gone.")]
    assert [(bar.began, bar.ended, bar.label) for bar in lines.below] == [
        (1.0, 2.0, "Bob: go"),
        (2.0, 3.0, "Ann: [yes]"),
    ]
    assert lines.bars[0].title == "1.5 s: Clankie, in the lobby, with map.png: Gone."
    assert [(bar.label, bar.look) for bar in tools.bars] == [("voice_leave → done", "captain done")]
    assert tools.bars[0].title == "1.4 s: the captain was asked in writing to leave, and did"
    assert written_lanes((), (), 3.0) == ()


class Checker(HTMLParser):
    """Notes every attribute that could load something, and whether every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value or "" for name, value in attrs if name in {"src", "href", "data"}]
        if tag not in {"meta", "br", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_loads_nothing_but_its_recordings(tmp_path: Path) -> None:
    html = page(report(tmp_path))
    checker = Checker()
    checker.feed(html)
    assert checker.open == []
    assert checker.loads == ["room.wav", "clankie.wav"]
    assert set(re.findall(r"https?://[^\s\"']+", html)) == {"http://www.w3.org/2000/svg"}


def test_what_people_said_and_names_cannot_become_markup(tmp_path: Path) -> None:
    html = page(report(tmp_path))
    assert "<cough>" not in html
    assert "<lighthouses>" not in html
    assert "&lt;lighthouses&gt;" in html


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        (VERDICTS, "1 of 2 expectations did not hold"),
        (VERDICTS[:1], "The one expectation held"),
        (VERDICTS[:1] * 3, "All 3 expectations held"),
        ((), "Nothing was expected"),
    ],
)
def test_the_verdict_stands_at_the_top(tmp_path: Path, verdicts: tuple[Verdict, ...], words: str) -> None:
    assert words in page(report(tmp_path, verdicts))


def test_a_line_stands_at_its_beginning_and_typed_ones_are_marked(tmp_path: Path) -> None:
    typed = HeardWords(stay_id=STAY, person_id=BOB, label="Bob", text="hi", typed=True)
    seen = (*moments(), moment(19.0, typed))
    html = page(replace(report(tmp_path), moments=seen))
    assert "<time>0.6 s</time><b>Clankie</b><q>Hello everybody.</q>" in html
    assert "<time>19.0 s</time><b>Bob</b><q>hi</q><em>typed</em>" in html
    began = soundings()[0].began
    assert f"<time>{began:.1f} s</time><b>Ann</b><q>Clankie, tell me about &lt;lighthouses&gt;." in html


@pytest.mark.parametrize("end", [1.0, 9.99, 20.5, 59.1, 300.0])
def test_the_picture_fills_the_page_and_no_second_is_written_over_its_edge(end: float) -> None:
    drawn = (Lane(name="Clankie", bars=()),)
    picture, width = svg(drawn, end), end * scale(drawn, end)
    assert width >= 1160
    for x, second in re.findall(r'class="second" x="([\d.]+)"[^>]*>(\d+) s<', picture):
        assert float(x) + 6 * len(f"{second} s") <= width


def test_every_receipt_is_a_row(tmp_path: Path) -> None:
    assert page(report(tmp_path)).count("<tr><td>") == len(receipts(moments()))


def test_a_page_of_nothing_is_still_a_page(tmp_path: Path) -> None:
    nothing = Report(scenario=scenario(tmp_path), moments=(), soundings=(), verdicts=(), why="nothing")
    assert "Nothing was expected" in page(nothing)


def test_the_figures_are_those_of_the_receipts() -> None:
    told = {figure.name: figure for figure in figures(moments(), idle_cpu_percent=1.5)}
    assert told["end of speech to his first audible frame"].values == (1290.0,)
    assert told["end of the word to the decision to stop"].values == (410.0,)
    assert told["decision to stop to silence"].values == (20.0,)
    assert (told["CPU of an idle house"].values, told["CPU of an idle house"].limit) == ((1.5,), 3)
    assert told["transcript after the last voice"].values == ()
    assert told["RSS of this process at its peak, all models loaded"].values > (1.0,)
    assert all(figure.held for figure in figures(())[:3])


def test_a_figure_above_its_limit_does_not_hold() -> None:
    idle = figures((), idle_cpu_percent=30.0)[-1]
    assert not idle.held
