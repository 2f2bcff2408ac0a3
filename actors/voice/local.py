"""Sound in the local room: one thread reads what people say, and speaks, on time, for him."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from loguru import logger

from actors.audio.opus import NoOpus, OpusDecoder, OpusEncoder
from actors.life import blame
from actors.local_room import LocalRoom
from actors.voice.ears import Ears
from actors.voice.pacing import Speaker
from actors.voice.settings import VoiceSettings
from messages.audio import SoundSink
from messages.ids import CaptureId, Connection, PersonId, RoomId, UtteranceId
from messages.lifecycle import Scalar
from messages.voice import LinkDown, LinkShut, LinkUp, MicrophoneCount, SoundEvent, VoicePortEvent

Order: TypeAlias = Callable[[], None]

PACKETS_AT_ONCE: Final = 8
"""So that a flood of packets cannot make his own next frame late."""
CLOSE_SECONDS: Final = 1.0


class LocalVoiceLink:
    """A VoicePort on a LocalRoom. All happens on its one thread, in the order in which it was asked."""

    def __init__(
        self,
        room: LocalRoom,
        settings: VoiceSettings,
        make_decoder: Callable[[], OpusDecoder] | None = None,
        opus_library: str | None = None,
    ) -> None:
        """Without `opus_library`, a path, libopus is looked for; `make_decoder` is for tests that count."""
        self._room = room
        self._opus_library = opus_library
        self._settings = settings
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._ears = Ears(make_decoder or (lambda: OpusDecoder(path=opus_library)), self._knock)
        self._knocked = False
        self._events: Callable[[VoicePortEvent], None] = _nobody
        self._connection: Connection | None = None
        self._speaker: Speaker | None = None
        self._encoder: OpusEncoder | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="local-voice", daemon=True)

    def open(self, events: Callable[[VoicePortEvent], None], /) -> None:
        """Start the thread."""
        self._events = events
        self._thread.start()

    def connect(self, connection: Connection, room: RoomId) -> None:
        """Attach to the room's sound."""
        self._orders.put(lambda: self._attach(connection, room))

    def disconnect(self, connection: Connection) -> None:
        """Detach from it."""
        self._orders.put(lambda: self._detach(connection))

    def microphone(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> None:
        """Holds for the very next packet, hence not in the thread's own time."""
        self._ears.open(person, capture, sink)
        self._orders.put(self._ears.forget_closed)

    def play(self, connection: Connection, utterance: UtteranceId, pcm: bytes) -> None:
        """Queue sound."""
        self._say(connection, lambda speaker: speaker.play(utterance, pcm, time.monotonic()))

    def end(self, connection: Connection, utterance: UtteranceId) -> None:
        """Let it drain."""
        self._say(connection, lambda speaker: speaker.end(utterance, time.monotonic()))

    def cut(self, connection: Connection, utterance: UtteranceId) -> None:
        """Be silent."""
        self._say(connection, lambda speaker: speaker.cut(utterance, time.monotonic()))

    def gain(self, connection: Connection, utterance: UtteranceId, decibels: float, seconds: float) -> None:
        """Get quieter or louder."""
        self._say(connection, lambda speaker: speaker.gain(utterance, decibels, seconds))

    def hold(self, connection: Connection, utterance: UtteranceId, held: bool) -> None:
        """Pause or go on."""
        self._say(connection, lambda speaker: speaker.hold(utterance, held, time.monotonic()))

    def describe(self) -> Mapping[str, Scalar]:
        """Packets that came to nothing."""
        return {"packets_broken": self._ears.broken, "packets_overflowed": self._ears.overflowed}

    def close(self) -> tuple[MicrophoneCount, ...]:
        """End the thread, which lets go of everything; nothing is told afterwards."""
        self._events = _nobody
        self._closing.set()
        self._orders.put(None)
        if self._thread.ident is not None:
            self._thread.join(CLOSE_SECONDS)
        return self._ears.counts()

    def _say(self, connection: Connection, words: Callable[[Speaker], tuple[SoundEvent, ...]]) -> None:
        def order() -> None:
            if self._speaker is not None and connection == self._connection:
                self._tell(words(self._speaker))

        self._orders.put(order)

    # --- in any thread

    def _knock(self) -> None:
        """Wake the thread for packets; at most one knock is in the queue."""
        if not self._knocked:
            self._knocked = True
            self._orders.put(None)

    # --- in the thread

    def _run(self) -> None:
        waiting = False
        while not self._closing.is_set():
            try:
                self._obey(wait=not waiting)
                # Before the packets are looked at: a packet that comes later knocks again.
                self._knocked = False
                waiting = self._ears.decode_some(PACKETS_AT_ONCE)
                self._speak()
            except Exception as failure:
                logger.error("the local sound failed: {}", blame(failure))
                self._broken(failure)
        self._let_go()
        self._ears.close()

    def _obey(self, wait: bool) -> None:
        """Carry out what was asked; if nothing was, wait for it until a frame is due."""
        try:
            order = self._orders.get(block=wait, timeout=self._patience() if wait else None)
            while True:
                if order is not None:
                    order()
                order = self._orders.get_nowait()
        except queue.Empty:
            return

    def _patience(self) -> float | None:
        due = None if self._speaker is None else self._speaker.due
        return None if due is None else max(0.0, due - time.monotonic())

    def _speak(self) -> None:
        speaker, encoder = self._speaker, self._encoder
        if speaker is None or encoder is None:
            return
        pcm = speaker.take(time.monotonic())
        if pcm is not None:
            packet = encoder.encode(pcm)
            at = time.monotonic()
            self._room.transmit(packet, at)
            self._tell(speaker.sent(at))

    def _attach(self, connection: Connection, room: RoomId) -> None:
        self._let_go()
        self._connection = connection
        if room != self._room.id:
            self._events(LinkDown(connection=connection, reason="no_such_room", terminal=True))
            return
        try:
            self._encoder = OpusEncoder(
                bitrate=self._settings.bitrate,
                complexity=self._settings.complexity,
                path=self._opus_library,
            )
        except NoOpus as failure:
            logger.error("{}", failure)
            self._events(LinkDown(connection=connection, reason="opus_missing", terminal=True))
            return
        self._speaker = Speaker(connection, self._settings)
        self._room.attach_sound(self._ears.take)
        self._events(LinkUp(connection=connection, encryption="local"))

    def _detach(self, connection: Connection) -> None:
        if connection == self._connection:
            self._let_go()
        self._events(LinkShut(connection=connection, counts=self._ears.counts()))

    def _let_go(self) -> None:
        if self._speaker is not None:
            self._room.detach_sound(self._ears.take)
            logger.debug(
                "{} slots skipped, {} frames overflowed, {} packets broken, {} overflowed",
                self._speaker.skipped,
                self._speaker.overflowed,
                self._ears.broken,
                self._ears.overflowed,
            )
        if self._encoder is not None:
            self._encoder.close()
        self._connection = self._speaker = self._encoder = None

    def _broken(self, failure: Exception) -> None:
        connection = self._connection
        self._let_go()
        if connection is not None:
            self._events(LinkDown(connection=connection, reason=type(failure).__name__, terminal=False))

    def _tell(self, news: tuple[SoundEvent, ...]) -> None:
        for event in news:
            self._events(event)


def _nobody(_event: VoicePortEvent) -> None:
    """Whoever was told is gone."""
