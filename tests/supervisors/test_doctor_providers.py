"""The doctor asks every provider that is to be used, says what would mend it, and repeats nobody's words."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from actors.net.service import Service
from supervisors.commands import providers
from supervisors.secrets import Keys
from tests.loopback.elevenlabs.catalogue import Dialect
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.mind import Reply
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.server import OpenAi
from tests.loopback.providers import NEVER
from tests.supervisors.visits import CHAT, SOON, able, of_chat, of_elevenlabs, of_openai, says, settings, sick

Break: TypeAlias = Callable[[OpenAi], None]
BreakOther: TypeAlias = Callable[[ElevenLabs], None]


@pytest.fixture
def openai() -> Iterator[OpenAi]:
    with able() as openai:
        yield openai


@pytest.fixture
def elevenlabs() -> Iterator[ElevenLabs]:
    with ElevenLabs() as elevenlabs:
        yield elevenlabs


def error(code: str | None, message: str = PROSE) -> dict[str, dict[str, str | None]]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}


def refuse(status: int, code: str | None) -> Break:
    return lambda openai: openai.ground.refuse_next(status, error(code))


# --- OpenAI ---------------------------------------------------------------------------------------


def test_a_house_in_the_cloud_has_nothing_to_mend_and_is_told_how_fast_it_is(openai: OpenAi) -> None:
    findings = of_openai(openai, instructions="Calmly.")
    assert (sick(findings), openai.violations) == ([], [])
    assert [finding.name for finding in findings] == [
        "openai key",
        "capture model",
        "capture socket",
        "realtime model",
        "realtime socket",
        "tts model",
        "voice",
        "voice sample",
        "sample heard",
    ]
    assert says(findings, "capture model") == "OpenAI has gpt-live-transcribe"
    for name in ("openai key", "capture socket", "realtime socket", "voice sample", "sample heard"):
        assert " ms" in says(findings, name)
    assert says(findings, "sample heard").startswith("10 of 10 words came back through gpt-transcribe")
    assert openai.rest.speeches[0]["instructions"] == "Calmly."


@pytest.mark.parametrize(
    ("break_it", "told", "remedy"),
    [
        (refuse(401, "invalid_api_key"), "OpenAI does not know this key", "CLANKIE_OPENAI_API_KEY"),
        (refuse(429, "insufficient_quota"), "the account's quota is used up", "organization/billing"),
        (refuse(429, "rate_limit_exceeded"), "OpenAI wants this machine to wait", "in some minutes"),
        (refuse(503, None), "OpenAI has a problem of its own", "https://status.openai.com"),
        (refuse(418, PROSE), "OpenAI refused it (http_418)", "clankie config"),
        (
            lambda openai: openai.ground.refuse_next(200, "a login page"),
            "something else",
            "[openai] base_url",
        ),
        (lambda openai: openai.ground.refuse_next(NEVER), "no answer in", "[openai] base_url"),
    ],
)
def test_a_key_that_opens_nothing_is_one_finding(
    openai: OpenAi, break_it: Break, told: str, remedy: str
) -> None:
    break_it(openai)
    ((name, words, mending),) = sick(of_openai(openai, seconds=SOON))
    assert (name, words[: len(told)]) == ("openai key", told)
    assert remedy in mending


def test_without_a_key_nobody_is_asked(openai: OpenAi) -> None:
    config = settings(openai.service, tts={"provider": "openai"})
    ((name, words, remedy),) = sick(list(providers.findings(config, Keys())))
    assert (name, words) == ("openai key", "there is no key for OpenAI")
    assert remedy == "set CLANKIE_OPENAI_API_KEY, or [openai] key_file to a file of mode 600"
    assert not openai.rest.exchanges


def test_a_provider_that_is_not_there_is_told_with_its_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        address = f"http://127.0.0.1:{door.getsockname()[1]}/v1"
    config = settings(Service(base_url=address), tts={"provider": "openai"})
    ((name, words, remedy),) = sick(list(providers.findings(config, Keys(openai="sk-anything"))))
    assert (name, words) == ("openai key", "OpenAI cannot be reached")
    assert address in remedy


def test_a_key_that_may_not_look_at_models_is_not_called_wrong(openai: OpenAi) -> None:
    missing = "You have insufficient permissions for this operation. Missing scopes: api.model.read."
    for status in (401, 403):
        openai.ground.refuse_next(status, error(None, missing))
        findings = of_openai(openai)
        assert sick(findings) == []
        assert says(findings, "openai key").startswith("OpenAI knows it, but shows it no models")
        assert says(findings, "voice sample")


def test_a_model_or_a_voice_that_nobody_has_is_told(openai: OpenAi) -> None:
    ((name, words, remedy), sample) = sick(of_openai(openai, model="gpt-9-tts\x1b[2J"))
    assert (name, words) == ("tts model", "OpenAI has no model gpt-9-tts[2J")
    assert remedy.startswith("[tts] model: name one")
    assert sample[:2] == ("voice", "OpenAI has no voice marin")
    ((name, words, remedy),) = sick(of_openai(openai, voice="nobody"))
    assert (name, words) == ("voice", "OpenAI has no voice nobody")
    assert "marin" in remedy


def test_another_server_in_the_place_of_openai_may_have_no_list(openai: OpenAi) -> None:
    openai.rest.lists_models = False
    findings = of_openai(openai)
    assert sick(findings) == []
    assert says(findings, "tts model").startswith("OpenAI does not say whether it has gpt-4o-mini-tts")


@pytest.mark.parametrize(
    ("break_it", "table", "told", "remedy"),
    [
        (
            lambda openai: openai.models.remove("gpt-realtime-2.1"),
            "realtime",
            "OpenAI has no model gpt-realtime-2.1",
            "[realtime] model: name one that the account has",
        ),
        (
            lambda openai: openai.habits.refuse("session.update", "unsupported_model"),
            "capture",
            "OpenAI refused it (unsupported_model)",
            "see [capture] in the output of: clankie config",
        ),
        (
            lambda openai: openai.habits.unanswered.add("session.update"),
            "capture",
            "no answer in",
            "look at the network",
        ),
    ],
)
def test_what_is_refused_at_a_socket_alone_is_told(
    openai: OpenAi, break_it: Break, table: str, told: str, remedy: str
) -> None:
    break_it(openai)
    (name, words, mending), *_ = sick(of_openai(openai, seconds=SOON))
    assert (name, words[: len(told)]) == (f"{table} socket", told)
    assert mending.startswith(remedy)


def test_a_model_that_is_not_there_is_not_asked_for_at_its_socket(openai: OpenAi) -> None:
    openai.rest.models.remove("gpt-live-transcribe")
    findings = of_openai(openai)
    assert [name for name, _, _ in sick(findings)] == ["capture model"]
    assert not openai.listeners
    openai.conversation().wait_over()


def test_what_he_asks_of_a_socket_is_what_the_house_will_ask_of_it(openai: OpenAi) -> None:
    of_openai(openai)
    (ear, mind) = (openai.listener(), openai.conversation())
    assert [frame["type"] for frame in (*ear.received, *mind.received)] == ["session.update"] * 2
    assert "Clankie" in json.dumps(ear.received[0])


def test_a_proxy_that_nobody_can_use_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "socks5://me:hidden@proxy:1080")
    monkeypatch.setenv("NO_PROXY", "")
    config = settings(tts={"provider": "openai"})
    ((name, words, remedy),) = sick(list(providers.findings(config, Keys(openai="sk-anything"))))
    assert (name, words) == ("proxy", "HTTPS_PROXY names no HTTP proxy")
    assert "hidden" not in words + remedy


# --- a chat server --------------------------------------------------------------------------------


def test_a_chat_server_is_asked_for_its_model_and_for_a_call(openai: OpenAi) -> None:
    findings = of_chat(openai)
    assert (sick(findings), openai.violations) == ([], [])
    assert says(findings, "chat server").startswith("it answers, and lists the model")
    assert says(findings, "realtime model").startswith("gpt-6-luna calls tools; its answer began after")


def test_a_chat_server_may_have_no_list_and_a_model_that_calls_nothing(openai: OpenAi) -> None:
    openai.rest.lists_models = False
    openai.rest.brains.think = lambda _: Reply(pieces=("Sure!",))
    findings = of_chat(openai)
    assert sick(findings) == []
    assert says(findings, "chat server").startswith("it answers, without a list of models")
    assert "did not call the tool" in says(findings, "realtime model")
    assert findings[1].remedy


def test_a_model_without_tools_and_one_that_is_not_there_are_told(openai: OpenAi) -> None:
    openai.rest.takes_tools = False
    ((name, words, remedy),) = sick(of_chat(openai))
    assert (name, words) == ("realtime model", "gpt-6-luna answers, but takes no tools")
    assert "that can call tools" in remedy
    openai.rest.models[:] = ["qwen3:8b", "a\x1b[31mred"]
    ((name, words, _),) = sick(of_chat(openai))
    assert (name, words) == ("realtime model", "the chat server has no model gpt-6-luna")


def test_a_model_that_is_not_listed_is_advice_and_one_that_is_missing_has_no_default(openai: OpenAi) -> None:
    openai.rest.models[:] = []
    finding, missing = of_chat(openai)
    assert finding.ok
    assert finding.says.startswith("it answers, and does not list the model (")
    assert finding.remedy == "[realtime] model: see whether gpt-6-luna is in its list (nothing)"
    assert missing.remedy == "[realtime] model: name one that it has"


@pytest.mark.parametrize("slip", ["/v1/v2", ""])
def test_an_address_at_which_there_is_nothing_is_one_finding(openai: OpenAi, slip: str) -> None:
    base = openai.service.base_url.removesuffix("/v1") + slip
    chat = settings(realtime={"provider": "chat", "model": "gpt-6-luna", "base_url": base})
    ((name, words, remedy),) = sick(list(providers.findings(chat, Keys(chat=openai.key))))
    assert (name, words) == ("chat server", "404 at that address: is /v1 missing, or too much, in base_url?")
    assert remedy.startswith(f"look at [realtime] base_url ({base})")
    chosen = {"provider": "openai"}
    mind = settings(Service(base_url=base), realtime=chosen)
    ((name, words, _),) = sick(list(providers.findings(mind, Keys(openai=openai.key))))
    assert (name, words[:3]) == ("realtime socket", "404")


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault(cut_after=2), "the chat server broke off"),
        (Fault(garbage_after=2), "something else seems to answer in the place of the chat server"),
        (Fault(end_after=1), "something else seems to answer in the place of the chat server"),
    ],
)
def test_an_answer_that_does_not_end_is_told(openai: OpenAi, fault: Fault, told: str) -> None:
    openai.rest.next(fault)
    ((name, words, _),) = sick(of_chat(openai))
    assert (name, words[: len(told)]) == ("realtime model", told)


def test_a_chat_server_that_wants_a_key_gets_its_own(openai: OpenAi) -> None:
    ((name, words, remedy),) = sick(of_chat(openai, key="another"))
    assert (name, words) == ("chat server", "the chat server does not know this key")
    assert remedy == "make a new one, for CLANKIE_CHAT_API_KEY or [realtime] key_file"


def test_what_is_asked_is_told_before_it_is_asked(openai: OpenAi) -> None:
    told: list[str] = []
    chat = settings(realtime={**CHAT, "base_url": openai.service.base_url})
    assert list(providers.findings(chat, Keys(chat=openai.key), tell=told.append))
    assert told == [
        "the chat server: its models",
        "the chat server: an answer with a tool, while it loads gpt-6-luna",
    ]


def test_an_address_that_the_library_does_not_take_is_a_finding() -> None:
    chat = settings(realtime={**CHAT, "base_url": "https://\N{SMALL ROMAN NUMERAL EIGHT}.example/v1"})
    ((name, words, _),) = sick(list(providers.findings(chat, Keys())))
    assert (name, words) == ("address", "base_url is no address that can be asked")


# --- ElevenLabs -----------------------------------------------------------------------------------


def test_a_voice_of_elevenlabs_is_named_and_heard(openai: OpenAi, elevenlabs: ElevenLabs) -> None:
    findings = of_elevenlabs(openai, elevenlabs)
    assert (sick(findings), elevenlabs.violations) == ([], [])
    assert says(findings, "elevenlabs key").startswith("ElevenLabs accepts it; 1,000,000 of 1,000,000")
    assert says(findings, "voice").startswith("it is called George")
    assert says(findings, "tts model").startswith("eleven_flash_v2_5 speaks (")
    assert says(findings, "tts socket").startswith("ElevenLabs lets him in (")
    assert elevenlabs.session().dialect is Dialect.SPEECH
    assert "its first sound after" in says(findings, "voice sample")
    findings = of_elevenlabs(openai, elevenlabs, model="eleven_v4_turbo", language="en")
    assert sick(findings) == []
    assert elevenlabs.session().dialect is Dialect.DIALOGUE


@pytest.mark.parametrize(
    ("break_it", "told", "remedy"),
    [
        (lambda e: e.refuse_next(401, "invalid_api_key"), "ElevenLabs does not know this key", "api-keys"),
        (lambda e: e.refuse_next(401, "quota_exceeded"), "the account's quota is used up", "/subscription"),
        (lambda e: e.refuse_next(429, "system_busy"), "ElevenLabs wants this machine to wait", "minutes"),
        (lambda e: e.refuse_next(500, "x y"), "ElevenLabs has a problem of its own", "status.elevenlabs.io"),
        (
            lambda e: e.refuse_next(401, "unusual_use"),
            "ElevenLabs refused it (unusual_use)",
            "clankie config",
        ),
    ],
)
def test_a_key_of_elevenlabs_that_opens_nothing_is_one_finding(
    openai: OpenAi, elevenlabs: ElevenLabs, break_it: BreakOther, told: str, remedy: str
) -> None:
    break_it(elevenlabs)
    ((name, words, mending),) = sick(of_elevenlabs(openai, elevenlabs))
    assert (name, words) == ("elevenlabs key", told)
    assert remedy in mending


def test_a_key_that_may_only_speak_is_not_called_wrong(openai: OpenAi, elevenlabs: ElevenLabs) -> None:
    elevenlabs.refuse_next(401, "missing_permissions", times=3)
    findings = of_elevenlabs(openai, elevenlabs)
    assert sick(findings) == []
    assert says(findings, "elevenlabs key").startswith("ElevenLabs knows it")
    assert says(findings, "voice").startswith("the key may not look at voices")
    assert says(findings, "tts model").startswith("the key may not look at models")
    assert says(findings, "sample heard").startswith("10 of 10 words")


def test_what_elevenlabs_does_not_have_is_told(openai: OpenAi, elevenlabs: ElevenLabs) -> None:
    (voice, *_) = sick(of_elevenlabs(openai, elevenlabs, voice="nobody"))
    assert voice[:2] == ("voice", "ElevenLabs has no voice nobody")
    assert "My Voices" in voice[2]
    (model, *_) = sick(of_elevenlabs(openai, elevenlabs, model="eleven_none"))
    assert model[:2] == ("tts model", "ElevenLabs has no model eleven_none")
    elevenlabs.manners.character_limit = 0
    (key, *_) = sick(of_elevenlabs(openai, elevenlabs))
    assert key[:2] == ("elevenlabs key", "the account has no characters left")


def test_a_model_of_dialogues_is_asked_at_both_doors(openai: OpenAi, elevenlabs: ElevenLabs) -> None:
    elevenlabs.refuse_next(401, "missing_permissions", times=3)
    elevenlabs.refuse_next(403, "model_not_allowed", times=3)
    (socket, sample) = sick(of_elevenlabs(openai, elevenlabs, model="eleven_v4_turbo"))
    assert socket[:2] == ("tts socket", "ElevenLabs does not let this key speak to eleven_v4_turbo there")
    assert socket[2].startswith("[tts] model: name another")
    assert sample[:2] == ("voice sample", "ElevenLabs forbids this key to do that")
    elevenlabs.refuse_next(401, "missing_permissions", times=3)
    elevenlabs.refuse_next(403, "model_not_allowed", times=2)
    assert [name for name, _, _ in sick(of_elevenlabs(openai, elevenlabs))] == ["tts socket", "voice sample"]


def test_a_chat_server_that_forbids_a_look_at_its_models_is_tried_all_the_same(openai: OpenAi) -> None:
    refuse(403, None)(openai)
    findings = of_chat(openai)
    assert sick(findings) == []
    assert says(findings, "chat server").startswith("it answers, without a list of models")
