"""The token is found where it is safe, refused where it is not, and never repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from supervisors.secrets import discord_token
from supervisors.settings import BadConfig, load

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


def file_with(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "token"
    path.write_text(text, "utf-8")
    path.chmod(mode)
    return path


def test_no_token_anywhere_is_none() -> None:
    assert discord_token(None, {}) is None


def test_the_variable_is_taken_out_so_that_no_child_inherits_it() -> None:
    environment = {"CLANKIE_DISCORD_TOKEN": f" {TOKEN}\n", "LANG": "C"}
    assert discord_token(None, environment) == TOKEN
    assert environment == {"LANG": "C"}


def test_the_file_is_read_where_there_is_no_variable(tmp_path: Path) -> None:
    assert discord_token(file_with(tmp_path, f"{TOKEN}\n"), {"CLANKIE_DISCORD_TOKEN": ""}) == TOKEN


def test_the_variable_wins_over_the_file(tmp_path: Path) -> None:
    environment = {"CLANKIE_DISCORD_TOKEN": TOKEN}
    assert discord_token(file_with(tmp_path, "something else"), environment) == TOKEN


def test_a_file_that_others_can_read_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    path = file_with(tmp_path, TOKEN, 0o640)
    with pytest.raises(BadConfig, match=f"can be read by others; run: chmod 600 {path}"):
        discord_token(path, {})


def test_in_the_folder_of_a_systemd_service_its_one_reader_looks_like_a_group(tmp_path: Path) -> None:
    environment = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert discord_token(file_with(tmp_path, TOKEN, 0o440), environment) == TOKEN
    (tmp_path / "token").unlink()
    for mode, folder in ((0o444, tmp_path), (0o440, tmp_path / "other")):
        with pytest.raises(BadConfig, match="can be read by others"):
            discord_token(file_with(tmp_path, TOKEN, mode), {"CREDENTIALS_DIRECTORY": str(folder)})
        (tmp_path / "token").unlink()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="cannot be read"):
        discord_token(tmp_path / "nothing", {})


@pytest.mark.parametrize("text", ["", " \r\n", "\ufeff\n"])
def test_an_empty_file_is_refused_and_does_not_lead_into_the_local_room(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="is empty; write the bot token into it"):
        discord_token(file_with(tmp_path, text), {})


def test_the_mark_and_the_line_ends_of_another_system_do_no_harm(tmp_path: Path) -> None:
    assert discord_token(file_with(tmp_path, f"\ufeff{TOKEN}\r\n"), {}) == TOKEN


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(BadConfig, match="is no file"):
        discord_token(tmp_path, {})


@pytest.mark.parametrize("text", ["Bot " + TOKEN, f'"{TOKEN}"', "your-token-here", TOKEN[:30], "ä" * 60])
def test_what_is_no_token_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(BadConfig, match="holds no bot token") as refused:
        discord_token(None, {"CLANKIE_DISCORD_TOKEN": text})
    assert text not in str(refused.value)


def test_a_token_in_the_configuration_is_refused_without_being_repeated(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[discord]\ntoken = "{TOKEN}"\n', "utf-8")
    with pytest.raises(BadConfig, match="set CLANKIE_DISCORD_TOKEN") as refused:
        load(config)
    assert TOKEN not in str(refused.value)


def test_a_token_written_as_a_setting_in_the_environment_is_told_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CLANKIE_DISCORD__TOKEN", TOKEN)
    with pytest.raises(BadConfig, match="CLANKIE_DISCORD__TOKEN is not a setting") as refused:
        load(None)
    assert TOKEN not in str(refused.value)
