"""Every family of models takes other hints, and refuses the whole session for one that it does not take."""

from __future__ import annotations

import json
from typing import Final

from actors.capture.settings import CaptureSettings
from actors.net.line import Target
from actors.net.service import Service
from messages.audio import RATE

HELLO: Final = "hello"
"""The name of the order that sets a session up, by which its refusal is known."""
MOST_KEYWORDS: Final = 100
"""More words than this are no hint any longer."""
_ONE_LANGUAGE: Final = ("gpt-realtime-whisper", "whisper-1", "gpt-4o-")
"""How the models are called that take one language, and no keywords."""


def target(service: Service) -> Target:
    """Where the socket is; the model is named in the first frame."""
    url = service.socket("/realtime", {"intent": "transcription"})
    return Target(url=url, headers={"Authorization": f"Bearer {service.key}"})


def hello(settings: CaptureSettings, names: tuple[str, ...]) -> str:
    """The first frame of a line: how its sound is to be written down; `names` are how he is called.

    A model that nobody has heard of gets what "gpt-live-transcribe" gets.
    """
    noise = settings.noise_reduction
    heard = {
        "format": {"type": "audio/pcm", "rate": RATE},
        "transcription": {"model": settings.model, **_hints(settings, names)},
        "noise_reduction": None if noise == "none" else {"type": noise},
        # The models for live words refuse a session that is to find the ends of sentences by itself.
        "turn_detection": None,
    }
    session = {"type": "transcription", "audio": {"input": heard}}
    return json.dumps({"type": "session.update", "event_id": HELLO, "session": session})


def _hints(settings: CaptureSettings, names: tuple[str, ...]) -> dict[str, str | list[str]]:
    languages = [language.partition("-")[0].lower() for language in settings.languages]
    if settings.model.startswith(_ONE_LANGUAGE):
        # Told one of several, they would hear the others as that one.
        return {"language": languages[0]} if len(set(languages)) == 1 else {}
    words = dict.fromkeys(word for said in (*names, *settings.keywords) if (word := said.strip()))
    hints: dict[str, str | list[str]] = {"languages": list(dict.fromkeys(languages))}
    return {**hints, "keywords": [*words][:MOST_KEYWORDS]} if words else hints
