"""The floor listens to everybody, and says who may speak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from loguru import logger

from actors.base import Worker
from actors.clock import Clock
from actors.floor import core, decisions
from actors.floor.obeying import hushed_for
from actors.floor.settings import FloorSettings
from actors.floor.state import begin
from actors.floor.words import Words
from actors.life import Life
from messages.evidence import EvidenceMessage
from messages.floor import FloorMessage
from messages.ids import StayId, new_id
from messages.lifecycle import Scalar
from messages.mailbox import Mailbox
from messages.playback import PlaybackMessage
from messages.realtime import MouthRestarted, RealtimeMessage
from messages.stay import FloorOpened, StayMessage
from messages.tts import TtsMessage


class Floor(Worker[FloorMessage]):
    """Whose turn it is in one stay: lines, turns, and his own speech as far as it concerns others."""

    def __init__(
        self,
        life: Life,
        *,
        stay_id: StayId,
        stay: Mailbox[StayMessage],
        playback: Mailbox[PlaybackMessage],
        tts: Mailbox[TtsMessage],
        realtime: Mailbox[RealtimeMessage],
        evidence: Mailbox[EvidenceMessage],
        clock: Clock,
        words: Words,
        settings: FloorSettings,
    ) -> None:
        super().__init__(life)
        self._stay, self._playback, self._tts = stay, playback, tts
        self._realtime, self._evidence, self._clock = realtime, evidence, clock
        self._log = logger.bind(stay=stay_id)
        self._state = begin(stay=stay_id, life=new_id(), settings=settings, words=words, now=clock.now())

    def opened(self) -> None:
        """Whatever an earlier life asked for cannot be spoken any more; ask who is here."""
        self._realtime.tell(MouthRestarted())
        self._stay.tell(FloorOpened())

    def receive(self, message: FloorMessage) -> None:
        """Think about one message and do what was decided."""
        self._state, decided = core.step(self._state, message, self._clock.now())
        for decision in decided:
            self._carry_out(decision)

    def describe(self) -> Mapping[str, Scalar]:
        """Who holds the floor, what is in flight and how the last lines were judged, without words."""
        state = self._state
        facts: dict[str, Scalar] = {
            "state": "dormant" if state.engagement.holder is None else "engaged",
            "holder": state.engagement.holder,
            "turn": None if state.flight is None else f"{state.flight.id} {state.flight.trigger}",
            "speaking": state.audible() is not None,
            "voices": sum(voice.open for voice in state.voices),
            "leaving": state.leaving,
            "hushed_s": hushed_for(state, self._clock.now()),
            "sayings": len(state.sayings),
            "lines_shed": state.lines_shed,
        }
        for place, last in enumerate(reversed(state.recent), 1):
            facts[f"decision_{place}"] = f"{last.heard_as} {last.verdict} {last.rule}"
        return facts

    def _carry_out(self, decision: decisions.Decision) -> None:
        match decision:
            case decisions.TellRealtime():
                self._realtime.tell(decision.message)
            case decisions.TellPlayback():
                self._playback.tell(decision.message)
            case decisions.TellTts():
                self._tts.tell(decision.message)
            case decisions.TellStay():
                self._stay.tell(decision.message)
            case decisions.TellCapture():
                decision.mailbox.tell(decision.message)
            case decisions.Answer():
                decision.mailbox.tell(decision.answer)
            case decisions.Record():
                self._evidence.tell(decision.receipt)
            case decisions.TurnOver():
                self._log.info("turn {} ({}) is over: {}", decision.turn, decision.trigger, decision.outcome)
            case decisions.Wake():
                self._clock.after(decision.seconds, self.here, decision.message)
            case _ as never:
                assert_never(never)
