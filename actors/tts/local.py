"""The voice that lives in this process: one thread thinks in sentences, and a dropped one is not finished."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from loguru import logger

from actors.audio.models import ModelMissing
from actors.audio.pool import ModelPool, PoolFailure, Urgency
from actors.audio.voice import LocalVoice
from actors.tts.settings import TtsSettings
from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, SynthesisFailed, TtsPortEvent, UnitSpoken, VoiceSpent
from messages.usage import Spending

CLOSE_SECONDS: Final = 1.0
_MODEL: Final = "hibari"


class SpeakingModel(Protocol):
    """What is needed of a local voice."""

    def stream(self, text: str, pitch: float = 1.0) -> Iterator[bytes]:
        """House PCM, one piece a sentence, each as soon as it is made."""
        ...


@dataclass(slots=True)
class _Job:
    wanted: bool = True


class LocalSynthesizer:
    """A TtsPort on a local voice, which is loaded when the port opens and belongs to the one thread."""

    def __init__(self, settings: TtsSettings, make_voice: Callable[[], SpeakingModel] = LocalVoice) -> None:
        self._settings = settings
        self._make_voice = make_voice
        self._voice: SpeakingModel | None = None
        self._events: Callable[[TtsPortEvent], None] = _nobody
        self._pool: ModelPool | None = None
        self._jobs: dict[UtteranceId, _Job] = {}

    def open(self, events: Callable[[TtsPortEvent], None], /) -> None:
        """Start the thread, and have it load the voice before it is needed."""
        self._events = events
        self._pool = ModelPool(workers=1, name="local-mouth")
        self._pool.submit(self._load, lambda _voice: None, urgency=Urgency.IDLE)

    def prepare(self, connection: Connection) -> None:
        """There is nothing to connect to."""

    def speak(self, connection: Connection, utterance: UtteranceId, unit: int, text: str, last: bool) -> None:
        """Queue a unit."""
        job = self._jobs[utterance] = _Job()

        def work() -> None:
            if not job.wanted:
                return
            spent = Spending(provider="local", model=_MODEL, characters=len(text))
            self._events(VoiceSpent(connection=connection, utterance=utterance, spent=spent))
            for pcm in self._load().stream(text, self._settings.pitch):
                if not job.wanted:
                    return
                self._events(SoundMade(connection=connection, utterance=utterance, unit=unit, pcm=pcm))

        def done(outcome: PoolFailure | None) -> None:
            if not job.wanted:
                return
            if outcome is None:
                self._events(UnitSpoken(connection=connection, utterance=utterance, unit=unit))
                return
            reason = outcome.detail.partition(":")[0] or outcome.why.value
            self._events(SynthesisFailed(connection=connection, utterance=utterance, reason=reason))

        if self._pool is not None:
            self._pool.submit(work, done, urgency=Urgency.FINAL)

    def forget(self, connection: Connection, utterance: UtteranceId) -> None:
        """What is being made of it is not finished, what waits is not begun."""
        job = self._jobs.pop(utterance, None)
        if job is not None:
            job.wanted = False

    def close(self) -> None:
        """End the thread after its present sentence."""
        self._events = _nobody
        for job in self._jobs.values():
            job.wanted = False
        self._jobs.clear()
        if self._pool is not None:
            self._pool.close(CLOSE_SECONDS)

    def _load(self) -> SpeakingModel:
        if self._voice is None:
            try:
                self._voice = self._make_voice()
            except ModelMissing as missing:
                logger.error("{}", missing)
                raise
        return self._voice


def _nobody(_event: TtsPortEvent) -> None:
    """Whoever was told is gone."""
