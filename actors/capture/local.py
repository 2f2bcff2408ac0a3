"""The listener that needs no account: Silero to notice a voice, Whisper to write down its words."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loguru import logger

from actors.audio.pool import FailedBecause, ModelPool, PoolFailure, Urgency
from actors.audio.vad import Silero, VoiceActivity
from actors.audio.whisper import Transcript, Whisper
from actors.capture.decisions import Ask
from messages.audio import RATE
from messages.capture import CapturePortEvent, ListenerSpent, TranscriptFailed, TranscriptReady
from messages.ids import Connection, SegmentId
from messages.usage import Spending

BYTES_A_MILLISECOND = RATE * 2 // 1000
LONGEST_BYTES = 35_000 * BYTES_A_MILLISECOND
"""More sound than this of one segment is not kept; the core closes segments well before."""
_URGENCY = {Ask.PARTIAL: Urgency.PARTIAL, Ask.GUESS: Urgency.FINAL, Ask.FINAL: Urgency.FINAL}
_RANK = {Ask.PARTIAL: 0, Ask.GUESS: 1, Ask.FINAL: 2}


class HearingModels:
    """The two networks, loaded once for the whole house by whoever needs them first."""

    def __init__(self, pool: ModelPool, folder: Path | None = None, names: Sequence[str] = ()) -> None:
        self.pool = pool
        self.words = "whisper" if folder else "whisper-tiny.en"
        """What writes down words."""
        self._folder = folder
        self._names = tuple(names)
        # One for each: an ear must not wait for the words, which take long to load, to open.
        self._silero_lock, self._whisper_lock = threading.Lock(), threading.Lock()
        self._silero: Silero | None = None
        self._whisper: Whisper | None = None

    def silero(self) -> Silero:
        """Voice activity; raises ModelMissing."""
        with self._silero_lock:
            self._silero = self._silero or Silero()
            return self._silero

    def whisper(self) -> Whisper:
        """Words; takes up to a second the first time; raises ModelMissing."""
        with self._whisper_lock:
            self._whisper = self._whisper or Whisper(self._folder, names=self._names)
            return self._whisper


class LocalActivity:
    """Silero over one person's sound."""

    def __init__(self, models: HearingModels) -> None:
        self._models = models
        self._stream: VoiceActivity | None = None

    def open(self) -> None:
        """Load the network if nobody has; raises ModelMissing."""
        self._stream = VoiceActivity(self._models.silero())

    def hear(self, pcm: bytes) -> tuple[float, ...]:
        """The probability of each window that this frame completed; nothing unless open."""
        return () if self._stream is None else tuple(w.probability for w in self._stream.feed(pcm))

    def close(self) -> None:
        """Forget the stream."""
        self._stream = None


@dataclass(slots=True, kw_only=True)
class _Sound:
    """One segment's sound and what is being done about it; guarded by the transcriber's lock."""

    connection: Connection
    pcm: bytearray = field(default_factory=bytearray)
    running: Ask | None = None
    waiting: Ask | None = None
    final: bool = False
    """The next good text is the final one."""
    guess: Transcript | None = None


class LocalTranscriber:
    """Whisper over one person's segments: one transcription of a segment at a time, on the shared pool."""

    def __init__(self, models: HearingModels) -> None:
        self._models = models
        self._lock = threading.Lock()
        self._sounds: dict[SegmentId, _Sound] = {}
        self._events: Callable[[CapturePortEvent], None] | None = None

    def open(self, events: Callable[[CapturePortEvent], None]) -> None:
        """Begin to load the model, so that the first words need not wait for it."""
        self._events = events
        self._models.pool.submit(self._models.whisper, _loaded, urgency=Urgency.IDLE, key="whisper")

    def connect(self, connection: Connection) -> None:
        """There is nothing to connect to."""

    def disconnect(self, connection: Connection) -> None:
        """There is nothing to disconnect from."""

    def begin(self, connection: Connection, segment: SegmentId) -> None:
        """Keep the sound of this segment from now on."""
        with self._lock:
            self._sounds[segment] = _Sound(connection=connection)

    def append(self, segment: SegmentId, pcm: bytes) -> None:
        """Keep more sound, within bounds."""
        with self._lock:
            sound = self._sounds.get(segment)
            if sound is not None and len(sound.pcm) < LONGEST_BYTES:
                sound.pcm += pcm

    def ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        """Transcribe when the one before is done; a guess that is settled is the final."""
        answers: tuple[CapturePortEvent, ...] = ()
        with self._lock:
            sound = self._sounds.get(segment)
            if sound is None:
                return
            sound.guess = None if ask is Ask.GUESS else sound.guess
            reusable = settled and sound.waiting is not Ask.GUESS
            if reusable and sound.guess is not None:
                answers = self._finished(segment, sound, sound.guess)
            elif reusable and sound.running is Ask.GUESS:
                sound.final, sound.waiting = True, None
            elif sound.waiting is None or _RANK[ask] >= _RANK[sound.waiting]:
                sound.waiting = ask
        self._tell(*answers)
        self._go_on(segment)

    def drop(self, segment: SegmentId) -> None:
        """Let go of the sound."""
        with self._lock:
            self._sounds.pop(segment, None)

    def close(self) -> None:
        """Let go of all sound; what is still being transcribed is not reported."""
        with self._lock:
            self._events = None
            self._sounds.clear()

    def _go_on(self, segment: SegmentId) -> None:
        """Start the transcription that waits, if none is running."""
        with self._lock:
            sound = self._sounds.get(segment)
            if sound is None or sound.running is not None or sound.waiting is None:
                return
            ask, sound.running, sound.waiting = sound.waiting, sound.waiting, None
            sound.final = sound.final or ask is Ask.FINAL
            pcm = bytes(sound.pcm)
        self._models.pool.submit(
            lambda: self._models.whisper().transcribe(pcm),
            lambda outcome: self._answered(segment, outcome),
            urgency=_URGENCY[ask],
        )

    def _answered(self, segment: SegmentId, outcome: Transcript | PoolFailure) -> None:
        with self._lock:
            sound = self._sounds.get(segment)
            if sound is None:
                return
            ask, sound.running = sound.running, None
            answers: tuple[CapturePortEvent, ...] = ()
            enough = sound.final and ask is not Ask.PARTIAL
            if isinstance(outcome, PoolFailure):
                if enough:
                    del self._sounds[segment]
                    reason = _code(outcome)
                    failed = TranscriptFailed(connection=sound.connection, segment=segment, reason=reason)
                    answers = (failed,)
            elif enough:
                answers = self._finished(segment, sound, outcome)
            else:
                latest = ask is Ask.GUESS and sound.waiting is not Ask.GUESS
                sound.guess = outcome if latest else sound.guess
                answers = (_ready(sound.connection, segment, outcome, final=False),)
        self._tell(*answers)
        self._go_on(segment)

    def _finished(
        self, segment: SegmentId, sound: _Sound, transcript: Transcript
    ) -> tuple[CapturePortEvent, ...]:
        """The words, and how much sound they were, however often it was listened to."""
        del self._sounds[segment]
        milliseconds = len(sound.pcm) // BYTES_A_MILLISECOND
        spent = Spending(provider="local", model=self._models.words, audio_ms=milliseconds)
        return (
            ListenerSpent(connection=sound.connection, spent=spent),
            _ready(sound.connection, segment, transcript, final=True),
        )

    def _tell(self, *told: CapturePortEvent) -> None:
        if (events := self._events) is not None:
            for event in told:
                events(event)


def _ready(
    connection: Connection, segment: SegmentId, transcript: Transcript, *, final: bool
) -> TranscriptReady:
    return TranscriptReady(
        connection=connection,
        segment=segment,
        text=transcript.text,
        final=final,
        speechless=transcript.is_noise,
    )


def _code(failure: PoolFailure) -> str:
    return "overloaded" if failure.why is FailedBecause.DROPPED else "transcriber_failed"


def _loaded(outcome: Whisper | PoolFailure) -> None:
    if isinstance(outcome, PoolFailure) and outcome.why is FailedBecause.RAISED:
        logger.warning("the speech recogniser cannot be loaded: {}", outcome.detail)
