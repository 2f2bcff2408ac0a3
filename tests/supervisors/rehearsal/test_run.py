"""A rehearsal plays what is written, judges what came of it, and leaves everything behind in its folder."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from actors.audio.pcm import read_wav, seconds
from supervisors.rehearsal import prompter
from supervisors.rehearsal.director import Ended
from supervisors.rehearsal.folder import BadFolder
from supervisors.rehearsal.moments import receipts
from supervisors.rehearsal.narrator import Silent, Told
from supervisors.rehearsal.run import RehearsalResult, rehearse
from supervisors.rehearsal.scenario import BadScenario
from tests.supervisors.rehearsal.theatre import Theatre

PEOPLE = """
[settings.floor]
volition = "off"
[[person]]
name = "Ann"
consent = true
[[person]]
name = "Bob"
present = false
[[brain.reply]]
when = "greeting"
text = "Hello."
"""
WHOLE = """
[[do]]
after = { receipt = "consent", where = { phase = "granted", personId = "Ann" } }
say = "Ann"
text = "one two three"
[[do]]
at = 0.1
join = "Bob"
[[do]]
at = 0.15
type = "Bob"
text = "hi"
[[do]]
at = 0.2
opt_in = "Bob"
[[do]]
at = 0.25
opt_out = "Bob"
[[do]]
at = 0.3
crash = "floor"
[[do]]
at = 0.5
leave = "Ann"
[[do]]
at = 0.6
leave = "Bob"
[[expect]]
exit = "left"
reason = "self_decided"
[[expect]]
spoken = "hello"
[[expect]]
receipt = "consent"
where = { phase = "withdrawn" }
count = 1
"""


def played(
    folder: Path, text: str, theatre: Theatre | None = None, out: io.StringIO | None = None
) -> RehearsalResult:
    (folder / "play.toml").write_text(PEOPLE + text, "utf-8")
    console = Console(file=out or io.StringIO(), width=100)
    narrator = Told(console, full=True)
    return rehearse(folder / "play.toml", folder / "out", narrator, theatre or Theatre(reads="Hello."))


def test_a_whole_play_leaves_its_recordings_receipts_and_page(tmp_path: Path) -> None:
    theatre, out = Theatre(reads="Hello."), io.StringIO()
    result = played(tmp_path, WHOLE, theatre, out)
    assert [verdict.sentence for verdict in result.verdicts if not verdict.held] == []
    assert result.held
    assert result.ended is Ended.LEFT
    assert theatre.crashed == ["floor"]
    assert "✗ floor → restarted" in (result.folder / "timeline.html").read_text("utf-8")
    assert theatre.opened is not None
    assert theatre.opened[0] == {"floor": {"volition": "off"}}
    assert [reply.text for reply in theatre.opened[1]] == ["Hello."]
    written = {path.name for path in result.folder.iterdir()}
    assert {"room.wav", "clankie.wav", "receipts.jsonl", "timeline.html"} <= written
    assert len((result.folder / "receipts.jsonl").read_text().splitlines()) == len(receipts(result.moments))
    assert seconds(read_wav(result.folder / "clankie.wav")) > 1.0
    told = out.getvalue()
    for words in ("Ann: “one two three”", "Bob comes in", "Clankie writes", "✓ he has left", "timeline.html"):
        assert words in told


def test_without_an_end_it_is_over_when_nothing_goes_on(tmp_path: Path) -> None:
    result = played(tmp_path, '[[expect]]\nexit = "left"\nreason = "operator"\n')
    assert (result.held, result.ended) == (True, Ended.QUIET)


def test_an_end_is_an_end(tmp_path: Path) -> None:
    result = played(tmp_path, '[[do]]\nat = 0.05\nend = true\n[[expect]]\nreceipt = "degraded"\n')
    assert (result.held, result.ended) == (False, Ended.SCRIPT)


def test_a_cue_that_never_comes_fails_at_the_limit_and_is_named(tmp_path: Path) -> None:
    text = '[[do]]\nafter = { receipt = "degraded" }\nkick = true\n'
    (tmp_path / "play.toml").write_text("limit = 0.3\n" + PEOPLE + text, "utf-8")
    result = rehearse(tmp_path / "play.toml", tmp_path / "out", Silent(), Theatre())
    assert result.ended is Ended.LIMIT
    assert [verdict.held for verdict in result.verdicts] == [False, False]
    assert "degraded never came" in result.verdicts[0].sentence
    assert "raise `limit`" in result.verdicts[1].sentence


def test_a_kick_is_done_by_the_room(tmp_path: Path) -> None:
    assert (
        played(tmp_path, "[[do]]\nat = 0\nkick = true\n[[do]]\nat = 0.1\nend = true\n").ended is Ended.SCRIPT
    )


def test_when_he_does_not_come_that_is_the_verdict(tmp_path: Path) -> None:
    result = played(tmp_path, WHOLE, Theatre(refuses=True))
    assert (result.held, result.ended) == (False, Ended.REFUSED)
    assert result.verdicts[0].sentence == "he comes when asked; refused: failed (no_link)"
    assert not any("never came" in verdict.sentence for verdict in result.verdicts)


def test_it_is_not_over_while_somebody_speaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompter, "QUIET_SECONDS", 0.3)
    long = " ".join(["word"] * 100)
    result = played(tmp_path, f'[[do]]\nat = 0\nsay = "Ann"\ntext = "{long}"\n')
    assert result.ended is Ended.QUIET
    assert seconds(read_wav(result.folder / "room.wav")) > 2.6


def test_who_comes_later_consents_when_he_comes(tmp_path: Path) -> None:
    late = '[[person]]\nname = "Cy"\nconsent = true\npresent = false\n'
    comes = '[[do]]\nat = 0.1\njoin = "Cy"\n[[do]]\nat = 0.2\nend = true\n'
    granted = '[[expect]]\nreceipt = "consent"\nwhere = { phase = "granted", person_id = "Cy" }\ncount = 1\n'
    assert played(tmp_path, late + comes + granted).held


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ('say = "Bob"\ntext = "hi"', "say = 'Bob': is not in the room at that moment"),
        ('join = "Ann"', "join = 'Ann': is already in the room at that moment"),
        ('crash = "nobody"', "crash = 'nobody': there are: stay, floor"),
    ],
)
def test_a_step_that_cannot_be_done_is_a_fault_of_the_scenario(tmp_path: Path, step: str, words: str) -> None:
    with pytest.raises(BadScenario, match=words) as caught:
        played(tmp_path, f"[[do]]\nat = 0\n{step}\n")
    assert f"play.toml:{PEOPLE.count(chr(10)) + 3}: " in str(caught.value)


def test_a_house_that_is_there_no_longer_ends_the_play_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadScenario, match="the program ended in mid-play"):
        played(tmp_path, WHOLE, Theatre(trouble="the program ended in mid-play: a bug"))


def test_a_wrong_setting_is_a_fault_of_the_scenario(tmp_path: Path) -> None:
    theatre = Theatre(wrong_settings="the settings: [floor] volition: must be off")
    with pytest.raises(BadScenario, match=r"play.toml:3: \[floor\] volition: must be off"):
        played(tmp_path, "", theatre)


def test_tools_that_are_not_there_are_told_before_the_play(tmp_path: Path) -> None:
    out, server = io.StringIO(), '[settings.captain.mcp.a]\ncommand = "a"\n'
    played(
        tmp_path, f"[[do]]\nat = 0.05\nend = true\n{server}", Theatre(servers_in_trouble="a: no_program"), out
    )
    assert "He does not have the tools of a: no_program" in out.getvalue()


def test_a_disk_that_is_full_at_the_end_is_one_line_after_the_verdicts(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "receipts.jsonl").symlink_to("/dev/full")
    out = io.StringIO()
    with pytest.raises(BadFolder, match="out: No space left on device; make room on its disk"):
        played(tmp_path, '[[do]]\nat = 0.05\nend = true\n[[expect]]\nreceipt = "joined"\n', out=out)
    assert "✓ joined; once" in out.getvalue()
