"""His voice at ElevenLabs: a fault of the line is one piece of bad news, or none if he was silent."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final

from loguru import logger

from actors.net.line import Dial, Loop
from actors.net.service import Service
from actors.tts.live.context import Job
from actors.tts.live.contexts import Contexts
from actors.tts.live.dialects import dialect_of
from actors.tts.live.mouth import Mouth
from actors.tts.settings import TtsSettings
from messages.ids import Connection, UtteranceId
from messages.tts import SynthesizerLost, TtsPortEvent

_NONE: Final = Connection(0)


class ElevenLabsVoice:
    """A TtsPort on one line at a time; a line that was replaced ends when nobody speaks on it any more."""

    def __init__(self, loop: Loop, dial: Dial, service: Service, settings: TtsSettings) -> None:
        self._loop = loop
        self._dial = dial
        self._dialect = dialect_of(settings)
        self._target = self._dialect.target(service)
        self._names = (f"c{number}" for number in count(1))
        self._events: Callable[[TtsPortEvent], None] | None = None
        self._mouth: Mouth | None = None
        self._older: list[Mouth] = []
        self._lost = _NONE

    # --- actors.tts.port.TtsPort

    def open(self, events: Callable[[TtsPortEvent], None], /) -> None:
        """Report there."""
        self._loop.call(self._open, events)

    def prepare(self, connection: Connection) -> None:
        """Dial, unless the line stands."""
        self._loop.call(self._mouth_for, connection)

    def speak(self, connection: Connection, utterance: UtteranceId, unit: int, text: str, last: bool) -> None:
        """Send a unit, dialling first if need be."""
        self._loop.call(self._speak, connection, Job(utterance=utterance, unit=unit, text=text, last=last))

    def forget(self, connection: Connection, utterance: UtteranceId) -> None:
        """Close its contexts, on whatever lines they are."""
        self._loop.call(self._forget, utterance)

    def close(self) -> None:
        """Hang up."""
        self._loop.call(self._close)

    # --- on the I/O thread

    def _open(self, events: Callable[[TtsPortEvent], None]) -> None:
        self._events, self._lost = events, _NONE

    def _speak(self, connection: Connection, job: Job) -> None:
        mouth = self._mouth_for(connection)
        if mouth is None:
            return
        for older in tuple(self._older):
            older.forget(job.utterance)
        mouth.speak(job)

    def _forget(self, utterance: UtteranceId) -> None:
        for mouth in self._mouths():
            mouth.forget(utterance)

    def _close(self) -> None:
        self._events = None
        mouths = self._mouths()
        self._mouth, self._older = None, []
        for mouth in mouths:
            mouth.close()

    def _mouths(self) -> tuple[Mouth, ...]:
        return tuple(self._older) if self._mouth is None else (*self._older, self._mouth)

    def _mouth_for(self, connection: Connection) -> Mouth | None:
        """The line of this number; None for a number that the room knows, or will soon read, to be lost."""
        if self._events is None or connection <= self._lost:
            return None
        if self._mouth is not None and connection <= self._mouth.connection:
            return self._mouth
        return self._dialled(connection)

    def _dialled(self, connection: Connection) -> Mouth:
        contexts = Contexts(connection, self._dialect, self._names)
        mouth = Mouth(contexts, self._loop, self)
        before, self._mouth = self._mouth, mouth
        mouth.dial(self._dial, self._target)
        if before is not None:
            self._older.append(before)
            before.retire()
        return mouth

    # --- actors.tts.live.mouth.Owner

    def tell(self, event: TtsPortEvent) -> None:
        """Report something that was said or spoken."""
        if self._events is not None:
            self._events(event)

    def spent(self, mouth: Mouth) -> None:
        """A line on which nothing can be said any more: those who wait for a place get one on another."""
        if mouth is not self._mouth:
            return
        waiting = mouth.hand_over()
        if not waiting:
            self._mouth = None
            mouth.close()
            return
        fresh = self._dialled(mouth.connection)
        for job in waiting:
            fresh.speak(job)

    def closed(self, mouth: Mouth) -> None:
        """A line that was replaced is done."""
        self._older = [older for older in self._older if older is not mouth]

    def lost(self, mouth: Mouth, reason: str, busy: bool) -> None:
        """A line that failed; only if it was in use is that news."""
        self.closed(mouth)
        if mouth is self._mouth:
            self._mouth = None
        logger.info("a line to the voice is over: {} ({})", reason, "in use" if busy else "idle")
        if busy:
            self._lost = max(self._lost, mouth.connection)
            self.tell(SynthesizerLost(connection=mouth.connection, reason=reason))
