"""The shell of the voice link: letters to the core, decisions to the port and the neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.clock import Clock
from actors.voice import core, decisions
from actors.voice.port import VoicePort
from actors.voice.settings import VoiceSettings
from actors.voice.state import State
from messages.evidence import EvidenceMessage
from messages.ids import StayId
from messages.lifecycle import Ending, Scalar
from messages.mailbox import Mailbox
from messages.playback import LinkRestarted, PlaybackMessage
from messages.stay import LinkDegraded, LinkGone, LinkOpened, StayMessage
from messages.voice import CutSound, EndSound, HoldSound, PlaySound, SetGain, VoiceMessage


class Voice(Worker[VoiceMessage]):
    """The one who keeps the link to a room's sound."""

    def __init__(
        self,
        life: Life,
        *,
        stay_id: StayId,
        stay: Mailbox[StayMessage],
        playback: Mailbox[PlaybackMessage],
        evidence: Mailbox[EvidenceMessage],
        clock: Clock,
        port: VoicePort,
        settings: VoiceSettings,
    ) -> None:
        super().__init__(life)
        self._stay = stay
        self._playback = playback
        self._evidence = evidence
        self._clock = clock
        self._port = port
        self._state = State(settings=settings, stay=stay_id)

    def opened(self) -> None:
        self._port.open(self.here.tell)
        self._playback.tell(LinkRestarted())
        self._stay.tell(LinkOpened())

    def receive(self, message: VoiceMessage) -> None:
        before = self._state.phase
        self._state, decided = core.step(self._state, message, self._clock.now())
        if self._state.phase is not before:
            told = [one.message for one in decided if isinstance(one, decisions.TellStay)]
            why = "".join(f", {one.reason}" for one in told if isinstance(one, LinkGone | LinkDegraded))
            logger.bind(stay=self._state.stay).info(
                "voice link {}: {}{}", self._state.connection, self._state.phase, why
            )
        for decision in decided:
            self._carry_out(decision)

    def closed(self, ending: Ending) -> None:
        for owed in core.stopped(self._state, self._port.close()):
            self._stay.tell(owed.message)

    def describe(self) -> Mapping[str, Scalar]:
        link = self._state
        return {
            "link": link.phase.value,
            "faltering": link.faltering or None,
            "connection": link.connection,
            "tries": link.tries,
            "microphones": len(link.microphones),
            "speaking": link.speaking,
            "old_letters": link.old_letters,
            **self._port.describe(),
        }

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.Connect():
                self._port.connect(decision.connection, decision.room)
            case decisions.Disconnect():
                self._port.disconnect(decision.connection)
            case decisions.Listen():
                microphone = decision.microphone
                sink = microphone.sink if decision.open else None
                self._port.microphone(microphone.person, microphone.capture, sink)
            case decisions.Sound():
                self._sound(decision)
            case decisions.TellStay():
                self._stay.tell(decision.message)
            case decisions.TellPlayback():
                self._playback.tell(decision.message)
            case decisions.Record():
                self._evidence.tell(decision.receipt)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case _:
                assert_never(decision)

    def _sound(self, sound: decisions.Sound) -> None:
        order, connection = sound.order, sound.connection
        match order:
            case PlaySound():
                self._port.play(connection, order.utterance, order.pcm)
            case EndSound():
                self._port.end(connection, order.utterance)
            case CutSound():
                self._port.cut(connection, order.utterance)
            case SetGain():
                self._port.gain(connection, order.utterance, order.decibels, order.seconds)
            case HoldSound():
                self._port.hold(connection, order.utterance, order.held)
            case _:
                assert_never(order)
