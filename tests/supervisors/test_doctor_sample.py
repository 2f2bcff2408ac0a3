"""The doctor has a sentence spoken and written down, and whoever runs the command learns no word of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from actors.audio.models import ModelMissing
from actors.capture.local import HearingModels
from supervisors.commands import doctor, providers
from supervisors.commands.sample import language_of, writer_of
from supervisors.secrets import Keys
from supervisors.speech import LocalSpeech
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.humming import hum
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.server import OpenAi
from tests.supervisors.visits import SOON, able, of_openai, says, settings, sick

Break: TypeAlias = Callable[[OpenAi], None]
BreakOther: TypeAlias = Callable[[ElevenLabs], None]


@pytest.fixture
def openai() -> Iterator[OpenAi]:
    with able() as openai:
        yield openai


# --- the sample -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault(cut_after=2), "OpenAI broke off in the midst of it"),
        (Fault(stall_after=2), "no answer in"),
        (Fault(between_seconds=1.0), "no answer in"),
        (Fault(first_seconds=30.0), "no answer in"),
        (Fault(end_after=2), "0.2 s of sound came, and nobody can be heard in it"),
    ],
)
def test_a_voice_that_breaks_off_or_dawdles_is_told(openai: OpenAi, fault: Fault, told: str) -> None:
    openai.rest.next(fault)
    ((name, words, _),) = sick(of_openai(openai, seconds=SOON))
    assert (name, words[: len(told)]) == ("voice sample", told)


def test_a_voice_that_only_breathes_or_never_ends_is_told(openai: OpenAi) -> None:
    openai.rest.brains.speak = lambda _: iter([bytes(96_000)])
    ((name, words, _),) = sick(of_openai(openai))
    assert (name, words) == ("voice sample", "2.0 s of sound came, and nobody can be heard in it")
    openai.rest.brains.speak = lambda _: iter([bytes(3_000_000)])
    ((name, words, _),) = sick(of_openai(openai))
    assert (name, words) == ("voice sample", "something else seems to answer in the place of OpenAI")


def test_words_that_do_not_come_back_are_counted_and_not_repeated(openai: OpenAi) -> None:
    openai.rest.brains.hear = lambda _: "the ramp is in the reckoned broom"
    ((name, words, _),) = sick(of_openai(openai))
    assert name == "sample heard"
    assert words.startswith("only 4 of 10 words came back through gpt-transcribe")
    assert "broom" not in words


def test_ears_that_only_listen_live_are_not_called_sick_for_it(openai: OpenAi) -> None:
    openai.rest.models.remove("gpt-transcribe")
    findings = of_openai(openai)
    assert sick(findings) == []
    assert says(findings, "sample heard").startswith("not written down: the account has no gpt-transcribe")


def test_the_voice_and_the_ears_of_this_machine_do_for_those_of_a_provider(openai: OpenAi) -> None:
    cloud = {"provider": "openai"}
    findings = list(providers.findings(settings(openai.service, capture=cloud), Keys(openai=openai.key)))
    assert [finding.name for finding in findings][1:] == [
        "capture model",
        "capture socket",
        "voice sample",
        "sample heard",
    ]
    assert sick(findings) == []
    findings = list(providers.findings(settings(openai.service, tts=cloud), Keys(openai=openai.key)))
    ((name, words, _),) = sick(findings)  # a hum has no words
    assert name == "sample heard"
    assert "through Whisper on this machine" in words


def test_the_sentence_is_in_a_language_that_mouth_and_ears_know() -> None:
    cloud = {"provider": "openai"}
    assert language_of(settings(tts={"language": "de"}, capture=cloud)) == "en"
    assert language_of(settings(tts={**cloud, "language": "de"})) == "en"
    assert language_of(settings(tts={**cloud, "language": "de"}, capture=cloud)) == "de"
    assert language_of(settings(tts={**cloud, "language": "ja"}, capture=cloud)) == "en"
    assert language_of(settings(tts=cloud, capture=cloud, floor={"language": "fr"})) == "fr"
    assert writer_of("gpt-realtime-whisper") == "gpt-transcribe"
    assert writer_of("whisper-1") == "whisper-1"


def test_models_of_this_machine_that_are_missing_are_no_fault_of_a_provider(
    openai: OpenAi, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> None:
        raise ModelMissing("it is missing", "install it")

    monkeypatch.setattr(LocalSpeech, "voice", missing)
    monkeypatch.setattr(HearingModels, "whisper", missing)
    for table, name in (("capture", "voice sample"), ("tts", "sample heard")):
        config = settings(openai.service, None, **{table: {"provider": "openai"}})
        findings = list(providers.findings(config, Keys(openai=openai.key)))
        assert sick(findings) == []
        assert says(findings, name) == "left out: the models of this machine are missing"
        assert ".[local]" in findings[-1].remedy


def test_ears_that_refuse_are_told(openai: OpenAi) -> None:
    def speak(text: str) -> Iterator[bytes]:
        yield from hum(text)
        # The stream of the sample is on its way already: the next request is the one of the ears.
        openai.ground.refuse_next(429, {"error": {"message": PROSE, "code": "insufficient_quota"}})

    openai.rest.brains.speak = speak
    ((name, words, remedy),) = sick(of_openai(openai))
    assert (name, words) == ("sample heard", "the account's quota is used up")
    assert "billing" in remedy


# --- the command ----------------------------------------------------------------------------------


def test_who_is_not_to_be_used_is_not_asked(openai: OpenAi) -> None:
    keys = Keys(openai=openai.key, elevenlabs="xi-anything", chat="anything")
    (finding,) = providers.findings(settings(openai.service), keys)
    assert (finding.says, finding.ok) == ("none: he hears, thinks and speaks on this machine", True)
    assert not openai.rest.exchanges


def test_a_library_that_is_missing_is_told_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, openai: OpenAi
) -> None:
    monkeypatch.setattr(providers, "package_folder", lambda _: None)
    ((name, words, remedy),) = sick(of_openai(openai))
    assert (name, words) == ("providers", "openai, websockets is not installed")
    assert ".[cloud]" in remedy


def test_the_command_takes_the_keys_out_of_the_environment_and_prints_none_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, openai: OpenAi
) -> None:
    monkeypatch.setenv("CLANKIE_OPENAI_API_KEY", f"{openai.key}-wrong")
    monkeypatch.delenv("CLANKIE_DISCORD_TOKEN", raising=False)
    path = tmp_path / "config.toml"
    path.write_text(f'[openai]\nbase_url = "{openai.service.base_url}"\n[tts]\nprovider = "openai"\n')
    assert doctor.examine(path, as_json=True) == 1
    out = capsys.readouterr().out
    assert openai.key not in out
    names = [finding["name"] for finding in json.loads(out)]
    assert names[names.index("scheduling") :][:3] == ["scheduling", "openai key", "tools"]
    assert names[-1] == "token"
    monkeypatch.setenv("CLANKIE_OPENAI_API_KEY", "no key at all")
    assert doctor.examine(path, as_json=False) == 1
    out = capsys.readouterr().out
    assert "CLANKIE_OPENAI_API_KEY holds no API key" in out
    assert "no key at all" not in out
