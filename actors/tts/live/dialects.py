"""To the older models he reads a text, to the newer ones a dialogue in which nobody else gets a word in."""

from __future__ import annotations

import json
from typing import Final, Protocol
from urllib.parse import quote

from actors.net.line import Target
from actors.net.service import Service
from actors.tts.settings import TtsSettings

MODEL: Final = "eleven_flash_v2_5"
VOICE: Final = "JBFqnCBsd6RMkjVDRZzb"
FAREWELL: Final = json.dumps({"close_socket": True})
IDLE_SECONDS: Final = 180
"""The longest that may be asked for; then the line is let go, and opened again when he speaks."""
_DIALOGUE: Final = ("eleven_v3", "eleven_v4")
_FORMAT: Final = "pcm_24000"


class Dialect(Protocol):
    """How one of the two sockets is addressed. A context is opened, told text, and closed, in this order."""

    model: str
    acknowledges: bool
    """Whether each flush is answered; if not, only a context's close is."""
    padding: int
    """How many characters the opening of a context has, which are paid for like any others."""

    def target(self, service: Service) -> Target:
        """Where the socket is."""
        ...

    def opening(self, context: str) -> str:
        """The first frame of a context, and the only one with settings."""
        ...

    def saying(self, context: str, text: str) -> tuple[str, ...]:
        """Frames that have this text spoken now."""
        ...

    def closing(self, context: str) -> str:
        """The last frame of a context."""
        ...


def dialect_of(settings: TtsSettings) -> Dialect:
    """The dialect that the model understands."""
    model = settings.model or MODEL
    return (Dialogue if model.startswith(_DIALOGUE) else Speech)(settings, model, settings.voice or VOICE)


class Speech:
    """Of the models of Flash, Turbo and Multilingual v2."""

    acknowledges = False
    padding = 1

    def __init__(self, settings: TtsSettings, model: str, voice: str) -> None:
        self._settings, self.model, self._voice = settings, model, voice

    def target(self, service: Service) -> Target:
        """The voice is part of the address."""
        query = {
            "model_id": self.model,
            "output_format": _FORMAT,
            "auto_mode": "true",
            "inactivity_timeout": str(IDLE_SECONDS),
            "sync_alignment": "true",
            "apply_text_normalization": "auto",
        }
        if self._settings.language is not None and self.model != "eleven_multilingual_v2":
            query["language_code"] = self._settings.language
        path = f"/v1/text-to-speech/{quote(self._voice, safe='')}/multi-stream-input"
        return _target(service, path, query)

    def opening(self, context: str) -> str:
        """A single space opens it."""
        settings = {
            "stability": self._settings.stability,
            "similarity_boost": self._settings.similarity,
            "speed": self._settings.speed,
        }
        return _frame(context, text=" ", voice_settings=settings)

    def saying(self, context: str, text: str) -> tuple[str, ...]:
        """Text has to end with a space."""
        return _frame(context, text=f"{text} "), _frame(context, flush=True)

    def closing(self, context: str) -> str:
        """What was flushed is still spoken; then the end is told."""
        return _frame(context, close_context=True)


class Dialogue:
    """Of the models of v3 and v4."""

    acknowledges = True
    padding = 0

    def __init__(self, settings: TtsSettings, model: str, voice: str) -> None:
        self._settings, self.model, self._voice = settings, model, voice

    def target(self, service: Service) -> Target:
        """Voices are told later, and how long it may idle is fixed."""
        query = {"model_id": self.model, "output_format": _FORMAT, "sync_alignment": "true"}
        if self._settings.language is not None:
            query["language_code"] = self._settings.language
        return _target(service, "/v1/text-to-dialogue/multi-stream-input", query)

    def opening(self, context: str) -> str:
        """Names the one who will speak."""
        settings = {"stability": self._settings.stability}
        return _frame(context, voices=[self._voice], voice_settings=settings)

    def saying(self, context: str, text: str) -> tuple[str, ...]:
        """Text has to end with a space."""
        line = {"text": f"{text} ", "voice_id": self._voice}
        return _frame(context, inputs=[line]), _frame(context, flush=True)

    def closing(self, context: str) -> str:
        """What was flushed and has not begun to sound is lost."""
        return _frame(context, close_context=True)


def _target(service: Service, path: str, query: dict[str, str]) -> Target:
    return Target(url=service.socket(path, query), headers={"xi-api-key": service.key})


def _frame(context: str, **fields: object) -> str:
    return json.dumps({"context_id": context, **fields})
