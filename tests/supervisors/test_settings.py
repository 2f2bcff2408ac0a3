"""A configuration is right, or somebody is told which key is wrong and what to do."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from actors.captain.settings import McpServer
from supervisors.config_page import config_page
from supervisors.settings import BadConfig, Settings, load


def complaint(tmp_path: Path, text: str) -> str:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(BadConfig) as told:
        load(path)
    assert "\n" not in str(told.value)
    return str(told.value)


def test_without_a_file_everything_has_its_default() -> None:
    assert load(None) == Settings()


def test_the_written_page_changes_nothing_and_has_every_table(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(config_page())
    assert load(path) == Settings()
    for table in Settings.model_fields:
        assert f"[{table}]" in config_page()


def test_every_default_on_the_page_can_be_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(re.sub(r"^# (\w+ = )", r"\1", config_page(), flags=re.MULTILINE))
    assert load(path) == Settings()


def test_the_page_shows_a_server_of_tools_with_every_key_at_the_end_of_the_captains_table(
    tmp_path: Path,
) -> None:
    page = config_page()
    assert "# mcp = " not in page
    example = page[page.index("# [captain.mcp.music]") : page.index("[evidence]")]
    keys = re.findall(r"^#   (\w+) = ", example, re.MULTILINE)
    assert keys == [field.name for field in fields(McpServer)]
    path = tmp_path / "config.toml"
    for key, wanted in (("command", McpServer(command="any")), ("url", McpServer(url="https://any"))):
        kept = example.replace(f'{key} = ""', f'{key} = "{getattr(wanted, key)}"')
        uncommented = re.sub("^# ", "", kept, flags=re.MULTILINE)
        path.write_text(page.replace(example, uncommented.rpartition("\n\n")[0] + "\n\n"))
        (server,) = load(path).captain.mcp.values()
        assert server == wanted


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[floor]\nname = "Klaus"\n[console]\nport = 5000\n')
    monkeypatch.setenv("CLANKIE_FLOOR__NAME", "Berta")
    settings = load(path)
    assert settings.floor.name == "Berta"
    assert settings.console.port == 5000
    assert load(path, {"floor": {"name": "Carl"}}).floor.name == "Carl"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("CLANKIE_FLOOR", "junk", "CLANKIE_FLOOR is not a setting; unset it"),
        ("CLANKIE_FLOR__NAME", "Berta", "CLANKIE_FLOR__NAME is not a setting; unset it"),
        ("CLANKIE_FLOOR__NAMES", "Berta", "CLANKIE_FLOOR__NAMES is not a setting; unset it"),
        ("CLANKIE_CAPTURE__LANGUAGES", "en", "CLANKIE_CAPTURE__LANGUAGES is a list; write it as in"),
        ("CLANKIE_CAPTURE__LANGUAGES", "1", "CLANKIE_CAPTURE__LANGUAGES is a list; write it as in"),
        ("CLANKIE_DISCORD__TOKEN", "x", "CLANKIE_DISCORD__TOKEN is not a setting; the bot token goes into"),
        ("CLANKIE_CONSOLE__PORT", "many", "CLANKIE_CONSOLE__PORT: Input should be a valid integer"),
        ("CLANKIE_STAY__JOIN_SECONDS", "0", "CLANKIE_STAY__JOIN_SECONDS: join_seconds must be"),
        ("CLANKIE_FLOOR__NAME", "", "CLANKIE_FLOOR__NAME: floor.name must have a letter"),
        ("CLANKIE_FLOOR__LANGUAGE", "xx", "CLANKIE_FLOOR__LANGUAGE: language must be one of"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(
    name: str, text: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(BadConfig) as raised:
        load(None)
    assert str(raised.value).startswith(told)
    assert "\n" not in str(raised.value)


def test_a_folder_and_an_empty_text_are_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"is a folder; name the file in it, as /.*/config\.toml$"):
        load(tmp_path)
    with pytest.raises(BadConfig, match="--config names no file; give one, or leave it out"):
        load(Path())


def test_a_list_in_the_environment_is_json_and_debug_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLANKIE_CAPTURE__LANGUAGES", '["en", "de"]')
    monkeypatch.setenv("CLANKIE_DEBUG", "1")
    assert load(None).capture.languages == ("en", "de")


def test_an_empty_path_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLANKIE_CAPTAIN__NOTES_FILE", "")
    settings = load(None, {"speech": {"whisper_folder": "", "opus_library": ""}})
    assert settings == Settings()


def test_every_table_has_a_heading_of_its_own() -> None:
    headings = re.findall(r"^# (.*)\n\[\w+\]$", config_page(), re.MULTILINE)
    assert len(headings) == len(set(headings)) == len(Settings.model_fields)


def test_an_unknown_key_is_named(tmp_path: Path) -> None:
    assert "[stay] colour is not a setting" in complaint(tmp_path, '[stay]\ncolour = "red"\n')


def test_an_unknown_table_is_named(tmp_path: Path) -> None:
    assert "cellar is not a setting" in complaint(tmp_path, "[cellar]\ndeep = true\n")


def test_a_key_outside_of_every_table_is_named(tmp_path: Path) -> None:
    assert "port stands outside" in complaint(tmp_path, "port = 1\n")


def test_a_value_of_the_wrong_type_is_named_with_a_remedy(tmp_path: Path) -> None:
    told = complaint(tmp_path, '[console]\nport = "many"\n')
    assert "[console] port" in told
    assert "take it out for the default" in told


def test_a_value_out_of_its_range_is_told_by_its_room(tmp_path: Path) -> None:
    assert "join_seconds must be" in complaint(tmp_path, "[stay]\njoin_seconds = 0\n")


def test_a_language_without_word_lists_is_told_with_those_that_have_some(tmp_path: Path) -> None:
    told = complaint(tmp_path, '[floor]\nlanguage = "xx"\n')
    assert "[floor]: language must be one of en, de, es, fr, got 'xx'; choose one" in told


def test_a_file_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="clankie config"):
        load(tmp_path / "nothing.toml")


def test_a_file_that_is_not_toml_names_the_line(tmp_path: Path) -> None:
    assert "line 2" in complaint(tmp_path, "[stay]\nnonsense\n")


def test_a_value_never_shows_in_a_complaint_about_its_type(tmp_path: Path) -> None:
    assert "hunter2" not in complaint(tmp_path, '[console]\nport = "hunter2"\n')


@pytest.mark.parametrize("one", ["0", "-5", "99999999999999999999"])
@pytest.mark.parametrize(
    ("table", "key"), [("authority", "guilds"), ("authority", "channels"), ("text", "dm_users")]
)
def test_a_number_that_discord_never_gives_away_is_no_id(
    table: str, key: str, one: str, tmp_path: Path
) -> None:
    told = complaint(tmp_path, f"[{table}]\n{key} = [7, {one}]\n")
    assert f"[{table}]: {key} must be of Discord's ids, got {one}" in told


def test_an_owner_or_an_activity_that_cannot_be_is_refused(tmp_path: Path) -> None:
    assert "owner must be of Discord's ids, got 0" in complaint(tmp_path, "[authority]\nowner = 0\n")
    assert "activity must be an application's id" in complaint(tmp_path, "[discord]\nactivity = -1\n")


def test_an_id_may_stand_in_quotes(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[authority]\nguilds = ["123456789012345678"]\nowner = "234567890123456789"\n')
    assert load(path).authority.guilds == (123456789012345678,)


def test_a_list_without_brackets_is_told_in_an_operators_words(tmp_path: Path) -> None:
    told = complaint(tmp_path, "[authority]\nguilds = 123456789012345678\n")
    assert told.endswith("[authority] guilds is a list; write it in brackets, as in [1, 2]")


@pytest.mark.parametrize("proxy", ["http://", "http://:3128", "http://ada:sesame@host:99999", "http://[x"])
def test_a_proxy_that_is_nowhere_is_refused(proxy: str, tmp_path: Path) -> None:
    told = complaint(tmp_path, f'[discord]\nproxy = "{proxy}"\n')
    assert "proxy must name a host and a port" in told
    assert "sesame" not in told


def test_a_password_never_shows_in_a_complaint_about_a_proxy(tmp_path: Path) -> None:
    told = complaint(tmp_path, '[discord]\nproxy = "ada:sesame@host:3128"\n')
    assert "proxy must begin with http://" in told
    assert "sesame" not in told


@pytest.mark.parametrize("tables", [{"gateway": {"join_seconds": 10.0}}, {"stay": {"join_seconds": 50.0}}])
def test_a_stay_has_come_or_failed_before_who_asked_is_refused(tables: dict[str, dict[str, object]]) -> None:
    with pytest.raises(BadConfig, match=r"must be less than that of \[gateway\]"):
        load(None, tables)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (
            'provider = "openai"\nbase_url = "https://own.example/v1"',
            'base_url is for provider "chat"; set it',
        ),
        ('base_url = "http://127.0.0.1:1/v1"', 'base_url is for provider "chat"; set it'),
        ('provider = "openai"\nkey_file = "key"', 'key_file is for provider "chat"; set it'),
        ('model = "qwen3:8b"', 'model is for provider "openai" or "chat"; set one'),
    ],
)
def test_a_setting_of_another_mind_is_not_passed_over(table: str, told: str, tmp_path: Path) -> None:
    assert told in complaint(tmp_path, f"[realtime]\n{table}\n")


def test_a_language_is_written_as_a_code(tmp_path: Path) -> None:
    told = complaint(tmp_path, '[capture]\nlanguages = ["en", "german"]\n')
    assert told.endswith("""languages must be codes as "en" or "pt-BR", got 'german'; write those""")
    assert load(None, {"capture": {"languages": ["en", "pt-BR", "fil"]}}).capture.languages[1] == "pt-BR"
