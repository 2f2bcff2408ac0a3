"""One microphone's listener: frames in, a knock at a time; voices and words out."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import assert_never

from loguru import logger

from actors.audio.pipe import FramePipe
from actors.base import Life, Worker
from actors.capture import core, decisions
from actors.capture.events import EarCloses, Event, WindowHeard
from actors.capture.phrase_book import phrase_book
from actors.capture.port import TranscriberPort, VoiceActivityPort
from actors.capture.settings import CaptureSettings
from actors.capture.state import Ear, State, facts
from actors.clock import Clock
from messages.audio import FRAME_SECONDS, Frame
from messages.capture import CaptureMessage, SoundWaiting
from messages.evidence import EvidenceMessage
from messages.floor import FloorMessage, VoiceBegan
from messages.ids import CaptureId, StayId
from messages.lifecycle import Ending, Scalar
from messages.mailbox import Mailbox
from messages.people import Person
from messages.stay import EarClosed, EarOpened, StayMessage


class Capture(Worker[CaptureMessage]):
    """Hears one consented person for as long as it lives; offers its sink to the stay when it opens."""

    def __init__(
        self,
        life: Life,
        *,
        stay_id: StayId,
        person: Person,
        capture_id: CaptureId,
        stay: Mailbox[StayMessage],
        floor: Mailbox[FloorMessage],
        evidence: Mailbox[EvidenceMessage],
        clock: Clock,
        activity: VoiceActivityPort,
        port: TranscriberPort,
        settings: CaptureSettings,
    ) -> None:
        super().__init__(life)
        self._person, self._capture, self._stay, self._floor = person, capture_id, stay, floor
        self._evidence, self._clock, self._activity, self._port = evidence, clock, activity, port
        ear = Ear(stay=stay_id, person=person, capture=capture_id, settings=settings, book=phrase_book())
        self._state = State(ear=ear)
        self._pipe = FramePipe[Frame](lambda: self.here.tell(SoundWaiting()))
        remembered = settings.pre_roll_seconds + settings.begin_seconds + settings.window_seconds
        self._before = deque[bytes](maxlen=round(remembered / FRAME_SECONDS) + 1)

    def opened(self) -> None:
        self._activity.open()
        self._port.open(self.here.tell)
        self._stay.tell(EarOpened(person=self._person.id, capture=self._capture, sink=self._pipe))

    def receive(self, message: CaptureMessage) -> None:
        self._listen()  # what was said before the message is heard before it
        if not isinstance(message, SoundWaiting):
            self._step(message)

    def closed(self, ending: Ending) -> None:
        try:
            self._step(EarCloses())
        finally:
            self._port.close()
            self._activity.close()
            self._stay.tell(EarClosed(person=self._person.id, capture=self._capture, ending=ending))

    def describe(self) -> Mapping[str, Scalar]:
        return {**facts(self._state), "frames_dropped": self._pipe.dropped}

    def _listen(self) -> None:
        for frame in self._pipe.drain():
            self._before.append(frame.pcm)
            if self._state.open is not None and self._state.open.connection is not None:
                self._port.append(self._state.open.id, frame.pcm)
            for probability in self._activity.hear(frame.pcm):
                self._step(WindowHeard(probability=probability, at=frame.at))

    def _step(self, event: Event) -> None:
        self._state, decided = core.step(self._state, event, self._clock.now())
        for decision in decided:
            self._carry_out(decision)

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.TellVoiceBegan(segment=segment, at=at):
                logger.debug("{} hears segment {}", self._capture, segment)
                self._floor.tell(VoiceBegan(person=self._person, segment=segment, at=at, ear=self.here))
            case decisions.TellFloor():
                self._floor.tell(decision.message)
            case decisions.TellStay():
                self._stay.tell(decision.message)
            case decisions.Record():
                self._evidence.tell(decision.receipt)
            case decisions.Connect(connection=connection):
                self._port.connect(connection)
            case decisions.Disconnect(connection=connection):
                self._port.disconnect(connection)
            case decisions.BeginSound():
                frames = round(decision.before / FRAME_SECONDS)
                self._port.begin(decision.connection, decision.segment)
                self._port.append(decision.segment, b"".join([*self._before][-frames:] if frames else []))
            case decisions.AskWords():
                self._port.ask(decision.segment, decision.ask, decision.settled)
            case decisions.DropSound():
                self._port.drop(decision.segment)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case _:
                assert_never(decision)
