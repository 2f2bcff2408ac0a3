"""A voice port that does nothing but remember what it was asked."""

from collections.abc import Callable, Mapping

from messages.audio import Frame, SoundSink
from messages.ids import CaptureId, Connection, PersonId, RoomId, UtteranceId
from messages.lifecycle import Scalar
from messages.voice import MicrophoneCount, VoicePortEvent


class FakeVoicePort:
    """`asked` holds every call as a tuple: its name, then its arguments."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.counts: tuple[MicrophoneCount, ...] = ()
        self.events: Callable[[VoicePortEvent], None] = lambda _event: None

    def open(self, events: Callable[[VoicePortEvent], None], /) -> None:
        self.events = events
        self.asked.append(("open",))

    def connect(self, connection: Connection, room: RoomId) -> None:
        self.asked.append(("connect", connection, room))

    def disconnect(self, connection: Connection) -> None:
        self.asked.append(("disconnect", connection))

    def microphone(self, person: PersonId, capture: CaptureId, sink: SoundSink | None) -> None:
        self.asked.append(("microphone", person, capture, sink))

    def play(self, connection: Connection, utterance: UtteranceId, pcm: bytes) -> None:
        self.asked.append(("play", connection, utterance, pcm))

    def end(self, connection: Connection, utterance: UtteranceId) -> None:
        self.asked.append(("end", connection, utterance))

    def cut(self, connection: Connection, utterance: UtteranceId) -> None:
        self.asked.append(("cut", connection, utterance))

    def gain(self, connection: Connection, utterance: UtteranceId, decibels: float, seconds: float) -> None:
        self.asked.append(("gain", connection, utterance, decibels, seconds))

    def hold(self, connection: Connection, utterance: UtteranceId, held: bool) -> None:
        self.asked.append(("hold", connection, utterance, held))

    def describe(self) -> Mapping[str, Scalar]:
        return {"fake": True}

    def close(self) -> tuple[MicrophoneCount, ...]:
        self.asked.append(("close",))
        return self.counts


class FrameList:
    """A sink that keeps all it gets."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def put(self, frame: Frame, /) -> None:
        self.frames.append(frame)
