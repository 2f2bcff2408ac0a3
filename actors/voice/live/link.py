"""The house's side of a voice link on Discord: orders go straight to the media process, news come back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, assert_never

from loguru import logger

from actors.net.loop import IoLoop
from actors.switchboard import Switchboard
from actors.voice.live.books import Counts, Microphones, Utterances
from actors.voice.live.child import PROGRAM
from actors.voice.live.cradle import Cradle, begin
from actors.voice.live.dialling import Dialling
from actors.voice.media import ipc, mail, sound_news
from actors.voice.settings import VoiceSettings
from messages.audio import FRAME_BYTES, SoundSink
from messages.ids import CaptureId, Connection, PersonId, RoomId, UtteranceId
from messages.lifecycle import Scalar
from messages.voice import (
    LinkDown,
    LinkPulse,
    LinkSecured,
    LinkShut,
    MicrophoneCount,
    VoicePortEvent,
)

SHUT_SECONDS: Final = 0.5
CLOSE_SECONDS: Final = 0.8
MOST_SOUND: Final = ipc.MOST_FRAMES * FRAME_BYTES
"""Bytes in one letter."""


class LiveVoiceLink:
    """A VoicePort on Discord. Nothing here blocks but `close`, which takes at most a second."""

    def __init__(
        self,
        switchboard: Switchboard,
        loop: IoLoop,
        settings: VoiceSettings,
        *,
        ca_file: Path | None = None,
        proxy: str | None = None,
        opus_library: str | None = None,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        """`ca_file` replaces the system's authorities; `proxy` is not used for this very machine.

        Without `opus_library`, a path, libopus is looked for; `program` is for tests.
        """
        self._io = loop
        self._events: Callable[[VoicePortEvent], None] = _nobody
        self._lock = threading.Lock()
        self._microphones, self._counts, self._utterances = Microphones(), Counts(), Utterances()
        self._shutting: set[Connection] = set()
        self._resumed = 0
        self._privacy_code = ""
        first = begin(settings, ca_file=ca_file, proxy=proxy, opus_library=opus_library)
        self._cradle = Cradle(loop, first, program, news=self._take, died=self._died)
        self._dialling = Dialling(
            switchboard,
            settings,
            send=self._cradle.send,
            tell=self._tell,
            after=self._after,
            moved=self._moved,
        )

    def open(self, events: Callable[[VoicePortEvent], None], /) -> None:
        """Begin to exist; the media process is born with the first connection."""
        self._events = events

    def connect(self, connection: Connection, room: RoomId) -> None:
        """Dial, and have the media process connect to what the answer says."""
        try:
            new = self._cradle.be_born()
        except OSError as error:
            logger.error("no media process can be started: {}", error)
            self._tell(LinkDown(connection=connection, reason="media_process", terminal=False))
            return
        if new:
            with self._lock:
                for order in self._microphones.orders():
                    self._cradle.send(order)
        self._privacy_code = ""
        self._dialling.connect(connection, room)

    def disconnect(self, connection: Connection) -> None:
        """Let go of a connection."""
        self._dialling.disconnect(connection)
        with self._lock:
            self._shutting.add(connection)
        if self._cradle.alive:
            self._cradle.send(mail.Shut(connection=connection))
            self._after(SHUT_SECONDS, lambda: self._is_shut(connection))
        else:
            self._is_shut(connection)

    def microphone(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> None:
        """Holds for the next packet that arrives, and for the next frame that was decoded already."""
        with self._lock:
            order = self._microphones.set(person, capture, sink)
            if order is not None:
                self._cradle.send(order)

    def play(self, connection: Connection, utterance: UtteranceId, pcm: bytes) -> None:
        """Queue sound in the media process."""
        number = self._utterances.number(utterance)
        for at in range(0, len(pcm), MOST_SOUND):
            part = pcm[at : at + MOST_SOUND]
            self._cradle.send(mail.Sound(connection=connection, utterance=number, pcm=part))

    def end(self, connection: Connection, utterance: UtteranceId) -> None:
        """Let it drain."""
        self._cradle.send(mail.End(connection=connection, utterance=self._utterances.number(utterance)))

    def cut(self, connection: Connection, utterance: UtteranceId) -> None:
        """Be silent."""
        self._cradle.send(mail.Cut(connection=connection, utterance=self._utterances.number(utterance)))

    def gain(self, connection: Connection, utterance: UtteranceId, decibels: float, seconds: float) -> None:
        """Get quieter or louder."""
        number = self._utterances.number(utterance)
        self._cradle.send(
            mail.Gain(connection=connection, utterance=number, decibels=decibels, seconds=seconds)
        )

    def hold(self, connection: Connection, utterance: UtteranceId, held: bool) -> None:
        """Pause or go on."""
        number = self._utterances.number(utterance)
        self._cradle.send(mail.Hold(connection=connection, utterance=number, held=held))

    def describe(self) -> Mapping[str, Scalar]:
        """The media process and what it can do, for whoever asks how things are."""
        facts = {"privacy_code": self._privacy_code or None, "resumed": self._resumed}
        return {**self._cradle.describe(), **facts}

    def close(self) -> tuple[MicrophoneCount, ...]:
        """Let the media process say goodbye, or end it; nothing is told afterwards."""
        self._events = _nobody
        self._dialling.close()
        self._cradle.end(CLOSE_SECONDS)
        return self._counts.told()

    # --- inside

    def _tell(self, event: VoicePortEvent) -> None:
        self._events(event)

    def _after(self, seconds: float, callback: Callable[[], None]) -> None:
        self._io.call(lambda: asyncio.get_running_loop().call_later(seconds, callback))

    def _moved(self) -> None:
        """He is in another room now, and nobody there has been asked."""
        with self._lock:
            for order in self._microphones.clear():
                self._cradle.send(order)

    def _is_shut(self, connection: Connection) -> None:
        with self._lock:
            if connection not in self._shutting:
                return
            self._shutting.remove(connection)
        self._tell(LinkShut(connection=connection, counts=self._counts.told()))

    # --- on the loop

    def _died(self) -> None:
        self._counts.bury()
        with self._lock:
            shutting = tuple(self._shutting)
        for connection in shutting:
            self._is_shut(connection)
        self._dialling.died()

    def _take(self, letter: mail.News) -> None:
        match letter:
            case mail.Voices():
                for heard in letter.frames:
                    self._microphones.put(heard)
            case mail.Spoken():
                self._spoken(letter)
            case mail.Pulse():
                self._tell(
                    LinkPulse(
                        connection=Connection(letter.connection),
                        arrived=letter.arrived,
                        decoded=letter.decoded,
                        waiting=letter.waiting,
                        sent=letter.sent,
                        alone=letter.alone,
                    )
                )
            case mail.Tally():
                self._counts.take(letter)
            case mail.IsShut():
                self._is_shut(Connection(letter.connection))
            case mail.Hello() | mail.Ping() | mail.Note():
                pass  # Child keeps these to itself.
            case _:
                self._learn(letter)

    def _learn(self, letter: mail.Reached | mail.Up | mail.Lost | mail.Secured | mail.Resumed) -> None:
        match letter:
            case mail.Reached():
                self._dialling.reached(letter.connection)
            case mail.Up():
                self._dialling.up(letter)
            case mail.Lost():
                self._dialling.lost(letter)
            case mail.Secured():
                self._privacy_code = letter.privacy_code
                connection = Connection(letter.connection)
                self._tell(LinkSecured(connection=connection, privacy_code=letter.privacy_code))
            case mail.Resumed():
                self._resumed += 1
                logger.info("voice link {} was resumed after {} ms", letter.connection, letter.milliseconds)
            case _:
                assert_never(letter)

    def _spoken(self, letter: mail.Spoken) -> None:
        utterance = self._utterances.name(letter.utterance)
        if utterance is not None:
            event = sound_news.read(Connection(letter.connection), utterance, letter)
            if event is not None:
                self._tell(event)


def _nobody(_event: VoicePortEvent) -> None:
    """Whoever was told is gone."""
