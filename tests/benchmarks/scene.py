"""The rooms that are timed: real actors in threads of their own, and providers here who answer at once."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self, TypeVar

from actors.base import Life, Worker
from actors.capture.actor import Capture
from actors.capture.decisions import Ask
from actors.capture.live.listeners import Listeners
from actors.capture.live.transcriber import LiveTranscriber
from actors.capture.settings import CaptureSettings
from actors.clock import SystemClock
from actors.net.guarded import GuardedDial
from actors.net.loop import IoLoop
from actors.playback.actor import Playback
from actors.playback.settings import PlaybackSettings
from actors.realtime.actor import Realtime
from actors.realtime.live.conversation import LiveConversation
from actors.realtime.settings import RealtimeSettings
from actors.tts.actor import Tts
from actors.tts.live.elevenlabs import ElevenLabsVoice
from actors.tts.settings import TtsSettings
from actors.voice.actor import Voice
from actors.voice.settings import VoiceSettings
from messages.audio import FRAME_BYTES, RATE, SoundSink
from messages.floor import SpeechDrained, WordsHeard
from messages.ids import CaptureId, Connection, PersonId, RoomId, SegmentId, StayId, UtteranceId
from messages.lifecycle import Ending, Scalar
from messages.mailbox import Mailbox
from messages.people import Person
from messages.playback import PlaybackMessage
from messages.stay import EarOpened, StayMessage
from messages.voice import LinkUp, MicrophoneCount, OpenLink, SoundDrained, SoundSent, VoicePortEvent
from supervisors.address import Address
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.openai.mind import HELD, Reply
from tests.loopback.openai.server import OpenAi
from tests.probe import Probe

W = TypeVar("W", bound=Worker[Any])
DEADLINE_SECONDS = 15.0
STAY, ROOM = StayId("stay"), RoomId("room")
ANNA = Person(id=PersonId("anna"), label="Anna")
FIRST, REST = "Good evening to you all. ", "And good night."


class Moments:
    """When things happened, in the order in which somebody waits for them."""

    def __init__(self) -> None:
        self._noted: queue.SimpleQueue[float] = queue.SimpleQueue()

    def note(self) -> None:
        """It happened now."""
        self._noted.put(time.perf_counter())

    def wait(self) -> float:
        """Wait for the next one; queue.Empty after the deadline."""
        return self._noted.get(timeout=DEADLINE_SECONDS)


class Neighbour:
    """A mailbox that notes when messages of one kind come, and reads no others."""

    def __init__(self, kind: type[object]) -> None:
        self.came = Moments()
        self._kind = kind

    def tell(self, message: object, /) -> None:
        """Note it, or not."""
        if isinstance(message, self._kind):
            self.came.note()


class Nobody:
    """A neighbour that nobody asks."""

    def tell(self, message: object, /) -> None:
        """Not read."""


class Speaker:
    """The provider's voice: notes when it is asked, and has the sound at once."""

    def __init__(self) -> None:
        self.asked = Moments()
        self.sound = b""

    def __call__(self, text: str) -> Iterator[bytes]:
        """The same sound for every sentence."""
        self.asked.note()
        yield self.sound

    def lasts(self, seconds: float) -> None:
        """From now on a sentence takes so long."""
        self.sound = b"\0\x10" * round(seconds * RATE)


class Cloud:
    """An OpenAI and an ElevenLabs on this machine, the I/O thread, and whoever is to live until the end."""

    def __init__(self) -> None:
        self.speaker = Speaker()
        held = Reply(pieces=(FIRST, REST), pause=HELD)
        self.openai = OpenAi(think=lambda _: held, hear=lambda _: "What time is it now?")
        self.elevenlabs = ElevenLabs(speak=self.speaker)
        self.loop, self.clock = IoLoop(), SystemClock()
        self.dial = GuardedDial(self.loop)
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            undo.enter_context(self.openai)
            undo.enter_context(self.elevenlabs)
            self.loop.start()
            undo.callback(self.loop.stop, DEADLINE_SECONDS)
            self.clock.start()
            undo.callback(self.clock.stop, DEADLINE_SECONDS)
            self._undo = undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.__exit__(kind, error, trace)
        assert kind is not None or not [*self.openai.violations, *self.elevenlabs.violations]

    def live(self, make: Callable[[Life], W]) -> W:
        """Let an actor live until the end."""
        life = Life.alone()
        worker = make(life)
        life.begin(worker)
        assert life.wait_opened(DEADLINE_SECONDS)

        def end() -> None:
            life.ask_to_stop(Ending.SHUTDOWN, DEADLINE_SECONDS)
            assert life.wait_gone(DEADLINE_SECONDS)

        self._undo.callback(end)
        return worker

    def on_io(self, look: Callable[[], float]) -> float:
        """What something is on the I/O thread, once it has done what it was given before."""
        seen: queue.SimpleQueue[float] = queue.SimpleQueue()
        assert self.loop.call(lambda: seen.put(look()))
        return seen.get(timeout=DEADLINE_SECONDS)


class Transcriber(LiveTranscriber):
    """The real one; it also notes when it is asked for a final."""

    def __init__(self, cloud: Cloud) -> None:
        settings = CaptureSettings(provider="openai", commit_early=False)
        service, chairs = cloud.openai.service, Listeners(25)
        super().__init__(cloud.loop, cloud.dial, service, settings, chairs, ("Clankie",))
        self.asked = Moments()

    def ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        """Ask."""
        if ask is Ask.FINAL:
            self.asked.note()
        super().ask(segment, ask, settled)


class Activity:
    """Judges one window for each frame: whatever is not silent is voice."""

    def open(self) -> None:
        """Nothing is needed."""

    def hear(self, pcm: bytes) -> tuple[float, ...]:
        """Certain."""
        return (1.0 if pcm[0] else 0.0,)

    def close(self) -> None:
        """Nothing is held."""


class Ear:
    """One person's listener, whose sound the test puts in, and the floor that waits for his words."""

    def __init__(self, cloud: Cloud) -> None:
        stay: Probe[StayMessage] = Probe()
        self.port, self.floor = Transcriber(cloud), Neighbour(WordsHeard)
        cloud.live(
            lambda life: Capture(
                life,
                stay_id=STAY,
                person=ANNA,
                capture_id=CaptureId("ear"),
                stay=stay,
                floor=self.floor,
                evidence=Nobody(),
                clock=cloud.clock,
                activity=Activity(),
                port=self.port,
                settings=CaptureSettings(provider="openai", commit_early=False),
            )
        )
        self.sink: SoundSink = stay.expect(EarOpened).sink


class Sender:
    """A VoicePort that sends at once whatever it is given, and notes when the first of it came."""

    def __init__(self) -> None:
        self.first = Moments()
        self._events: Callable[[VoicePortEvent], None] = lambda _: None
        self._frames: dict[UtteranceId, int] = {}

    def open(self, events: Callable[[VoicePortEvent], None], /) -> None:
        """Report there."""
        self._events = events

    def connect(self, connection: Connection, room: RoomId) -> None:
        """It is up."""
        self._events(LinkUp(connection=connection, encryption="none"))

    def play(self, connection: Connection, utterance: UtteranceId, pcm: bytes) -> None:
        """Sent."""
        if utterance not in self._frames:
            self.first.note()
        frames = self._frames[utterance] = self._frames.get(utterance, 0) + len(pcm) // FRAME_BYTES
        self._events(SoundSent(connection=connection, utterance=utterance, frames=frames))

    def end(self, connection: Connection, utterance: UtteranceId) -> None:
        """All was sent."""
        frames = self._frames[utterance]
        self._events(SoundDrained(connection=connection, utterance=utterance, frames=frames))

    def disconnect(self, connection: Connection) -> None:
        """Nobody does."""

    def microphone(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> None:
        """Nobody speaks."""

    def cut(self, connection: Connection, utterance: UtteranceId) -> None:
        """Nobody interrupts."""

    def gain(self, connection: Connection, utterance: UtteranceId, decibels: float, seconds: float) -> None:
        """Nobody talks over him."""

    def hold(self, connection: Connection, utterance: UtteranceId, held: bool) -> None:
        """Nobody talks over him."""

    def describe(self) -> Mapping[str, Scalar]:
        """Nobody asks."""
        return {}

    def close(self) -> tuple[MicrophoneCount, ...]:
        """Nothing is held."""
        return ()


class Mouth:
    """Conversation, synthesizer, playback and voice link; `floor` waits for the end of what he says."""

    def __init__(self, cloud: Cloud) -> None:
        self.sender, self.floor = Sender(), Neighbour(SpeechDrained)
        self._cloud, self._nobody = cloud, Nobody()
        playback: Address[PlaybackMessage] = Address()
        voice = self._voice(playback)
        voice.here.tell(OpenLink(room=ROOM))
        tts = self._tts(playback)
        self.realtime = self._realtime(tts)
        playback.bind(self._playback(voice, tts, self.realtime).actor_ref)

    def _voice(self, playback: Mailbox[PlaybackMessage]) -> Voice:
        return self._cloud.live(
            lambda life: Voice(
                life,
                stay_id=STAY,
                stay=self._nobody,
                playback=playback,
                evidence=self._nobody,
                clock=self._cloud.clock,
                port=self.sender,
                settings=VoiceSettings(),
            )
        )

    def _tts(self, playback: Mailbox[PlaybackMessage]) -> Tts:
        cloud, settings = self._cloud, TtsSettings(provider="elevenlabs")
        port = ElevenLabsVoice(cloud.loop, cloud.dial, cloud.elevenlabs.service, settings)
        return cloud.live(
            lambda life: Tts(
                life,
                stay_id=STAY,
                playback=playback,
                evidence=self._nobody,
                clock=cloud.clock,
                port=port,
                settings=settings,
            )
        )

    def _realtime(self, tts: Tts) -> Realtime:
        cloud, settings = self._cloud, RealtimeSettings(provider="openai")
        port = LiveConversation(cloud.loop, cloud.dial, cloud.openai.service, settings)
        return cloud.live(
            lambda life: Realtime(
                life,
                stay_id=STAY,
                room=ROOM,
                floor=self._nobody,
                tts=tts.here,
                stay=self._nobody,
                captain=self._nobody,
                returns=self._nobody,
                evidence=self._nobody,
                clock=cloud.clock,
                port=port,
                settings=settings,
            )
        )

    def _playback(self, voice: Voice, tts: Tts, realtime: Realtime) -> Playback:
        return self._cloud.live(
            lambda life: Playback(
                life,
                stay_id=STAY,
                voice=voice.here,
                tts=tts.here,
                floor=self.floor,
                realtime=realtime.here,
                stay=self._nobody,
                evidence=self._nobody,
                clock=self._cloud.clock,
                settings=PlaybackSettings(),
            )
        )
