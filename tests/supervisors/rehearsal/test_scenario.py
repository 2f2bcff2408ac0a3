"""A scenario is played as written, or refused in one line that says where and what to write instead."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from actors.audio.pcm import write_wav
from messages.people import Person
from supervisors.rehearsal.lines import Lines
from supervisors.rehearsal.load import load
from supervisors.rehearsal.scenario import BadScenario, Verb
from supervisors.rehearsal.values import values_of
from tests.supervisors.rehearsal.play import ANN, PLAY, scenario

FULL = """\
limit = 30
[settings.captain]
delay_seconds = 4.5
[settings.captain.mcp.music]
url = "https://music.example/mcp"
[[person]]
name = "Ann"
id = "42"
consent = true
[[person]]
name = "Tin"
bot = true
present = false
[[do]]
at = 1
join = "Tin"
[[do]]
after = { receipt = "floor_decision", where = { personId = "Ann", heardAs = "addressed" }, nth = 2 }
delay = 0.5
kick = true
[[brain.reply]]
when = "handoff_wait"
text = "One moment."
[[brain.reply]]
heard = "what time"
tool = "ask_clankie"
request = "the time"
[[captain.reply]]
heard = "something blue"
tool = "music__play"
arguments = { title = "Blue", loud = true }
text = "{result}"
delay = 2.5
[[captain.reply]]
heard = "the day"
tools = ["voice_leave", "observe_room"]
[[expect]]
within = 2
from = { receipt = "interrupted" }
to = { receipt = "playback", where = { phase = "cut" } }
"""


def test_a_scenario_is_read_as_written(tmp_path: Path) -> None:
    play = scenario(tmp_path, FULL)
    assert (play.title, play.limit) == ("play", 30)
    music = {"url": "https://music.example/mcp"}
    assert play.settings == {"captain": {"delay_seconds": 4.5, "mcp": {"music": music}}}
    assert play.person("Tin") == Person(id=play.person("Tin").id, label="Tin", bot=True)
    assert [step.verb for step in play.steps] == [Verb.JOIN, Verb.KICK]
    assert [(reply.when, reply.request) for reply in play.replies] == [
        ("handoff_wait", None),
        (None, "the time"),
    ]
    assert [(reply.used, reply.arguments, reply.delay) for reply in play.captain_replies] == [
        (("music__play",), {"title": "Blue", "loud": True}, 2.5),
        (("voice_leave", "observe_room"), {}, None),
    ]
    assert play.expectations[0].subjects == ("within",)


def test_a_name_in_a_cue_stands_for_the_id_and_camel_case_for_snake_case(tmp_path: Path) -> None:
    cue = scenario(tmp_path, FULL).steps[1].after
    assert cue is not None
    assert cue.where == {"person_id": "42", "heard_as": "addressed"}
    assert str(cue) == "floor_decision (person_id = 42, heard_as = addressed) no. 2"


def test_a_person_without_an_id_is_identified_by_his_name(tmp_path: Path) -> None:
    play = scenario(tmp_path)
    assert play.person("Ann").id == ANN
    assert play.name("ann") == "Ann"
    assert play.name("somebody else") == "somebody else"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('say = "Ann"', 'say = "An"', 10, "say = 'An': nobody is called so; did you mean 'Ann'?"),
        ("at = 1", "att = 1", 9, "att: there is no such key in [do]; did you mean 'at'?"),
        ("at = 1\n", "", 8, "needs either `at` (seconds) or `after`"),
        ('say = "Ann"', 'say = "Ann"\nkick = true', 8, "here it does say and kick"),
        ('say = "Ann"\n', "", 8, "here it does nothing"),
        ("at = 1", "at = -1", 9, "at = -1: input should be greater than or equal to 0"),
        ("consent = true", "consent = 3", 5, "consent = 3: input should be a valid boolean"),
        ('text = "what a day"', 'wav = "none.wav"', 16, "wav = 'none.wav': there is no such file"),
        ('text = "what a day"', 'wav = "play.toml"', 16, "not a readable WAV"),
        ('text = "what a day"', "", 15, "`say` needs either `wav` (a recording) or `text`"),
        ('receipt = "playback"', 'receipt = "playbak"', 13, "did you mean 'playback'?"),
        ("phase =", "faze =", 13, "faze: a playback receipt has no such field"),
        ('{ receipt = "playback",', '{ receit = "playback",', 13, "missing"),
        ("[[person]]\nname", "[[persn]]\nname", 3, "persn: there is no such key in a scenario"),
        ('name = "Bob"', 'name = "Ann"', 7, "every person needs a name of his own"),
        ('name = "Bob"', 'name = "Bo"\nid = "ann"', 8, "every person needs a id of his own"),
        ('name = "Bob"', 'name = "B/b"', 7, "name = 'B/b': has a slash in it"),
        ('name = "Bob"', 'name = ""', 7, "name = '': is empty; write one"),
        ('name = "Bob"', f'name = "{"B" * 101}"', 7, "has 101 characters; write at most 100"),
        ('name = "Bob"', 'name = "B\\u202Eob"', 7, "has the character U+202E in it"),
        ('name = "Bob"', 'name = "Bob"\nid = "../bob"', 8, "id = '../bob': has a slash in it"),
        ('name = "Bob"', 'name = "Bob\\nAnn: hi"', 7, "has a line break in it"),
        ('name = "Bob"', 'name = " Bob"', 7, "name = ' Bob': begins or ends with a space"),
        ("at = 1", "at = inf", 9, "at = inf: input should be a finite number"),
        ('text = "what a day"', 'text = " "', 16, "text = ' ': there are no words in it"),
        ('phase = "started"', 'phase = "begun"', 13, "phase = 'begun': a playback receipt never has that"),
        ("[[do]]", "[[do]", 8, "not correct TOML"),
        ('name = "Bob"', "consent = true", 6, "name: is missing in [person]"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(BadScenario) as caught:
        scenario(tmp_path, PLAY.replace(old, new, 1))
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'play.toml'}:{line}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("table", "line", "words"),
    [
        ('[[expect]]\nspoken = "a"\nheard = "b"', 1, "exactly one of receipt, heard, spoken"),
        ('[[expect]]\nspoken = "a"\nby = "Ann"', 3, "`by` does not go with `spoken`"),
        ('[[expect]]\nheard = "a"\nby = "An"', 3, "by = 'An': nobody is called so"),
        ('[[expect]]\nnever_decoded = "Cy"', 2, "never_decoded = 'Cy': nobody is called so"),
        ('[[expect]]\nexit = "left"\nreason = "boredom"', 3, "nobody leaves for that"),
        ('[[expect]]\nreceipt = "left"\ncount = 1\nmin = 1', 3, "`count` is exact"),
        ("[[expect]]\nwithin = 1", 2, "`within` needs `from` and `to`"),
        ('[[brain.reply]]\ntext = "hi"', 1, "needs either `when` or `heard`"),
        ('[[brain.reply]]\nwhen = "offer"', 1, "needs `text`, `tool` or both"),
        ('[[brain.reply]]\nwhen = "offer"\ntool = "ask_clankie"', 1, "`request` belongs to"),
        ('[[brain.reply]]\nwhen = "later"\ntext = "hi"', 2, "when = 'later': input should be"),
        ('[[brain.reply]]\nwen = "offer"', 2, "did you mean 'when'?"),
        ('[[captain.reply]]\ntext = "x"', 1, "heard: is missing in [captain.reply]"),
        ('[[captain.reply]]\nheard = "a"', 1, "needs `text`, `tool` or `tools`"),
        ('[[captain.reply]]\nheard = " "\ntext = "x"', 2, "heard = ' ': there are no words in it"),
        ('[[captain.reply]]\nheard = "a"\ntool = "voice_joyn"', 3, "did you mean 'voice_join'?"),
        ('[[captain.reply]]\nheard = "a"\ntool = "recall"\ntools = ["recall"]', 4, "write one of them"),
        ('[[captain.reply]]\nheard = "a"\ntools = "recall"', 3, 'must be a list; write tools = ["…"]'),
        ('[[captain.reply]]\nheard = "a"\ntools = ["react"]', 3, "react: Something is wrong with emoji"),
        (
            '[[captain.reply]]\nheard = "a"\ntool = "recall"\narguments = { room = "1" }',
            4,
            "recall: It takes no arguments",
        ),
        (
            '[[captain.reply]]\nheard = "a"\ntools = ["a__b", "recall"]\narguments = { n = 1 }',
            4,
            "`arguments` are those of one `tool`",
        ),
        ('[[captain.reply]]\nheard = "a"\ntool = "nope__x"', 3, "write a [settings.captain.mcp.nope]"),
        ('[[captain.reply]]\nheard = "a"\ntext = "so {result}"', 3, "are what came of a tool"),
        ('[[captain.reply]]\nheard = "a"\ntext = "x"\ndelay = 500', 4, "is beyond `limit` (120 s)"),
        ('[[captain.reply]]\nheard = "a"\ntol = "recall"', 3, "did you mean 'tool'?"),
        ("[captain]\nreply = 3", 2, "captain.reply: must be a list; write [[captain.reply]]"),
        ('[[do]]\nat = 1\ntype = "Ann"', 3, "`type` needs `text`"),
        ('[[do]]\nat = 1\njoin = "Ann"\nwav = "x.wav"', 4, "only `say` has a recording"),
        ('[[do]]\nat = 1\njoin = "Ann"\ntext = "x"', 4, "`join` has no words"),
        ("[[do]]\nat = 1\nend = false", 3, "end = False: input should be True"),
        ('[[expect]]\nspoken = ""', 2, "spoken = '': there are no words in it"),
        ('[[brain.reply]]\nheard = ""\ntext = "x"', 2, "heard = '': there are no words in it"),
        ('[[expect]]\nreceipt = "left"\nmin = 2\nmax = 1', 3, "min = 2 is more than max = 1"),
        ('[[do]]\nat = 1\ncrash = "root"', 3, "that is the house itself"),
        ("[settings.evidence]\nkeep_files = 1", 1, "a rehearsal keeps its own evidence"),
        ('[settings.captain]\ndirectory = "x"', 2, "a rehearsal keeps its own captain"),
        ("[settings.flor]\nx = 1", 1, "flor is not a setting; take it out"),
        ('[settings.floor]\nvolition = "of"', 2, "[floor] volition: Input should be"),
        ("[settings.gateway]\nmax_stays = 2\nconfirm_seconds = 3.0", 3, "confirm_seconds must be"),
        ('[settings.captain]\nnotes_file = "none.md"', 2, "cannot be read (No such file"),
        ('[settings.captain.mcp.m]\ncommand = "m"\ntier = "king"', 3, "mcp.m.tier: Input should be"),
        ('[settings.captain.mcp.m]\ncomand = "m"', 2, "mcp.m.comand is not a setting"),
        ('[settings.captain.mcp.m]\ncommand = "m"\nurl = "x"', 1, "mcp.m: command or url must be set"),
        ('[settings.captain.mcp.m]\nurl = "http://example.com"', 2, "mcp.m.url must"),
        ('[settings.captain.mcp.MM_X]\ncommand = "m"', 1, "mcp names are up to 24 of a-z"),
        ('[settings.captain]\nmcp = { m = { tier = "king" } }', 2, "mcp.m.tier: Input should be"),
        ('[expect]\nspoken = "a"', 1, "expect: must be a list; write [[expect]]"),
        ("[brain]\nreply = 3", 2, "brain.reply: must be a list; write [[brain.reply]]"),
        ('[brain.reply]\ntext = "x"', 1, "brain.reply: must be a list; write [[brain.reply]]"),
        ("[settings]\nfloor = 3", 2, "input should be a valid dictionary"),
        ('[[do]]\nat = 1\nwrite = "Ann"', 3, "`write` needs `text`"),
        ("[[do]]\nat = 1\noperator = true", 3, "`operator` needs `text`"),
        ('[[do]]\nat = 1\npress = "Ann"', 1, "`yes` belongs to `press`, and only to it"),
        ('[[do]]\nat = 1\nleave = "Ann"\nyes = true', 4, "`yes` belongs to `press`, and only to it"),
        ('[[do]]\nat = 1\njoin = "Ann"\nroom = "Attic"', 4, "room = 'Attic': no [[room]] is called so"),
        ('[[do]]\nat = 1\npress = "Ann"\nyes = true\nroom = "A"', 5, "goes with join, leave, write only"),
        ('[[room]]\nname = "A"\n[[room]]\nname = "A"', 4, "every room needs a name of its own"),
        ('[[room]]\nname = "A"\nserver = ""', 3, "server = '': is empty"),
        ('[[room]]\nname = "A"\nbared = true', 3, "did you mean 'barred'?"),
        ('[[person]]\nname = "C"\nlabel = "C\\nD"', 3, "has a line break in it"),
        ('[settings.authority]\nowner = "An"', 2, "owner = 'An': nobody is called so; did you mean 'Ann'?"),
        ('[settings.authority]\nsystem_actors = ["Ann"]', 2, "'Ann': has no number there; write id ="),
        ("[settings.floor]\nname = { a = 1 }", 2, "name: is no value, no list and no table of tables"),
        ('[[expect]]\nwrote = "a"\nin = "attic"', 3, "in = 'attic': input should be"),
        ('[[expect]]\nspoken = "a"\nin = "room"', 3, "`in` does not go with `spoken`"),
        ('[[expect]]\nreacted = ""', 2, "reacted = '': there are no words in it"),
    ],
)
def test_a_fault_in_a_later_table_is_named_with_its_line(
    tmp_path: Path, table: str, line: int, words: str
) -> None:
    with pytest.raises(BadScenario) as caught:
        scenario(tmp_path, PLAY + table)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'play.toml'}:{PLAY.count(chr(10)) + line}: ")


def test_a_recording_is_found_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "sounds").mkdir()
    write_wav(tmp_path / "sounds" / "tone.wav", bytes(960))
    assert scenario(tmp_path, PLAY.replace('text = "what a day"', 'wav = "sounds/tone.wav"')).steps[1].wav


def test_a_recording_that_outlasts_the_evening_is_refused(tmp_path: Path) -> None:
    write_wav(tmp_path / "long.wav", bytes(48_000 * 3))
    text = "limit = 2" + PLAY.replace('text = "what a day"', 'wav = "long.wav"')
    with pytest.raises(BadScenario, match=r"toml:16: wav = 'long.wav': lasts 3 s, beyond `limit` \(2 s\)"):
        scenario(tmp_path, text)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadScenario, match="No such file"):
        load(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadScenario, match="not UTF-8"):
        load(tmp_path / "binary.toml")


def test_a_mark_at_the_beginning_and_a_joined_emoji_in_a_name_are_no_faults(tmp_path: Path) -> None:
    path = tmp_path / "play.toml"
    family = "\U0001f468\u200d\U0001f469 Bob"
    path.write_text("\ufeff" + PLAY.replace('"Bob"', f'"{family}"'), "utf-8")
    assert load(path).people[1].name == family


def test_the_codes_of_a_field_are_those_that_its_definition_lists() -> None:
    assert values_of("overlap", "reaction") == ("duck", "pause", "ignore")
    assert values_of("failed", "stage")[-1] == "voice_link"
    assert "kicked" in values_of("left", "reason")
    assert values_of("playback", "reason") == ()
    assert values_of("handoff", "phase")[0] == "began"


def test_keys_inside_a_long_text_are_not_taken_for_keys() -> None:
    lines = Lines.of('a = """\nb = 1\n[[c]]\n"""\nd = 1\n')
    assert (lines.at("", 0, "d"), lines.at("", 0, "b"), lines.at("c", 0)) == (5, 1, 1)


def test_what_a_setting_names_lies_beside_the_scenario(tmp_path: Path) -> None:
    tables = """
[settings.captain]
notes_file = "notes.md"
[settings.captain.mcp.tools]
command = "python"
args = ["-P", "./server.py"]
env = { PLACE = "../here" }
"""
    (tmp_path / "notes.md").write_text("")
    captain = scenario(tmp_path, PLAY + tables).settings["captain"]
    assert captain["notes_file"] == str(tmp_path / "notes.md")
    assert captain["mcp"] == {
        "tools": {
            "command": sys.executable,
            "args": ("-P", str(tmp_path / "server.py")),
            "env": {"PLACE": str(tmp_path / "../here")},
        }
    }
