"""A provider that refuses him, or is gone, or says nothing, costs him his answers and nothing else."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from actors.audio.pcm import RATE, read_wav
from messages.evidence import Left, ModelResponse, SpokenWords
from supervisors.commands.status import show
from supervisors.house import STOP_SECONDS
from supervisors.rehearsal.kinds import Plain
from supervisors.rehearsal.stage import Lender, Lent, merged
from supervisors.secrets import Keys
from tests.loopback.discord.evening import PATIENCE_SECONDS
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.openai.mind import Reply
from tests.loopback.openai.server import KEY as OPENAI_KEY
from tests.loopback.openai.server import OpenAi
from tests.scenarios.whispers import night
from tests.speech.clips import HUMAN
from tests.supervisors.test_cli import free_port

KEY = "sk-of-somebody-else"
SOCKETS: dict[str, dict[str, Plain]] = {
    "capture": {"provider": "openai"},
    "realtime": {"provider": "openai"},
    "tts": {"provider": "elevenlabs"},
}
REQUESTS: dict[str, dict[str, Plain]] = {
    "capture": {"provider": "openai"},
    "realtime": {"provider": "chat", "model": "m"},
    "tts": {"provider": "openai"},
}


def lent(chosen: dict[str, dict[str, Plain]], openai: int, elevenlabs: int, keys: Keys) -> Lender:
    """Providers at these ports of this machine."""
    url = f"http://127.0.0.1:{openai}/v1"
    places: dict[str, dict[str, Plain]] = {
        "openai": {"base_url": url},
        "elevenlabs": {"base_url": f"http://127.0.0.1:{elevenlabs}"},
    }
    if chosen["realtime"]["provider"] == "chat":
        places["realtime"] = {"base_url": url}
    return lambda _speech, _replies, _settings: nullcontext(Lent(settings=merged(chosen, places), keys=keys))


def test_a_key_that_is_not_accepted_is_told_once_in_the_room_and_in_words_by_the_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with OpenAi() as openai, ElevenLabs() as elevenlabs:
        ports = (openai.ground.port, int(elevenlabs.service.base_url.rpartition(":")[2]))
        with night(tmp_path, lent(SOCKETS, *ports, Keys(openai=KEY, elevenlabs=KEY))) as one:
            one.come()
            one.fails("conversation_session", "unauthorized")
            for _ in range(2):
                one.write()
                one.record.expect(
                    ModelResponse, lambda turn: (turn.trigger, turn.phase) == ("typed", "failed")
                )
            one.person.speak(read_wav(HUMAN[8].path) + bytes(RATE)).result(PATIENCE_SECONDS)
            one.fails("transcription_session", "unauthorized")
            one.scene.discord.wait(lambda: len(one.posts()) > 1)
            show(tmp_path / "config.toml", one.port(), as_json=False)
            assert one.posts() == [
                "I cannot answer at the moment: the provider does not accept the key.",
                "I cannot make out words at the moment: the provider does not accept the key.",
            ]
    status = " ".join(capsys.readouterr().out.split())
    assert "speech could not be turned into words: the provider does not accept the key" in status
    assert "the conversation model could not answer: the provider does not accept the key" in status
    assert " 0 restarts" in status


def test_a_provider_that_is_gone_is_found_again_when_it_is_back(tmp_path: Path) -> None:
    port = free_port()
    with ElevenLabs() as elevenlabs:
        mouth = int(elevenlabs.service.base_url.rpartition(":")[2])
        keys = Keys(openai=OPENAI_KEY, elevenlabs=elevenlabs.service.key)
        with night(tmp_path, lent(SOCKETS, port, mouth, keys)) as one:
            one.come()
            one.fails("conversation_session", "unreachable")
            for _ in range(2):
                back = OpenAi(think=lambda _: Reply(pieces=("Here I am.",)))
                back.ground.port = port
                with back:
                    one.write()
                    assert one.record.expect(SpokenWords).text == "Here I am."
                one.write()
                one.fails("conversation_session", "unreachable")


@pytest.fixture
def hole() -> Iterator[int]:
    """A port where everybody is let in, and nobody is ever answered."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield int(server.getsockname()[1])


@pytest.mark.parametrize(("chosen", "companies"), [(SOCKETS, "OpenAI, ElevenLabs"), (REQUESTS, "OpenAI")])
def test_while_nobody_answers_people_learn_who_should_and_an_interrupt_waits_for_none_of_them(
    tmp_path: Path, hole: int, chosen: dict[str, dict[str, Plain]], companies: str
) -> None:
    with night(tmp_path, lent(chosen, hole, hole, Keys(openai=KEY, elevenlabs=KEY, chat=KEY))) as one:
        one.come()
        one.write()
        one.record.expect(ModelResponse, lambda turn: turn.phase == "requested")
        assert f"What I hear goes as sound or text to {companies}. " in one.command("voice-status").text
        began = time.monotonic()
        os.kill(one.house.process, signal.SIGINT)
        assert one.record.expect(Left).reason == "shutdown"
    assert time.monotonic() - began < STOP_SECONDS
    assert (tmp_path / "clankie.log").read_text().splitlines()[-1].endswith("closed")
