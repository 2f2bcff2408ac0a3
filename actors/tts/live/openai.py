"""OpenAI's voice, or that of any server with the same address for speech: a request for each unit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from actors.net.loop import IoLoop
from actors.net.sdk import BAD_FRAME, LazyClient, reason_of
from actors.net.service import Service
from actors.net.usage import OPENAI
from actors.tts.settings import TtsSettings
from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, SynthesisFailed, TtsPortEvent, UnitSpoken, VoiceSpent
from messages.usage import Spending

MODEL: Final = "gpt-4o-mini-tts"
VOICE: Final = "marin"
READ_SECONDS: Final = 10.0
"""So long may a server be silent in the midst of a sentence."""
WHOLE_SECONDS: Final = 180.0
"""No unit takes longer than this, however steadily its sound trickles."""
MOST_AT_ONCE: Final = 4
"""So many units are asked for at the same time; further ones wait."""
NO_SOUND: Final = "no_sound"
_SAMPLE_BYTES: Final = 2
_CONTAINERS: Final = ("mpeg", "mp3", "wav", "wave", "x-wav", "ogg", "opus", "flac", "aac", "mp4", "webm")
_Key: TypeAlias = tuple[Connection, UtteranceId]


class OpenAiVoice:
    """A TtsPort over HTTP; what is forgotten is hung up on at once."""

    def __init__(self, loop: IoLoop, service: Service, settings: TtsSettings) -> None:
        self._loop = loop
        self._client = LazyClient(service, READ_SECONDS)
        self._model, self._voice = settings.model or MODEL, settings.voice or VOICE
        self._manner = manner(self._model, settings)
        self._events: Callable[[TtsPortEvent], None] | None = None
        self._seats = asyncio.Semaphore(MOST_AT_ONCE)
        self._units: dict[_Key, asyncio.Task[None]] = {}

    def open(self, events: Callable[[TtsPortEvent], None], /) -> None:
        """Learn where to report."""
        self._loop.call(self._open, events)

    def prepare(self, connection: Connection) -> None:
        """Have the library imported and a client made; it connects with the first unit."""
        self._loop.call(self._prepare)

    def speak(self, connection: Connection, utterance: UtteranceId, unit: int, text: str, last: bool) -> None:
        """Ask for the sound of a unit."""
        self._loop.call(self._speak, connection, utterance, unit, text)

    def forget(self, connection: Connection, utterance: UtteranceId) -> None:
        """Hang up on what is being made of it."""
        self._loop.call(self._forget, (connection, utterance))

    def close(self) -> None:
        """Hang up on everything, and let go of every connection."""
        self._loop.call(self._close)

    # --- on the I/O thread ------------------------------------------------------------------------

    def _open(self, events: Callable[[TtsPortEvent], None]) -> None:
        self._events = events

    def _prepare(self) -> None:
        if self._events is not None:
            self._client.prepare()

    def _speak(self, connection: Connection, utterance: UtteranceId, unit: int, text: str) -> None:
        if self._events is not None:
            key = (connection, utterance)
            self._units[key] = self._client.run(self._unit(key, unit, text))

    def _forget(self, key: _Key) -> None:
        if (task := self._units.pop(key, None)) is not None:
            task.cancel()

    def _close(self) -> None:
        self._events = None
        self._units.clear()
        self._client.close()

    # --- one unit ---------------------------------------------------------------------------------

    async def _unit(self, key: _Key, unit: int, text: str) -> None:
        connection, utterance = key
        event: TtsPortEvent = UnitSpoken(connection=connection, utterance=utterance, unit=unit)
        try:
            async with asyncio.timeout(WHOLE_SECONDS), self._seats:
                reason = await self._sound(key, unit, text)
        except Exception as error:  # whatever it is, somebody waits for a sound
            reason = reason_of(error)
        if reason:
            event = SynthesisFailed(connection=connection, utterance=utterance, reason=reason)
        self._units.pop(key, None)
        self._report(event)

    async def _sound(self, key: _Key, unit: int, text: str) -> str:
        """Report the sound of a unit as it comes; returns why there was none, empty when there was."""
        client = await self._client.get()
        speech = client.audio.speech.with_streaming_response
        asking = speech.create(
            model=self._model,
            voice=self._voice,
            input=text,
            response_format="pcm",
            extra_body=self._manner,
        )
        rest, sounded = b"", False
        async with asking as response:
            if not is_plain_sound(response.headers.get("content-type", "")):
                return BAD_FRAME
            self._spent(key, text)
            async for piece in response.iter_bytes():
                pcm, rest = whole_samples(rest + piece)
                if pcm:
                    sounded = True
                    self._made(key, unit, pcm)
        return "" if sounded else NO_SOUND

    def _spent(self, key: _Key, text: str) -> None:
        connection, utterance = key
        spent = Spending(provider=OPENAI, model=self._model, characters=len(text))
        self._report(VoiceSpent(connection=connection, utterance=utterance, spent=spent))

    def _made(self, key: _Key, unit: int, pcm: bytes) -> None:
        connection, utterance = key
        self._report(SoundMade(connection=connection, utterance=utterance, unit=unit, pcm=pcm))

    def _report(self, event: TtsPortEvent) -> None:
        if self._events is not None:
            self._events(event)


def manner(model: str, settings: TtsSettings) -> Mapping[str, object]:
    """How it is to be spoken: the newer of OpenAI's models are told in words, all others by a number."""
    if model.startswith("gpt-"):
        return {"instructions": settings.instructions} if settings.instructions else {}
    return {"speed": settings.speed} if settings.speed != 1.0 else {}


def whole_samples(pcm: bytes) -> tuple[bytes, bytes]:
    """As much as is whole samples, and the rest."""
    whole = len(pcm) - len(pcm) % _SAMPLE_BYTES
    return pcm[:whole], pcm[whole:]


def is_plain_sound(content_type: str) -> bool:
    """Whether it may be bare samples: an error page or a file of sound would be heard as noise."""
    kind, _, name = content_type.partition(";")[0].strip().lower().partition("/")
    return kind != "text" and "json" not in name and name not in _CONTAINERS
