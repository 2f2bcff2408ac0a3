"""The token is found where it is safe, refused where it is not, and never repeated."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from supervisors.secrets import Keys, discord_token, provider_keys
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


def test_a_file_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_with(tmp_path, TOKEN)
    os.chown(path, 4242, -1) if os.geteuid() == 0 else monkeypatch.setattr(os, "geteuid", lambda: 4242)
    with pytest.raises(BadConfig, match=r"belongs to another user \(\d+\); write it anew, as your own file"):
        discord_token(path, {})


def test_a_file_that_everybody_may_replace_is_refused_also_by_way_of_a_link(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(file_with(tmp_path / "open", TOKEN))
    with pytest.raises(BadConfig, match=f"can be replaced by everybody; run: chmod o-w {tmp_path}/open"):
        discord_token(tmp_path / "link", {})
    (tmp_path / "open").chmod(0o700)
    assert discord_token(tmp_path / "link", {}) == TOKEN


def test_a_pipe_is_no_file_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(BadConfig, match="is no file"):
        discord_token(tmp_path / "pipe", {})


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


# --- the providers' keys


def test_no_key_anywhere_is_no_key() -> None:
    assert provider_keys(load(None), {}) == Keys()


def test_the_keys_are_taken_out_of_the_environment_by_their_own_name_and_by_everybodys() -> None:
    environment = {
        "CLANKIE_OPENAI_API_KEY": "sk-of-his-own\n",
        "OPENAI_API_KEY": "sk-of-everybodys",
        "ELEVENLABS_API_KEY": "xi-of-everybodys",
        "CLANKIE_CHAT_API_KEY": "c",
        "LANG": "C",
    }
    keys = provider_keys(load(None), environment)
    assert (keys.openai, keys.elevenlabs, keys.chat) == ("sk-of-his-own", "xi-of-everybodys", "c")
    assert environment == {"LANG": "C"}


def test_a_key_is_in_no_repr() -> None:
    assert repr(Keys(openai="sk-secret", elevenlabs="xi-secret", chat="secret")) == "Keys()"


def test_a_key_is_read_from_its_file_which_is_the_owners_alone(tmp_path: Path) -> None:
    path = file_with(tmp_path, "sk-in-a-file\n")
    settings = load(None, {"openai": {"key_file": str(path)}})
    assert provider_keys(settings, {}).openai == "sk-in-a-file"
    path.chmod(0o644)
    with pytest.raises(
        BadConfig, match=rf"\[openai\] key_file: {path} can be read by others; run: chmod 600"
    ):
        provider_keys(settings, {})


@pytest.mark.parametrize(
    "wrong",
    [
        "Bearer sk-with-a-word",
        "short",
        "sk-with-\N{EM DASH}a-dash-in-it",
        "OPENAI_API_KEY=sk-of-a-line",
        "sk-with\\a-backslash",
        '"sk-in-quotes"',
    ],
)
def test_what_is_no_key_is_refused_and_not_repeated(wrong: str) -> None:
    with pytest.raises(BadConfig, match="CLANKIE_OPENAI_API_KEY holds no API key; copy it whole") as refused:
        provider_keys(load(None), {"CLANKIE_OPENAI_API_KEY": wrong})
    assert wrong not in str(refused.value)


@pytest.mark.parametrize(
    ("table", "name"), [("openai", "OPENAI"), ("elevenlabs", "ELEVENLABS"), ("realtime", "CHAT")]
)
def test_a_key_in_the_configuration_is_refused_with_its_right_place(table: str, name: str) -> None:
    with pytest.raises(BadConfig, match=f"has no place here; set CLANKIE_{name}_API_KEY") as refused:
        load(None, {table: {"api_key": "sk-secret"}})
    assert "sk-secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("slip", "name"),
    [
        ("OPENAI_KEY", "OPENAI"),
        ("OPENAI_APIKEY", "OPENAI"),
        ("ELEVENLABS_APIKEY", "ELEVENLABS"),
        ("REALTIME__API_KEY", "CHAT"),
        ("CHAT_KEY", "CHAT"),
    ],
)
def test_a_slip_in_the_name_of_a_key_is_told(slip: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"CLANKIE_{slip}", "sk-secret")
    with pytest.raises(BadConfig, match=f"the key goes into CLANKIE_{name}_API_KEY") as refused:
        load(None)
    assert "sk-secret" not in str(refused.value)


@pytest.mark.parametrize(
    "pasted", ["sk-proj-SECRETSECRET_SECRET", "3f" * 16, "OPENAI_API_KEY=sk-" + "a" * 20]
)
def test_a_key_in_the_place_of_its_file_is_refused_and_not_repeated(pasted: str) -> None:
    settings = load(None, {"openai": {"key_file": pasted}})
    with pytest.raises(BadConfig, match=r"^\[openai\] key_file looks like a key, and must be") as refused:
        provider_keys(settings, {})
    assert pasted not in str(refused.value)


def test_a_token_in_the_place_of_its_file_is_refused_and_not_repeated() -> None:
    with pytest.raises(BadConfig, match=r"^\[discord\] token_file looks like a key") as refused:
        discord_token(Path(TOKEN), {})
    assert TOKEN not in str(refused.value)


def test_a_file_with_a_long_name_is_a_file() -> None:
    with pytest.raises(BadConfig, match="cannot be read"):
        discord_token(Path("the_bot_token_of_clankie_in_my_own_house"), {})
