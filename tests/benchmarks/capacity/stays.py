"""Stays as far as sound goes: the real voice link, playback and captures, whose ears understand nothing."""

from __future__ import annotations

import functools
import itertools
import os
from array import array
from collections.abc import Callable, Sequence
from time import monotonic
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from actors.audio.pcm import read_wav
from actors.audio.pipe import FramePipe
from actors.base import Life, Worker
from actors.capture.actor import Capture
from actors.capture.decisions import Ask
from actors.capture.settings import CaptureSettings
from actors.clock import SystemClock
from actors.playback.actor import Playback
from actors.playback.settings import PlaybackSettings
from actors.voice.actor import Voice
from actors.voice.settings import VoiceSettings
from messages.audio import RATE, Frame
from messages.capture import CapturePortEvent, SoundWaiting
from messages.floor import SpeechCut
from messages.ids import CaptureId, Connection, PersonId, SegmentId, StayId, TurnId, UtteranceId
from messages.lifecycle import Ending
from messages.mailbox import Mailbox
from messages.people import Person
from messages.playback import AskForMore, CutSpeech, PlaybackMessage, QueueSound, QueueSpeech
from messages.stay import EarOpened, LinkReady, StayMessage
from messages.tts import MoreWanted, TtsMessage
from messages.voice import OpenLink, OpenMicrophone
from supervisors.address import Address
from tests.benchmarks.crowd import CrowdedLink
from tests.benchmarks.kernel import Size, size
from tests.probe import Probe
from tests.speech.clips import HUMAN

W = TypeVar("W", bound=Worker[Any])
PATIENCE_SECONDS: Final = 30.0
UNIT_BYTES: Final = 2 * RATE
"""He asks for a second of sound at a time."""


@functools.cache
def speech() -> bytes:
    """What he says, over and over."""
    return b"".join(read_wav(clip.path) for clip in HUMAN[:3])


class Nobody:
    """A neighbour that nobody asks."""

    def tell(self, message: object, /) -> None:
        """Not read."""


class Deaf:
    """A voice detector that hears nobody."""

    def open(self) -> None:
        """Nothing is needed."""

    def hear(self, pcm: bytes) -> tuple[float, ...]:
        """Nothing."""
        return ()

    def close(self) -> None:
        """Nothing is held."""


class Illiterate:
    """A transcriber that is never asked for words."""

    def open(self, events: Callable[[CapturePortEvent], None]) -> None:
        """Nothing will be told."""

    def connect(self, connection: Connection) -> None:
        """To nobody."""

    def disconnect(self, connection: Connection) -> None:
        """From nobody."""

    def begin(self, connection: Connection, segment: SegmentId) -> None:
        """No segment does."""

    def append(self, segment: SegmentId, pcm: bytes) -> None:
        """To no segment."""

    def ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        """Nobody does."""

    def drop(self, segment: SegmentId) -> None:
        """Nothing is held."""

    def close(self) -> None:
        """Nothing is held."""


class TimedPipe(FramePipe[Frame]):
    """Notes how long after its packet came each frame is taken out."""

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__(wake)
        self.ages = array("d")

    def drain(self) -> tuple[Frame, ...]:
        """Everything that waits."""
        frames, now = super().drain(), monotonic()
        self.ages.extend([now - frame.at for frame in frames])
        return frames


class Ear(Capture):
    """The real one on a timed pipe."""

    def __init__(
        self, life: Life, *, person: PersonId, stay_id: StayId, stay: Mailbox[StayMessage], clock: SystemClock
    ) -> None:
        super().__init__(
            life,
            stay_id=stay_id,
            person=Person(id=person, label=f"P{person}"),
            capture_id=CaptureId(f"c{person}"),
            stay=stay,
            floor=Nobody(),
            evidence=Nobody(),
            clock=clock,
            activity=Deaf(),
            port=Illiterate(),
            settings=CaptureSettings(),
        )
        self._pipe = self.pipe = TimedPipe(lambda: self.here.tell(SoundWaiting()))


class Mouth:
    """In the synthesizer's place: has the next second of sound whenever playback has room for it."""

    def __init__(self, playback: Mailbox[PlaybackMessage]) -> None:
        self._playback = playback
        self._utterances = itertools.count(1)
        self._utterance = UtteranceId("")
        self._place = 0

    def begin(self) -> None:
        """Talk until told to end."""
        self._utterance = utterance = UtteranceId(f"u{next(self._utterances)}")
        self._playback.tell(QueueSpeech(utterance=utterance, turn=TurnId(f"t{utterance}")))
        self._more(utterance)

    def end(self) -> None:
        """Be silent at once."""
        self._playback.tell(CutSpeech(utterance=self._utterance))

    def tell(self, message: TtsMessage, /) -> None:
        """More, please."""
        if isinstance(message, MoreWanted):
            self._more(message.utterance)

    def _more(self, utterance: UtteranceId) -> None:
        at, self._place = self._place, (self._place + UNIT_BYTES) % (len(speech()) - UNIT_BYTES)
        self._playback.tell(QueueSound(utterance=utterance, pcm=speech()[at : at + UNIT_BYTES]))
        self._playback.tell(AskForMore(utterance=utterance))


class Stay:
    """One room that he is in, and hears everybody of."""

    def __init__(self, stays: Stays, crowded: CrowdedLink) -> None:
        self.crowded = crowded
        self._stay_id, self._clock, self._stays = StayId(f"s{crowded.room}"), stays.clock, stays
        self._floor, self._neighbour = Probe[object](), Probe[StayMessage]()
        playback: Address[PlaybackMessage] = Address()
        self.mouth = Mouth(playback)
        self._voice = self._make_voice(playback)
        playback.bind(self._make_playback().actor_ref)
        self.ears: list[Ear] = []

    def enter(self) -> None:
        """Connect, and listen to everybody."""
        self._voice.here.tell(OpenLink(room=self.crowded.room))
        self._neighbour.expect(LinkReady, PATIENCE_SECONDS)
        for person in self.crowded.people:
            self.ears.append(self._stays.live(functools.partial(self._make_ear, person)))
            ear = self._neighbour.expect(EarOpened, PATIENCE_SECONDS)
            self._voice.here.tell(OpenMicrophone(person=ear.person, capture=ear.capture, sink=ear.sink))

    def wait_until_silent(self) -> None:
        """Wait for the end of what he was told to end."""
        self._floor.expect(SpeechCut, PATIENCE_SECONDS)

    def _make_voice(self, playback: Mailbox[PlaybackMessage]) -> Voice:
        return self._stays.live(
            lambda life: Voice(
                life,
                stay_id=self._stay_id,
                stay=self._neighbour,
                playback=playback,
                evidence=Nobody(),
                clock=self._clock,
                port=self.crowded.link,
                settings=VoiceSettings(),
            )
        )

    def _make_playback(self) -> Playback:
        return self._stays.live(
            lambda life: Playback(
                life,
                stay_id=self._stay_id,
                voice=self._voice.here,
                tts=self.mouth,
                floor=self._floor,
                realtime=Nobody(),
                stay=self._neighbour,
                evidence=Nobody(),
                clock=self._clock,
                settings=PlaybackSettings(),
            )
        )

    def _make_ear(self, person: PersonId, life: Life) -> Ear:
        return Ear(life, person=person, stay_id=self._stay_id, stay=self._neighbour, clock=self._clock)


class Stays:
    """A clock, the stays, and whatever lives until the end; use it as a context manager."""

    def __init__(self, rooms: Sequence[CrowdedLink]) -> None:
        self.clock = SystemClock()
        self.stays: list[Stay] = []
        self.sizes: list[Size] = []
        """Of the house, after each stay began."""
        self._rooms = rooms
        self._lives: list[Life] = []

    def __enter__(self) -> Self:
        speech()  # before anybody waits for it
        self.clock.start()
        for room in self._rooms:
            self.stays.append(Stay(self, room))
            self.stays[-1].enter()
            self.sizes.append(size(os.getpid()))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for life in reversed(self._lives):
            life.ask_to_stop(Ending.SHUTDOWN, PATIENCE_SECONDS)
        for life in reversed(self._lives):
            life.wait_gone(PATIENCE_SECONDS)
        self.clock.stop(PATIENCE_SECONDS)

    def live(self, make: Callable[[Life], W]) -> W:
        """Let an actor live until the end."""
        life = Life.alone()
        worker = make(life)
        life.begin(worker)
        assert life.wait_opened(PATIENCE_SECONDS)
        self._lives.append(life)
        return worker
