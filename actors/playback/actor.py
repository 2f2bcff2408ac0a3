"""The shell of playback: letters to the core, decisions to the five neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.clock import Clock
from actors.playback import core, decisions
from actors.playback.settings import PlaybackSettings
from actors.playback.state import State
from messages.evidence import EvidenceMessage, Failed
from messages.floor import FloorMessage
from messages.ids import StayId
from messages.lifecycle import Ending, Scalar
from messages.mailbox import Mailbox
from messages.playback import PlaybackMessage
from messages.realtime import RealtimeMessage
from messages.stay import StayMessage
from messages.tts import TtsMessage
from messages.voice import VoiceMessage


class Playback(Worker[PlaybackMessage]):
    """The one who knows what is being said."""

    def __init__(
        self,
        life: Life,
        *,
        stay_id: StayId,
        voice: Mailbox[VoiceMessage],
        tts: Mailbox[TtsMessage],
        floor: Mailbox[FloorMessage],
        realtime: Mailbox[RealtimeMessage],
        stay: Mailbox[StayMessage],
        evidence: Mailbox[EvidenceMessage],
        clock: Clock,
        settings: PlaybackSettings,
    ) -> None:
        super().__init__(life)
        self._voice = voice
        self._tts = tts
        self._floor = floor
        self._realtime = realtime
        self._stay = stay
        self._evidence = evidence
        self._clock = clock
        self._state = State(settings=settings, stay=stay_id)

    def receive(self, message: PlaybackMessage) -> None:
        self._state, decided = core.step(self._state, message, self._clock.now())
        for decision in decided:
            self._carry_out(decision)

    def closed(self, ending: Ending) -> None:
        reason = None if ending in (Ending.SHUTDOWN, Ending.ORDERED) else ending.value
        for decision in core.stopped(self._state, reason, self._clock.now()):
            self._carry_out(decision)

    def describe(self) -> Mapping[str, Scalar]:
        mouth = self._state
        first = mouth.speeches[0] if mouth.speeches else None
        return {
            "utterances": len(mouth.speeches),
            "speaking": first.utterance if first is not None and first.begun else None,
            "frames_sent": 0 if first is None else first.sent,
            "seconds_waiting": round(sum(speech.waiting.seconds for speech in mouth.speeches), 2),
            "underruns": mouth.underruns,
            "old_letters": mouth.old_letters,
        }

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.TellVoice():
                self._voice.tell(decision.message)
            case decisions.TellTts():
                self._tts.tell(decision.message)
            case decisions.TellFloor():
                self._floor.tell(decision.message)
            case decisions.TellRealtime():
                self._realtime.tell(decision.message)
            case decisions.TellStay():
                self._stay.tell(decision.message)
            case decisions.Record():
                if isinstance(decision.receipt, Failed):
                    logger.bind(stay=self._state.stay, utterance=decision.receipt.utterance_id).warning(
                        f"playback failed: {decision.receipt.reason}"
                    )
                self._evidence.tell(decision.receipt)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case _:
                assert_never(decision)
