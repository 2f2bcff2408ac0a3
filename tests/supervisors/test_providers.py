"""The configuration says whose ears, mind and mouth he has, and he says so to people."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

from actors.capture.live.transcriber import LiveTranscriber
from actors.capture.local import LocalTranscriber
from actors.net.loop import IoLoop
from actors.realtime.live.chat import ChatMind
from actors.realtime.live.conversation import LiveConversation
from actors.realtime.local import LocalBrain
from actors.tts.live.elevenlabs import ElevenLabsVoice
from actors.tts.live.openai import OpenAiVoice
from actors.tts.local import LocalSynthesizer
from supervisors.providers import Providers, companies
from supervisors.secrets import Keys
from supervisors.settings import BadConfig, Settings, load
from supervisors.speech import LocalSpeech

KEYS: Final = Keys(openai="sk-secret", elevenlabs="xi-secret", chat="chat-secret")
CHAT: Final[dict[str, object]] = {"provider": "chat", "base_url": "http://127.0.0.1:11434/v1", "model": "m"}


def chosen(**tables: dict[str, object]) -> tuple[type, type, type]:
    """The kinds of ear, mind and mouth for these tables."""
    settings = load(None, tables)
    speech = LocalSpeech(settings)
    try:
        providers = Providers(settings, speech, IoLoop(), KEYS)
        return type(providers.transcriber()), type(providers.mind()), type(providers.synthesizer())
    finally:
        speech.close()


def test_without_a_word_everything_is_on_this_machine() -> None:
    assert chosen() == (LocalTranscriber, LocalBrain, LocalSynthesizer)


def test_each_part_is_chosen_by_itself() -> None:
    openai: dict[str, object] = {"provider": "openai"}
    assert chosen(capture=openai) == (LiveTranscriber, LocalBrain, LocalSynthesizer)
    assert chosen(realtime=openai, tts=openai) == (LocalTranscriber, LiveConversation, OpenAiVoice)
    assert chosen(realtime=CHAT, tts={"provider": "elevenlabs"}) == (
        LocalTranscriber,
        ChatMind,
        ElevenLabsVoice,
    )


class Sitter:
    """Somebody who is being listened to."""

    def idle_since(self) -> None:
        """He speaks on."""

    def rest(self) -> None:
        raise AssertionError("he speaks on")


def test_there_are_chairs_for_as_many_as_may_be_heard_in_as_many_rooms_as_he_may_be_in() -> None:
    settings = load(None, {"stay": {"most_heard": 3}, "gateway": {"max_stays": 2}})
    speech = LocalSpeech(settings)
    try:
        chairs = Providers(settings, speech, IoLoop(), KEYS)._listeners
        assert [chairs.admit(Sitter()) for _ in range(7)] == [True] * 6 + [False]
    finally:
        speech.close()


def test_people_are_told_which_companies_get_sound_or_text() -> None:
    def told(**tables: dict[str, object]) -> tuple[str, ...]:
        return companies(load(None, tables))

    assert told() == ()
    assert told(capture={"provider": "openai"}, tts={"provider": "elevenlabs"}) == ("OpenAI", "ElevenLabs")
    assert told(realtime={"provider": "openai"}, tts={"provider": "openai"}) == ("OpenAI",)
    assert told(realtime=CHAT) == ()
    far = {**CHAT, "base_url": "https://models.example.org/v1"}
    assert told(realtime=far, tts={"provider": "elevenlabs"}) == ("ElevenLabs", "models.example.org")


@pytest.mark.parametrize(
    ("table", "values", "words"),
    [
        ("openai", {"base_url": "http://api.openai.com/v1"}, "must begin with https://; only this machine"),
        ("openai", {"base_url": "https://user:secret@host/v1"}, "nothing but a host and a path"),
        ("elevenlabs", {"base_url": "wss://api.elevenlabs.io"}, "must begin with https:// and name a host"),
        ("realtime", {**CHAT, "base_url": "http://192.168.1.5:11434/v1"}, "must begin with https://"),
        ("realtime", {"provider": "chat", "model": "m"}, "needs a base_url and a model"),
        ("tts", {"speed": 3}, "speed must be between 0.7 and 1.2"),
        ("capture", {"provider": "whisper"}, "Input should be 'local' or 'openai'"),
    ],
)
def test_what_cannot_be_a_provider_is_told_in_words(
    table: str, values: dict[str, object], words: str
) -> None:
    with pytest.raises(BadConfig) as refused:
        load(None, {table: values})
    assert words in str(refused.value)
    assert "secret" not in str(refused.value)


def test_this_machine_may_be_spoken_to_in_the_clear() -> None:
    settings: Settings = load(None, {"openai": {"base_url": "http://[::1]:8080/v1"}})
    assert settings.openai.base_url == "http://[::1]:8080/v1"


def test_who_asks_no_provider_needs_none_of_their_libraries() -> None:
    """In a process of its own: here they have long been imported."""
    program = (
        "import sys\n"
        "for name in ('websockets', 'openai', 'elevenlabs', 'discord'):\n"
        "    sys.modules[name] = None\n"
        "from supervisors.local import local_house\n"
        "from supervisors.settings import load\n"
        "local_house(load(None))\n"
        "import os\n"
        "print('opened', flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "opened\n"), done.stderr
