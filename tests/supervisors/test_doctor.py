"""The doctor looks at everything, names what would mend it, and never falls ill himself."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TypedDict, cast

import pytest
from rich.console import Console

from actors.audio.opus import load_opus
from actors.gateway.port import Finding
from actors.gateway.settings import AuthoritySettings
from supervisors import packages, preflight
from supervisors.commands import apparatus, doctor
from supervisors.settings import BadConfig, SpeechSettings, load
from tests.loopback.discord.place import NoVoice
from tests.loopback.discord.server import Discord

INSTALLED = Path(sys.executable).with_name("clankie")
DEADLINE = 40.0


class Told(TypedDict):
    name: str
    ok: bool
    says: str
    remedy: str


@pytest.fixture
def discord() -> Iterator[Discord]:
    with Discord(place=NoVoice()) as discord:
        yield discord


def configuration(folder: Path, discord: Discord, guild: int, token: str = "") -> Path:
    (folder / "token").write_text(token or discord.token)
    (folder / "token").chmod(0o600)
    path = folder / "config.toml"
    path.write_text(
        f'[discord]\ntoken_file = "{folder / "token"}"\nproxy = "{discord.proxy}"\n'
        f'ca_file = "{discord.ca_file}"\n[authority]\nowner = 7\nguilds = [{guild}]\n'
    )
    return path


def clankie(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(INSTALLED), *arguments],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
        env={**os.environ, **environment},
    )


def sick(findings: list[Told]) -> list[tuple[str, str]]:
    return [(finding["name"], finding["says"]) for finding in findings if not finding["ok"]]


# --- the installed command ------------------------------------------------------------------------


def test_a_house_with_everything_has_nothing_to_mend(tmp_path: Path, discord: Discord) -> None:
    home = discord.guild("Home")
    home.voice("General")
    home.text("chat")
    done = clankie("doctor", "--json", "-c", str(configuration(tmp_path, discord, home.id)))
    findings = cast("list[Told]", json.loads(done.stdout))
    assert (sick(findings), done.stderr, done.returncode) == ([], "", 0)
    names = [finding["name"] for finding in findings]
    for name in ("davey", "PyNaCl", "libopus", "discord package", "scheduling", "token", "intents"):
        assert name in names
    assert discord.token not in done.stdout


def test_what_is_to_mend_is_told_in_lines_with_the_remedy_below(tmp_path: Path, discord: Discord) -> None:
    home = discord.guild("Home")
    home.voice("General").deny("speak")
    done = clankie("doctor", "-c", str(configuration(tmp_path, discord, home.id)))
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    there = lines.index("✗ voice in Home he may not Speak in General")
    assert lines[there + 1].startswith("→ allow his role that")
    assert lines[-1] == "1 thing to mend."
    assert (done.stderr, done.returncode) == ("", 1)


def test_a_wrong_token_is_told_and_not_repeated(tmp_path: Path, discord: Discord) -> None:
    wrong = discord.token[:-1] + "-"
    path = configuration(tmp_path, discord, 5)
    done = clankie("doctor", "--json", "-c", str(path), CLANKIE_DISCORD_TOKEN=wrong, CLANKIE_DEBUG="1")
    assert sick(json.loads(done.stdout)) == [("token", "Discord does not know this token")]
    assert done.returncode == 1
    assert wrong not in done.stdout + done.stderr


def test_a_token_file_that_others_can_read_is_a_finding_like_any_other(
    tmp_path: Path, discord: Discord
) -> None:
    path = configuration(tmp_path, discord, 5)
    (tmp_path / "token").chmod(0o644)
    done = clankie("doctor", "--json", "-c", str(path))
    (finding,) = [one for one in cast("list[Told]", json.loads(done.stdout)) if not one["ok"]]
    assert finding["name"] == "token"
    assert finding["remedy"] == f"run: chmod 600 {tmp_path / 'token'}"


def test_the_way_in_is_one_line_to_copy(tmp_path: Path, discord: Discord) -> None:
    done = clankie("invite", "-c", str(configuration(tmp_path, discord, 5)))
    (address,) = done.stdout.splitlines()
    assert address.startswith("https://discord.com/oauth2/authorize?")
    assert f"client_id={discord.application}" in address
    assert "scope=bot+applications.commands" in address
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("break_it", [lambda discord: discord.network.cut()])
def test_a_way_in_that_cannot_be_asked_for_is_one_line(
    tmp_path: Path, discord: Discord, break_it: Callable[[Discord], None]
) -> None:
    break_it(discord)
    done = clankie("invite", "-c", str(configuration(tmp_path, discord, 5)))
    (line,) = done.stderr.splitlines()
    assert line.startswith("Discord cannot be reached (")
    assert (done.stdout, done.returncode) == ("", 2)


# --- here, with less than a house needs -----------------------------------------------------------


def test_without_a_token_he_is_well_in_a_local_room_and_told_how_to_give_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLANKIE_DISCORD_TOKEN", raising=False)
    assert doctor.examine(None, as_json=True) == 0
    findings = cast("list[Told]", json.loads(capsys.readouterr().out))
    assert sick(findings) == []
    assert findings[-1]["says"] == "there is no bot token; he would sit in a local room"
    assert findings[-1]["remedy"].startswith("set CLANKIE_DISCORD_TOKEN")
    assert not {"servers", "authority"} & {finding["name"] for finding in findings}
    assert doctor.examine(None, as_json=False) == 0
    assert capsys.readouterr().out.endswith("in a local room; Discord needs a bot token.\n")
    with pytest.raises(BadConfig, match="there is no bot token; set CLANKIE_DISCORD_TOKEN"):
        doctor.invite(None)


def test_an_account_is_not_looked_at_with_packages_that_do_not_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, discord: Discord
) -> None:
    monkeypatch.setattr(apparatus, "rivals", lambda: ("py-cord",))
    assert doctor.examine(configuration(tmp_path, discord, 5), as_json=False) == 1
    out = capsys.readouterr().out
    assert "py-cord is installed beside discord.py and overwrites it" in out
    assert "pip uninstall py-cord" in out
    assert "the account was not looked at" in out
    assert discord.rest.requests == []


def test_a_house_does_not_open_with_an_overwritten_library(monkeypatch: pytest.MonkeyPatch) -> None:
    preflight.check_discord()
    monkeypatch.setattr(preflight, "rivals", lambda: ("py-cord",))
    with pytest.raises(
        BadConfig, match=r"py-cord is installed beside discord\.py and overwrites it; run: pip"
    ):
        preflight.check_discord()
    monkeypatch.setattr(preflight, "package_folder", lambda _: None)
    with pytest.raises(BadConfig, match="davey, cryptography, websockets is not installed; run: make setup"):
        preflight.check_discord()


# --- judging --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "failure", "says", "remedy"),
    [
        (None, "ImportError", "is not installed; without it nothing", ".[discord]"),
        ("1.0", "ImportError", "1.0 does not load (ImportError)", "pip install --force-reinstall davey"),
        ("1.0", None, "1.0", ""),
    ],
)
def test_a_package_is_there_and_loads_or_not(
    version: str | None, failure: str | None, says: str, remedy: str
) -> None:
    finding = apparatus.package("davey", version, failure, "without it nothing")
    assert (finding.says, finding.ok) == (says, not remedy)
    assert remedy in finding.remedy


def test_without_the_second_cipher_he_is_well_and_told_how_to_get_it() -> None:
    finding = apparatus.second_cipher(None)
    assert finding.ok
    assert finding.remedy


def test_a_folder_called_discord_in_the_way_is_told() -> None:
    finding = apparatus.only_one_discord((), "/srv/site/discord")
    assert (finding.ok, finding.says) == (
        False,
        "import discord finds /srv/site/discord, which is not discord.py",
    )


@pytest.mark.parametrize("granted", ["fifo", "nice", "none", ""])
def test_he_is_well_with_whatever_the_scheduler_grants(granted: str) -> None:
    finding = apparatus.precedence(granted)
    assert finding.ok
    assert ("LimitRTPRIO" in finding.remedy) == (granted != "fifo")


def test_the_scheduler_is_asked_by_another_process_than_this(monkeypatch: pytest.MonkeyPatch) -> None:
    before = (os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0))
    assert apparatus.scheduling().ok
    assert (os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0)) == before
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert apparatus.scheduling().says == "his voice waits like any other program"


def test_the_codec_is_named_with_its_version_and_where_it_came_from() -> None:
    finding = apparatus.codec(SpeechSettings())
    assert finding.ok
    assert finding.says.startswith("libopus ")
    assert apparatus.origin("libopus.so.0", None) == "the system's own: libopus.so.0"
    assert apparatus.origin("/lib/av.libs/libopus-1.so", None).startswith("out of the installed PyAV")
    assert apparatus.origin("/opt/o.so", Path("/opt/o.so")) == "as [speech] opus_library says: /opt/o.so"


def test_a_codec_that_is_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "libopus.so").write_text("no library")
    finding = apparatus.codec(SpeechSettings(opus_library=tmp_path / "libopus.so"))
    assert (finding.ok, finding.says) == (False, f"{tmp_path / 'libopus.so'} is not a loadable libopus")
    monkeypatch.setattr("actors.audio.opus._candidates", lambda: iter(()))
    load_opus.cache_clear()
    finding = apparatus.codec(SpeechSettings())
    assert (finding.ok, finding.says) == (False, "libopus was not found")
    assert "apt install libopus0" in finding.remedy


def test_a_home_that_nobody_has_is_told_by_the_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, discord: Discord
) -> None:
    monkeypatch.setenv("CLANKIE_DISCORD_TOKEN", discord.token)
    lost = tmp_path / "config.toml"
    tables = {"discord": "ca_file", "speech": "opus_library", "captain": "notes_file"}
    lost.write_text("".join(f'[{table}]\n{key} = "~nobody-at-all/x"\n' for table, key in tables.items()))
    assert doctor.examine(lost, as_json=True) == 1
    told = dict(sick(cast("list[Told]", json.loads(capsys.readouterr().out))))
    for name, table in (("ca_file", "discord"), ("libopus", "speech"), ("notes", "captain")):
        assert told[name] == f"[{table}] {tables[table]}: ~nobody-at-all/x is in nobody's home"


def test_files_that_are_not_there_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {"speech": {"whisper_folder": str(tmp_path)}, "captain": {"notes_file": str(tmp_path / "n.md")}}
    models, notes = apparatus.speech(load(None, tables))
    assert (models.ok, notes.ok) == (False, False)
    assert "has no model.bin" in models.says
    assert models.remedy.startswith("name a Whisper model")
    assert notes.remedy.startswith("name a text file")
    (tmp_path / "n.md").touch()
    assert [finding.ok for finding in apparatus.speech(load(None, tables))] == [False, True]
    monkeypatch.setattr("actors.audio.models.package_folder", lambda _: None)
    (models,) = apparatus.speech(load(None))
    assert "is not installed" in models.says
    monkeypatch.setattr(apparatus, "package_folder", lambda _: None)
    (models,) = apparatus.speech(load(None))
    assert models.says == "the local models are not installed"


def test_who_may_move_him_is_said_in_every_case() -> None:
    def told(authority: AuthoritySettings) -> list[tuple[bool, str]]:
        return [(finding.ok, finding.says) for finding in doctor.allowed(authority)]

    assert told(AuthoritySettings(guilds=(1,), join_policy="guild_members")) == [
        (True, "he may be in 1 server"),
        (True, "everybody there may have him come and go"),
    ]
    assert told(AuthoritySettings(guilds=(1, 2), ambient_roles=(3,)))[0] == (True, "he may be in 2 servers")
    assert told(AuthoritySettings()) == [
        (False, "he may be in no server"),
        (False, "nobody may have him come and go"),
    ]


def test_a_name_in_brackets_is_printed_as_it_is_and_a_long_address_in_one_piece() -> None:
    out = io.StringIO()
    remedy = "open https://discord.com/" + "a" * 200
    finding = Finding(name="server [bold]", ok=False, says="he is not there", remedy=remedy)
    doctor.show(Console(file=out, width=40), finding)
    first, second = out.getvalue().splitlines()
    assert "server [bold]" in first
    assert second.endswith("a" * 200)


# --- packages -------------------------------------------------------------------------------------


def test_only_a_distribution_that_writes_into_the_same_folder_is_a_rival(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = {"py-cord": ["discord/__init__.py"], "nextcord": ["nextcord/__init__.py"], "disnake": []}

    def version(name: str) -> str:
        if name not in files:
            raise metadata.PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr(metadata, "files", lambda name: list(map(metadata.PackagePath, files[name])))
    assert packages.rivals() == ("py-cord",)


def test_the_package_that_is_imported_is_the_one_that_was_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert packages.stranger() is None
    monkeypatch.setattr(packages, "package_folder", lambda _: tmp_path)
    assert packages.stranger() == str(tmp_path)
    monkeypatch.setattr(packages, "package_folder", lambda _: None)
    assert packages.stranger() is None


def test_a_module_that_cannot_be_imported_is_told_by_the_kind_of_its_failure() -> None:
    assert packages.unloadable("json") is None
    assert packages.unloadable("no_such_module_anywhere") == "ModuleNotFoundError"
