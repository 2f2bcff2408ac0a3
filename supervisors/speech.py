"""The local models, loaded once for the whole program and shared by every life of every room."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from actors.audio.opus import load_opus
from actors.audio.pool import ModelPool
from actors.audio.voice import LocalVoice
from supervisors.settings import Settings

if TYPE_CHECKING:
    from actors.capture.local import HearingModels

CLOSE_SECONDS = 2.0


class LocalSpeech:
    """Ears (Silero and Whisper, on one pool thread) and a mouth; each is loaded when it is first needed.

    Before and after a house is open it may also be used directly, from one thread: `speak`, `transcribe`.
    """

    def __init__(self, settings: Settings) -> None:
        self._names = (settings.floor.name, *settings.floor.aliases)
        self._pool = ModelPool(workers=1, name="ears")
        folder, library = settings.speech.whisper_folder, settings.speech.opus_library
        self._folder = folder and folder.expanduser()
        self.opus_library = None if library is None else str(library.expanduser())
        self._hears = settings.capture.provider == "local"
        self._speaks = settings.tts.provider == "local"
        self._lock, self._hearing_lock = threading.Lock(), threading.Lock()
        self._voice: LocalVoice | None = None
        self._hearing: HearingModels | None = None

    @property
    def hearing(self) -> HearingModels:
        """The two networks of all his ears, which load themselves when they are first used."""
        from actors.capture.local import HearingModels

        with self._hearing_lock:
            self._hearing = self._hearing or HearingModels(self._pool, self._folder, self._names)
            return self._hearing

    def load(self) -> Iterator[str]:
        """Load what the settings choose, naming each part before it is; raises ModelMissing and NoOpus."""
        yield "the codec (libopus)"
        load_opus(self.opus_library)
        yield "the ear for voices (Silero)"
        self.hearing.silero()
        if self._hears:
            yield "the ear for words (Whisper tiny.en)"
            self.hearing.whisper()
        if self._speaks:
            yield "the voice (hibari)"
            self.voice()

    def voice(self) -> LocalVoice:
        """The voice; takes a second the first time; raises ModelMissing."""
        with self._lock:
            self._voice = self._voice or LocalVoice()
            return self._voice

    def speak(self, text: str, pitch: float) -> Iterator[bytes]:
        """House PCM, sentence by sentence."""
        return self.voice().stream(text, pitch)

    def transcribe(self, pcm: bytes) -> str:
        """The words in at most 29 s of house PCM; none where probably nobody speaks."""
        heard = self.hearing.whisper().transcribe(pcm)
        return "" if heard.is_noise else heard.text

    def close(self) -> None:
        """End the pool's thread."""
        self._pool.close(CLOSE_SECONDS)
