"""The shell of the synthesizer: letters to the core, decisions to the port and to playback."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from loguru import logger

from actors.base import Life, Worker
from actors.clock import Clock
from actors.tts import core, decisions, spending
from actors.tts.port import TtsPort
from actors.tts.settings import TtsSettings
from actors.tts.state import State
from messages.evidence import EvidenceMessage, Failed, Usage
from messages.ids import StayId
from messages.lifecycle import Ending, Scalar
from messages.mailbox import Mailbox
from messages.playback import PlaybackMessage
from messages.tts import TtsMessage


class Tts(Worker[TtsMessage]):
    """The one who turns text into sound."""

    def __init__(
        self,
        life: Life,
        *,
        stay_id: StayId,
        playback: Mailbox[PlaybackMessage],
        evidence: Mailbox[EvidenceMessage],
        clock: Clock,
        port: TtsPort,
        settings: TtsSettings,
    ) -> None:
        super().__init__(life)
        self._playback = playback
        self._evidence = evidence
        self._clock = clock
        self._port = port
        self._state = State(settings=settings, stay=stay_id)

    def opened(self) -> None:
        self._port.open(self.here.tell)

    def receive(self, message: TtsMessage) -> None:
        self._state, decided = core.step(self._state, message)
        for decision in decided:
            self._carry_out(decision)

    def closed(self, ending: Ending) -> None:
        shuts, left = ending in (Ending.SHUTDOWN, Ending.ORDERED), self._state
        owed = spending.told(left, *left.speeches) if shuts else core.stopped(left, ending.value)
        for decision in owed:
            self._carry_out(decision)
        self._port.close()

    def describe(self) -> Mapping[str, Scalar]:
        mouth = self._state
        return {
            "connection": mouth.connection,
            "utterances": len(mouth.speeches),
            "in_flight": sum(speech.speaking is not None for speech in mouth.speeches),
            "units_waiting": sum(len(speech.units) for speech in mouth.speeches),
            "old_letters": mouth.old_letters,
        }

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.Prepare():
                self._port.prepare(decision.connection)
            case decisions.Speak():
                self._port.speak(
                    decision.connection, decision.utterance, decision.unit, decision.text, decision.last
                )
            case decisions.Forget():
                self._port.forget(decision.connection, decision.utterance)
            case decisions.TellPlayback():
                self._playback.tell(decision.message)
            case decisions.Record():
                self._note(decision.receipt)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case _:
                assert_never(decision)

    def _note(self, receipt: Failed | Usage) -> None:
        if isinstance(receipt, Failed):
            bound = logger.bind(stay=receipt.stay_id, utterance=receipt.utterance_id)
            bound.warning(f"speech failed: {receipt.reason}")
        self._evidence.tell(receipt)
