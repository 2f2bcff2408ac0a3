"""The doctor asks whoever is to think for the captain, and looks at every server that lends him tools."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier
from typing import Final

import pytest
from mcp_types import Tool

from actors.captain.live_toolbox.checkup import Finding as Look
from actors.captain.live_toolbox.checkup import offers
from actors.captain.live_toolbox.listing import shelved
from actors.gateway.port import Finding
from supervisors import preflight
from supervisors.commands import providers, tools
from supervisors.secrets import Keys
from tests.loopback.openai.responses_asked import CaptainAsked, CaptainReply
from tests.loopback.openai.server import OpenAi
from tests.supervisors.visits import able, says, settings, sick

ROOT: Final = Path(__file__).resolve().parents[2]
WORKS: Final = {
    "command": sys.executable,
    "args": ["-m", "tests.loopback.mcp_server", "stdio"],
    "env": {"PYTHONPATH": str(ROOT)},
}
TOGETHER_SECONDS: Final = 20.0
MODEL: Final = "gpt-6-luna"
HIDDEN: Final = "sk-hidden"
MODEL_OF_HIS: Final = {"provider": "openai"}


def ready(asked: CaptainAsked) -> CaptainReply:
    """Call whatever tool there is."""
    return CaptainReply(calls=((asked.tools[0], "{}"),)) if asked.tools else CaptainReply(text="Ready.")


@pytest.fixture
def openai() -> Iterator[OpenAi]:
    with able() as openai:
        openai.rest.brains.captain = ready
        yield openai


def of_openai(openai: OpenAi, key: str | None = None, **captain: object) -> list[Finding]:
    """The captain is OpenAI's."""
    config = settings(openai.service, captain={"provider": "openai", **captain})
    return list(providers.findings(config, Keys(openai=key or openai.key)))


def of_server(openai: OpenAi, key: str | None = None, model: str = MODEL) -> list[Finding]:
    """The captain is another server's."""
    captain = {"provider": "openai", "model": model, "base_url": openai.service.base_url}
    return list(providers.findings(settings(captain=captain), Keys(captain=key or openai.key)))


def of_tools(**servers: object) -> list[Finding]:
    """These servers lend him tools."""
    return list(tools.findings(settings(captain={"mcp": servers, **MODEL_OF_HIS}), lambda _: None))


# --- OpenAI ---------------------------------------------------------------------------------------


def test_openais_captain_is_asked_for_his_model_and_for_a_call(openai: OpenAi) -> None:
    findings = of_openai(openai)
    assert (sick(findings), openai.violations) == ([], [])
    assert [finding.name for finding in findings] == ["openai key", "captain model", "captain model"]
    assert findings[1].says.startswith("OpenAI has gpt-6.1-sol")
    assert findings[2].says.startswith("gpt-6.1-sol calls tools; its answer began after")
    (asked,) = openai.rest.responses
    assert asked["store"] is False


def test_a_key_that_openai_does_not_know_is_one_finding(openai: OpenAi) -> None:
    ((name, words, remedy),) = sick(of_openai(openai, key=HIDDEN))
    assert (name, words) == ("openai key", "OpenAI does not know this key")
    assert "CLANKIE_OPENAI_API_KEY" in remedy


def test_a_captains_model_that_openai_does_not_have_is_told_once(openai: OpenAi) -> None:
    ((name, words, remedy),) = sick(of_openai(openai, model="gpt-9-sol"))
    assert (name, words) == ("captain model", "OpenAI has no model gpt-9-sol")
    assert remedy.startswith("[captain] model: name one")


# --- another server -------------------------------------------------------------------------------


def test_another_server_is_asked_with_its_own_key(openai: OpenAi) -> None:
    findings = of_server(openai)
    assert (sick(findings), openai.violations) == ([], [])
    assert says(findings, "captain's server").startswith("it answers, and lists the model")
    assert says(findings, "captain model").startswith("gpt-6-luna calls tools; its answer began after")
    ((name, words, remedy),) = sick(of_server(openai, key=HIDDEN))
    assert (name, words) == ("captain's server", "the captain's server does not know this key")
    assert remedy == "make a new one, for CLANKIE_CAPTAIN_API_KEY or [captain] key_file"


def test_a_captain_without_tools_is_told_what_he_cannot_do(openai: OpenAi) -> None:
    openai.rest.takes_tools = False
    ((name, words, remedy),) = sick(of_server(openai))
    assert (name, words) == ("captain model", "gpt-6-luna answers, but takes no tools")
    assert remedy == "[captain] model: choose one that can call tools, or he only talks, and does nothing"


def test_a_captain_that_calls_nothing_is_advice(openai: OpenAi) -> None:
    openai.rest.brains.captain = lambda _: CaptainReply(text="Sure!")
    findings = of_server(openai)
    assert sick(findings) == []
    assert "did not call the tool" in says(findings, "captain model")
    assert findings[1].remedy


def test_a_model_that_another_server_does_not_have_is_told(openai: OpenAi) -> None:
    ((name, words, remedy),) = sick(of_server(openai, model="qwen3:8b"))
    assert (name, words) == ("captain model", "the captain's server has no model qwen3:8b")
    assert remedy.startswith("[captain] model: name one that it has")


# --- tools ----------------------------------------------------------------------------------------


def test_every_server_of_tools_is_looked_at_and_one_that_is_missing_costs_no_other() -> None:
    findings = of_tools(missing={"command": "no-such-program-here"}, music={**WORKS, "tier": "ambient"})
    ((name, words, remedy),) = sick(findings)
    assert (name, words) == ("tools of missing", "its command is no program here")
    assert remedy == "[captain.mcp.missing]: name a program that is in PATH and may be run, in command"
    assert says(findings, "tools of music") == "offers 12 tools, for ambient and up"


@pytest.mark.parametrize(("tier", "who"), [("owner", "the owner"), ("everyone", "everybody")])
def test_whom_tools_are_for_is_said_as_one_says_it(tier: str, who: str) -> None:
    assert says(of_tools(music={**WORKS, "tier": tier}), "tools of music") == f"offers 12 tools, for {who}"


def test_tools_that_no_model_is_there_to_use_are_advice() -> None:
    config = settings(captain={"mcp": {"music": WORKS}})
    first, second = tools.findings(config, lambda _: None)
    assert (first.ok, first.says) == (
        True,
        '[captain] provider is "local", and rules use no tools of servers',
    )
    assert first.remedy.startswith('set it to "openai"')
    assert (second.ok, second.name) == (True, "tools of music")


def test_a_token_that_cannot_be_read_stands_with_the_tools_and_hides_no_other(tmp_path: Path) -> None:
    web = {"url": "http://127.0.0.1:1/mcp", "token_file": str(tmp_path / "none")}
    findings = of_tools(web=web, music=WORKS)
    ((name, words, remedy),) = sick(findings)
    assert (name, remedy) == ("tools of web", "name the file with the token")
    assert words.startswith("[captain.mcp.web] token_file: ")
    assert says(findings, "tools of music").startswith("offers 12")


def test_servers_are_looked_at_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = Barrier(3)

    async def together(name: str, *_: object) -> Look:
        await asyncio.to_thread(everybody.wait, TOGETHER_SECONDS)
        return Look(name=name, ok=True, says="offers 1 tool")

    monkeypatch.setattr(tools, "look", together)
    assert len(of_tools(a=WORKS, b=WORKS, c=WORKS)) == 3
    assert not everybody.broken


def test_tools_that_are_left_out_are_told() -> None:
    offered = [Tool(name=f"t{number}", input_schema={"type": "object"}) for number in range(70)]
    words = "offers 70 tools, of which 64 are taken: the rest is too many, or too large"
    assert offers(shelved("music", offered)) == words
    assert offers(shelved("music", offered[:1])) == "offers 1 tool"


def test_without_the_package_no_server_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "package_folder", lambda _: None)
    ((name, words, remedy),) = sick(of_tools(music={"command": "no-such-program-here"}))
    assert name == "tools"
    assert "mcp is not installed" in words
    assert remedy


def test_without_servers_he_has_his_own_tools() -> None:
    assert says(of_tools(), "tools") == "none but his own"
