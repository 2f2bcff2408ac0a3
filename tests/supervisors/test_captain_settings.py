"""Whose mind the captain has and which tools of others: what cannot work is told before the house opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from supervisors import preflight
from supervisors.preflight import check_providers, check_tools, check_ways, chosen_providers
from supervisors.providers import companies
from supervisors.secrets import NO_KEYS, Keys, all_keys
from supervisors.settings import BadConfig, load

SERVERS = """
[captain.mcp.music]
command = "music-server"
args = ["--quiet"]
env = { MUSIC_KEY = "m-secret-1234" }
tier = "ambient"

[captain.mcp.web]
url = "https://tools.example.org/mcp"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text)
    return path


def complaint(folder: Path, text: str) -> str:
    with pytest.raises(BadConfig) as told:
        load(written(folder, text))
    assert "\n" not in str(told.value)
    return str(told.value)


def test_a_server_of_tools_has_a_table_of_its_own_and_the_owner_alone_unless_said_otherwise(
    tmp_path: Path,
) -> None:
    servers = load(written(tmp_path, SERVERS)).captain.mcp
    assert (servers["music"].args, servers["music"].tier) == (("--quiet",), "ambient")
    assert (servers["web"].tier, servers["web"].confirm) == ("owner", "auto")
    assert "m-secret-1234" not in repr(servers)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[captain.mcp.music]\n", "[captain] mcp.music: command or url must be set, and not both"),
        ('[captain.mcp.music]\ncommand = "x"\nurl = "https://a.example"\n', "must be set, and not both"),
        ('[captain.mcp.music]\nurl = "http://a.example/mcp"\n', "mcp.music.url must begin with https://"),
        ('[captain.mcp.music]\nurl = "https://a.example"\nargs = ["x"]\n', "args and env are for a command"),
        ('[captain.mcp.music]\ncommand = "x"\ntoken_file = "t"\n', "token_file is for a url"),
        ('[captain.mcp.music]\ncommand = "x"\ntier = "god"\n', "mcp.music.tier"),
        ('[captain.mcp.music]\ncommand = "x"\ntoken = "abc"\n', "mcp.music.token is not a setting"),
        ('[captain.mcp."My Music"]\ncommand = "x"\n', "mcp names are up to 24 of a-z and 0-9"),
        (
            "[captain]\nmcp = 3\n",
            "mcp is a table; write it for each server, as in [captain.mcp.music]",
        ),
        (
            '[captain.mcp]\ncommand = "x"\n',
            "mcp.command is a table; write it for each server, as in",
        ),
        ('[captain.mcp.music]\ncommand = "x"\nenv = 3\n', "mcp.music.env is a table; write it in braces"),
        ('[captain]\nmodel = "gpt-6-sol"\n', 'model is for provider "openai"'),
        ('[captain]\nprovider = "openai"\nkey_file = "k"\n', "key_file is for a base_url of his own"),
        ('[captain]\nprovider = "openai"\nbase_url = "https://a.example/v1"\n', "model is needed with"),
        ('[captain]\napi_key = "sk-1"\n', "set CLANKIE_CAPTAIN_API_KEY"),
        ("[captain]\nturn_steps = 0\n", "turn_steps must be between 1 and 100"),
        ("[captain]\nstall_seconds = 0\n", "stall_seconds must be above 0"),
    ],
)
def test_what_cannot_be_is_told_with_its_key(text: str, told: str, tmp_path: Path) -> None:
    assert told in complaint(tmp_path, text)


def test_a_table_cannot_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLANKIE_CAPTAIN__MCP", "{}")
    with pytest.raises(BadConfig, match=r"CLANKIE_CAPTAIN__MCP is a table; write it into the file"):
        load(None)


def test_a_server_of_his_own_has_a_key_of_its_own_and_a_token_is_read_from_its_file(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.touch(0o600)
    token.write_text("web-token-1234\n")
    text = SERVERS + f'token_file = "{token}"\n[captain]\nprovider = "openai"\n'
    settings = load(written(tmp_path, text + 'base_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n'))
    environment = {"CLANKIE_CAPTAIN_API_KEY": "captain-key-1", "PATH": "/bin"}
    keys = all_keys(settings, environment)
    assert (keys.captain, keys.mcp, environment) == (
        "captain-key-1",
        {"web": "web-token-1234"},
        {"PATH": "/bin"},
    )
    assert "captain-key-1" not in repr(keys)
    assert "web-token" not in repr(keys)
    token.chmod(0o644)
    with pytest.raises(BadConfig, match=r"\[captain.mcp.web\] token_file: .* can be read by others"):
        all_keys(settings, {})


def test_whoever_gets_text_is_named_to_people(tmp_path: Path) -> None:
    assert companies(load(written(tmp_path, SERVERS))) == ("tools.example.org",)
    assert companies(load(written(tmp_path, '[captain]\nprovider = "openai"\n'))) == ("OpenAI",)
    own = '[captain]\nprovider = "openai"\nbase_url = "https://mind.example/v1"\nmodel = "m"\n'
    assert companies(load(written(tmp_path, own))) == ("mind.example",)
    assert companies(load(None)) == ()


def test_a_captain_at_openai_needs_its_key_and_one_elsewhere_may_need_none(tmp_path: Path) -> None:
    at_openai = load(written(tmp_path, '[captain]\nprovider = "openai"\n'))
    with pytest.raises(BadConfig, match=r"\[captain\] provider is \"openai\", and there is no key"):
        check_providers(at_openai, NO_KEYS)
    check_providers(at_openai, Keys(openai="sk-1234567890"))
    own = '[captain]\nprovider = "openai"\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n'
    elsewhere = load(written(tmp_path, own))
    check_providers(elsewhere, NO_KEYS)
    assert chosen_providers(elsewhere)["captain"] == "responses"


def test_tools_need_their_package_and_a_way_that_can_be_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load(written(tmp_path, SERVERS))
    check_tools(settings)
    monkeypatch.setenv("HTTPS_PROXY", "socks9://nowhere")
    with pytest.raises(BadConfig, match="HTTPS_PROXY"):
        check_ways(settings)
    monkeypatch.setattr(preflight, "package_folder", lambda _: None)
    with pytest.raises(BadConfig, match=r"\[captain.mcp.music\] names a server, but mcp is not installed"):
        check_tools(settings)
