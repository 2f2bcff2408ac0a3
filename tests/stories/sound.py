"""In the world of the stories sound is text: each frame says what word it carries, or that it is noise."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum

from actors.capture.decisions import Ask
from actors.clock import Clock
from messages.audio import FRAME_BYTES, Frame, SoundSink
from messages.capture import CapturePortEvent, TranscriptReady
from messages.ids import CaptureId, Connection, PersonId, RoomId, SegmentId, UtteranceId
from messages.mailbox import Mailbox
from messages.tts import SoundMade, SynthesisFailed, SynthesizerLost, TtsPortEvent, UnitSpoken
from messages.voice import (
    LinkShut,
    LinkUp,
    MicrophoneCount,
    SoundCut,
    SoundDrained,
    SoundSent,
    SoundStarted,
    VoicePortEvent,
)

CHUNK_SECONDS = 0.1
CHUNK_FRAMES = 5
CHUNK_BYTES = CHUNK_FRAMES * FRAME_BYTES
SILENCE = bytes(CHUNK_BYTES)
NOISE = "~"
"""A word that voice activity takes for voice and nobody can write down: laughter, a cough at its worst."""
SECONDS_A_WORD = 0.3
TRANSCRIBE_SECONDS = 0.25
SYNTHESIZE_SECONDS = 0.05


def chunks_of(words: str) -> Iterator[bytes]:
    """Return the sound of these words, then 700 ms of an open microphone."""
    for word in words.split():
        for part in range(round(SECONDS_A_WORD / CHUNK_SECONDS)):
            yield b"".join(
                f"{word}\0{part}{frame}\0".encode().ljust(FRAME_BYTES, b"\0") for frame in range(CHUNK_FRAMES)
            )
    for _ in range(7):
        yield SILENCE


def words_of(sound: bytes) -> str:
    """Return the words whose beginning is in the sound."""
    heard: list[str] = []
    for at in range(0, len(sound), FRAME_BYTES):
        word, _, rest = sound[at : at + FRAME_BYTES].partition(b"\0")
        if word and rest.startswith(b"00"):
            heard.append(word.decode())
    return " ".join(word for word in heard if word != NOISE)


class Later:
    """Delivers an event to a port's door, by way of the clock."""

    def __init__(self, door: Callable[[], None]) -> None:
        self._door = door

    def tell(self, message: None, /) -> None:
        del message
        self._door()


def after(clock: Clock, seconds: float, act: Callable[[], None]) -> None:
    """Let this happen in the world, not in an actor."""
    mailbox: Mailbox[None] = Later(act)
    clock.after(seconds, mailbox, None)


class Activity:
    """Voice activity that cannot be wrong: whatever carries a word is voice."""

    def __init__(self) -> None:
        self._frames = 0

    def open(self) -> None:
        """Nothing is needed."""

    def hear(self, pcm: bytes) -> tuple[float, ...]:
        """Three windows for each five frames."""
        self._frames += 1
        return (1.0 if pcm[0] else 0.0,) if self._frames % CHUNK_FRAMES in (1, 3, 0) else ()

    def close(self) -> None:
        """Nothing is held."""


class Transcriber:
    """Writes down what the sound says, a quarter of a second later."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._events: Callable[[CapturePortEvent], None] | None = None
        self._sounds: dict[SegmentId, tuple[Connection, bytes]] = {}

    def open(self, events: Callable[[CapturePortEvent], None]) -> None:
        """Report there."""
        self._events = events

    def connect(self, connection: Connection) -> None:
        """At once."""

    def disconnect(self, connection: Connection) -> None:
        """At once."""

    def begin(self, connection: Connection, segment: SegmentId) -> None:
        """Keep its sound."""
        self._sounds[segment] = (connection, b"")

    def append(self, segment: SegmentId, pcm: bytes) -> None:
        """Keep more."""
        connection, sound = self._sounds[segment]
        self._sounds[segment] = (connection, sound + pcm)

    def ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        """Answer later; a settled final is known already."""
        connection, sound = self._sounds[segment]
        ready = TranscriptReady(
            connection=connection,
            segment=segment,
            text=words_of(sound),
            final=ask is Ask.FINAL,
            speechless=False,
        )
        if ask is Ask.FINAL:
            del self._sounds[segment]
        after(self._clock, 0.0 if settled else TRANSCRIBE_SECONDS, lambda: self._tell(ready))

    def drop(self, segment: SegmentId) -> None:
        """Forget it."""
        self._sounds.pop(segment, None)

    def close(self) -> None:
        """Report nothing any more."""
        self._events = None

    def _tell(self, event: CapturePortEvent) -> None:
        if self._events is not None:
            self._events(event)


class Fault(Enum):
    """What a synthesizer may do instead of making a unit."""

    FAILS = "fails"
    LOSES_CONNECTION = "loses its connection"
    SAYS_NOTHING = "says nothing"
    MAKES_HALF = "makes half of it, then fails"


class Synthesizer:
    """Speaks a unit as one word's length of sound for each of its words, unless a fault is next."""

    def __init__(self, clock: Clock, faults: deque[Fault | None]) -> None:
        self._clock = clock
        self._faults = faults
        self._connection = Connection(1)
        self._events: Callable[[TtsPortEvent], None] | None = None

    def open(self, events: Callable[[TtsPortEvent], None], /) -> None:
        """Report there."""
        self._events = events

    def prepare(self, connection: Connection) -> None:
        """Be connected already."""

    def speak(self, connection: Connection, utterance: UtteranceId, unit: int, text: str, last: bool) -> None:
        """Make it, or do not, soon."""
        self._connection = connection
        pcm = b"".join(f"{word}\0".encode().ljust(3 * CHUNK_BYTES, b"\x7f") for word in text.split())
        fault = self._faults.popleft() if self._faults else None
        half = len(pcm) // 2 // FRAME_BYTES * FRAME_BYTES

        def sound(pcm: bytes) -> SoundMade:
            return SoundMade(connection=connection, utterance=utterance, unit=unit, pcm=pcm)

        failed = SynthesisFailed(connection=connection, utterance=utterance, reason="out_of_order")
        lost = SynthesizerLost(connection=connection, reason="reset")
        spoken = UnitSpoken(connection=connection, utterance=utterance, unit=unit)
        events: dict[Fault | None, tuple[TtsPortEvent, ...]] = {
            None: (sound(pcm), spoken),
            Fault.FAILS: (failed,),
            Fault.LOSES_CONNECTION: (lost,),
            Fault.SAYS_NOTHING: (),
            Fault.MAKES_HALF: (sound(pcm[:half]), failed),
        }

        def happen() -> None:
            for event in events[fault]:
                self._tell(event)

        after(self._clock, SYNTHESIZE_SECONDS, happen)

    def lose_connection(self) -> None:
        """Die while nobody is speaking, or while somebody is."""
        self._tell(SynthesizerLost(connection=self._connection, reason="idle"))

    def forget(self, connection: Connection, utterance: UtteranceId) -> None:
        """What comes late is the room's to drop."""

    def close(self) -> None:
        """Report nothing any more."""
        self._events = None

    def _tell(self, event: TtsPortEvent) -> None:
        if self._events is not None:
            self._events(event)


class Air:
    """What carries sound between people and him; `spoken` is every 100 ms of his that was really sent.

    `carried` counts the frames of each person that came to an open link.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.link: Link | None = None
        self.spoken: list[tuple[float, bytes]] = []
        self.carried: dict[PersonId, int] = {}

    def carry(self, person: PersonId, chunk: bytes) -> None:
        """A person's 100 ms, to whoever listens."""
        if self.link is not None:
            self.carried[person] = self.carried.get(person, 0) + CHUNK_FRAMES
            self.link.hear(person, chunk)


class Link:
    """A voice port: 100 ms at a time, on time, and only of those whose microphone is open."""

    def __init__(self, air: Air) -> None:
        self._air = air
        self._events: Callable[[VoicePortEvent], None] | None = None
        self._connection = Connection(0)
        self._sinks: dict[PersonId, tuple[CaptureId, SoundSink]] = {}
        self._counts: dict[PersonId, tuple[int, int]] = {}
        self._utterance: UtteranceId | None = None
        self._waiting = b""
        self._ended = self._held = self._beating = False
        self._sent = 0

    def open(self, events: Callable[[VoicePortEvent], None], /) -> None:
        """Report there."""
        self._events = events

    def connect(self, connection: Connection, room: RoomId) -> None:
        """Up, soon."""
        del room
        self._connection, self._air.link = connection, self
        after(
            self._air.clock,
            0.05,
            lambda: self._tell(LinkUp(connection=connection, encryption="story")),
        )

    def disconnect(self, connection: Connection) -> None:
        """Down, with the counts."""
        counts = self._count()
        self._air.link = None
        self._waiting, self._utterance = b"", None
        self._tell(LinkShut(connection=connection, counts=counts))

    def _count(self) -> tuple[MicrophoneCount, ...]:
        return tuple(
            MicrophoneCount(person=person, decoded=decoded, unread=unread)
            for person, (decoded, unread) in self._counts.items()
        )

    def microphone(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> None:
        """Open or close."""
        if sink is None:
            self._sinks.pop(person, None)
        else:
            self._sinks[person] = (capture, sink)

    def hear(self, person: PersonId, chunk: bytes) -> None:
        """Decode whoever may be decoded, and count everybody."""
        decoded, unread = self._counts.get(person, (0, 0))
        if person in self._sinks:
            capture, sink = self._sinks[person]
            for at in range(0, CHUNK_BYTES, FRAME_BYTES):
                frame = chunk[at : at + FRAME_BYTES]
                sink.put(Frame(person=person, capture=capture, pcm=frame, at=self._air.clock.now()))
            decoded += CHUNK_FRAMES
        else:
            unread += CHUNK_FRAMES
        self._counts[person] = (decoded, unread)

    def play(self, connection: Connection, utterance: UtteranceId, pcm: bytes) -> None:
        """Queue."""
        if connection != self._connection:
            return
        if utterance != self._utterance:
            self._utterance, self._waiting, self._sent, self._ended = utterance, b"", 0, False
        self._waiting += pcm
        self._beat_on()

    def end(self, connection: Connection, utterance: UtteranceId) -> None:
        """Drain."""
        if (connection, utterance) == (self._connection, self._utterance):
            self._ended = True
            self._beat_on()

    def cut(self, connection: Connection, utterance: UtteranceId) -> None:
        """Silence."""
        if (connection, utterance) != (self._connection, self._utterance):
            return
        dropped, self._waiting, self._utterance = len(self._waiting) // FRAME_BYTES, b"", None
        now = self._air.clock.now()
        self._tell(
            SoundCut(connection=connection, utterance=utterance, frames=self._sent, dropped=dropped, at=now)
        )

    def gain(self, connection: Connection, utterance: UtteranceId, decibels: float, seconds: float) -> None:
        """Nobody measures loudness here."""

    def hold(self, connection: Connection, utterance: UtteranceId, held: bool) -> None:
        """Stop or go on."""
        self._held = held
        self._beat_on()

    def describe(self) -> dict[str, int]:
        """Nothing worth a number."""
        return {}

    def close(self) -> tuple[MicrophoneCount, ...]:
        """Let go, and say what came."""
        self._events = None
        if self._air.link is self:
            self._air.link = None
        return self._count()

    def _beat_on(self) -> None:
        if not self._beating and not self._held and self._utterance is not None:
            self._beating = True
            after(self._air.clock, CHUNK_SECONDS, self._beat)

    def _beat(self) -> None:
        self._beating = False
        utterance, connection, now = self._utterance, self._connection, self._air.clock.now()
        if utterance is None or self._held or self._events is None:
            return
        chunk, self._waiting = self._waiting[:CHUNK_BYTES], self._waiting[CHUNK_BYTES:]
        if chunk:
            self._air.spoken.append((now, chunk))
            if self._sent == 0:
                self._tell(SoundStarted(connection=connection, utterance=utterance, at=now))
            self._sent += len(chunk) // FRAME_BYTES
            self._tell(SoundSent(connection=connection, utterance=utterance, frames=self._sent))
            self._beat_on()
        elif self._ended:
            self._utterance = None
            self._tell(SoundDrained(connection=connection, utterance=utterance, frames=self._sent))

    def _tell(self, event: VoicePortEvent) -> None:
        if self._events is not None:
            self._events(event)
