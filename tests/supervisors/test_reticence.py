"""Whoever prints a port, a frame or an error by mistake prints neither a key nor anybody's words."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

import actors
from actors.capture.live import wire as ears
from actors.net.line import Target
from actors.net.loop import IoLoop
from actors.net.service import Service
from actors.realtime.live import chunks
from actors.realtime.live import wire as conversation
from actors.tts.live import wire as mouth
from supervisors.providers import Providers
from supervisors.secrets import Keys
from supervisors.settings import load
from supervisors.speech import LocalSpeech

SECRET = "what nobody may read"
NAMES = (
    "about call context finish id item letter messages model name order previous response tool turn utterance"
)
"""What the house or a provider calls something."""
OTHERS = (
    "failed failure lacks others outcome providers reason remedy reserved says status turned_away version"
)
"""Codes for what became of it, and what the account and the doctor say to whoever runs him."""
SETTINGS = "base_url description is_sound language manner parameters proxy url voice"
"""What stands in the configuration, and is no secret."""
PAGE = "kind means media methods path refusals schema statuses tag"
"""What the description of the console's interface says to everybody."""
KNOWN = frozenset((*NAMES.split(), *OTHERS.split(), *SETTINGS.split(), *PAGE.split()))
CHATTER = f"""
import logging
from loguru import logger
from supervisors.logs import configure
from supervisors.settings import load

configure(load(None, {{"log": {{"level": "DEBUG", "format": FORM}}}}).log)
for name in ("websockets.client", "httpx2", "httpcore2.http11", "openai._base_client", "discord.http"):
    logging.getLogger(name).debug("> TEXT {SECRET}")
    logging.getLogger(name).info("HTTP Request: {SECRET}")
logger.debug("a line of his own")
logging.getLogger("websockets.client").warning("a line of a library's")
"""


def provider_side() -> Iterator[type]:
    """Every class of actors/net and of the live folders."""
    for module in pkgutil.walk_packages(actors.__path__, "actors."):
        if ".live" in module.name or module.name.startswith("actors.net"):
            for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
                if kind.__module__ == module.name:
                    yield kind


@pytest.mark.parametrize(
    "kind", [*filter(dataclasses.is_dataclass, provider_side())], ids=lambda kind: kind.__qualname__
)
def test_what_a_provider_says_or_is_told_is_in_no_repr(kind: type) -> None:
    shown = [field for field in dataclasses.fields(kind) if field.repr]
    text = [one.name for one in shown if any(word in str(one.type) for word in ("str", "bytes", "Mapping"))]
    assert [name for name in text if name not in KNOWN] == []


def test_a_key_is_shown_by_nothing_that_holds_it() -> None:
    tables: tuple[dict[str, dict[str, object]], ...] = (
        {table: {"provider": "openai"} for table in ("capture", "realtime", "tts")},
        {
            "realtime": {"provider": "chat", "base_url": "http://127.0.0.1:1/v1", "model": "m"},
            "tts": {"provider": "elevenlabs"},
        },
    )
    holders: list[object] = [
        Service(base_url="https://x/v1", key=SECRET),
        Target(url="wss://x", headers={"Authorization": f"Bearer {SECRET}"}),
        Keys(openai=SECRET, elevenlabs=SECRET, chat=SECRET),
    ]
    for one in tables:
        settings = load(None, one)
        speech = LocalSpeech(settings)
        made = Providers(settings, speech, IoLoop(), Keys(openai=SECRET, elevenlabs=SECRET, chat=SECRET))
        holders += [made, made.transcriber(), made.mind(), made.synthesizer()]
        speech.close()
    assert [holder for holder in holders if SECRET in f"{holder!r} {holder}"] == []


FRAMES = (
    SECRET,
    f'"{SECRET}"',
    json.dumps([SECRET]),
    json.dumps({"type": "response.output_text.delta", "response_id": SECRET, "item_id": [SECRET]}),
    json.dumps({"type": "conversation.item.input_audio_transcription.delta", "delta": SECRET}),
    json.dumps({"type": "error", "error": SECRET}),
    json.dumps({"audio": SECRET, "alignment": SECRET, "contextId": [SECRET]}),
    json.dumps({"choices": SECRET}),
)


def said_of(decode: Callable[[str], object], frame: str) -> str:
    """What its error says; nothing if it can be read."""
    try:
        decode(frame)
    except ValueError as error:
        return f"{error!r} {error}"
    return ""


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "decode", [conversation.decode, ears.decode, mouth.decode, chunks.read], ids=lambda one: one.__module__
)
def test_an_error_about_what_a_provider_sent_does_not_quote_it(
    decode: Callable[[str], object], frame: str
) -> None:
    assert SECRET not in said_of(decode, frame)


@pytest.mark.parametrize("form", ["text", "json"])
def test_debug_is_about_him_and_not_about_what_libraries_send(form: str) -> None:
    written = subprocess.run(
        [sys.executable, "-c", CHATTER.replace("FORM", repr(form))],
        env={**os.environ, "OPENAI_LOG": "debug"},
        capture_output=True, text=True, timeout=30, check=True,
    ).stderr  # fmt: skip
    assert SECRET not in written
    assert "a line of his own" in written
    assert "websockets.client: a line of a library's" in written
